// Local regression on a regular grid (Cleveland 1979; Cleveland, Cleveland, McRae and Terpenning
// 1990): filters, weighted sums and moving means.

#include "include/local_regression.h"

#include "lanes.h"

#include <math.h>

enum {
  // Vectors of results that are computed together, so that additions need not wait for one another.
  TOGETHER = 4,
  // Windows up to this long are summed up anew for each mean.
  SHORT_WINDOW = 16,
};

// Eight values in memory, at any address of a double.
typedef double values8 __attribute__((vector_size(64), aligned(8), may_alias));
#define AT(pointer) (*(values8 *)(pointer))
#define FROM(pointer) (*(const values8 *)(pointer))

INLINE double sum_of_lanes(const doubles8 *sum) {
  const doubles4 sum4 = LOW_HALF4(*sum) + HIGH_HALF4(*sum);
  const doubles2 sum2 = LOW_HALF2(sum4) + HIGH_HALF2(sum4);
  return sum2[0] + sum2[1];
}

INLINE void filter(const double *source, ptrdiff_t spacing, const double *kernel, ptrdiff_t half,
                   double *target, ptrdiff_t count) {
  const doubles8 zero = {0};
  ptrdiff_t i = 0;
  for (; i + TOGETHER * LANES <= count; i += TOGETHER * LANES) {
    doubles8 sums[TOGETHER] = {zero, zero, zero, zero};
    for (ptrdiff_t k = half; k > 0; k--) {
      const double *before = source + i - k * spacing, *after = source + i + k * spacing;
      const doubles8 weight = zero + kernel[k];
      for (int v = 0; v < TOGETHER; v++)
        sums[v] += weight * (FROM(before + v * LANES) + FROM(after + v * LANES));
    }
    for (int v = 0; v < TOGETHER; v++)
      AT(target + i + v * LANES) = sums[v] + kernel[0] * FROM(source + i + v * LANES);
  }
  for (; i + LANES <= count; i += LANES) {
    doubles8 sum = zero;
    for (ptrdiff_t k = half; k > 0; k--)
      sum += kernel[k] * (FROM(source + i - k * spacing) + FROM(source + i + k * spacing));
    AT(target + i) = sum + kernel[0] * FROM(source + i);
  }
  for (; i < count; i++) {
    double sum = 0;
    for (ptrdiff_t k = half; k > 0; k--)
      sum += kernel[k] * (source[i - k * spacing] + source[i + k * spacing]);
    target[i] = sum + kernel[0] * source[i];
  }
}

INLINE void sum_rows(const struct hk_weight_rows *rows, ptrdiff_t first, int together,
                     const double *source, double *target) {
  const doubles8 zero = {0};
  doubles8 sums[TOGETHER] = {zero, zero, zero, zero};
  const double *weights = rows->weights + first * rows->weights_step;
  const double *values = source + first * rows->source_step;
  ptrdiff_t k = 0;
  for (; k + LANES <= rows->taps; k += LANES)
    for (int v = 0; v < together; v++)
      sums[v] +=
          FROM(weights + v * rows->weights_step + k) * FROM(values + v * rows->source_step + k);
  // The last taps go to the first lanes.
  for (int v = 0; v < together; v++) {
    doubles8 last = zero;
    for (ptrdiff_t tap = k; tap < rows->taps; tap++)
      last[tap - k] = weights[v * rows->weights_step + tap] * values[v * rows->source_step + tap];
    sums[v] += last;
    target[(first + v) * rows->target_step] = sum_of_lanes(&sums[v]);
  }
}

INLINE void weighted_sums(const struct hk_weight_rows *rows, const double *source,
                          double *target) {
  ptrdiff_t row = 0;
  for (; row + TOGETHER <= rows->count; row += TOGETHER)
    sum_rows(rows, row, TOGETHER, source, target);
  for (; row < rows->count; row++) sum_rows(rows, row, 1, source, target);
}

INLINE void weighted_columns(const struct hk_weight_rows *rows, const double *source,
                             ptrdiff_t spacing, ptrdiff_t width, double *target) {
  const doubles8 zero = {0};
  for (ptrdiff_t row = 0; row < rows->count; row++) {
    const double *weights = rows->weights + row * rows->weights_step;
    const double *values = source + row * rows->source_step;
    double *results = target + row * rows->target_step;
    ptrdiff_t j = 0;
    for (; j + LANES <= width; j += LANES) {
      doubles8 sum = zero;
      for (ptrdiff_t k = 0; k < rows->taps; k++)
        sum += weights[k] * FROM(values + k * spacing + j);
      AT(results + j) = sum;
    }
    for (; j < width; j++) {
      double sum = 0;
      for (ptrdiff_t k = 0; k < rows->taps; k++) sum += weights[k] * values[k * spacing + j];
      results[j] = sum;
    }
  }
}

