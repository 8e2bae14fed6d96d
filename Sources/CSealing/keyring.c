// Keys in the session keyring of the Linux kernel, by system calls: glibc has no functions for them.
#define _GNU_SOURCE
#include "CSealing.h"

#include <errno.h>

#ifdef __linux__
#include <linux/keyctl.h>
#include <sys/syscall.h>
#include <unistd.h>

/// The keyring of the login session; without one that of the user's sessions, never one of the
/// process alone.
static long session(void) {
  return syscall(SYS_keyctl, KEYCTL_GET_KEYRING_ID, (long)KEY_SPEC_SESSION_KEYRING, 0L);
}

static long find(const char *name) {
  const long keyring = session();
  return keyring < 0 ? -1 : syscall(SYS_keyctl, KEYCTL_SEARCH, keyring, "user", name, 0L);
}

int hk_keyring_keep(const char *name, const void *key, int count, unsigned seconds) {
  const long keyring = session();
  if (keyring < 0) return -1;
  const long number = syscall(SYS_add_key, "user", name, key, (size_t)count, keyring);
  if (number < 0) return -1;
  if (syscall(SYS_keyctl, KEYCTL_SET_TIMEOUT, number, (long)seconds) == 0) return 0;
  // A key without its end would be kept for ever.
  const int error = errno;
  if (syscall(SYS_keyctl, KEYCTL_INVALIDATE, number) < 0)
    syscall(SYS_keyctl, KEYCTL_UNLINK, number, keyring);
  errno = error;
  return -1;
}

int hk_keyring_find(const char *name, void *key, int count) {
  const long number = find(name);
  if (number < 0) return -1;
  const long found = syscall(SYS_keyctl, KEYCTL_READ, number, key, (long)count);
  if (found == count) return 0;
  if (found >= 0) errno = EBADMSG;
  return -1;
}

int hk_keyring_forget(const char *name) {
  const long number = find(name);
  return number < 0 || syscall(SYS_keyctl, KEYCTL_INVALIDATE, number) < 0 ? -1 : 0;
}

#else
int hk_keyring_keep(const char *name, const void *key, int count, unsigned seconds) {
  (void)name, (void)key, (void)count, (void)seconds;
  errno = ENOSYS;
  return -1;
}

int hk_keyring_find(const char *name, void *key, int count) {
  (void)name, (void)key, (void)count;
  errno = ENOSYS;
  return -1;
}

int hk_keyring_forget(const char *name) {
  (void)name;
  errno = ENOSYS;
  return -1;
}
#endif
