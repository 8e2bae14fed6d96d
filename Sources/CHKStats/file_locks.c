// Locks of SQLite's layer "unix" that belong to open files (F_OFD_SETLK), where its own belong to
// the process: two SQLite libraries in one process do not see each other's POSIX locks, and the one
// that closes a file drops those of the other, too.
//
// SQLite takes and returns the locks of a file through different descriptors of it. So the locks of
// all of them are on one descriptor that this file opens for each file, and closes with SQLite's
// last one. It is writable once a writable descriptor asked for a write lock.
//
// The other library keeps its POSIX locks, and any close of the same file in this process drops
// them, too, at any moment. So a descriptor is closed only under a lock of the whole file, which
// leaves no room for others. While others have locks, it is parked until SQLite opens the file
// again or the locks are gone.
//
// In a forked child, SQLite still counts the locks of the parent's connections as those of its
// process. There it sees files under other device numbers, so that it starts anew with each.
#define _GNU_SOURCE
#include "hkstats_internal.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sqlite3.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

typedef struct {
  dev_t device;
  ino_t number;
  int descriptor;
  /// O_RDONLY, O_WRONLY or O_RDWR.
  int access;
  /// Of a file: how many of SQLite's descriptors have locked it.
  int users;
  /// Of a file: a lock was granted on its descriptor.
  int is_proven;
  /// Of a file: its locks are POSIX locks, on SQLite's descriptors.
  int is_posix;
} opened;

typedef struct {
  opened *items;
  size_t count;
  size_t room;
} list;

// What follows belongs to who holds the mutex.
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
/// The files that SQLite has locked, with the descriptors of their locks.
static list files;
/// SQLite's descriptors of these files.
static list users;
/// Descriptors that wait to be closed or taken again, without locks.
static list parked;
static int posix_files;

static int (*system_open)(const char *, int, int);
static int (*system_fstat)(int, struct stat *);
static int (*system_stat)(const char *, struct stat *);

// MARK: Lists

/// Makes room for one more item; 0 with `errno` set if there is none.
static int has_room(list *list) {
  if (list->count < list->room) return 1;
  const size_t room = list->room ? 2 * list->room : 16;
  opened *items = realloc(list->items, room * sizeof *items);
  if (!items) return 0;
  list->items = items;
  list->room = room;
  return 1;
}

static void take_out(list *list, opened *item) { *item = list->items[--list->count]; }

static opened *find_descriptor(const list *list, int descriptor) {
  for (size_t i = 0; i < list->count; i++)
    if (list->items[i].descriptor == descriptor) return list->items + i;
  return NULL;
}

static opened *find_file(const list *list, dev_t device, ino_t number) {
  for (size_t i = 0; i < list->count; i++)
    if (list->items[i].number == number && list->items[i].device == device)
      return list->items + i;
  return NULL;
}

// MARK: What the kernel knows

/// Whether an error says that the system or the file system has no locks of open files.
static int is_refusal(int error) { return error == EINVAL || error == EOPNOTSUPP; }

/// Whether an error says that others have a lock.
static int is_conflict(int error) { return error == EAGAIN || error == EACCES; }

/// The name of a descriptor in a folder of /proc; the main thread of a process may have ended.
static const char *process_path(char path[64], const char *folder, int descriptor) {
  snprintf(path, 64, "/proc/thread-self/%s/%d", folder, descriptor);
  return path;
}

/// Opens the file of a descriptor once more, whatever became of its name.
static int open_again(int descriptor, int access) {
  char path[64];
  return open(process_path(path, "fd", descriptor), access | O_CLOEXEC);
}

static FILE *lock_records(int descriptor) {
  char path[64];
  return fopen(process_path(path, "fdinfo", descriptor), "re");
}

/// Reads the next lock of the open file; 0 if there is none.
static int next_lock(FILE *records, struct flock *lock) {
  char line[256], type[16], end[32];
  while (fgets(line, sizeof line, records)) {
    long long start = 0;
    if (sscanf(line, "lock: %*d: OFDLCK %*s %15s %*s %*s %lld %31s", type, &start, end) != 3)
      continue;
    *lock = (struct flock){
        .l_type = strcmp(type, "READ") == 0 ? F_RDLCK : F_WRLCK,
        .l_whence = SEEK_SET,
        .l_start = (off_t)start,
        .l_len = strcmp(end, "EOF") == 0 ? 0 : (off_t)(strtoll(end, NULL, 10) - start + 1),
    };
    return 1;
  }
  return 0;
}

