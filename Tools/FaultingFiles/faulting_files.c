// A file system that fails, for a program that does not know: preload it, and the Nth call that
// changes a file below a folder fails, stops half way or is the last before the power goes out.
//
//   cc -shared -fPIC -O1 -o faulting.so faulting_files.c -ldl -lpthread
//   FAULTS_BELOW=/folder FAULTS_KIND=eio FAULTS_AT=7 LD_PRELOAD=./faulting.so program …
//
// FAULTS_BELOW   The folder; calls on anything else go through and are not counted.
// FAULTS_AT      The number of the call, from 1; 0 or none lets all through.
// FAULTS_KIND    eio       the call fails with EIO, those after it work again
//                eio-on    it and every later one fail with EIO
//                enospc    it and every later one that needs room fail with ENOSPC
//                short     a write moves half of its bytes, and the next one fails with EIO
//                kill      a write moves half of its bytes, then SIGKILL
//                power     SIGKILL, and nothing is left that was not synchronised before
//                torn      SIGKILL, and of each sector and each length that was not synchronised
//                          either the last state is left or the one before, as FAULTS_SEED chooses
//                With power and torn the end of the program counts as one more call, so that what
//                it has promised can be looked for after that.
// FAULTS_TRACE   A file to which the name of each counted call is appended; the one that failed is
//                followed by " !".
// FAULTS_LIE     Synchronising does nothing and says it has: what shows that a check can fail.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#define SECTOR 512

enum kind { NONE, EIO_ONCE, EIO_ON, ENOSPC_ON, SHORT, KILL, POWER, TORN };
static const char *const kind_names[] = {"",      "eio",  "eio-on", "enospc",
                                         "short", "kill", "power",  "torn"};

