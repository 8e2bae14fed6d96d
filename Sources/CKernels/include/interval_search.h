#pragma once

#include <stddef.h>

// The index of the last of `count` ascending edges (at least one) at or before an instant; -1 when
// all are later. Gallops from the hint, which is -1 or an index. This function decides that an
// instant on an edge belongs to the interval that starts there.
ptrdiff_t hk_last_edge(const double *edges, ptrdiff_t count, double instant, ptrdiff_t hint);
