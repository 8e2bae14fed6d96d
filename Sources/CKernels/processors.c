#include "include/processors.h"

#include <unistd.h>

ptrdiff_t hk_processor_count(void) {
  const long count = sysconf(_SC_NPROCESSORS_ONLN);
  return count > 0 ? count : 1;
}
