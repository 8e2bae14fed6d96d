#pragma once

#include <stddef.h>

// The last of `count` ascending edges, at least one, that lies at or before an instant; -1 when all
// are later. Steps double from the hint on, which is -1 or an edge too. This is where it is decided
// that an instant on an edge belongs to the interval that starts there.
ptrdiff_t hk_last_edge(const double *edges, ptrdiff_t count, double instant, ptrdiff_t hint);
