// Correctly rounded conversion of columns: the error-free product of Dekker (1971), in hardware where
// a fused multiply-add exists, and the rounding test of Ziv (1991).

#include "include/conversion.h"

#include <string.h>

#pragma STDC FP_CONTRACT OFF

// The truncation error of all double-double sums below, relative to their operands, is under
// 2^-100.
#define ERROR_BOUND 0x1p-100

// Unless it is a tie, the tail of a product is at least 2^-54 of it, and its error is below 2^-104.
// When a slightly smaller and a slightly larger tail round to the same double, that double is the
// nearest.
#define LESS (1 - 0x1p-47)
#define MORE (1 + 0x1p-47)

// 2^27 + 1 splits a value into halves of 26 bits, whose products are exact (Veltkamp).
#define SPLITTER 134217729.0
#define HIGH(value) (((value)*SPLITTER) - (((value)*SPLITTER) - (value)))

#define FMA(a, b, c) __builtin_elementwise_fma(a, b, c)

// The rounding error of value × factor.
#define ERROR_BY_FMA FMA(value, factor, -product)
#define ERROR_BY_HALVES                                                                      \
  (((HIGH(value) * factor_high - product) + HIGH(value) * factor_low +                       \
    (value - HIGH(value)) * factor_high) +                                                   \
   (value - HIGH(value)) * factor_low)

// Lower and upper bound of the result of a product by halves; a zero gets its sign back.
#define ENDS_BY_HALVES(TYPE)                                                                 \
  TYPE product = value * factor;                                                             \
  TYPE error = ERROR_BY_HALVES;                                                              \
  TYPE tail = value * factor_tail + error;                                                   \
  TYPE low = __builtin_elementwise_copysign(tail * LESS + product, value);                   \
  TYPE high = tail * MORE + product

// The same bounds with one rounding each, from a factor rounded down (after Brisebarre and Muller,
// 2008). The tail is never negative, so a zero keeps its sign.
#define ENDS_BY_FMA(TYPE)                                                                    \
  TYPE low = FMA(value, factor_down, value * tail_least);                                    \
  TYPE high = FMA(value, factor_down, value * tail_most)

// Lower and upper bound of the result of a product plus an offset.
#define ENDS_OF_SUM(SIZE)                                                                    \
  sum = product + offset;                                                                    \
  back = sum - product;                                                                      \
  tail = ((product - (sum - back)) + (offset - back)) +                                      \
         ((error + offset_tail) + value * factor_tail);                                      \
  bound = (SIZE(product) + SIZE(offset)) * ERROR_BOUND;                                      \
  low = sum + (tail - bound);                                                                \
  high = sum + (tail + bound)

// Tests for magnitudes above zero and below 2^-600 in one signed comparison of their bits: the bias
// wraps zero to the far end. `TINY_WORD` bounds the upper half of the bits without the sign.
#define TINY_BIAS INT64_MAX
#define TINY_WORD ((int64_t)(1023 - 600) << 21)
#define TINY_END (INT64_MIN + (((int64_t)(1023 - 600) << 52) - 1))