/// Takes the locks of one open file on another open file of the same file: they are read locks.
static int copy_locks(int from, int to) {
  FILE *records = lock_records(from);
  if (!records) return 0;
  struct flock lock;
  int is_done = 1;
  while (is_done && next_lock(records, &lock)) is_done = fcntl(to, F_OFD_SETLK, &lock) == 0;
  fclose(records);
  return is_done;
}

// MARK: Parking

/// Locks a whole file for writing, which excludes every other lock of it; 0 with `errno`
/// set if it fails.
static int lock_out_others(int descriptor) {
  struct flock all = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
  return fcntl(descriptor, F_OFD_SETLK, &all) == 0;
}

/// Parks a descriptor. Without memory for its record the descriptor stays open and is not reused.
static void park(int descriptor, int access, dev_t device, ino_t number) {
  if (!has_room(&parked)) return;
  parked.items[parked.count++] = (opened){
      .device = device, .number = number, .descriptor = descriptor, .access = access};
}

/// Whether a parked descriptor and the others of its file can be closed: the file has no lock.
static int may_close(opened item) {
  if (item.access != O_RDONLY) return lock_out_others(item.descriptor) || !is_conflict(errno);
  for (size_t i = 0; i < parked.count; i++)
    if (parked.items[i].number == item.number && parked.items[i].device == item.device
        && parked.items[i].access != O_RDONLY)
      return 0;
  // Only a writable descriptor can lock others out: one is parked beside it.
  const int guard = open_again(item.descriptor, O_RDWR);
  if (guard >= 0) {
    park(guard, O_RDWR, item.device, item.number);
    return 0;
  }
  struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
  return fcntl(item.descriptor, F_OFD_GETLK, &lock) != 0 || lock.l_type == F_UNLCK;
}

/// Closes the parked descriptors of files without locks.
static void close_parked(void) {
  for (size_t i = 0; i < parked.count;) {
    const opened last = parked.items[i];
    if (!may_close(last)) {
      i += 1;
      continue;
    }
    // The lock ends with its descriptor.
    for (size_t j = parked.count; j > 0; j--) {
      opened *item = parked.items + j - 1;
      if (item->number != last.number || item->device != last.device) continue;
      if (item->descriptor != last.descriptor) close(item->descriptor);
      take_out(&parked, item);
    }
    close(last.descriptor);
    i = 0;
  }
}

/// Closes a descriptor now, or parks it while its close would drop locks of another library.
static int close_or_park(int descriptor) {
  if (lock_out_others(descriptor) || (!is_conflict(errno) && errno != EBADF))
    return close(descriptor);
  struct stat traits;
  const int flags = fcntl(descriptor, F_GETFL);
  if (flags < 0 || fstat(descriptor, &traits) != 0 || !S_ISREG(traits.st_mode))
    return close(descriptor);
  park(descriptor, flags & O_ACCMODE, traits.st_dev, traits.st_ino);
  return 0;
}

/// A parked descriptor of a file; -1 if there is none.
static int take_parked(dev_t device, ino_t number, int access) {
  for (size_t i = 0; i < parked.count; i++) {
    opened *item = parked.items + i;
    if (item->number != number || item->device != device || item->access != access) continue;
    const int descriptor = item->descriptor;
    take_out(&parked, item);
    return descriptor;
  }
  return -1;
}

// MARK: Files

/// Takes a parked descriptor for locks, or opens one.
static int lock_descriptor(const opened *user, int access) {
  const int descriptor = take_parked(user->device, user->number, access);
  return descriptor >= 0 ? descriptor : open_again(user->descriptor, access);
}

/// Closes a descriptor for locks, with its locks.
static void close_lock_descriptor(int descriptor) {
  struct flock all = {.l_type = F_UNLCK, .l_whence = SEEK_SET};
  fcntl(descriptor, F_OFD_SETLK, &all);
  close_or_park(descriptor);
}

static void use_posix_locks(opened *file) {
  if (file->descriptor >= 0) close_lock_descriptor(file->descriptor);
  file->descriptor = -1;
  file->is_posix = 1;
  posix_files += 1;
}

