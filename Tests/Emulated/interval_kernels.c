// The kernels that are the same C for every processor: sums, curves, search, shares and results, beside
// plain loops over whole numbers of 128 bits; and a digest of their bits.

#include "bare.h"
#include "compensated_results.h"
#include "conversion.h"
#include "interval_curves.h"
#include "interval_search.h"
#include "interval_sums.h"
#include "pro_rata.h"

#include <math.h>

#pragma STDC FP_CONTRACT OFF

typedef __int128 whole_number;

enum { ROWS = 600, EDGES = 50, PIECES = 5, PLACE = 80 };
static const uint32_t masked = 1000;

static double starts[ROWS], ends[ROWS], values[ROWS], edges[EDGES];
static uint32_t samples[ROWS];
static size_t row_count;
static double sums[EDGES], lost[EDGES], low[EDGES], high[EDGES], results[EDGES], means[EDGES];
static double lengths[EDGES], lengths_lost[EDGES];
static ptrdiff_t counts[EDGES];
static bool has_data[EDGES];
static uint64_t wrong, compared, digest = 0xCBF29CE484222325;

static void add_bits(uint64_t bits) { digest = (digest ^ bits) * 0x100000001B3; }

static void expect(bool is_right) {
  compared++;
  wrong += !is_right;
}

// Whether a value is the exact one, rounded, or the double next to it.
static void expect_near(double value, whole_number top, uint64_t bottom, int place) {
  add_bits(bits_of(value));
  double exact = nearest((wide)(top < 0 ? -top : top), bottom, place);
  if (top < 0) exact = -exact;
  expect(value == exact || bits_of(value) - bits_of(exact) + 1 <= 2);
}

// A value × 2^PLACE; it must be whole.
static whole_number exact_of(double value) {
  if (value == 0) return 0;
  int place;
  const uint64_t bits = mantissa(value < 0 ? -value : value, &place);
  const whole_number size =
      place + PLACE >= 0 ? (whole_number)bits << (place + PLACE) : bits >> -(place + PLACE);
  return value < 0 ? -size : size;
}

// A random number of up to `bits` bits, scaled, with either sign.
static double any(int bits, int place) {
  const double size = (double)(next() >> (64 - bits)) * power_of_two(place);
  return next() % 2 ? -size : size;
}

// MARK: Sums

static void make_rows(bool splits) {
  edges[0] = 0;
  for (int i = 1; i < EDGES; i++) edges[i] = edges[i - 1] + (double)(1 + next() % 2048) / 16;
  double start = -50;
  uint32_t sample = 0;
  row_count = ROWS - next() % 40;
  for (size_t i = 0; i < row_count; i++) {
    // Of a length that divides its parts exactly; some start or end on an edge, some are instants.
    start += (double)(next() % 200) / 16;
    if (next() % 16 == 0 && start > 0) start = edges[hk_last_edge(edges, EDGES, start, -1)];
    if (i > 0 && start < starts[i - 1]) start = starts[i - 1];
    starts[i] = start;
    ends[i] = start + (next() % 8 ? (double)(1 << next() % (next() % 8 ? 6 : 14)) / 16 : 0);
    // With splits a share of the value must be exact, too; otherwise its size may be any.
    values[i] = splits ? any(30, -20) : any(53, -(int)(next() % 40) - 33);
    // The rows of one sample follow each other and do not overlap.
    const bool is_same = i > 0 && ends[i - 1] < start && next() % 3 == 0;
    if (!is_same) sample++;
    samples[i] = !is_same && next() % 6 == 0 ? masked : is_same ? samples[i - 1] : sample;
  }
}

static bool overlaps(size_t row, ptrdiff_t interval) {
  const double lower = edges[interval], upper = edges[interval + 1];
  return starts[row] == ends[row] ? starts[row] >= lower && starts[row] < upper
                                  : starts[row] < upper && ends[row] > lower;
}