// The kernels of one vector width. The difference of the bounds has all bits zero only if both are
// the same finite number: infinities and NaN fail the test, and so do subnormal results.
#define DEFINE_CONVERT(NAME, ATTRIBUTES, LANES, ERROR, ENDS)                                 \
  typedef double NAME##_doubles __attribute__((vector_size(8 * LANES)));                     \
  typedef int64_t NAME##_bits __attribute__((vector_size(8 * LANES)));                       \
  ATTRIBUTES static size_t convert_product_##NAME(                                           \
      const double *source, double *target, size_t count, const hk_conversion *conversion) { \
    enum { VECTORS = 4, BLOCK = VECTORS * LANES };                                           \
    const NAME##_doubles zero = {0};                                                         \
    const NAME##_doubles factor = zero + conversion->factor;                                 \
    const NAME##_doubles factor_tail = zero + conversion->factor_tail;                       \
    const NAME##_doubles factor_high = zero + conversion->factor_high;                       \
    const NAME##_doubles factor_low = zero + conversion->factor_low;                         \
    const NAME##_bits magnitude = (NAME##_bits)zero + INT64_MAX;                             \
    const NAME##_bits bias = (NAME##_bits)zero + TINY_BIAS;                                  \
    const NAME##_bits tiny = (NAME##_bits)zero + TINY_END;                                   \
    const NAME##_doubles factor_down = zero + conversion->factor_down;                       \
    const NAME##_doubles tail_least = zero + conversion->tail_least;                         \
    const NAME##_doubles tail_most = zero + conversion->tail_most;                           \
    (void)factor, (void)factor_tail, (void)factor_high, (void)factor_low;                    \
    (void)factor_down, (void)tail_least, (void)tail_most;                                    \
    size_t done = 0;                                                                         \
    for (; done + BLOCK <= count; done += BLOCK) {                                           \
      NAME##_doubles results[VECTORS];                                                       \
      NAME##_bits uncertain = (NAME##_bits)zero;                                             \
      _Pragma("clang loop unroll(full)") for (int k = 0; k < VECTORS; k++) {                 \
        NAME##_doubles value;                                                                \
        memcpy(&value, source + done + k * LANES, sizeof value);                             \
        ENDS(NAME##_doubles);                                                                \
        NAME##_bits size = (NAME##_bits)value & magnitude;                                   \
        uncertain |= (NAME##_bits)(high - low) | (size + bias < tiny);                       \
        results[k] = low;                                                                    \
      }                                                                                      \
      if (__builtin_reduce_or(uncertain) != 0) return done;                                  \
      memcpy(target + done, results, sizeof results);                                        \
    }                                                                                        \
    return done;                                                                             \
  }                                                                                          \
  ATTRIBUTES static size_t convert_sum_##NAME(                                               \
      const double *source, double *target, size_t count, const hk_conversion *conversion) { \
    enum { VECTORS = 4, BLOCK = VECTORS * LANES };                                           \
    const NAME##_doubles zero = {0};                                                         \
    const NAME##_doubles factor = zero + conversion->factor;                                 \
    const NAME##_doubles factor_tail = zero + conversion->factor_tail;                       \
    const NAME##_doubles factor_high = zero + conversion->factor_high;                       \
    const NAME##_doubles factor_low = zero + conversion->factor_low;                         \
    const NAME##_doubles offset = zero + conversion->offset;                                 \
    const NAME##_doubles offset_tail = zero + conversion->offset_tail;                       \
    const NAME##_bits magnitude = (NAME##_bits)zero + INT64_MAX;                             \
    const NAME##_bits bias = (NAME##_bits)zero + TINY_BIAS;                                  \
    const NAME##_bits tiny = (NAME##_bits)zero + TINY_END;                                   \
    (void)factor_high;                                                                       \
    (void)factor_low;                                                                        \
    size_t done = 0;                                                                         \
    for (; done + BLOCK <= count; done += BLOCK) {                                           \
      NAME##_doubles results[VECTORS];                                                       \
      NAME##_bits uncertain = (NAME##_bits)zero;                                             \
      _Pragma("clang loop unroll(full)") for (int k = 0; k < VECTORS; k++) {                 \
        NAME##_doubles value, sum, back, tail, bound, low, high;                             \
        memcpy(&value, source + done + k * LANES, sizeof value);                             \
        NAME##_doubles product = value * factor;                                             \
        NAME##_doubles error = ERROR;                                                        \
        ENDS_OF_SUM(__builtin_elementwise_abs);                                              \
        NAME##_bits size = (NAME##_bits)value & magnitude;                                   \
        uncertain |= (NAME##_bits)(high - low) | (size + bias < tiny);                       \
        results[k] = low;                                                                    \
      }                                                                                      \
      if (__builtin_reduce_or(uncertain) != 0) return done;                                  \
      memcpy(target + done, results, sizeof results);                                        \
    }                                                                                        \
    return done;                                                                             \
  }                                                                                          \
  ATTRIBUTES static size_t convert_##NAME(                                                   \
      const double *source, double *target, size_t count, const hk_conversion *conversion) { \
    return conversion->offset == 0 ? convert_product_##NAME(source, target, count, conversion) \
                                   : convert_sum_##NAME(source, target, count, conversion);  \
  }                                                                                          \
  ATTRIBUTES static void multiply_##NAME(                                                    \
      const double *source, double *target, size_t count, double factor) {                   \
    for (size_t i = 0; i < count; i++) target[i] = source[i] * factor;                       \
  }