/// One of SQLite's descriptors, from its first lock on; NULL with `errno` set if it fails.
static opened *user_of(int descriptor) {
  opened *user = find_descriptor(&users, descriptor);
  if (user) return user;
  struct stat traits;
  const int flags = fcntl(descriptor, F_GETFL);
  if (flags < 0 || fstat(descriptor, &traits) != 0) return NULL;
  if (!has_room(&users) || !has_room(&files)) return NULL;

  user = users.items + users.count;
  *user = (opened){
      .device = traits.st_dev,
      .number = traits.st_ino,
      .descriptor = descriptor,
      .access = flags & O_ACCMODE,
  };
  opened *file = find_file(&files, user->device, user->number);
  if (!file) {
    file = files.items + files.count;
    *file = *user;
    file->descriptor = lock_descriptor(user, user->access);
    if (file->descriptor < 0) {
      // No /proc, or the process may no longer open the file. Others, as too many open files, pass.
      if (errno != ENOENT && errno != ENOTDIR && errno != EACCES && errno != EPERM) return NULL;
      use_posix_locks(file);
    }
    files.count += 1;
  }
  file->users += 1;
  users.count += 1;
  return user;
}

/// Moves the locks of a file to a writable descriptor; 0 with `errno` set if it fails.
static int make_writable(opened *file, const opened *user) {
  const int descriptor = lock_descriptor(user, user->access);
  if (descriptor < 0) return 0;
  if (!copy_locks(file->descriptor, descriptor)) {
    close_lock_descriptor(descriptor);
    errno = ENOLCK;
    return 0;
  }
  close_lock_descriptor(file->descriptor);
  file->descriptor = descriptor;
  file->access = user->access;
  return 1;
}

/// Sets or asks for a lock without waiting.
static int lock_file(int descriptor, int command, struct flock *lock) {
  const opened *user = user_of(descriptor);
  if (!user) return -1;
  opened *file = find_file(&files, user->device, user->number);
  if (file->is_posix) return fcntl(descriptor, command, lock);
  if (command == F_SETLK && lock->l_type == F_WRLCK) {
    if (user->access == O_RDONLY) {
      errno = EBADF;
      return -1;
    }
    if (file->access == O_RDONLY && !make_writable(file, user)) return -1;
  }

  // SQLite does not set the process of a lock, which must be 0 here.
  struct flock asked = *lock;
  asked.l_pid = 0;
  if (fcntl(file->descriptor, command == F_GETLK ? F_OFD_GETLK : F_OFD_SETLK, &asked) == 0) {
    if (command == F_GETLK)
      *lock = asked;
    else if (lock->l_type != F_UNLCK)
      file->is_proven = 1;
    return 0;
  }
  if (file->is_proven || !is_refusal(errno)) return -1;
  use_posix_locks(file);
  return fcntl(descriptor, command, lock);
}

// MARK: System calls of SQLite

static int call_fcntl(int descriptor, int command, ...) {
  va_list arguments;
  va_start(arguments, command);
  int result = -1;
  if (command == F_GETLK || command == F_SETLK || command == F_SETLKW) {
    struct flock *lock = va_arg(arguments, struct flock *);
    const int waits = command == F_SETLKW;
    for (;;) {
      pthread_mutex_lock(&mutex);
      result = lock_file(descriptor, waits ? F_SETLK : command, lock);
      pthread_mutex_unlock(&mutex);
      if (result == 0 || !waits || !is_conflict(errno)) break;
      nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    }
  } else {
    result = fcntl(descriptor, command, va_arg(arguments, int));
  }
  va_end(arguments);
  return result;
}

static int call_close(int descriptor) {
  pthread_mutex_lock(&mutex);
  int is_posix = 0;
  opened *user = find_descriptor(&users, descriptor);
  if (user) {
    opened *file = find_file(&files, user->device, user->number);
    take_out(&users, user);
    is_posix = file->is_posix;
    file->users -= 1;
    if (file->users == 0) {
      const int locks = file->descriptor;
      take_out(&files, file);
      if (!is_posix) close_lock_descriptor(locks);
    }
  }
  // SQLite's own POSIX locks are no reason to park.
  const int result = is_posix ? close(descriptor) : close_or_park(descriptor);
  const int error = errno;
  close_parked();
  pthread_mutex_unlock(&mutex);
  errno = error;
  return result;
}

