#pragma once

#include "instruction_set.h"

#include <stdbool.h>
#include <stddef.h>

// Intervals between consecutive edges (`count` + 1, ascending), and the integral of a curve in
// each: compensated sums of its area and of the time where it is defined.
//
// A value holds for up to `hold` seconds inside its interval, but not towards an infinite edge.
// Values are multiplied by `scale`, a power of two.
struct hk_curves {
  const double *edges;
  ptrdiff_t count;
  double hold, scale;
  double *areas, *areas_lost, *lengths, *lengths_lost;
};

// The state of an integration row by row.
struct hk_curve_pass {
  // The current interval.
  ptrdiff_t interval;
  // Whether the interval has a row so far, where that row ends, and its height.
  bool has_last;
  double last_end, last_height;
};

// Integrates rows, in ascending order of start, as long as each lies inside one interval and
// overlaps no other row. Returns the first row for which this is not true, or `end`. No earlier row
// may still be open.
//
// A row is added with the gap before it, which starts at the previous row or at the edge of the
// interval. The held value after the last row of an interval is added with the first row of a later
// interval.
//
// The sums of an interval depend only on its own rows: after the first, consecutive rows go to
// eight lanes in rotation.
size_t hk_integrate_disjoint_rows(
    hk_instruction_set set, const double *starts, const double *ends, const double *values,
    size_t first, size_t end, const struct hk_curves *curves, struct hk_curve_pass *pass);
