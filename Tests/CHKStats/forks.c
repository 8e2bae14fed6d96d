// What children say that were forked amid a call of the library, and between calls.
//
//   forks    exit status 1 if what a trial expects is not so
#define _GNU_SOURCE
#include "hkstats_internal.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

enum { CHILDREN = 72, THREADS = 8, RUNS = 300 };

static int failures;
static int is_over;
static int is_amid;
/// What a call of the library locks.
static pthread_mutex_t resource = PTHREAD_MUTEX_INITIALIZER;

#define EXPECT(condition, ...)                                  \
  do {                                                          \
    if (condition) break;                                       \
    failures += 1;                                              \
    printf("  line %d: ", __LINE__);                            \
    printf(__VA_ARGS__);                                        \
    printf("\n");                                               \
  } while (0)

/// Forks, and gives what the child returns.
static int child(int (*does)(void)) {
  fflush(stdout);
  const pid_t id = fork();
  if (id == 0) _exit(does());
  int status = 0;
  waitpid(id, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

static int enters(void) {
  int result = 0;
  for (int i = 0; i < 3; i++) {
    result = hki_enter();
    if (result == HKI_OK) hki_leave();
  }
  return result;
}

static int grandchild_enters(void) { return child(enters); }

static void *enter_once(void *result) {
  *(int *)result = enters();
  return NULL;
}

static int enters_on_threads(void) {
  pthread_t threads[THREADS];
  int results[THREADS], worst = 0;
  for (int i = 0; i < THREADS; i++) pthread_create(&threads[i], NULL, enter_once, &results[i]);
  for (int i = 0; i < THREADS; i++) {
    pthread_join(threads[i], NULL);
    worst = results[i] > worst ? results[i] : worst;
  }
  return worst;
}

static int generation(void) { return (int)hki_generation(); }
static int grandchild_generation(void) { return child(generation); }

/// In the child of a callback: it ends its part of the call, and begins no other.
static int comes_back(void) {
  const int result = hki_enter();
  hki_leave();
  return result == HKI_FORKED_AMID_CALL ? hki_enter() : result;
}

/// If it may call the library, what a call locks must be free.
static int uses_resource(void) {
  if (hki_enter() != HKI_OK) return 2;
  const int is_free = pthread_mutex_trylock(&resource) == 0;
  return is_free ? 0 : 1;
}

static void *one_long_call(void *unused) {
  (void)unused;
  if (hki_enter() != HKI_OK) abort();
  __atomic_store_n(&is_amid, 1, __ATOMIC_SEQ_CST);
  while (!__atomic_load_n(&is_over, __ATOMIC_SEQ_CST)) usleep(100);
  hki_leave();
  return NULL;
}

static void *many_calls(void *unused) {
  (void)unused;
  while (!__atomic_load_n(&is_over, __ATOMIC_SEQ_CST)) {
    if (hki_enter() != HKI_OK) abort();
    pthread_mutex_lock(&resource);
    // Longer than a fork takes, or it would always be free again.
    usleep(300);
    pthread_mutex_unlock(&resource);
    hki_leave();
    usleep(1000);
  }
  return NULL;
}

int main(void) {
  pthread_t threads[THREADS];
  alarm(60);

  int counts[4] = {0};
  for (int i = 0; i < CHILDREN; i++) {
    const int went_on = child(enters) == HKI_OK && child(enters_on_threads) == HKI_OK
        && child(grandchild_enters) == HKI_OK;
    counts[0] += went_on;
  }
  EXPECT(counts[0] == CHILDREN, "%d of %d children went on", counts[0], CHILDREN);
  // From the first call on, forks are counted.
  EXPECT(enters() == HKI_OK, "a first call");
  EXPECT(hki_generation() == 0, "generation %u", hki_generation());
  EXPECT(child(generation) == 1, "generation of a child");
  EXPECT(child(grandchild_generation) == 2, "generation of a child's child");

  EXPECT(hki_enter() == HKI_OK, "a call");
  for (int i = 0; i < CHILDREN; i++) counts[1] += child(comes_back) == HKI_FORKED_AMID_CALL;
  EXPECT(counts[1] == CHILDREN, "%d of %d children of a callback", counts[1], CHILDREN);
  EXPECT(enters() == HKI_OK, "a call within a call of the parent");
  hki_leave();
  EXPECT(child(enters) == HKI_OK, "a child after the call");

  pthread_create(&threads[0], NULL, one_long_call, NULL);
  while (!__atomic_load_n(&is_amid, __ATOMIC_SEQ_CST)) usleep(100);
  for (int i = 0; i < CHILDREN; i++)
    counts[2] += child(enters) == HKI_FORKED_AMID_CALL
        && child(enters_on_threads) == HKI_FORKED_AMID_CALL
        && child(grandchild_enters) == HKI_FORKED_AMID_CALL;
  EXPECT(counts[2] == CHILDREN, "%d of %d children of another thread", counts[2], CHILDREN);
  EXPECT(enters() == HKI_OK, "a call of the parent");
  __atomic_store_n(&is_over, 1, __ATOMIC_SEQ_CST);
  pthread_join(threads[0], NULL);
  EXPECT(child(enters) == HKI_OK, "a child after the other thread's call");

  __atomic_store_n(&is_over, 0, __ATOMIC_SEQ_CST);
  for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, many_calls, NULL);
  int refused = 0;
  for (int i = 0; i < RUNS; i++) {
    const int result = child(uses_resource);
    refused += result == 2;
    counts[3] += result == 1;
  }
  __atomic_store_n(&is_over, 1, __ATOMIC_SEQ_CST);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
  EXPECT(counts[3] == 0, "%d of %d may call, but what they need is locked", counts[3], RUNS);
  EXPECT(refused > 0 && refused < RUNS, "%d of %d children refused", refused, RUNS);

  printf(
      "  %d of %d children say that a call ran, %d of %d of a callback; between calls %d of %d go"
      " on; of %d beside short calls %d refused\n",
      counts[2], CHILDREN, counts[1], CHILDREN, counts[0], CHILDREN, RUNS, refused);
  return failures > 0;
}
