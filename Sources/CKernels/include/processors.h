#pragma once

#include <stddef.h>

// How many processors are online; at least one.
ptrdiff_t hk_processor_count(void);
