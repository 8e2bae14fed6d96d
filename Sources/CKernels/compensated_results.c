#include "include/compensated_results.h"

#include <math.h>

// No implicit fused multiply-add: only explicit ones.
#pragma STDC FP_CONTRACT OFF

#define INLINE static inline __attribute__((always_inline))

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

// The kernels compiled for one instruction set.
#define DEFINE_PATH(NAME, ATTRIBUTES)                                            \
  ATTRIBUTES static bool results_##NAME(const double *sums, const double *lost,  \
                                        double *target, ptrdiff_t count) {       \
    return results(sums, lost, target, count);                                   \
  }                                                                              \
  ATTRIBUTES static bool means_##NAME(const double *sums, const double *lost,    \
                                      const ptrdiff_t *counts, double *target,   \
                                      ptrdiff_t count) {                         \
    return means(sums, lost, counts, target, count);                             \
  }

DEFINE_PATH(plain, )

#if defined(__x86_64__)
DEFINE_PATH(avx2, __attribute__((target("avx2,fma"))))
DEFINE_PATH(avx512, __attribute__((target("avx512f,avx512dq,avx512vl,fma"))))
#endif

bool hk_compensated_results(hk_path path, const double *sums, const double *lost, double *target,
                            ptrdiff_t count) {
  switch (path) {
#if defined(__x86_64__)
    case hk_path_avx2:
      return results_avx2(sums, lost, target, count);
    case hk_path_avx512:
      return results_avx512(sums, lost, target, count);
#endif
    default:
      return results_plain(sums, lost, target, count);
  }
}

bool hk_compensated_means(hk_path path, const double *sums, const double *lost,
                          const ptrdiff_t *counts, double *target, ptrdiff_t count) {
  switch (path) {
#if defined(__x86_64__)
    case hk_path_avx2:
      return means_avx2(sums, lost, counts, target, count);
    case hk_path_avx512:
      return means_avx512(sums, lost, counts, target, count);
#endif
    default:
      return means_plain(sums, lost, counts, target, count);
  }
}