static int call_open(const char *path, int flags, int mode) {
  int descriptor = -1;
  struct stat traits;
  const int follow = flags & O_NOFOLLOW ? AT_SYMLINK_NOFOLLOW : 0;
  pthread_mutex_lock(&mutex);
  close_parked();
  if (parked.count > 0 && !(flags & (O_EXCL | O_TRUNC | O_DIRECTORY))
      && fstatat(AT_FDCWD, path, &traits, follow) == 0)
    descriptor = take_parked(traits.st_dev, traits.st_ino, flags & O_ACCMODE);
  pthread_mutex_unlock(&mutex);
  return descriptor >= 0 ? descriptor : system_open(path, flags, mode);
}

/// No device has the upper bits.
static void mark(struct stat *traits) { traits->st_dev ^= (dev_t)hki_generation() << 44; }

static int call_fstat(int descriptor, struct stat *traits) {
  const int result = system_fstat(descriptor, traits);
  if (result == 0) mark(traits);
  return result;
}

static int call_stat(const char *path, struct stat *traits) {
  const int result = system_stat(path, traits);
  if (result == 0) mark(traits);
  return result;
}

// MARK: Forks

void hki_hold_file_locks(void) { pthread_mutex_lock(&mutex); }

void hki_keep_file_locks(void) { pthread_mutex_unlock(&mutex); }

/// The locks stay those of the parent: the child closes its descriptors of them, or they would
/// outlive the parent.
void hki_drop_file_locks(void) {
  for (size_t i = 0; i < files.count; i++)
    if (!files.items[i].is_posix) close(files.items[i].descriptor);
  for (size_t i = 0; i < parked.count; i++) close(parked.items[i].descriptor);
  files.count = users.count = parked.count = 0;
  pthread_mutex_unlock(&mutex);
}

// MARK: Installation

/// Whether a file can be opened again and locked, and its locks be read.
static int can_lock_open_files(void) {
  struct flock lock = {.l_type = F_RDLCK, .l_whence = SEEK_SET, .l_start = 120, .l_len = 8};
  struct flock found = {0};
  const int file = memfd_create("hkstats-locks", MFD_CLOEXEC);
  const int other = file < 0 ? -1 : open_again(file, O_RDWR);
  FILE *records = other < 0 ? NULL : lock_records(other);
  const int can = records && fcntl(other, F_OFD_SETLK, &lock) == 0 && next_lock(records, &found)
      && found.l_type == F_RDLCK && found.l_start == lock.l_start && found.l_len == lock.l_len;
  const int error = errno;
  if (records) fclose(records);
  if (other >= 0) close(other);
  if (file >= 0) close(file);
  errno = error;
  return can;
}

static int install(void) {
  sqlite3_vfs *layer = sqlite3_vfs_find("unix");
  if (!layer || layer->iVersion < 3 || hki_watch_forks() != HKI_OK) return HKI_FAILED;
  errno = 0;
  if (!can_lock_open_files())
    return errno == EMFILE || errno == ENFILE || errno == ENOMEM ? HKI_FAILED : HKI_POSIX_LOCKS;
  system_open = (int (*)(const char *, int, int))layer->xGetSystemCall(layer, "open");
  system_fstat = (int (*)(int, struct stat *))layer->xGetSystemCall(layer, "fstat");
  system_stat = (int (*)(const char *, struct stat *))layer->xGetSystemCall(layer, "stat");
  if (!system_open || !system_fstat || !system_stat) return HKI_FAILED;
  const struct {
    const char *name;
    sqlite3_syscall_ptr call;
  } calls[] = {
      {"open", (sqlite3_syscall_ptr)call_open},   {"close", (sqlite3_syscall_ptr)call_close},
      {"fstat", (sqlite3_syscall_ptr)call_fstat}, {"stat", (sqlite3_syscall_ptr)call_stat},
      {"fcntl", (sqlite3_syscall_ptr)call_fcntl},
  };
  for (size_t i = 0; i < sizeof calls / sizeof calls[0]; i++) {
    if (layer->xSetSystemCall(layer, calls[i].name, calls[i].call) == SQLITE_OK) continue;
    layer->xSetSystemCall(layer, NULL, NULL);
    return HKI_FAILED;
  }
  return HKI_OK;
}

int hki_install_file_locks(void) {
  static pthread_mutex_t installing = PTHREAD_MUTEX_INITIALIZER;
  static int result = HKI_FAILED;
  pthread_mutex_lock(&installing);
  if (result == HKI_FAILED) result = install();
  pthread_mutex_unlock(&installing);
  return result;
}

int hki_posix_locked_files(void) {
  pthread_mutex_lock(&mutex);
  const int count = posix_files;
  pthread_mutex_unlock(&mutex);
  return count;
}
