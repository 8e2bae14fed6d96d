// What the library's C sources offer to its Swift sources. The prefix differs from that of the
// public functions, which the version script exports by name.
#ifndef HKSTATS_INTERNAL_H
#define HKSTATS_INTERNAL_H

#ifdef __cplusplus
extern "C" {
#endif

/// What the functions below return.
enum hki_result {
  HKI_OK = 0,
  /// The system has not enough memory, or SQLite has no layer named "unix".
  HKI_FAILED = 1,
  /// SQLite keeps the locks that it has without this library.
  HKI_POSIX_LOCKS = 2,
  /// The process was forked while a call ran: what the call had locked stays locked for ever.
  HKI_FORKED_AMID_CALL = 200,
};

/// Gives the connections of this library's SQLite locks that belong to open files, once a process.
///
/// POSIX locks belong to the process: another SQLite library in it that closes the same database
/// drops those of this one. Must be called before SQLite opens a file, and only where this SQLite
/// is private to the library.
///
/// Returns `HKI_OK`; `HKI_POSIX_LOCKS` where the kernel has no such locks or /proc is not mounted,
/// and nothing is changed; or `HKI_FAILED`, which a later call tries again.
int hki_install_file_locks(void);

/// The files that got POSIX locks since the start, because their file system refuses others.
int hki_posix_locked_files(void);

/// Begins a call of the library: `HKI_OK`, or a code, and then no `hki_leave` may follow.
///
/// A child that was forked while a call ran on any thread gets `HKI_FORKED_AMID_CALL` for ever,
/// also within a callback of that call. Waits while another thread forks.
int hki_enter(void);

/// Ends a call that began with `hki_enter`, on any thread.
void hki_leave(void);

/// How often this process and its ancestors were forked since the first call of the library: a
/// handle that keeps another number was made before the fork.
///
/// A callback that comes back with another number forked, and came back in the child, too: there
/// the threads of the running call do not exist, and the call must end without waiting for any.
unsigned hki_generation(void);

/// Of `fork_guard.c` for `file_locks.c`: registers the handlers of forks, once a process.
int hki_watch_forks(void);
/// Of `file_locks.c` for `fork_guard.c`: what happens to the locks before a fork and after it.
void hki_hold_file_locks(void);
void hki_keep_file_locks(void);
void hki_drop_file_locks(void);

#ifdef __cplusplus
}
#endif

#endif
