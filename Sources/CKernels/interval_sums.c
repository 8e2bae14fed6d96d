// Sums the rows of intervals in one pass over the columns.

#include "include/interval_sums.h"

#include "include/interval_search.h"
#include "include/pro_rata.h"
#include "lanes.h"

#include <math.h>

// The sums of a run: consecutive rows inside one interval.
struct run {
  doubles8 sum, lost, low, high;
  ptrdiff_t new_samples;
};

// The rows that the kernel reads now: those of one piece. Where a piece has fewer rows left than a
// vector, they are copied together with the rows that follow and padded, so that whole vectors can
// be read.
struct window {
  // The piece and the row in it where the window starts.
  size_t piece, first;
  double starts[3 * LANES], ends[3 * LANES], values[3 * LANES];
  uint32_t samples[3 * LANES];
};

INLINE uint32_t number_of(const struct hk_rows *rows, size_t row, uint32_t masked) {
  if (rows->samples) return rows->samples[row];
  const uint64_t number = (uint64_t)rows->first_sample + row;
  return (uint32_t)(number < masked ? number : number - masked);
}

// Moves the window so that it starts at its row `row`. Returns the row up to which vectors can be
// read; SIZE_MAX when no rows follow the window.
static __attribute__((noinline, cold)) size_t move_window(
    struct window *window, const struct hk_segments *segments, struct hk_rows *rows, size_t *row) {
  const struct hk_rows *pieces = segments->pieces;
  size_t piece = window->piece, first = window->first + *row;
  while (piece < segments->count && first >= pieces[piece].count) first -= pieces[piece++].count;
  window->piece = piece;
  if (piece < segments->count && pieces[piece].count - first >= LANES) {
    window->first = 0;
    *rows = pieces[piece];
    *row = first;
    return rows->count;
  }
  window->first = first;
  size_t count = 0;
  while (piece < segments->count && count < 2 * LANES) {
    const struct hk_rows *source = pieces + piece;
    for (; first < source->count && count < 2 * LANES; first++, count++) {
      window->starts[count] = source->starts[first];
      window->ends[count] = source->ends[first];
      window->values[count] = source->values[first];
      window->samples[count] = number_of(source, first, segments->masked);
    }
    if (first < source->count) break;
    piece += 1;
    first = 0;
  }
  for (size_t i = count; i < 3 * LANES; i++) {
    // NaN lies in no interval.
    window->starts[i] = window->ends[i] = NAN;
    window->values[i] = 0;
    window->samples[i] = 0;
  }
  *rows = (struct hk_rows){
      window->starts, window->ends, window->values, window->samples, 0, count};
  *row = 0;
  return piece == segments->count ? SIZE_MAX : count;
}

INLINE double lower_edge(const struct hk_intervals *intervals, ptrdiff_t interval) {
  return interval < 0 ? -INFINITY : intervals->edges[interval];
}

INLINE double upper_edge(const struct hk_intervals *intervals, ptrdiff_t interval) {
  return interval == intervals->count ? INFINITY : intervals->edges[interval + 1];
}

INLINE void widen_range(struct hk_pass *pass, ptrdiff_t first, ptrdiff_t last) {
  pass->lowest = first < pass->lowest ? first : pass->lowest;
  pass->highest = last > pass->highest ? last : pass->highest;
}

INLINE void add_extremes(const struct hk_intervals *intervals, ptrdiff_t interval, double low,
                         double high) {
  double *minimum = intervals->minimums + interval, *maximum = intervals->maximums + interval;
  const bool is_first = !intervals->has_data[interval];
  *minimum = (is_first | (low < *minimum)) ? low : *minimum;
  *maximum = (is_first | (high > *maximum)) ? high : *maximum;
}