INLINE void short_means(const double *source, ptrdiff_t window, double *target, ptrdiff_t count) {
  const doubles8 zero = {0};
  const double divisor = (double)window;
  ptrdiff_t i = 0;
  for (; i + LANES <= count; i += LANES) {
    doubles8 sum = zero;
    for (ptrdiff_t k = 0; k < window; k++) sum += FROM(source + i + k);
    AT(target + i) = sum / divisor;
  }
  for (; i < count; i++) {
    double sum = 0;
    for (ptrdiff_t k = 0; k < window; k++) sum += source[i + k];
    target[i] = sum / divisor;
  }
}

// Sums of consecutive windows whose first values are in `together` blocks of a window each. The
// window of row i of a block has the block's values from i on, and the first i of the next block.
INLINE void block_sums(const double *source, ptrdiff_t window, double *target, ptrdiff_t count,
                       int together) {
  double rests[TOGETHER] = {0}, starts[TOGETHER] = {0};
  for (ptrdiff_t i = window - 1; i >= 0; i--)
    for (int v = 0; v < together; v++) {
      rests[v] += source[v * window + i];
      if (v * window + i < count) target[v * window + i] = rests[v];
    }
  for (ptrdiff_t i = 1; i < window; i++)
    for (int v = 0; v < together; v++)
      if (v * window + i < count) {
        starts[v] += source[(v + 1) * window + i - 1];
        target[v * window + i] += starts[v];
      }
}

INLINE void moving_means(const double *source, ptrdiff_t window, double *target,
                         ptrdiff_t count) {
  if (window <= SHORT_WINDOW) {
    short_means(source, window, target, count);
    return;
  }
  ptrdiff_t first = 0;
  // No row of whole blocks is beyond the last.
  for (; first + TOGETHER * window <= count; first += TOGETHER * window)
    block_sums(source + first, window, target + first, PTRDIFF_MAX, TOGETHER);
  for (; first < count; first += window)
    block_sums(source + first, window, target + first, count - first, 1);
  const double divisor = (double)window;
  for (ptrdiff_t i = 0; i < count; i++) target[i] /= divisor;
}

INLINE double local_fit(const double *weights, const double *robustness, const double *values,
                        ptrdiff_t taps, ptrdiff_t position, int degree, double least_spread) {
  const doubles8 zero = {0}, eight = zero + LANES;
  const doubles8 first = (doubles8){0, 1, 2, 3, 4, 5, 6, 7} - (double)position;
  doubles8 size = zero, moment = zero, product = zero, place = first;
  ptrdiff_t k = 0;
  for (; k + LANES <= taps; k += LANES, place += eight) {
    const doubles8 weight = FROM(weights + k) * FROM(robustness + k);
    size += weight;
    moment += weight * place;
    product += weight * FROM(values + k);
  }
  // The last taps, in a vector with weights of zero after them.
  const ptrdiff_t whole_taps = k;
  doubles8 last_weight = zero, last_value = zero;
  for (; k < taps; k++) {
    last_weight[k - whole_taps] = weights[k] * robustness[k];
    last_value[k - whole_taps] = values[k];
  }
  size += last_weight;
  moment += last_weight * place;
  product += last_weight * last_value;
  const double whole = sum_of_lanes(&size);
  if (!(whole > 0)) return NAN;
  const double mean = sum_of_lanes(&product) / whole;
  if (degree == 0) return mean;
  const double centre = sum_of_lanes(&moment) / whole;
  doubles8 spread = zero, tilt = zero;
  place = first - centre;
  for (k = 0; k < whole_taps; k += LANES, place += eight) {
    const doubles8 lever = FROM(weights + k) * FROM(robustness + k) * place;
    spread += lever * place;
    tilt += lever * FROM(values + k);
  }
  const doubles8 last_lever = last_weight * place;
  spread += last_lever * place;
  tilt += last_lever * last_value;
  const double variance = sum_of_lanes(&spread) / whole;
  if (!(sqrt(variance) > least_spread)) return mean;
  return mean - centre / variance * (sum_of_lanes(&tilt) / whole);
}

// Eight fits in the middle of their windows.
INLINE void eight_fits(const double *weights, const double *robustness, const double *values,
                       ptrdiff_t taps, ptrdiff_t spacing, int degree, const double *least_spreads,
                       double *target) {
  const doubles8 zero = {0};
  const ptrdiff_t half = taps / 2;
  doubles8 size = zero, moment = zero, product = zero;
  for (ptrdiff_t k = -half; k <= half; k++) {
    const doubles8 weight = weights[k + half] * FROM(robustness + k * spacing);
    size += weight;
    moment += weight * (double)k;
    product += weight * FROM(values + k * spacing);
  }
  const doubles8 mean = product / size;
  doubles8 result = mean;
  if (degree > 0) {
    const doubles8 centre = moment / size;
    doubles8 spread = zero, tilt = zero;
    for (ptrdiff_t k = -half; k <= half; k++) {
      const doubles8 place = (double)k - centre;
      const doubles8 lever = weights[k + half] * FROM(robustness + k * spacing) * place;
      spread += lever * place;
      tilt += lever * FROM(values + k * spacing);
    }
    const doubles8 variance = spread / size;
    const masks8 is_line = __builtin_elementwise_sqrt(variance) > FROM(least_spreads);
    result = SELECT(doubles8, masks8, is_line, mean - centre / variance * (tilt / size), mean);
  }
  AT(target) = SELECT(doubles8, masks8, size > 0, result, FROM(values));
}

