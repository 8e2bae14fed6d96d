// Correctly rounded conversion of columns: the error-free product of Dekker (1971), in hardware where
// a fused multiply-add exists, and the rounding test of Ziv (1991).

#include "include/conversion.h"

#include <string.h>

#pragma STDC FP_CONTRACT OFF

// A hundred bits below the result: more than all that the sums of two doubles leave out.
#define DOUBT 0x1p-100

// The body for one vector width. `LOST` gives the rounding error of value × factor.
#define DEFINE_CONVERT(NAME, ATTRIBUTES, LANES, LOST)                                             \
  typedef double NAME##_doubles __attribute__((vector_size(8 * LANES)));                          \
  typedef int64_t NAME##_bits __attribute__((vector_size(8 * LANES)));                            \
  ATTRIBUTES static size_t convert_##NAME(                                                        \
      const double *source, double *target, size_t count, const hk_conversion *conversion) {      \
    enum { VECTORS = 4, BLOCK = VECTORS * LANES };                                                \
    const NAME##_doubles zero = {0};                                                              \
    const NAME##_doubles factor = zero + conversion->factor;                                      \
    const NAME##_doubles factor_rest = zero + conversion->factor_rest;                            \
    const NAME##_doubles factor_high = zero + conversion->factor_high;                            \
    const NAME##_doubles factor_low = zero + conversion->factor_low;                              \
    const NAME##_doubles offset = zero + conversion->offset;                                      \
    const NAME##_doubles offset_rest = zero + conversion->offset_rest;                            \
    const NAME##_doubles least = zero + conversion->least;                                        \
    const NAME##_doubles offset_size = __builtin_elementwise_abs(offset);                         \
    const NAME##_bits sign_bit = (NAME##_bits)zero + INT64_MIN;                                   \
    (void)factor_high;                                                                            \
    (void)factor_low;                                                                             \
    bool has_offset = conversion->offset != 0;                                                    \
    size_t done = 0;                                                                              \
    for (; done + BLOCK <= count; done += BLOCK) {                                                \
      NAME##_doubles results[VECTORS];                                                            \
      NAME##_bits doubtful = (NAME##_bits)zero;                                                   \
      for (int k = 0; k < VECTORS; k++) {                                                         \
        NAME##_doubles value;                                                                     \
        memcpy(&value, source + done + k * LANES, sizeof value);                                  \
        NAME##_doubles product = value * factor;                                                  \
        NAME##_doubles lost = LOST;                                                               \
        NAME##_doubles size = __builtin_elementwise_abs(product);                                 \
        NAME##_doubles low, high;                                                                 \
        if (has_offset) {                                                                         \
          NAME##_doubles sum = product + offset;                                                  \
          NAME##_doubles back = sum - product;                                                    \
          NAME##_doubles sum_lost = (product - (sum - back)) + (offset - back);                   \
          NAME##_doubles rest = sum_lost + ((lost + offset_rest) + value * factor_rest);          \
          NAME##_doubles doubt = (size + offset_size) * DOUBT;                                    \
          low = sum + (rest - doubt);                                                             \
          high = sum + (rest + doubt);                                                            \
          results[k] = low;                                                                       \
        } else {                                                                                  \
          NAME##_doubles rest = lost + value * factor_rest;                                       \
          NAME##_doubles doubt = size * DOUBT;                                                    \
          low = product + (rest - doubt);                                                         \
          high = product + (rest + doubt);                                                        \
          results[k] =                                                                            \
              (NAME##_doubles)((NAME##_bits)low | ((NAME##_bits)value & sign_bit));               \
        }                                                                                         \
        doubtful |= (NAME##_bits)(low != high) | ((size < least) & (value != 0));                 \
      }                                                                                           \
      if (__builtin_reduce_or(doubtful) != 0) return done;                                        \
      memcpy(target + done, results, sizeof results);                                             \
    }                                                                                             \
    return done;                                                                                  \
  }                                                                                               \
  ATTRIBUTES static void multiply_##NAME(                                                         \
      const double *source, double *target, size_t count, double factor) {                        \
    for (size_t i = 0; i < count; i++) target[i] = source[i] * factor;                            \
  }

// One value by the conversion of its unit; false when it is in doubt.
#define DEFINE_MIXED(NAME, ATTRIBUTES, LOST)                                                      \
  ATTRIBUTES static size_t convert_mixed_##NAME(                                                  \
      const double *source, double *target, const uint16_t *units, size_t count,                  \
      const hk_conversion *conversions) {                                                         \
    for (size_t i = 0; i < count; i++) {                                                          \
      const hk_conversion *conversion = &conversions[units[i]];                                   \
      double value = source[i];                                                                   \
      double factor = conversion->factor, offset = conversion->offset;                            \
      double factor_high = conversion->factor_high, factor_low = conversion->factor_low;          \
      (void)factor_high;                                                                          \
      (void)factor_low;                                                                           \
      double product = value * factor;                                                            \
      double lost = LOST;                                                                         \
      double sum = product + offset;                                                              \
      double back = sum - product;                                                                \
      double sum_lost = (product - (sum - back)) + (offset - back);                               \
      double rest =                                                                               \
          sum_lost + ((lost + conversion->offset_rest) + value * conversion->factor_rest);        \
      double size = __builtin_fabs(product);                                                      \
      double doubt = (size + __builtin_fabs(offset)) * DOUBT;                                     \
      double low = sum + (rest - doubt), high = sum + (rest + doubt);                             \
      if ((low != high) | ((size < conversion->least) & (value != 0))) return i;                  \
      target[i] = offset == 0 ? __builtin_copysign(low, value) : low;                             \
    }                                                                                             \
    return count;                                                                                 \
  }

