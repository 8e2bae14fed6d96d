// Swift cannot see declarations that glibc guards with _GNU_SOURCE.
#define _GNU_SOURCE
#include "CFiles.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/xattr.h>
#include <unistd.h>

int hk_exchange(const char *one, const char *other) {
  return renameat2(AT_FDCWD, one, AT_FDCWD, other, RENAME_EXCHANGE);
}

int hk_nameless_file(const char *folder) {
  char *path;
  if (asprintf(&path, "%s/.hkstats-XXXXXX", folder) < 0) {
    errno = ENOMEM;
    return -1;
  }
  const int descriptor = mkostemp(path, O_CLOEXEC);
  const int error = errno;
  if (descriptor >= 0) unlink(path);
  free(path);
  errno = error;
  return descriptor;
}

long hk_attribute(const char *path, const char *name, void *value, unsigned long size) {
  return getxattr(path, name, value, size);
}

int hk_set_attribute(
    const char *path, const char *name, const void *value, unsigned long size) {
  return setxattr(path, name, value, size, 0);
}