// The kernel for a factor whose double-double product needs no rounding test. Only tiny values can
// fail, because their tail loses bits. The minimum of the magnitudes finds them but includes zeros,
// so a block with a small minimum is checked value by value.
#define DEFINE_DOUBLE_DOUBLE(NAME, ATTRIBUTES)                                               \
  typedef uint32_t NAME##_words __attribute__((vector_size(sizeof(NAME##_bits))));           \
  typedef uint64_t NAME##_sizes __attribute__((vector_size(sizeof(NAME##_bits))));           \
  ATTRIBUTES static size_t convert_double_double_##NAME(                                     \
      const double *source, double *target, size_t count, const hk_conversion *conversion) { \
    enum { VECTORS = 4, LANES = sizeof(NAME##_bits) / 8, BLOCK = VECTORS * LANES };          \
    const NAME##_doubles zero = {0};                                                         \
    const NAME##_doubles factor = zero + conversion->head;                                   \
    const NAME##_doubles tail = zero + conversion->tail;                                     \
    const NAME##_bits magnitude = (NAME##_bits)zero + INT64_MAX;                             \
    const NAME##_bits bias = (NAME##_bits)zero + TINY_BIAS;                                  \
    const NAME##_bits tiny = (NAME##_bits)zero + TINY_END;                                   \
    size_t done = 0;                                                                         \
    for (; done + BLOCK <= count; done += BLOCK) {                                           \
      NAME##_doubles values[VECTORS], results[VECTORS];                                      \
      NAME##_words least = (NAME##_words)((NAME##_bits)zero - 1);                            \
      _Pragma("clang loop unroll(full)") for (int k = 0; k < VECTORS; k++) {                 \
        memcpy(&values[k], source + done + k * LANES, sizeof values[k]);                     \
        results[k] = FMA(values[k], factor, values[k] * tail);                               \
        NAME##_bits twice = (NAME##_bits)values[k] + (NAME##_bits)values[k];                 \
        least = __builtin_elementwise_min(least, (NAME##_words)twice);                       \
      }                                                                                      \
      NAME##_bits small = (NAME##_bits)((NAME##_sizes)least >> 32) < TINY_WORD;              \
      if (__builtin_reduce_or(small) != 0) {                                                 \
        NAME##_bits uncertain = (NAME##_bits)zero;                                           \
        for (int k = 0; k < VECTORS; k++)                                                    \
          uncertain |= ((NAME##_bits)values[k] & magnitude) + bias < tiny;                   \
        if (__builtin_reduce_or(uncertain) != 0) return done;                                \
      }                                                                                      \
      memcpy(target + done, results, sizeof results);                                        \
    }                                                                                        \
    return done;                                                                             \
  }

static inline bool is_tiny(double value) {
  int64_t bits;
  memcpy(&bits, &value, sizeof bits);
  uint64_t size = (uint64_t)bits & INT64_MAX;
  return (int64_t)(size + (uint64_t)TINY_BIAS) < TINY_END;
}

// Converts each value with the conversion of its unit; stops before a value whose rounding is not
// certain.
#define DEFINE_MIXED(NAME, ATTRIBUTES, ERROR, ENDS)                                          \
  ATTRIBUTES static size_t convert_mixed_##NAME(                                             \
      const double *source, double *target, const uint16_t *units, size_t count,             \
      const hk_conversion *conversions) {                                                    \
    for (size_t i = 0; i < count; i++) {                                                     \
      const hk_conversion *conversion = &conversions[units[i]];                              \
      double value = source[i];                                                              \
      double factor = conversion->factor, factor_tail = conversion->factor_tail;             \
      double factor_high = conversion->factor_high, factor_low = conversion->factor_low;     \
      double factor_down = conversion->factor_down;                                          \
      double tail_least = conversion->tail_least, tail_most = conversion->tail_most;         \
      double offset = conversion->offset;                                                    \
      (void)factor, (void)factor_tail, (void)factor_high, (void)factor_low;                  \
      (void)factor_down, (void)tail_least, (void)tail_most;                                  \
      if (offset == 0) {                                                                     \
        ENDS(double);                                                                        \
        if ((low != high) | is_tiny(value)) return i;                                        \
        target[i] = low;                                                                     \
      } else {                                                                               \
        double product = value * factor;                                                     \
        double error = ERROR;                                                                \
        double offset_tail = conversion->offset_tail, sum, back, tail, bound, low, high;     \
        ENDS_OF_SUM(__builtin_fabs);                                                         \
        if ((low != high) | is_tiny(value)) return i;                                        \
        target[i] = low;                                                                     \
      }                                                                                      \
    }                                                                                        \
    return count;                                                                            \
  }

DEFINE_CONVERT(plain, , 2, ERROR_BY_HALVES, ENDS_BY_HALVES)
DEFINE_MIXED(plain, , ERROR_BY_HALVES, ENDS_BY_HALVES)

#if defined(__x86_64__)
#define AVX2 __attribute__((target("avx2,fma")))
#define AVX512 __attribute__((target("avx512f,avx512dq,avx512vl,fma")))
DEFINE_CONVERT(avx2, AVX2, 4, ERROR_BY_FMA, ENDS_BY_FMA)
DEFINE_MIXED(avx2, AVX2, ERROR_BY_FMA, ENDS_BY_FMA)
DEFINE_CONVERT(avx512, AVX512, 8, ERROR_BY_FMA, ENDS_BY_FMA)
DEFINE_DOUBLE_DOUBLE(avx2, AVX2)
DEFINE_DOUBLE_DOUBLE(avx512, AVX512)
#endif

#if defined(__aarch64__)
DEFINE_CONVERT(neon, , 2, ERROR_BY_FMA, ENDS_BY_FMA)
DEFINE_MIXED(neon, , ERROR_BY_FMA, ENDS_BY_FMA)
DEFINE_DOUBLE_DOUBLE(neon, )
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
  bool is_double_double = conversion->tail != 0;
  switch (path) {
#if defined(__x86_64__)
    case hk_path_avx2:
      return is_double_double
                 ? convert_double_double_avx2(source, target, count, conversion)
                 : convert_avx2(source, target, count, conversion);
    case hk_path_avx512:
      return is_double_double
                 ? convert_double_double_avx512(source, target, count, conversion)
                 : convert_avx512(source, target, count, conversion);
#endif
#if defined(__aarch64__)
    case hk_path_neon:
      return is_double_double
                 ? convert_double_double_neon(source, target, count, conversion)
                 : convert_neon(source, target, count, conversion);
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
