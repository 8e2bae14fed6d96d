#pragma once

#include "conversion.h"

#include <stdbool.h>
#include <stddef.h>

// Intervals between neighbours of `count` + 1 ascending edges, and the curve's integrals in
// each: compensated sums of its area and of the time where it is defined.
//
// A value holds for up to `hold` seconds inside its interval, and towards no edge at infinity. Values
// are multiplied by `scale`, a power of two.
struct hk_curves {
  const double *edges;
  ptrdiff_t count;
  double hold, scale;
  double *areas, *areas_lost, *lengths, *lengths_lost;
};

// Where a curve stands that is drawn row by row.
struct hk_curve_pass {
  // The current interval.
  ptrdiff_t interval;
  // Whether anything has been drawn in it, up to which instant, and the height there.
  bool has_last;
  double last_end, last_height;
};

// Draws rows, which ascend by their starts, as long as each lies inside of one interval and meets no
// other row; returns the first row that does not, or `end`. No earlier row may be open.
//
// A row is drawn with the gap before it: from the row before, or from the edge of the interval. What
// is held after the last row of an interval is drawn with the first row of a later one.
//
// The sums of an interval depend on its own rows, and on nothing else: rows that follow one another
// are added to eight lanes in turn, all but the first.
size_t hk_draw_lone_rows(hk_path path, const double *starts, const double *ends,
                         const double *values, size_t first, size_t end,
                         const struct hk_curves *curves, struct hk_curve_pass *pass);
