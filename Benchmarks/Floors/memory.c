#include <malloc.h>

#include "floors.h"

void floor_map_large_columns(void) { mallopt(M_MMAP_THRESHOLD, 128 << 10); }
