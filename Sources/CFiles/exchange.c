// Swift does not see what glibc declares for GNU programs alone.
#define _GNU_SOURCE
#include "CFiles.h"

#include <fcntl.h>
#include <stdio.h>

int hk_exchange(const char *one, const char *other) {
  return renameat2(AT_FDCWD, one, AT_FDCWD, other, RENAME_EXCHANGE);
}
