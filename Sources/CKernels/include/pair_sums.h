#pragma once

#include "instruction_set.h"

#include <stddef.h>
#include <stdint.h>

// A column in order of its values: what the rank of a row among any subset of rows is made of.
//
// `positions` holds for each row the place of its value among the `groups` distinct ones, from 1 on,
// or 0 where the row has no value, and after the last row a 0. `counts` holds how many rows have each
// of these values, from index 1 on. `order` lists the rows with a value, the smallest value first,
// `missing` the others.
struct hk_ordered {
  ptrdiff_t rows, groups, missing_count;
  const uint32_t *positions, *counts, *order, *missing;
};

// Sums over pairs of rows, of ranks in halves: 2·rank, a whole number also for ties.
struct hk_rank_sums {
  int64_t count, products, left_squares, right_squares;
};

// Pairs row t of the left column with row t + lag of the right one, wherever both have a value, and
// adds the ranks of each among the rows that are paired; equal values have their average rank.
//
// Both columns have the same number of rows, at most 2^20, so that no sum overflows. `scratch` has
// room for groups + 1 numbers of the right column. O(rows).
void hk_rank_pair_sums(const struct hk_ordered *left, const struct hk_ordered *right, ptrdiff_t lag,
                       uint32_t *scratch, struct hk_rank_sums *sums);

// A column of values, 0 where there is none, and 1 or 0 for each row that has one or not.
struct hk_masked {
  const double *values, *present;
};

// Sums over pairs of rows.
struct hk_pair_sums {
  double count, left, right, left_squares, right_squares, products;
};

// The sums over the first `rows` rows of two columns where both have a value. Row t is added to lane
// t mod 8; lane i then takes lane i + 4, i + 2 and i + 1.
void hk_value_pair_sums(hk_instruction_set set, struct hk_masked left, struct hk_masked right,
                        ptrdiff_t rows, struct hk_pair_sums *sums);
