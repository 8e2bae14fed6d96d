#include "include/pair_sums.h"

#include "lanes.h"

static bool has_ties(const struct hk_ordered *column) {
  return column->groups < column->rows - column->missing_count;
}

// The sum of the squares of the ranks 1 … count in halves.
static int64_t squares_without_ties(int64_t count) {
  return (int64_t)(2 * (uint64_t)count * (uint64_t)(count + 1) * (uint64_t)(2 * count + 1) / 3);
}

// Makes the ranks in halves of the groups of a column, among its rows t that have a partner: row
// t - lag of the other column, if it is there. Group 0, of missing rows, gets rank 0. Returns the sum
// of the squares of the ranks of all these rows.
static int64_t make_ranks(const struct hk_ordered *column, const struct hk_ordered *other,
                          ptrdiff_t lag, uint32_t *ranks) {
  const ptrdiff_t rows = column->rows;
  const ptrdiff_t first = lag < 0 ? 0 : lag < rows ? lag : rows;
  const ptrdiff_t end = lag > 0 ? rows : -lag < rows ? rows + lag : 0;
  memcpy(ranks, column->counts, sizeof *ranks * ((size_t)column->groups + 1));
  for (ptrdiff_t t = 0; t < first; t++) ranks[column->positions[t]]--;
  for (ptrdiff_t t = end; t < rows; t++) ranks[column->positions[t]]--;
  for (ptrdiff_t k = 0; k < other->missing_count; k++) {
    const ptrdiff_t t = (ptrdiff_t)other->missing[k] + lag;
    if (0 <= t && t < rows) ranks[column->positions[t]]--;
  }
  ranks[0] = 0;
  uint64_t squares = 0;
  uint32_t before = 0;
  if (!has_ties(column)) {
    for (ptrdiff_t k = 1; k <= column->groups; k++) {
      const uint32_t count = ranks[k];
      ranks[k] = 2 * before + count + 1;
      before += count;
    }
    return squares_without_ties(before);
  }
  for (ptrdiff_t k = 1; k <= column->groups; k++) {
    const uint32_t count = ranks[k], rank = 2 * before + count + 1;
    squares += (uint64_t)count * rank * rank;
    before += count;
    ranks[k] = rank;
  }
  return (int64_t)squares;
}

// The rank of the partner of a row; 0 without one.
INLINE uint32_t partner(const struct hk_ordered *right, const uint32_t *ranks, uint32_t row,
                        ptrdiff_t lag) {
  const size_t rows = (size_t)right->rows, t = (size_t)((ptrdiff_t)row + lag);
  // The position after the last row is that of a missing one.
  return ranks[right->positions[t < rows ? t : rows]];
}

void hk_rank_pair_sums(const struct hk_ordered *left, const struct hk_ordered *right, ptrdiff_t lag,
                       uint32_t *scratch, struct hk_rank_sums *sums) {
  sums->right_squares = make_ranks(right, left, lag, scratch);
  // The rows of the left column come in order of value: their ranks are a running count.
  uint64_t products = 0;
  const uint32_t *next = left->order;
  if (!has_ties(left)) {
    uint32_t rank = 0;
    for (const uint32_t *end = next + left->groups; next < end; next++) {
      const uint32_t other = partner(right, scratch, *next, lag);
      rank += other != 0 ? 2 : 0;
      products += (uint64_t)rank * other;
    }
    sums->count = rank / 2;
    sums->left_squares = squares_without_ties(sums->count);
  } else {
    uint64_t squares = 0;
    uint32_t before = 0;
    for (ptrdiff_t k = 1; k <= left->groups; k++) {
      uint32_t count = 0;
      uint64_t others = 0;
      for (const uint32_t *end = next + left->counts[k]; next < end; next++) {
        const uint32_t other = partner(right, scratch, *next, lag);
        count += other != 0;
        others += other;
      }
      const uint64_t rank = 2 * before + count + 1;
      products += rank * others;
      squares += rank * rank * count;
      before += count;
    }
    sums->count = before;
    sums->left_squares = (int64_t)squares;
  }
  sums->products = (int64_t)products;
}

INLINE double added_lanes(const doubles8 *sum) {
  const doubles4 sum4 = LOW_HALF4(*sum) + HIGH_HALF4(*sum);
  const doubles2 sum2 = LOW_HALF2(sum4) + HIGH_HALF2(sum4);
  return sum2[0] + sum2[1];
}

INLINE void value_pair_sums(struct hk_masked left, struct hk_masked right, ptrdiff_t rows,
                            struct hk_pair_sums *sums) {
  doubles8 count = {0}, x = {0}, y = {0}, xx = {0}, yy = {0}, xy = {0};
#define ADD_ROWS(ROWS)                                                            \
  do {                                                                            \
    const size_t size = sizeof(double) * (size_t)(ROWS);                          \
    doubles8 left_here = {0}, right_here = {0}, left_value = {0}, right_value = {0}; \
    memcpy(&left_here, left.present + t, size);                                   \
    memcpy(&right_here, right.present + t, size);                                 \
    memcpy(&left_value, left.values + t, size);                                   \
    memcpy(&right_value, right.values + t, size);                                 \
    left_value *= right_here, right_value *= left_here;                           \
    count += left_here * right_here;                                              \
    x += left_value, y += right_value;                                            \
    xx += left_value * left_value, yy += right_value * right_value;               \
    xy += left_value * right_value;                                               \
  } while (0)
  ptrdiff_t t = 0;
  for (; t + LANES <= rows; t += LANES) ADD_ROWS(LANES);
  if (t < rows) ADD_ROWS(rows - t);
#undef ADD_ROWS
  *sums = (struct hk_pair_sums){added_lanes(&count), added_lanes(&x),  added_lanes(&y),
                                added_lanes(&xx),    added_lanes(&yy), added_lanes(&xy)};
}

#define DEFINE_KERNEL(NAME, ATTRIBUTES)                                                        \
  ATTRIBUTES static void value_pair_sums_##NAME(struct hk_masked left, struct hk_masked right, \
                                                ptrdiff_t rows, struct hk_pair_sums *sums) {   \
    value_pair_sums(left, right, rows, sums);                                                  \
  }

FOR_INSTRUCTION_SETS(DEFINE_KERNEL)

void hk_value_pair_sums(hk_instruction_set set, struct hk_masked left, struct hk_masked right,
                        ptrdiff_t rows, struct hk_pair_sums *sums) {
  DISPATCH(set, value_pair_sums, left, right, rows, sums);
}
