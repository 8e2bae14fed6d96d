#pragma once

#include <stddef.h>

// The last of `count` ascending edges, at least one, that lies at or before an instant; -1 when all
// are later. Steps double from the hint on, which is -1 or an edge too.
ptrdiff_t hk_last_edge(const double *edges, ptrdiff_t count, double instant, ptrdiff_t hint);