static void compare_sums(double scale, bool splits, bool has_samples, const struct hk_pass *pass) {
  ptrdiff_t before = 0, after = 0, lowest = EDGES - 1, highest = -1;
  for (size_t row = 0; row < row_count; row++) {
    before += starts[row] < edges[0];
    after += starts[row] >= edges[EDGES - 1] || ends[row] > edges[EDGES - 1];
  }
  for (ptrdiff_t i = 0; i < EDGES - 1; i++) {
    whole_number total = 0;
    ptrdiff_t count = 0;
    double least = INFINITY, most = -INFINITY;
    bool has = false;
    for (size_t row = 0; row < row_count; row++) {
      if (!overlaps(row, i)) continue;
      whole_number term = exact_of(values[row] * scale);
      if (splits && starts[row] < ends[row]) {
        const double from = starts[row] > edges[i] ? starts[row] : edges[i];
        const double to = ends[row] < edges[i + 1] ? ends[row] : edges[i + 1];
        term *= (int64_t)((to - from) * 16);
        // The length is a power of two.
        for (double span = ends[row] - starts[row]; span > 0x1p-4; span /= 2) term /= 2;
      }
      total += term;
      bool is_counted = !has_samples || samples[row] != masked;
      if (has_samples)
        for (size_t k = row; k-- > 0 && samples[k] == samples[row];)
          if (overlaps(k, i)) is_counted = false;
      count += is_counted;
      has = true;
      if (values[row] < least) least = values[row];
      if (values[row] > most) most = values[row];
    }
    if (has && i < lowest) lowest = i;
    if (has) highest = i;
    expect(has == has_data[i] && count == counts[i]);
    expect(!has || (least == low[i] && most == high[i]));
    expect_near(results[i], total, 1, -PLACE);
    if (count > 0) expect_near(means[i], total, (uint64_t)count, -PLACE);
    expect(count > 0 || means[i] == 0);
  }
  expect(pass->before == before && pass->after == after);
  expect(pass->lowest == lowest && pass->highest == highest);
}

static void check_sums(hk_instruction_set set, bool splits, bool has_samples) {
  make_rows(splits);
  struct hk_rows pieces[PIECES];
  size_t first = 0;
  for (int i = 0; i < PIECES; i++) {
    const size_t left = row_count - first, count = i == PIECES - 1 ? left : next() % (left + 1) / 2;
    pieces[i] = (struct hk_rows){starts + first, ends + first, values + first,
                                 has_samples ? samples + first : NULL, (uint32_t)first, count};
    first += count;
  }
  const double scale = next() % 2 ? 1 : 0.25;
  const struct hk_segments segments = {pieces, PIECES, masked};
  const struct hk_intervals intervals = {edges, EDGES - 1, sums, lost, low, high, counts, has_data};
  struct hk_pass pass = {0, masked, -2, 1 << 30, 0, 0, EDGES - 1, -1};
  for (int i = 0; i < EDGES; i++) {
    sums[i] = lost[i] = low[i] = high[i] = 0;
    counts[i] = 0;
    has_data[i] = false;
  }
  expect(hk_add_rows(set, &segments, scale, splits, &intervals, &pass));
  expect(hk_compensated_results(set, sums, lost, results, EDGES - 1));
  expect(hk_compensated_means(set, sums, lost, counts, means, EDGES - 1));
  compare_sums(scale, splits, has_samples, &pass);
  for (int i = 0; i < EDGES - 1; i++) add_bits(bits_of(sums[i]) ^ bits_of(lost[i]) << 1);
  struct hk_pass limited = {0, masked, -2, 0, 0, 0, EDGES - 1, -1};
  expect(!hk_add_rows(set, &segments, scale, splits, &intervals, &limited));
}

// MARK: Curves

// Rows that lie in one interval each, and do not touch.
static void make_curve(bool is_open) {
  row_count = 0;
  edges[0] = 0;
  for (int i = 1; i < EDGES; i++) {
    edges[i] = edges[i - 1] + (double)(1 + next() % 4096) / 16;
    double end = edges[i - 1];
    while (next() % 24) {
      const double start = end + (double)(next() % 300) / 16;
      if (row_count > 0 && start <= ends[row_count - 1]) continue;
      end = start + (next() % 3 ? (double)(next() % 40) / 16 : 0);
      if (end > edges[i] || start >= edges[i] || row_count == ROWS) break;
      starts[row_count] = start;
      ends[row_count] = end;
      values[row_count++] = any(28, -20);
    }
  }
  if (is_open) edges[0] = -INFINITY, edges[EDGES - 1] = INFINITY;
}

static double smaller(double left, double right) { return right < left ? right : left; }

// Twice the area in 2^-24.
static int64_t piece(double height, double other, double length) {
  return (int64_t)((height + other) * 0x1p20) * (int64_t)(length * 16);
}

static void compare_curve(double hold) {
  for (ptrdiff_t i = 0; i < EDGES - 1; i++) {
    int64_t area = 0, length = 0;
    for (size_t row = 0; row < row_count; row++) {
      if (!overlaps(row, i)) continue;
      const double height = values[row];
      const bool is_first = row == 0 || starts[row - 1] < edges[i];
      const double gap = is_first ? smaller(starts[row] - edges[i], edges[i] > -INFINITY ? hold : 0)
                                  : smaller(starts[row] - ends[row - 1], 2 * hold);
      const double span = ends[row] - starts[row];
      area += piece(height, is_first ? height : values[row - 1], gap) + piece(height, height, span);
      length += (int64_t)((gap + span) * 16);
      // What follows the last row of all is the caller's.
      if (row + 1 < row_count && starts[row + 1] >= edges[i + 1]) {
        const double rest = smaller(edges[i + 1] - ends[row], hold);
        area += piece(height, height, rest);
        length += (int64_t)(rest * 16);
      }
    }
    expect_near(results[i], area, 1, -25);
    expect_near(means[i], length, 1, -4);
  }
}

