/*
 * Answers questions of statistics, one a line of standard input, and prints the seconds of each.
 *
 *   call STORE [thread]     with "thread" each on a thread of its own, as the Python package asks
 *
 * glibc gives the memory of a thread back to the system sooner than that of the main thread.
 */
#define _POSIX_C_SOURCE 200112L
#include "hkstats.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
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

struct question {
  hkstats_store *store;
  char line[4096];
  double seconds;
  int64_t rows;
  char *error;
};

static void *answer(void *argument) {
  struct question *asked = argument;
  hkstats_table *table = NULL;
  double began = now();
  if (hkstats_ask(asked->store, "statistics", asked->line, NULL, NULL, &table, &asked->error)) return NULL;
  asked->rows = read_all(table);
  asked->seconds = now() - began;
  hkstats_table_close(table, NULL);
  return NULL;
}

int main(int argc, char **argv) {
  static struct question asked;
  char *error = NULL;
  pthread_t thread;
  if (argc != 2 && !(argc == 3 && strcmp(argv[2], "thread") == 0)) return 64;
  if (hkstats_store_open(argv[1], HKSTATS_READ_ONLY, HKSTATS_NO_KEY, NULL, &asked.store, &error)) {
    fprintf(stderr, "%s\n", error);
    return 1;
  }
  /* A question a line, the answer's seconds and rows a line: the caller takes turns. */
  while (fgets(asked.line, sizeof asked.line, stdin)) {
    if (argc == 2) {
      answer(&asked);
    } else if (pthread_create(&thread, NULL, answer, &asked) || pthread_join(thread, NULL)) {
      return 1;
    }
    if (asked.error) {
      fprintf(stderr, "%s\n", asked.error);
      return 1;
    }
    printf("%.9f %lld\n", asked.seconds, (long long)asked.rows);
    fflush(stdout);
  }
  hkstats_store_close(asked.store, NULL);
  return 0;
}
