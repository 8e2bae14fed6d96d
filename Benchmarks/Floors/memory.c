#include <malloc.h>

#include "floors.h"

void floor_keep_memory(void) {
  // The most that is allowed for a column; nothing of what is freed goes back to the system.
  mallopt(M_MMAP_THRESHOLD, 32 << 20);
  mallopt(M_TRIM_THRESHOLD, 1 << 30);
}
