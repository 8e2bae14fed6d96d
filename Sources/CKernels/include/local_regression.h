#pragma once

#include "instruction_set.h"

#include <stddef.h>

// The parts of local regression (loess) on a regular grid, where the weights of a fit are known
// before the values. Every sum has one order, so that every instruction set gives the same bits.

// A symmetric filter: target[i] = kernel[0]·x[i] + Σ kernel[k]·(x[i − k·spacing] + x[i + k·spacing])
// over k from `half` down to 1. `source` is the row of the first target; `half · spacing` rows
// before it and after the last one can be read.
void hk_filter(hk_instruction_set set, const double *source, ptrdiff_t spacing,
               const double *kernel, ptrdiff_t half, double *target, ptrdiff_t count);

// Rows of weights and their distances in memory: row r reads `taps` weights at
// weights + r·weights_step, and values from source + r·source_step; its result goes to
// target + r·target_step.
struct hk_weight_rows {
  const double *weights;
  ptrdiff_t weights_step, taps;
  ptrdiff_t source_step, target_step;
  ptrdiff_t count;
};

// The weighted sum of consecutive values, for each row. Tap k belongs to lane k mod 8; lane i takes
// lane i + 4, then i + 2, then i + 1.
void hk_weighted_sums(hk_instruction_set set, const struct hk_weight_rows *rows,
                      const double *source, double *target);

// The same for `width` columns beside one another, whose values are `spacing` apart: the sum of
// column j goes to the target's column j. Taps are added in order.
void hk_weighted_columns(hk_instruction_set set, const struct hk_weight_rows *rows,
                         const double *source, ptrdiff_t spacing, ptrdiff_t width,
                         double *target);

// The means of `window` consecutive values, `count` of them. A long window is the end of one block
// and the start of the next, each of the window's length, so that a mean costs the same for any
// window, and no sum is longer than one.
void hk_moving_means(hk_instruction_set set, const double *source, ptrdiff_t window,
                     double *target, ptrdiff_t count);

// A local fit: a constant (`degree` 0) or a line (1) by least squares with the weights
// weights[k]·robustness[k], at `position` rows after the first. A line whose abscissas spread at
// most by `least_spread` (a standard deviation) is a constant. NaN when no weight is positive.
double hk_local_fit(hk_instruction_set set, const double *weights, const double *robustness,
                    const double *values, ptrdiff_t taps, ptrdiff_t position, int degree,
                    double least_spread);

// The same at every row, each in the middle of its window: weights[k] belongs to the value
// (k − taps/2)·spacing from the row, and so does robustness. There are at least eight rows, each
// with its own least spread; as for hk_filter, whole windows can be read. A row without a positive
// weight keeps its value. `target` is apart from the others.
void hk_local_fits(hk_instruction_set set, const double *weights, const double *robustness,
                   const double *values, ptrdiff_t taps, ptrdiff_t spacing, int degree,
                   const double *least_spreads, double *target, ptrdiff_t count);