INLINE void local_fits(const double *weights, const double *robustness, const double *values,
                       ptrdiff_t taps, ptrdiff_t spacing, int degree, const double *least_spreads,
                       double *target, ptrdiff_t count) {
  ptrdiff_t i = 0;
  for (; i + LANES <= count; i += LANES)
    eight_fits(weights, robustness + i, values + i, taps, spacing, degree, least_spreads + i,
               target + i);
  // The last eight, some of them again.
  if (i < count)
    eight_fits(weights, robustness + count - LANES, values + count - LANES, taps, spacing, degree,
               least_spreads + count - LANES, target + count - LANES);
}

#define DEFINE_KERNELS(NAME, ATTRIBUTES)                                                       \
  ATTRIBUTES static void filter_##NAME(const double *source, ptrdiff_t spacing,                \
                                       const double *kernel, ptrdiff_t half, double *target,   \
                                       ptrdiff_t count) {                                      \
    filter(source, spacing, kernel, half, target, count);                                      \
  }                                                                                            \
  ATTRIBUTES static void weighted_sums_##NAME(const struct hk_weight_rows *rows,               \
                                              const double *source, double *target) {          \
    weighted_sums(rows, source, target);                                                       \
  }                                                                                            \
  ATTRIBUTES static void weighted_columns_##NAME(const struct hk_weight_rows *rows,            \
                                                 const double *source, ptrdiff_t spacing,      \
                                                 ptrdiff_t width, double *target) {            \
    weighted_columns(rows, source, spacing, width, target);                                    \
  }                                                                                            \
  ATTRIBUTES static void moving_means_##NAME(const double *source, ptrdiff_t window,           \
                                             double *target, ptrdiff_t count) {                \
    moving_means(source, window, target, count);                                               \
  }                                                                                            \
  ATTRIBUTES static double local_fit_##NAME(                                                   \
      const double *weights, const double *robustness, const double *values, ptrdiff_t taps,   \
      ptrdiff_t position, int degree, double least_spread) {                                   \
    return local_fit(weights, robustness, values, taps, position, degree, least_spread);       \
  }                                                                                            \
  ATTRIBUTES static void local_fits_##NAME(                                                    \
      const double *weights, const double *robustness, const double *values, ptrdiff_t taps,   \
      ptrdiff_t spacing, int degree, const double *least_spreads, double *target,              \
      ptrdiff_t count) {                                                                       \
    local_fits(weights, robustness, values, taps, spacing, degree, least_spreads, target,      \
               count);                                                                         \
  }

FOR_INSTRUCTION_SETS(DEFINE_KERNELS)

void hk_filter(hk_instruction_set set, const double *source, ptrdiff_t spacing,
               const double *kernel, ptrdiff_t half, double *target, ptrdiff_t count) {
  DISPATCH(set, filter, source, spacing, kernel, half, target, count);
}

void hk_weighted_sums(hk_instruction_set set, const struct hk_weight_rows *rows,
                      const double *source, double *target) {
  DISPATCH(set, weighted_sums, rows, source, target);
}

void hk_weighted_columns(hk_instruction_set set, const struct hk_weight_rows *rows,
                         const double *source, ptrdiff_t spacing, ptrdiff_t width,
                         double *target) {
  DISPATCH(set, weighted_columns, rows, source, spacing, width, target);
}

void hk_moving_means(hk_instruction_set set, const double *source, ptrdiff_t window,
                     double *target, ptrdiff_t count) {
  if (count > 0) DISPATCH(set, moving_means, source, window, target, count);
}

double hk_local_fit(hk_instruction_set set, const double *weights, const double *robustness,
                    const double *values, ptrdiff_t taps, ptrdiff_t position, int degree,
                    double least_spread) {
  return DISPATCH(set, local_fit, weights, robustness, values, taps, position, degree,
                  least_spread);
}

void hk_local_fits(hk_instruction_set set, const double *weights, const double *robustness,
                   const double *values, ptrdiff_t taps, ptrdiff_t spacing, int degree,
                   const double *least_spreads, double *target, ptrdiff_t count) {
  DISPATCH(set, local_fits, weights, robustness, values, taps, spacing, degree, least_spreads,
           target, count);
}