// Adds a row that starts in the current interval and ends after it; false when there are more parts
// than allowed.
INLINE bool add_parts(double start, double end, double value, bool counts, double scale,
                      bool splits, const struct hk_intervals *intervals, struct hk_pass *pass,
                      bool extremes) {
  const ptrdiff_t count = intervals->count;
  const double *edges = intervals->edges;
  const ptrdiff_t first = pass->interval;
  ptrdiff_t interval = first;
  if (first < 0) {
    pass->before += 1;
    interval = 0;
  }
  const ptrdiff_t lowest = interval;
  for (;;) {
    const double lower = edges[interval], upper = edges[interval + 1];
    const double part_start = start > lower ? start : lower, part_end = end < upper ? end : upper;
    const double term =
        (splits ? hk_share(value, start, end, part_start, part_end) : value) * scale;
    ADD(double, intervals->sums[interval], intervals->lost[interval], term);
    intervals->counts[interval] += counts & (interval > pass->counted);
    if (extremes) add_extremes(intervals, interval, value, value);
    intervals->has_data[interval] = true;
    if (end <= upper) break;
    if (++interval == count) {
      pass->after += 1;
      break;
    }
  }
  widen_range(pass, lowest, interval < count ? interval : count - 1);
  pass->interval = interval;
  pass->counted = interval > pass->counted ? interval : pass->counted;
  pass->parts_left -= interval - first;
  return pass->parts_left >= 0;
}

// Adds the sums of a run to its interval.
INLINE void close_run(const struct run *run, ptrdiff_t interval,
                      const struct hk_intervals *intervals, bool extremes) {
  add_lanes(&run->sum, &run->lost, intervals->sums + interval, intervals->lost + interval);
  intervals->counts[interval] += run->new_samples;
  if (extremes) {
    doubles4 low4 = LOW_HALF4(run->low), high4 = LOW_HALF4(run->high);
    MERGE_EXTREMES(doubles4, masks4, low4, high4, HIGH_HALF4(run->low), HIGH_HALF4(run->high));
    doubles2 low2 = LOW_HALF2(low4), high2 = LOW_HALF2(high4);
    MERGE_EXTREMES(doubles2, masks2, low2, high2, HIGH_HALF2(low4), HIGH_HALF2(high4));
    add_extremes(intervals, interval, low2[1] < low2[0] ? low2[1] : low2[0],
                 high2[1] > high2[0] ? high2[1] : high2[0]);
  }
  intervals->has_data[interval] = true;
}