#define LOST_BY_FMA __builtin_elementwise_fma(value, factor, -product)

// 2^27 + 1 splits a value into halves of 26 bits, whose products are exact.
#define SPLITTER 134217729.0
#define LOST_BY_HALVES                                                                               \
  (((value_high(value) * factor_high - product) + value_high(value) * factor_low +                \
    (value - value_high(value)) * factor_high) +                                                  \
   (value - value_high(value)) * factor_low)
#define value_high(v) (((v)*SPLITTER) - (((v)*SPLITTER) - (v)))

DEFINE_CONVERT(plain, , 2, LOST_BY_HALVES)
DEFINE_MIXED(plain, , LOST_BY_HALVES)

#if defined(__x86_64__)
#define AVX2 __attribute__((target("avx2,fma")))
#define AVX512 __attribute__((target("avx512f,avx512dq,avx512vl,fma")))
DEFINE_CONVERT(avx2, AVX2, 4, LOST_BY_FMA)
DEFINE_MIXED(avx2, AVX2, LOST_BY_FMA)
DEFINE_CONVERT(avx512, AVX512, 8, LOST_BY_FMA)
#endif

#if defined(__aarch64__)
DEFINE_CONVERT(neon, , 2, LOST_BY_FMA)
DEFINE_MIXED(neon, , LOST_BY_FMA)
#endif

bool hk_path_is_available(hk_path path) {
  switch (path) {
    case hk_path_plain:
      return true;
#if defined(__x86_64__)
    case hk_path_avx2:
      return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
    case hk_path_avx512:
      return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
             __builtin_cpu_supports("avx512vl") && hk_path_is_available(hk_path_avx2);
#endif
#if defined(__aarch64__)
    case hk_path_neon:
      return true;
#endif
    default:
      return false;
  }
}

hk_path hk_best_path(void) {
  if (hk_path_is_available(hk_path_neon)) return hk_path_neon;
  if (hk_path_is_available(hk_path_avx512)) return hk_path_avx512;
  return hk_path_is_available(hk_path_avx2) ? hk_path_avx2 : hk_path_plain;
}

size_t hk_convert(
    hk_path path, const double *source, double *target, size_t count,
    const hk_conversion *conversion) {
  switch (path) {
#if defined(__x86_64__)
    case hk_path_avx2:
      return convert_avx2(source, target, count, conversion);
    case hk_path_avx512:
      return convert_avx512(source, target, count, conversion);
#endif
#if defined(__aarch64__)
    case hk_path_neon:
      return convert_neon(source, target, count, conversion);
#endif
    default:
      return convert_plain(source, target, count, conversion);
  }
}

void hk_multiply(
    hk_path path, const double *source, double *target, size_t count, double factor) {
  switch (path) {
#if defined(__x86_64__)
    case hk_path_avx2:
      return multiply_avx2(source, target, count, factor);
    case hk_path_avx512:
      return multiply_avx512(source, target, count, factor);
#endif
#if defined(__aarch64__)
    case hk_path_neon:
      return multiply_neon(source, target, count, factor);
#endif
    default:
      return multiply_plain(source, target, count, factor);
  }
}

size_t hk_convert_mixed(
    hk_path path, const double *source, double *target, const uint16_t *units, size_t count,
    const hk_conversion *conversions) {
  switch (path) {
#if defined(__x86_64__)
    case hk_path_avx2:
    case hk_path_avx512:
      return convert_mixed_avx2(source, target, units, count, conversions);
#endif
#if defined(__aarch64__)
    case hk_path_neon:
      return convert_mixed_neon(source, target, units, count, conversions);
#endif
    default:
      return convert_mixed_plain(source, target, units, count, conversions);
  }
}
