#include "include/compensated_results.h"

#include "dispatch.h"

#include <math.h>
#include <stdint.h>

// No implicit fused multiply-add: only explicit ones.
#pragma STDC FP_CONTRACT OFF

INLINE bool is_finite(double value) { return __builtin_fabs(value) < INFINITY; }

INLINE bool results(const double *sums, const double *lost, double *target, ptrdiff_t count) {
  int64_t all_finite = 1;
  for (ptrdiff_t i = 0; i < count; i++) {
    const double result = sums[i] + lost[i];
    all_finite &= is_finite(result);
    target[i] = is_finite(sums[i]) ? result : sums[i];
  }
  return all_finite;
}

INLINE bool means(const double *sums, const double *lost, const ptrdiff_t *counts, double *target,
                  ptrdiff_t count) {
  int64_t all_finite = 1;
  for (ptrdiff_t i = 0; i < count; i++) {
    const double divisor = (double)counts[i], quotient = sums[i] / divisor;
    const double remainder = __builtin_fma(-quotient, divisor, sums[i]);
    const double mean = quotient + (remainder + lost[i]) / divisor;
    const double result = counts[i] == 0 ? 0 : is_finite(quotient) ? mean : quotient;
    all_finite &= is_finite(result);
    target[i] = result;
  }
  return all_finite;
}

#define DEFINE_KERNELS(NAME, ATTRIBUTES)                                         \
  ATTRIBUTES static bool results_##NAME(const double *sums, const double *lost,  \
                                        double *target, ptrdiff_t count) {       \
    return results(sums, lost, target, count);                                   \
  }                                                                              \
  ATTRIBUTES static bool means_##NAME(const double *sums, const double *lost,    \
                                      const ptrdiff_t *counts, double *target,   \
                                      ptrdiff_t count) {                         \
    return means(sums, lost, counts, target, count);                             \
  }

FOR_INSTRUCTION_SETS(DEFINE_KERNELS)

bool hk_compensated_results(hk_instruction_set set, const double *sums, const double *lost,
                            double *target, ptrdiff_t count) {
  return DISPATCH(set, results, sums, lost, target, count);
}

bool hk_compensated_means(hk_instruction_set set, const double *sums, const double *lost,
                          const ptrdiff_t *counts, double *target, ptrdiff_t count) {
  return DISPATCH(set, means, sums, lost, counts, target, count);
}
