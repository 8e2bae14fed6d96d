// Which calls of the library run, and what a forked child may do: `fork` copies the memory, but of
// the threads only the one that forks. What another thread had locked stays locked in the child.
#include "hkstats_internal.h"

#include <pthread.h>

// Held while a thread forks, so that no call begins between the count and the copy.
static pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static int watch_result;

static unsigned running;
static unsigned running_at_fork;
static unsigned generation;
static int was_forked_amid_call;

static void before_fork(void) {
  pthread_mutex_lock(&gate);
  running_at_fork = running;
  hki_hold_file_locks();
}

static void after_fork_in_parent(void) {
  hki_keep_file_locks();
  pthread_mutex_unlock(&gate);
}

/// Does nothing but close descriptors, store, and unlock what this thread locked.
static void after_fork_in_child(void) {
  generation += 1;
  if (running_at_fork > 0) was_forked_amid_call = 1;
  hki_drop_file_locks();
  pthread_mutex_unlock(&gate);
}

static void watch(void) {
  watch_result = pthread_atfork(before_fork, after_fork_in_parent, after_fork_in_child) == 0
      ? HKI_OK
      : HKI_FAILED;
}

int hki_watch_forks(void) {
  pthread_once(&once, watch);
  return watch_result;
}

int hki_enter(void) {
  int result = hki_watch_forks();
  if (result != HKI_OK) return result;
  pthread_mutex_lock(&gate);
  if (was_forked_amid_call)
    result = HKI_FORKED_AMID_CALL;
  else
    running += 1;
  pthread_mutex_unlock(&gate);
  return result;
}

void hki_leave(void) {
  pthread_mutex_lock(&gate);
  running -= 1;
  pthread_mutex_unlock(&gate);
}

unsigned hki_generation(void) { return generation; }
