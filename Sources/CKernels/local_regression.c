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

INLINE doubles8 load(const double *source) {
  doubles8 vector;
  memcpy(&vector, source, sizeof vector);
  return vector;
}

INLINE void store(double *target, doubles8 vector) { memcpy(target, &vector, sizeof vector); }

INLINE double sum_of_lanes(doubles8 sum) {
  const doubles4 sum4 = LOW_HALF4(sum) + HIGH_HALF4(sum);
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
        sums[v] += weight * (load(before + v * LANES) + load(after + v * LANES));
    }
    for (int v = 0; v < TOGETHER; v++)
      store(target + i + v * LANES, sums[v] + kernel[0] * load(source + i + v * LANES));
  }
  for (; i + LANES <= count; i += LANES) {
    doubles8 sum = zero;
    for (ptrdiff_t k = half; k > 0; k--)
      sum += kernel[k] * (load(source + i - k * spacing) + load(source + i + k * spacing));
    store(target + i, sum + kernel[0] * load(source + i));
  }
  for (; i < count; i++) {
    double sum = 0;
    for (ptrdiff_t k = half; k > 0; k--)
      sum += kernel[k] * (source[i - k * spacing] + source[i + k * spacing]);
    target[i] = sum + kernel[0] * source[i];
  }
}

// The last taps of a row, in a vector with zeros after them.
INLINE doubles8 load_some(const double *source, ptrdiff_t count) {
  doubles8 vector = {0};
  memcpy(&vector, source, (size_t)count * sizeof(double));
  return vector;
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
          load(weights + v * rows->weights_step + k) * load(values + v * rows->source_step + k);
  if (k < rows->taps)
    for (int v = 0; v < together; v++)
      sums[v] += load_some(weights + v * rows->weights_step + k, rows->taps - k) *
                 load_some(values + v * rows->source_step + k, rows->taps - k);
  for (int v = 0; v < together; v++)
    target[(first + v) * rows->target_step] = sum_of_lanes(sums[v]);
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
        sum += weights[k] * load(values + k * spacing + j);
      store(results + j, sum);
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
    for (ptrdiff_t k = 0; k < window; k++) sum += load(source + i + k);
    store(target + i, sum / divisor);
  }
  for (; i < count; i++) {
    double sum = 0;
    for (ptrdiff_t k = 0; k < window; k++) sum += source[i + k];
    target[i] = sum / divisor;
  }
}

INLINE void moving_means(const double *source, ptrdiff_t window, double *target,
                         ptrdiff_t count) {
  if (window <= SHORT_WINDOW) {
    short_means(source, window, target, count);
    return;
  }
  const double divisor = (double)window;
  double sum = 0, lost = 0;
  for (ptrdiff_t i = 0; i < window; i++) ADD(double, sum, lost, source[i]);
  target[0] = sum + lost;
  for (ptrdiff_t i = 1; i < count; i++) {
    // The change and its rounding error, then the sum and its own.
    const double in = source[i - 1 + window], out = -source[i - 1];
    const double change = in + out, virtual_out = change - in;
    const double error = (in - (change - virtual_out)) + (out - virtual_out);
    const double total = sum + change, virtual_change = total - sum;
    lost += error + ((sum - (total - virtual_change)) + (change - virtual_change));
    sum = total;
    target[i] = sum + lost;
  }
  for (ptrdiff_t i = 0; i < count; i++) target[i] /= divisor;
}

INLINE double local_fit(const double *weights, const double *robustness, const double *values,
                        ptrdiff_t taps, ptrdiff_t position, int degree, double least_spread) {
  const doubles8 zero = {0}, eight = zero + LANES;
  const doubles8 first = (doubles8){0, 1, 2, 3, 4, 5, 6, 7} - (double)position;
  doubles8 size = zero, moment = zero, product = zero, place = first;
  for (ptrdiff_t k = 0; k < taps; k += LANES, place += eight) {
    const ptrdiff_t some = taps - k < LANES ? taps - k : LANES;
    const doubles8 weight = load_some(weights + k, some) * load_some(robustness + k, some);
    size += weight;
    moment += weight * place;
    product += weight * load_some(values + k, some);
  }
  const double whole = sum_of_lanes(size);
  if (!(whole > 0)) return NAN;
  const double mean = sum_of_lanes(product) / whole;
  if (degree == 0) return mean;
  const double centre = sum_of_lanes(moment) / whole;
  doubles8 spread = zero, tilt = zero;
  place = first - centre;
  for (ptrdiff_t k = 0; k < taps; k += LANES, place += eight) {
    const ptrdiff_t some = taps - k < LANES ? taps - k : LANES;
    const doubles8 lever =
        load_some(weights + k, some) * load_some(robustness + k, some) * place;
    spread += lever * place;
    tilt += lever * load_some(values + k, some);
  }
  const double variance = sum_of_lanes(spread) / whole;
  if (!(sqrt(variance) > least_spread)) return mean;
  return mean - centre / variance * (sum_of_lanes(tilt) / whole);
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