INLINE bool add_rows(const struct hk_segments *segments, double scale, bool splits,
                     const struct hk_intervals *intervals, struct hk_pass *state, bool extremes) {
  const uint32_t masked = segments->masked;
  struct window window;
  window.piece = window.first = 0;
  struct hk_rows rows = {0};
  size_t row = 0, readable = 0;
  struct hk_pass pass = *state;
  double lower = lower_edge(intervals, pass.interval), upper = upper_edge(intervals, pass.interval);
  const doubles8 zero = {0};
  const masks8 lane = {0, 1, 2, 3, 4, 5, 6, 7};
  bool is_within_limit = true;

  for (;;) {
    if (row == rows.count) {
      if (readable < SIZE_MAX) readable = move_window(&window, segments, &rows, &row);
      if (row == rows.count) break;
    }
    const double start = rows.starts[row];
    if (!(start >= lower && start < upper)) {
      // Most often it is the next one.
      const bool is_next = pass.interval < intervals->count && start >= upper &&
                           start < upper_edge(intervals, pass.interval + 1);
      pass.interval = is_next ? pass.interval + 1
                              : hk_last_edge(intervals->edges, intervals->count + 1, start,
                                             pass.interval);
      lower = lower_edge(intervals, pass.interval);
      upper = upper_edge(intervals, pass.interval);
    }
    if (rows.ends[row] > upper) {
      const uint32_t sample = number_of(&rows, row, masked);
      if (sample != pass.sample) {
        pass.sample = sample;
        pass.counted = -2;
      }
      is_within_limit = add_parts(start, rows.ends[row], rows.values[row], pass.sample != masked,
                                  scale, splits, intervals, &pass, extremes);
      if (!is_within_limit) break;
      lower = lower_edge(intervals, pass.interval);
      upper = upper_edge(intervals, pass.interval);
      row += 1;
      continue;
    }

    const doubles8 lowers = zero + lower, uppers = zero + upper;
    struct run run = {zero, zero, zero + INFINITY, zero - INFINITY, 0};
    // A sample that this interval has already counted is not new; the masked number never counts.
    uint32_t before = pass.counted == pass.interval ? pass.sample : masked;
    ptrdiff_t first_of_run = (ptrdiff_t)row;
    for (;;) {
      if (__builtin_expect(readable - row < LANES, 0)) {
        const ptrdiff_t taken = (ptrdiff_t)row - first_of_run;
        readable = move_window(&window, segments, &rows, &row);
        first_of_run = (ptrdiff_t)row - taken;
      }
      doubles8 starts, ends, values;
      memcpy(&starts, rows.starts + row, sizeof starts);
      memcpy(&ends, rows.ends + row, sizeof ends);
      memcpy(&values, rows.values + row, sizeof values);
      uint8_t inside;
      BITS(inside, (starts >= lowers) & (starts < uppers) & (ends <= uppers));
      fetch(rows.starts, (row + ROWS_AHEAD) * sizeof(double));
      fetch(rows.ends, (row + ROWS_AHEAD) * sizeof(double));
      fetch(rows.values, (row + ROWS_AHEAD) * sizeof(double));
      uint8_t is_new;
      if (rows.samples) {
        numbers8 samples;
        memcpy(&samples, rows.samples + row, sizeof samples);
        fetch(rows.samples, (row + ROWS_AHEAD) * sizeof(uint32_t));
        const numbers8 previous = __builtin_shufflevector(
            (numbers8){0} + before, samples, 7, 8, 9, 10, 11, 12, 13, 14);
        BITS(is_new, (samples != previous) & (samples != masked));
      } else {
        is_new = number_of(&rows, row, masked) == before ? 0xFE : 0xFF;
      }
      if (inside == 0xFF) {
        ADD(doubles8, run.sum, run.lost, values * scale);
        if (extremes) MERGE_EXTREMES(doubles8, masks8, run.low, run.high, values, values);
        run.new_samples += __builtin_popcount(is_new);
        before = number_of(&rows, row + LANES - 1, masked);
        row += LANES;
        continue;
      }
      // Adding zero changes nothing: a sum is never -0.
      const int prefix = __builtin_ctz(~(unsigned)inside);
      const masks8 keep = lane < prefix;
      const doubles8 term = (doubles8)((masks8)(values * scale) & keep);
      ADD(doubles8, run.sum, run.lost, term);
      if (extremes) {
        const doubles8 lows = SELECT(doubles8, masks8, keep, values, zero + INFINITY);
        const doubles8 highs = SELECT(doubles8, masks8, keep, values, zero - INFINITY);
        MERGE_EXTREMES(doubles8, masks8, run.low, run.high, lows, highs);
      }
      run.new_samples += __builtin_popcount(is_new & ((1u << prefix) - 1));
      pass.sample = prefix > 0 ? number_of(&rows, row + (size_t)prefix - 1, masked) : before;
      row += (size_t)prefix;
      break;
    }
    pass.counted = pass.interval;
    if (pass.interval < 0) {
      pass.before += (ptrdiff_t)row - first_of_run;
      continue;
    }
    if (pass.interval == intervals->count) {
      pass.after += (ptrdiff_t)row - first_of_run;
      continue;
    }
    widen_range(&pass, pass.interval, pass.interval);

    close_run(&run, pass.interval, intervals, extremes);
  }
  *state = pass;
  return is_within_limit;
}

// `extremes` is a compile-time constant in each copy.
#define DEFINE_KERNEL(NAME, ATTRIBUTES)                                                        \
  ATTRIBUTES static bool add_rows_##NAME(                                                      \
      const struct hk_segments *segments, double scale, bool splits,                           \
      const struct hk_intervals *intervals, struct hk_pass *pass) {                            \
    return intervals->minimums ? add_rows(segments, scale, splits, intervals, pass, true)      \
                               : add_rows(segments, scale, splits, intervals, pass, false);    \
  }

FOR_INSTRUCTION_SETS(DEFINE_KERNEL)

bool hk_add_rows(hk_instruction_set set, const struct hk_segments *segments, double scale,
                 bool splits, const struct hk_intervals *intervals, struct hk_pass *pass) {
  return DISPATCH(set, add_rows, segments, scale, splits, intervals, pass);
}
