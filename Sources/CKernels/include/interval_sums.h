#pragma once

#include "conversion.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Rows of segments that are neighbours in memory.
struct hk_rows {
  const double *starts, *ends, *values;
  // The number of each row's sample. Null where each row is a sample: then the numbers ascend by
  // one from `first_sample`, and 0 comes behind the largest, which is the one below `masked`.
  const uint32_t *samples;
  uint32_t first_sample;
  size_t count;
};

// The rows of segments, piece after piece. Of neighbours with one number only the first counts, and
// none whose number is `masked`.
struct hk_segments {
  const struct hk_rows *pieces;
  size_t count;
  uint32_t masked;
};

// Intervals between neighbours of `count` + 1 ascending edges, and what has been added to each.
//
// `sums` and `lost` are compensated sums. `minimums` and `maximums`, which may both be null, mean
// something where an interval has data.
struct hk_intervals {
  const double *edges;
  ptrdiff_t count;
  double *sums, *lost;
  double *minimums, *maximums;
  ptrdiff_t *counts;
  bool *has_data;
};

// Where a pass over rows stands, and what it has met.
struct hk_pass {
  // An interval near the next row: -1 before all, `count` after all.
  ptrdiff_t interval;
  // The sample of the row before, and the last interval in which it has been counted.
  uint32_t sample;
  ptrdiff_t counted;
  // How many parts of samples beside whole ones may still be added.
  ptrdiff_t parts_left;
  // How many rows reached before the first edge and after the last.
  ptrdiff_t before, after;
  // The first and the last interval that rows have met.
  ptrdiff_t lowest, highest;
};

// Adds rows to the intervals that they meet; false when there are more parts than may be added.
//
// An instant belongs to the interval that starts at it, a longer span to every interval that it
// shares time with: with `splits` by its share of time, otherwise whole. Terms are multiplied by
// `scale`, a power of two.
//
// The sum of an interval depends on the rows that meet it and their order, and on nothing else, be
// it where one piece ends:
//
// - Rows that lie inside of it and follow one another are a run. Row k of a run is added to lane
//   k mod 8; each lane is a compensated sum. Lane i takes lane i + 4, then i + 2, then i + 1, and
//   the interval takes lane 0.
// - A part of a row that reaches out of the interval is one term of its compensated sum.
bool hk_add_rows(hk_path path, const struct hk_segments *segments, double scale, bool splits,
                 const struct hk_intervals *intervals, struct hk_pass *pass);
