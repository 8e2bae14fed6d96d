/* Answers questions of statistics, one a line of standard input, and prints the seconds of each. */
#define _POSIX_C_SOURCE 199309L
#include "hkstats.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* Reads all batches of a table as a reader does. */
static int64_t read_all(hkstats_table *table) {
  struct ArrowArrayStream stream;
  struct ArrowArray array;
  int64_t rows = 0;
  if (hkstats_table_stream(table, &stream, NULL) != HKSTATS_OK) return -1;
  while (stream.get_next(&stream, &array) == 0 && array.release != NULL) {
    rows += array.length;
    array.release(&array);
  }
  stream.release(&stream);
  return rows;
}

int main(int argc, char **argv) {
  hkstats_store *store = NULL;
  char *error = NULL;
  char line[4096];
  if (argc != 2) return 64;
  if (hkstats_store_open(argv[1], HKSTATS_READ_ONLY, HKSTATS_NO_KEY, NULL, &store, &error)) {
    fprintf(stderr, "%s\n", error);
    return 1;
  }
  /* A question a line, the answer's seconds and rows a line: the caller takes turns. */
  while (fgets(line, sizeof line, stdin)) {
    hkstats_table *table = NULL;
    double began = now();
    int64_t rows;
    if (hkstats_statistics(store, line, NULL, NULL, &table, &error)) {
      fprintf(stderr, "%s\n", error);
      return 1;
    }
    rows = read_all(table);
    printf("%.9f %lld\n", now() - began, (long long)rows);
    fflush(stdout);
    hkstats_table_close(table, NULL);
  }
  hkstats_store_close(store, NULL);
  return 0;
}
