#include <stdio.h>
#include <time.h>

#include "floors.h"

enum { epoch = 978307200 };

/// Prints an instant of whole seconds since 2001 in UTC.
static void print_time(FILE *file, double instant) {
  struct tm tm;
  time_t time = (time_t)instant + epoch;
  gmtime_r(&time, &tm);
  fprintf(file, "%04d-%02d-%02dT%02d:%02d:%02d+00:00", tm.tm_year + 1900, tm.tm_mon + 1,
          tm.tm_mday, tm.tm_hour, tm.tm_min, tm.tm_sec);
}

long floor_print_samples(const char *path, const double *starts, const double *values,
                         long count) {
  FILE *file = fopen(path, "w");
  if (!file) return -1;
  for (long row = 0; row < count; row += 1) {
    fputs("HKQuantityTypeIdentifierHeartRate,", file);
    print_time(file, starts[row]);
    fputc(',', file);
    print_time(file, starts[row]);
    fprintf(file, ",%.15g,count/min,Watch,false,10.1,\"name:Watch, model:Watch\",", values[row]);
    print_time(file, starts[row]);
    fputs(",1,,,\n", file);
  }
  return fclose(file) == 0 ? count : -1;
}

long floor_print_hours(const char *path, long count, int is_table) {
  FILE *file = fopen(path, "w");
  if (!file) return -1;
  for (long row = 0; row < count; row += 1) {
    double start = row * 3600.0;
    double sum = (double)(row % 997) * 1.01;
    if (is_table) {
      struct tm tm;
      time_t time = (time_t)start + epoch;
      gmtime_r(&time, &tm);
      fprintf(file, "%04d-%02d-%02d %02d:%02d  %8.1f  %6ld\n", tm.tm_year + 1900, tm.tm_mon + 1,
              tm.tm_mday, tm.tm_hour, tm.tm_min, sum, row % 61);
    } else {
      print_time(file, start);
      fputc(',', file);
      print_time(file, start + 3600);
      fprintf(file, ",%.15g,%ld,HKQuantityTypeIdentifierActiveEnergyBurned,kcal,UTC,hk\n", sum,
              row % 61);
    }
  }
  return fclose(file) == 0 ? count : -1;
}