// What a sector, the length or the name of a file was before a change that is not synchronised.
struct undo {
  struct undo *older;
  enum { SECTORS, LENGTH, NAME } what;
  int descriptor;  // our own, on the file; for a name, on the file that had it
  dev_t device;
  ino_t number;
  off_t at;        // for a length, the length before
  size_t size;
  char *bytes;     // for a name, the path
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static char *below;
static enum kind kind;
static long fault_at, calls;
static int trace = -1, lies, is_failing, fail_next_write;
static uint64_t seed;
static struct undo *undos;

#define REAL(name) ((__typeof__(&name))real(#name))
static void *real(const char *name) {
  void *found = dlsym(RTLD_NEXT, name);
  if (!found) abort();
  return found;
}

__attribute__((constructor)) static void begin(void) {
  const char *text = getenv("FAULTS_BELOW");
  if (!text || !(below = realpath(text, NULL))) return;
  if ((text = getenv("FAULTS_AT"))) fault_at = atol(text);
  if ((text = getenv("FAULTS_SEED"))) seed = strtoull(text, NULL, 10);
  lies = getenv("FAULTS_LIE") != NULL;
  if ((text = getenv("FAULTS_KIND"))) {
    for (kind = TORN; kind > NONE && strcmp(text, kind_names[kind]); kind--) {}
    if (kind == NONE) abort();
  }
  if ((text = getenv("FAULTS_TRACE")))
    trace = (int)syscall(SYS_openat, AT_FDCWD, text, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
}

static int is_below(const char *path) {
  const size_t length = strlen(below);
  return !strncmp(path, below, length) && (path[length] == '/' || !path[length]);
}

static int watches(int descriptor) {
  if (!below) return 0;
  char link[64], path[4096];
  snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
  const ssize_t length = readlink(link, path, sizeof path - 1);
  if (length <= 0) return 0;
  path[length] = 0;
  return is_below(path);
}

// The absolute path of a name, whose folder must exist.
static int absolute(int folder, const char *name, char *path, size_t room) {
  char beside[4096];
  const char *slash = strrchr(name, '/');
  snprintf(beside, sizeof beside, "%.*s", slash ? (int)(slash - name) : 1, slash ? name : ".");
  const int opened = (int)syscall(
      SYS_openat, folder, slash == name ? "/" : beside, O_PATH | O_DIRECTORY | O_CLOEXEC, 0);
  if (opened < 0) return 0;
  char link[64], real_folder[4096];
  snprintf(link, sizeof link, "/proc/self/fd/%d", opened);
  const ssize_t length = readlink(link, real_folder, sizeof real_folder - 1);
  close(opened);
  if (length <= 0) return 0;
  real_folder[length] = 0;
  snprintf(path, room, "%s/%s", real_folder, slash ? slash + 1 : name);
  return 1;
}

static int watches_name(int folder, const char *name, char *path, size_t room) {
  return below && absolute(folder, name, path, room) && is_below(path);
}

static void note(const char *text) {
  if (trace >= 0) syscall(SYS_write, trace, text, strlen(text));
}

static void remember(struct undo undo) {
  struct undo *entry = malloc(sizeof *entry);
  if (!entry) abort();
  *entry = undo;
  entry->older = undos;
  undos = entry;
}

// Our own descriptor of a file, which stays open: closing one would drop the locks of the program.
static int own_descriptor(int descriptor, const struct stat *facts) {
  for (struct undo *undo = undos; undo; undo = undo->older)
    if (undo->device == facts->st_dev && undo->number == facts->st_ino) return undo->descriptor;
  char link[64];
  snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
  return (int)syscall(SYS_openat, AT_FDCWD, link, O_RDWR | O_CLOEXEC, 0);
}

// Remembers what a write or a truncation is about to change.
static void keep(int descriptor, off_t from, off_t to, int is_length) {
  struct stat facts;
  if ((kind != POWER && kind != TORN) || fstat(descriptor, &facts) || !S_ISREG(facts.st_mode)) return;
  struct undo undo = {.what = LENGTH, .descriptor = own_descriptor(descriptor, &facts),
                      .device = facts.st_dev, .number = facts.st_ino, .at = facts.st_size};
  if (is_length || to > facts.st_size) remember(undo);
  // What a file did not have before reads as zeros where only its new length was kept.
  for (from -= from % SECTOR; from < to; from += SECTOR) {
    const off_t end = to > facts.st_size ? to : facts.st_size;
    undo.what = SECTORS;
    undo.at = from;
    undo.size = end - from < SECTOR ? (size_t)(end - from) : SECTOR;
    undo.bytes = calloc(1, SECTOR);
    if (!undo.bytes || syscall(SYS_pread64, undo.descriptor, undo.bytes, undo.size, from) < 0) abort();
    remember(undo);
  }
}

// A name that is about to go. A file of which no byte was synchronised need not come back.
static void keep_name(const char *path) {
  struct stat facts;
  if ((kind != POWER && kind != TORN) || lstat(path, &facts) || !S_ISREG(facts.st_mode)) return;
  off_t synchronised = facts.st_size;
  for (struct undo *undo = undos; undo; undo = undo->older)
    if (undo->device == facts.st_dev && undo->number == facts.st_ino && undo->what == LENGTH)
      synchronised = undo->at;
  if (!synchronised) return;
  const int descriptor = (int)syscall(SYS_openat, AT_FDCWD, path, O_RDWR | O_CLOEXEC, 0);
  if (descriptor >= 0)
    remember((struct undo){.what = NAME, .descriptor = descriptor, .device = facts.st_dev,
                           .number = facts.st_ino, .bytes = strdup(path)});
}

static void forget(int descriptor) {
  struct stat facts;
  if (fstat(descriptor, &facts)) return;
  const int is_folder = S_ISDIR(facts.st_mode);
  struct undo **place = &undos;
  while (*place) {
    struct undo *undo = *place;
    const int is_own = is_folder ? undo->what == NAME
                                 : undo->what != NAME && undo->device == facts.st_dev
                                       && undo->number == facts.st_ino;
    if (is_own) {
      *place = undo->older;
      free(undo->bytes);
      free(undo);
    } else {
      place = &undo->older;
    }
  }
}

static void bring_back(const struct undo *undo) {
  if (undo->what == SECTORS) {
    syscall(SYS_pwrite64, undo->descriptor, undo->bytes, undo->size, undo->at);
  } else if (undo->what == LENGTH) {
    syscall(SYS_ftruncate, undo->descriptor, undo->at);
  } else {
    const int copy = (int)syscall(
        SYS_openat, AT_FDCWD, undo->bytes, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (copy < 0) return;
    char block[8192];
    off_t at = 0;
    for (ssize_t size; (size = syscall(SYS_pread64, undo->descriptor, block, sizeof block, at)) > 0;
         at += size)
      syscall(SYS_pwrite64, copy, block, (size_t)size, at);
    close(copy);
  }
}

// Whether a sector, a length or a name that is not synchronised has reached the disk all the same.
static int stays(const struct undo *undo) {
  uint64_t mixed = seed + (uint64_t)undo->number * 1000003 + (uint64_t)undo->what;
  if (undo->what == SECTORS) mixed += ((uint64_t)undo->at / SECTOR + 1) << 32;
  mixed = (mixed ^ (mixed >> 30)) * 0xbf58476d1ce4e5b9u;
  mixed = (mixed ^ (mixed >> 27)) * 0x94d049bb133111ebu;
  return (mixed ^ (mixed >> 31)) >> 63;
}

// Takes back what is not synchronised, the newest first: all of it, or some.
static void lose_power(void) {
  for (struct undo *undo = undos; undo; undo = undo->older)
    if (kind == POWER || !stays(undo)) bring_back(undo);
  undos = NULL;
}

static void end_here(void) {
  if (kind == POWER || kind == TORN) lose_power();
  syscall(SYS_kill, getpid(), SIGKILL);
  for (;;) pause();
}

__attribute__((destructor)) static void end(void) {
  if (!below || (kind != POWER && kind != TORN)) return;
  pthread_mutex_lock(&lock);
  if (fault_at) lose_power();
}

enum way { THROUGH, FAIL, HALF };

// Counts a call, with the lock held: what becomes of it. `grows` says that it needs room.
static enum way count(const char *name, int is_write, int grows) {
  calls++;
  note(name);
  const int is_due = fault_at && calls == fault_at;
  note(is_due ? " !\n" : "\n");
  if (fail_next_write && is_write) {
    fail_next_write = 0;
    errno = EIO;
    return FAIL;
  }
  if (is_due) is_failing = 1;
  switch (kind) {
    case EIO_ONCE:
      if (is_due) return errno = EIO, FAIL;
      break;
    case EIO_ON:
      if (is_failing) return errno = EIO, FAIL;
      break;
    case ENOSPC_ON:
      if (is_failing && grows) return errno = ENOSPC, FAIL;
      break;
    case SHORT:
      if (is_due) return is_write ? (fail_next_write = 1, HALF) : (errno = EIO, FAIL);
      break;
    case KILL:
      if (is_due && is_write) return HALF;
      if (is_due) end_here();
      break;
    case POWER:
    case TORN:
      if (is_due) end_here();
      break;
    case NONE:
      break;
  }
  return THROUGH;
}

static ssize_t do_write(const char *name, int descriptor, const void *bytes, size_t size, off_t at,
                        int has_place) {
  pthread_mutex_lock(&lock);
  const enum way way = count(name, 1, 1);
  ssize_t done = -1;
  if (way != FAIL) {
    if (way == HALF && size > 1) size /= 2;
    const off_t from = has_place ? at : (off_t)syscall(SYS_lseek, descriptor, 0, SEEK_CUR);
    keep(descriptor, from, from + (off_t)size, 0);
    done = has_place ? syscall(SYS_pwrite64, descriptor, bytes, size, at)
                     : syscall(SYS_write, descriptor, bytes, size);
    if (way == HALF && kind == KILL) end_here();
  }
  pthread_mutex_unlock(&lock);
  return done;
}

ssize_t write(int descriptor, const void *bytes, size_t size) {
  if (!watches(descriptor)) return REAL(write)(descriptor, bytes, size);
  return do_write("write", descriptor, bytes, size, 0, 0);
}

ssize_t pwrite(int descriptor, const void *bytes, size_t size, off_t at) {
  if (!watches(descriptor)) return REAL(pwrite)(descriptor, bytes, size, at);
  return do_write("pwrite", descriptor, bytes, size, at, 1);
}

ssize_t pwrite64(int descriptor, const void *bytes, size_t size, off64_t at) {
  return pwrite(descriptor, bytes, size, at);
}

// The pieces one by one, as if the call had been interrupted after the first: callers go on.
ssize_t writev(int descriptor, const struct iovec *pieces, int number) {
  if (!watches(descriptor) || number < 1) return REAL(writev)(descriptor, pieces, number);
  return do_write("writev", descriptor, pieces[0].iov_base, pieces[0].iov_len, 0, 0);
}

ssize_t pwritev(int descriptor, const struct iovec *pieces, int number, off_t at) {
  if (!watches(descriptor) || number < 1) return REAL(pwritev)(descriptor, pieces, number, at);
  return do_write("pwritev", descriptor, pieces[0].iov_base, pieces[0].iov_len, at, 1);
}

ssize_t pwritev64(int descriptor, const struct iovec *pieces, int number, off64_t at) {
  return pwritev(descriptor, pieces, number, at);
}

static int do_synchronise(const char *name, int descriptor, int (*call)(int)) {
  if (!watches(descriptor)) return call(descriptor);
  pthread_mutex_lock(&lock);
  int result = -1;
  if (count(name, 0, 0) == THROUGH) {
    // The page cache outlives the process: what the disk would hold is in the list of undos.
    if (!lies) forget(descriptor);
    result = 0;
  }
  pthread_mutex_unlock(&lock);
  return result;
}

int fsync(int descriptor) { return do_synchronise("fsync", descriptor, REAL(fsync)); }
int fdatasync(int descriptor) { return do_synchronise("fdatasync", descriptor, REAL(fdatasync)); }

int ftruncate(int descriptor, off_t length) {
  if (!watches(descriptor)) return REAL(ftruncate)(descriptor, length);
  pthread_mutex_lock(&lock);
  struct stat facts;
  const int grows = !fstat(descriptor, &facts) && length > facts.st_size;
  int result = -1;
  if (count("ftruncate", 0, grows) == THROUGH) {
    keep(descriptor, length, facts.st_size, 1);
    result = (int)syscall(SYS_ftruncate, descriptor, length);
  }
  pthread_mutex_unlock(&lock);
  return result;
}

int ftruncate64(int descriptor, off64_t length) { return ftruncate(descriptor, length); }

int posix_fallocate(int descriptor, off_t at, off_t length) {
  if (!watches(descriptor)) return REAL(posix_fallocate)(descriptor, at, length);
  pthread_mutex_lock(&lock);
  int result = 0;
  const int before = errno;
  if (count("posix_fallocate", 0, 1) == THROUGH) {
    keep(descriptor, at, at, 1);
    if (syscall(SYS_fallocate, descriptor, 0, at, length)) result = errno;
  } else {
    result = errno;
  }
  errno = before;
  pthread_mutex_unlock(&lock);
  return result;
}

int fallocate(int descriptor, int mode, off_t at, off_t length) {
  if (!watches(descriptor)) return REAL(fallocate)(descriptor, mode, at, length);
  const int result = posix_fallocate(descriptor, at, length);
  return result ? (errno = result, -1) : 0;
}

int unlinkat(int folder, const char *name, int flags) {
  char path[8192];
  if (!watches_name(folder, name, path, sizeof path)) return REAL(unlinkat)(folder, name, flags);
  pthread_mutex_lock(&lock);
  int result = -1;
  // A name that is not there is no change; nor does the program make it one.
  if (syscall(SYS_faccessat, AT_FDCWD, path, F_OK) || count("unlink", 0, 0) == THROUGH) {
    keep_name(path);
    result = (int)syscall(SYS_unlinkat, AT_FDCWD, path, flags);
  }
  pthread_mutex_unlock(&lock);
  return result;
}

int unlink(const char *name) { return unlinkat(AT_FDCWD, name, 0); }

int renameat2(int from_folder, const char *from, int to_folder, const char *to, unsigned flags) {
  char path[8192];
  if (watches_name(to_folder, to, path, sizeof path)) {
    pthread_mutex_lock(&lock);
    const enum way way = count("rename", 0, 1);
    pthread_mutex_unlock(&lock);
    if (way != THROUGH) return -1;
  }
  return (int)syscall(SYS_renameat2, from_folder, from, to_folder, to, flags);
}

int renameat(int from_folder, const char *from, int to_folder, const char *to) {
  return renameat2(from_folder, from, to_folder, to, 0);
}

int rename(const char *from, const char *to) {
  return renameat2(AT_FDCWD, from, AT_FDCWD, to, 0);
}

int linkat(int from_folder, const char *from, int to_folder, const char *to, int flags) {
  char path[8192];
  if (watches_name(to_folder, to, path, sizeof path)) {
    pthread_mutex_lock(&lock);
    const enum way way = count("link", 0, 1);
    pthread_mutex_unlock(&lock);
    if (way != THROUGH) return -1;
  }
  return (int)syscall(SYS_linkat, from_folder, from, to_folder, to, flags);
}

int link(const char *from, const char *to) { return linkat(AT_FDCWD, from, AT_FDCWD, to, 0); }
