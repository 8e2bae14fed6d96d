#pragma once

#include "instruction_set.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Rows of segments that are contiguous in memory.
struct hk_rows {
  const double *starts, *ends, *values;
  // The sample number of each row. Null where each row is a sample: the numbers then ascend by one
  // from `first_sample` and wrap to 0 before they reach `masked`.
  const uint32_t *samples;
  uint32_t first_sample;
  size_t count;
};

// The rows of segments in pieces. Of consecutive rows with the same number only the first is
// counted, and rows with the number `masked` are not counted.
struct hk_segments {
  const struct hk_rows *pieces;
  size_t count;
  uint32_t masked;
};

// Intervals between consecutive edges (`count` + 1, ascending), and what has been added to each.
//
// `sums` and `lost` are compensated sums. `minimums` and `maximums` may both be null and are valid
// only where an interval has data.
struct hk_intervals {
  const double *edges;
  ptrdiff_t count;
  double *sums, *lost;
  double *minimums, *maximums;
  ptrdiff_t *counts;
  bool *has_data;
};

// The state of a pass over rows.
struct hk_pass {
  // An interval near the next row: -1 before the first edge, `count` after the last.
  ptrdiff_t interval;
  // The sample of the previous row, and the last interval that counted it.
  uint32_t sample;
  ptrdiff_t counted;
  // How many more parts of samples, besides whole ones, may be added.
  ptrdiff_t parts_left;
  // How many rows extend before the first edge and after the last.
  ptrdiff_t before, after;
  // The first and the last interval that a row has been added to.
  ptrdiff_t lowest, highest;
};

// Adds rows to the intervals that they overlap; false when there are more parts than allowed.
//
// An instant belongs to the interval that starts at it, a longer span to every interval that it
// overlaps: with `splits` in proportion to the time, otherwise whole. Terms are multiplied by
// `scale`, a power of two.
//
// The sum of an interval depends only on the rows that overlap it and their order, not on how they
// are divided into pieces:
//
// - Consecutive rows inside an interval are a run. Row k of a run is added to lane k mod 8; each
//   lane is a compensated sum. Lane i takes lane i + 4, then i + 2, then i + 1, and the interval
//   takes lane 0.
// - The part of a row that extends beyond the interval is one term of its compensated sum.
bool hk_add_rows(hk_instruction_set set, const struct hk_segments *segments, double scale,
                 bool splits, const struct hk_intervals *intervals, struct hk_pass *pass);