static void check_curve(hk_instruction_set set, bool is_open) {
  make_curve(is_open);
  for (int i = 0; i < EDGES; i++) sums[i] = lost[i] = lengths[i] = lengths_lost[i] = 0;
  const double hold = (double)(1 + next() % 200) / 16;
  const struct hk_curves curves = {edges, EDGES - 1, hold, 1, sums, lost, lengths, lengths_lost};
  struct hk_curve_pass pass = {0, false, 0, 0};
  expect(hk_integrate_disjoint_rows(set, starts, ends, values, 0, row_count, &curves, &pass) ==
         row_count);
  hk_compensated_results(set, sums, lost, results, EDGES - 1);
  hk_compensated_results(set, lengths, lengths_lost, means, EDGES - 1);
  compare_curve(hold);
  // Where products are rounded, the bits must be the same on every processor.
  for (size_t i = 0; i < row_count; i++) values[i] /= 3;
  pass = (struct hk_curve_pass){0};
  hk_integrate_disjoint_rows(set, starts, ends, values, 0, row_count, &curves, &pass);
  for (int i = 0; i < EDGES - 1; i++) add_bits(bits_of(sums[i]) ^ bits_of(lost[i]) << 1);
}

// MARK: Search, shares and products

static void check_search(void) {
  edges[0] = -INFINITY;
  for (int i = 1; i < EDGES; i++) edges[i] = (i == 1 ? 0 : edges[i - 1]) + (double)(next() % 3);
  for (int round = 0; round < EDGES; round++) {
    const ptrdiff_t count = 1 + (ptrdiff_t)(next() % EDGES), first = (ptrdiff_t)(next() % 2);
    const double instant = round % 2 ? edges[round] : any(9, -3);
    ptrdiff_t last = -1;
    while (last + 1 < count - first && edges[first + last + 1] <= instant) last++;
    for (ptrdiff_t hint = -1; hint < count - first; hint++)
      expect(count == first || hk_last_edge(edges + first, count - first, instant, hint) == last);
  }
}

// Of instants whose differences are no doubles.
static void check_share(void) {
  const double start = any(53, -42), part_start = start + (double)(next() >> 40) / 1024;
  const double part_end = part_start + (double)(next() >> 40) / 64;
  const double end = part_end + (double)(next() >> 40), value = (double)(next() >> 11) * 0x1p-40;
  const whole_number part = exact_of(part_end) - exact_of(part_start);
  // The bottom has less than 64 bits when only those are kept that the instants have.
  whole_number top = part >> (PLACE - 42), bottom = (exact_of(end) - exact_of(start)) >> (PLACE - 42);
  int place = -40;
  while (bottom >> 63) bottom >>= 1, place--;
  expect_near(hk_share(value, start, end, part_start, part_end),
              top * (int64_t)(value * 0x1p40), (uint64_t)bottom, place);
}

static void check_products(hk_instruction_set set) {
  const double factor = (double)(next() >> 20) * 0x1p-30;
  for (int i = 0; i < EDGES; i++) edges[i] = any(53, -40);
  hk_multiply(set, edges, results, EDGES, factor);
  for (int i = 0; i < EDGES; i++) {
    const double size = edges[i] < 0 ? -edges[i] : edges[i];
    const double exact = nearest((wide)(uint64_t)(size * 0x1p40) * (uint64_t)(factor * 0x1p30), 1, -70);
    expect(results[i] == (edges[i] < 0 ? -exact : exact));
  }
}

uint64_t wrong_in_intervals(void) {
  add_bits(digest_of_analyses());
  for (int round = 0; round < 160; round++) {
    const hk_instruction_set set = round % 2 ? hk_best_instruction_set() : hk_plain;
    check_sums(set, round % 4 < 2, round % 8 < 4);
    check_curve(set, round % 4 < 2);
    check_search();
    for (int i = 0; i < 100; i++) check_share();
    check_products(set);
  }
  print("intervals: ");
  print_count(compared);
  print(" values compared, ");
  print_count(wrong);
  print(" wrong, digest ");
  print_count(digest);
  print("\n");
  return wrong;
}
