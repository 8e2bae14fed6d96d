// Integrates the curve of each interval in one pass over the columns, where no two samples overlap.

#include "include/interval_curves.h"

#include "include/interval_search.h"
#include "lanes.h"

#include <math.h>

enum {
  // A row is read with its predecessor and its successor.
  ROWS_READ = LANES + 2,
};

// The last rows of the columns, padded with rows at infinity.
struct last_rows {
  double starts[2 * ROWS_READ], ends[2 * ROWS_READ], values[2 * ROWS_READ];
};

static __attribute__((noinline, cold)) void copy_last_rows(
    struct last_rows *last, const double *starts, const double *ends, const double *values,
    size_t first, size_t end) {
  for (size_t i = 0; i < 2 * ROWS_READ; i++) {
    const size_t row = first + i;
    last->starts[i] = row < end ? starts[row] : INFINITY;
    last->ends[i] = row < end ? ends[row] : INFINITY;
    last->values[i] = row < end ? values[row] : 0;
  }
}

INLINE double smaller(double left, double right) { return right < left ? right : left; }

// Adds a piece of the curve to an interval.
INLINE void add_piece(const struct hk_curves *curves, ptrdiff_t interval, double height,
                      double length) {
  ADD(double, curves->areas[interval], curves->areas_lost[interval], height * length);
  ADD(double, curves->lengths[interval], curves->lengths_lost[interval], length);
}

INLINE size_t integrate_disjoint_rows(
    const double *starts, const double *ends, const double *values, size_t first, size_t end,
    const struct hk_curves *curves, struct hk_curve_pass *state) {
  const double hold = curves->hold, longest = 2 * hold, scale = curves->scale;
  const double *edges = curves->edges;
  const ptrdiff_t count = curves->count;
  struct hk_curve_pass pass = *state;
  struct last_rows last_rows;
  // How many rows precede the rows that are read here.
  size_t rows_before = 0;
  bool is_copy = false;
  size_t row = first;
  double lower = edges[pass.interval], upper = edges[pass.interval + 1];
  const doubles8 zero = {0};
  const masks8 lane = {0, 1, 2, 3, 4, 5, 6, 7};

  while (row < end) {
    const double start = starts[row], stop = ends[row], height = values[row] * scale;
    if (!(start >= lower && start < upper)) {
      if (pass.has_last) {
        add_piece(curves, pass.interval, pass.last_height, smaller(upper - pass.last_end, hold));
        pass.has_last = false;
      }
      const bool is_next = pass.interval + 1 < count && start >= upper &&
                           start < edges[pass.interval + 2];
      pass.interval =
          is_next ? pass.interval + 1 : hk_last_edge(edges, count + 1, start, pass.interval);
      if (pass.interval < 0 || pass.interval >= count) break;
      lower = edges[pass.interval];
      upper = edges[pass.interval + 1];
    }
    const double next = row + 1 < end ? starts[row + 1] : INFINITY;
    const bool overlaps_next = next < upper && (next == start || next < stop);
    const bool overlaps_last = pass.has_last && start == stop && start == pass.last_end;
    if (stop > upper || overlaps_next || overlaps_last) break;
    if (pass.has_last) {
      const double length = smaller(start - pass.last_end, longest);
      add_piece(curves, pass.interval, (pass.last_height + height) * 0.5, length);
    } else if (lower > -INFINITY) {
      add_piece(curves, pass.interval, height, smaller(start - lower, hold));
    }
    add_piece(curves, pass.interval, height, stop - start);

    // From here on lane i adds the gap after row + i, and the row after that gap.
    const doubles8 uppers = zero + upper, longests = zero + longest;
    doubles8 area = zero, area_lost = zero, length = zero, length_lost = zero;
    for (;;) {
      if (__builtin_expect(!is_copy && end - row < ROWS_READ, 0)) {
        copy_last_rows(&last_rows, starts, ends, values, row, end);
        starts = last_rows.starts;
        ends = last_rows.ends;
        values = last_rows.values;
        is_copy = true;
        rows_before = row;
        end -= row;
        row = 0;
      }
      doubles8 last_ends, next_starts, next_ends, later_starts, last_heights, next_heights;
      memcpy(&last_ends, ends + row, sizeof last_ends);
      memcpy(&next_starts, starts + row + 1, sizeof next_starts);
      memcpy(&next_ends, ends + row + 1, sizeof next_ends);
      memcpy(&later_starts, starts + row + 2, sizeof later_starts);
      memcpy(&last_heights, values + row, sizeof last_heights);
      memcpy(&next_heights, values + row + 1, sizeof next_heights);
      fetch(starts, (row + ROWS_AHEAD) * sizeof(double));
      fetch(ends, (row + ROWS_AHEAD) * sizeof(double));
      fetch(values, (row + ROWS_AHEAD) * sizeof(double));
      last_heights *= scale;
      next_heights *= scale;
      uint8_t is_disjoint;
      BITS(is_disjoint, (last_ends < next_starts) & (next_starts < uppers) & (next_ends <= uppers) &
                        ((next_ends < later_starts) | (later_starts >= uppers)));
      const doubles8 gaps = next_starts - last_ends;
      const doubles8 bridges = SELECT(doubles8, masks8, gaps < longests, gaps, longests);
      const doubles8 spans = next_ends - next_starts;
      const doubles8 areas =
          (last_heights + next_heights) * 0.5 * bridges + next_heights * spans;
      const doubles8 lengths = bridges + spans;
      if (is_disjoint == 0xFF) {
        ADD(doubles8, area, area_lost, areas);
        ADD(doubles8, length, length_lost, lengths);
        row += LANES;
        continue;
      }
      // Adding zero changes only the sign of a zero.
      const int prefix = __builtin_ctz(~(unsigned)is_disjoint);
      const masks8 keep = lane < prefix;
      const doubles8 kept_areas = (doubles8)((masks8)areas & keep);
      const doubles8 kept_lengths = (doubles8)((masks8)lengths & keep);
      ADD(doubles8, area, area_lost, kept_areas);
      ADD(doubles8, length, length_lost, kept_lengths);
      row += (size_t)prefix;
      break;
    }
    add_lanes(&area, &area_lost, curves->areas + pass.interval,
              curves->areas_lost + pass.interval);
    add_lanes(&length, &length_lost, curves->lengths + pass.interval,
              curves->lengths_lost + pass.interval);
    pass.has_last = true;
    pass.last_end = ends[row];
    pass.last_height = values[row] * scale;
    row += 1;
  }
  *state = pass;
  return rows_before + row;
}

#define DEFINE_KERNEL(NAME, ATTRIBUTES)                                                   \
  ATTRIBUTES static size_t integrate_disjoint_rows_##NAME(                                \
      const double *starts, const double *ends, const double *values, size_t first,       \
      size_t end, const struct hk_curves *curves, struct hk_curve_pass *pass) {           \
    return integrate_disjoint_rows(starts, ends, values, first, end, curves, pass);       \
  }

FOR_INSTRUCTION_SETS(DEFINE_KERNEL)

size_t hk_integrate_disjoint_rows(
    hk_instruction_set set, const double *starts, const double *ends, const double *values,
    size_t first, size_t end, const struct hk_curves *curves, struct hk_curve_pass *pass) {
  return DISPATCH(set, integrate_disjoint_rows, starts, ends, values, first, end, curves, pass);
}
