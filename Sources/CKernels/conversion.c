// Correctly rounded conversion of columns: the error-free product of Dekker (1971), in hardware where
// a fused multiply-add exists, and the rounding test of Ziv (1991).

#include "include/conversion.h"

#include <string.h>

#pragma STDC FP_CONTRACT OFF

// A hundred bits below the sum: more than all that sums of two doubles leave out.
#define DOUBT 0x1p-100

// Next to a tie the rest is at least 2^-54 of the product, and what it leaves out below 2^-104: when
// the rest a little smaller and a little larger rounds to one double, that is the nearest.
#define LESS (1 - 0x1p-47)
#define MORE (1 + 0x1p-47)

// 2^27 + 1 splits a value into halves of 26 bits, whose products are exact.
#define SPLITTER 134217729.0
#define HIGH(value) (((value)*SPLITTER) - (((value)*SPLITTER) - (value)))

#define FMA(a, b, c) __builtin_elementwise_fma(a, b, c)

// The rounding error of value × factor.
#define LOST_BY_FMA FMA(value, factor, -product)
#define LOST_BY_HALVES                                                                       \
  (((HIGH(value) * factor_high - product) + HIGH(value) * factor_low +                       \
    (value - HIGH(value)) * factor_high) +                                                   \
   (value - HIGH(value)) * factor_low)

// The two ends of the result of a product by halves; a zero gets its sign back.
#define ENDS_BY_HALVES(TYPE)                                                                 \
  TYPE product = value * factor;                                                             \
  TYPE lost = LOST_BY_HALVES;                                                                \
  TYPE rest = value * factor_rest + lost;                                                    \
  TYPE low = __builtin_elementwise_copysign(rest * LESS + product, value);                   \
  TYPE high = rest * MORE + product

// The same by rounding once from below and once from above (after Brisebarre and Muller, 2008). The
// rest is never negative, so a zero keeps its sign.
#define ENDS_BY_FMA(TYPE)                                                                    \
  TYPE low = FMA(value, factor_down, value * rest_least);                                    \
  TYPE high = FMA(value, factor_down, value * rest_most)

// The two ends of the result of a product with a sum.
#define ENDS_OF_SUM(SIZE)                                                                    \
  sum = product + offset;                                                                    \
  back = sum - product;                                                                      \
  rest = ((product - (sum - back)) + (offset - back)) +                                      \
         ((lost + offset_rest) + value * factor_rest);                                       \
  doubt = (SIZE(product) + SIZE(offset)) * DOUBT;                                            \
  low = sum + (rest - doubt);                                                                \
  high = sum + (rest + doubt)

// Bits of magnitudes from the smallest above zero to below 2^-600, as one signed comparison: the
// bias moves zero to the far end. `TINY_WORD` bounds the upper half of the bits without the sign.
#define TINY_BIAS INT64_MAX
#define TINY_WORD ((int64_t)(1023 - 600) << 21)
#define TINY_END (INT64_MIN + (((int64_t)(1023 - 600) << 52) - 1))

// The kernels of one vector width. The two ends have a difference whose bits are not all zero unless
// they are one finite number: subnormal numbers make it so, and infinities and not-a-numbers too.
#define DEFINE_CONVERT(NAME, ATTRIBUTES, LANES, LOST, ENDS)                                  \
  typedef double NAME##_doubles __attribute__((vector_size(8 * LANES)));                     \
  typedef int64_t NAME##_bits __attribute__((vector_size(8 * LANES)));                       \
  ATTRIBUTES static size_t convert_product_##NAME(                                           \
      const double *source, double *target, size_t count, const hk_conversion *conversion) { \
    enum { VECTORS = 4, BLOCK = VECTORS * LANES };                                           \
    const NAME##_doubles zero = {0};                                                         \
    const NAME##_doubles factor = zero + conversion->factor;                                 \
    const NAME##_doubles factor_rest = zero + conversion->factor_rest;                       \
    const NAME##_doubles factor_high = zero + conversion->factor_high;                       \
    const NAME##_doubles factor_low = zero + conversion->factor_low;                         \
    const NAME##_bits magnitude = (NAME##_bits)zero + INT64_MAX;                             \
    const NAME##_bits bias = (NAME##_bits)zero + TINY_BIAS;                                  \
    const NAME##_bits tiny = (NAME##_bits)zero + TINY_END;                                   \
    const NAME##_doubles factor_down = zero + conversion->factor_down;                       \
    const NAME##_doubles rest_least = zero + conversion->rest_least;                         \
    const NAME##_doubles rest_most = zero + conversion->rest_most;                           \
    (void)factor, (void)factor_rest, (void)factor_high, (void)factor_low;                    \
    (void)factor_down, (void)rest_least, (void)rest_most;                                    \
    size_t done = 0;                                                                         \
    for (; done + BLOCK <= count; done += BLOCK) {                                           \
      NAME##_doubles results[VECTORS];                                                       \
      NAME##_bits doubtful = (NAME##_bits)zero;                                              \
      _Pragma("clang loop unroll(full)") for (int k = 0; k < VECTORS; k++) {                 \
        NAME##_doubles value;                                                                \
        memcpy(&value, source + done + k * LANES, sizeof value);                             \
        ENDS(NAME##_doubles);                                                                \
        NAME##_bits size = (NAME##_bits)value & magnitude;                                   \
        doubtful |= (NAME##_bits)(high - low) | (size + bias < tiny);                        \
        results[k] = low;                                                                    \
      }                                                                                      \
      if (__builtin_reduce_or(doubtful) != 0) return done;                                   \
      memcpy(target + done, results, sizeof results);                                        \
    }                                                                                        \
    return done;                                                                             \
  }                                                                                          \
  ATTRIBUTES static size_t convert_sum_##NAME(                                               \
      const double *source, double *target, size_t count, const hk_conversion *conversion) { \
    enum { VECTORS = 4, BLOCK = VECTORS * LANES };                                           \
    const NAME##_doubles zero = {0};                                                         \
    const NAME##_doubles factor = zero + conversion->factor;                                 \
    const NAME##_doubles factor_rest = zero + conversion->factor_rest;                       \
    const NAME##_doubles factor_high = zero + conversion->factor_high;                       \
    const NAME##_doubles factor_low = zero + conversion->factor_low;                         \
    const NAME##_doubles offset = zero + conversion->offset;                                 \
    const NAME##_doubles offset_rest = zero + conversion->offset_rest;                       \
    const NAME##_bits magnitude = (NAME##_bits)zero + INT64_MAX;                             \
    const NAME##_bits bias = (NAME##_bits)zero + TINY_BIAS;                                  \
    const NAME##_bits tiny = (NAME##_bits)zero + TINY_END;                                   \
    (void)factor_high;                                                                       \
    (void)factor_low;                                                                        \
    size_t done = 0;                                                                         \
    for (; done + BLOCK <= count; done += BLOCK) {                                           \
      NAME##_doubles results[VECTORS];                                                       \
      NAME##_bits doubtful = (NAME##_bits)zero;                                              \
      _Pragma("clang loop unroll(full)") for (int k = 0; k < VECTORS; k++) {                 \
        NAME##_doubles value, sum, back, rest, doubt, low, high;                             \
        memcpy(&value, source + done + k * LANES, sizeof value);                             \
        NAME##_doubles product = value * factor;                                             \
        NAME##_doubles lost = LOST;                                                          \
        ENDS_OF_SUM(__builtin_elementwise_abs);                                              \
        NAME##_bits size = (NAME##_bits)value & magnitude;                                   \
        doubtful |= (NAME##_bits)(high - low) | (size + bias < tiny);                        \
        results[k] = low;                                                                    \
      }                                                                                      \
      if (__builtin_reduce_or(doubtful) != 0) return done;                                   \
      memcpy(target + done, results, sizeof results);                                        \
    }                                                                                        \
    return done;                                                                             \
  }                                                                                          \
  ATTRIBUTES static size_t convert_##NAME(                                                   \
      const double *source, double *target, size_t count, const hk_conversion *conversion) { \
    return conversion->offset == 0 ? convert_product_##NAME(source, target, count, conversion)\
                                   : convert_sum_##NAME(source, target, count, conversion);  \
  }                                                                                          \
  ATTRIBUTES static void multiply_##NAME(                                                    \
      const double *source, double *target, size_t count, double factor) {                   \
    for (size_t i = 0; i < count; i++) target[i] = source[i] * factor;                       \
  }

// The kernel of a factor whose sum of two doubles needs no test. Only tiny values could go wrong,
// whose rest loses bits. The minimum of all values without their signs finds them, but cannot tell
// them from zero: then the block is looked at again.
#define DEFINE_SPLIT(NAME, ATTRIBUTES)                                                       \
  typedef uint32_t NAME##_words __attribute__((vector_size(sizeof(NAME##_bits))));           \
  typedef uint64_t NAME##_sizes __attribute__((vector_size(sizeof(NAME##_bits))));           \
  ATTRIBUTES static size_t convert_split_##NAME(                                             \
      const double *source, double *target, size_t count, const hk_conversion *conversion) { \
    enum { VECTORS = 4, LANES = sizeof(NAME##_bits) / 8, BLOCK = VECTORS * LANES };          \
    const NAME##_doubles zero = {0};                                                         \
    const NAME##_doubles factor = zero + conversion->split_factor;                           \
    const NAME##_doubles rest = zero + conversion->split_rest;                               \
    const NAME##_bits magnitude = (NAME##_bits)zero + INT64_MAX;                             \
    const NAME##_bits bias = (NAME##_bits)zero + TINY_BIAS;                                  \
    const NAME##_bits tiny = (NAME##_bits)zero + TINY_END;                                   \
    size_t done = 0;                                                                         \
    for (; done + BLOCK <= count; done += BLOCK) {                                           \
      NAME##_doubles values[VECTORS], results[VECTORS];                                      \
      NAME##_words least = (NAME##_words)((NAME##_bits)zero - 1);                            \
      _Pragma("clang loop unroll(full)") for (int k = 0; k < VECTORS; k++) {                 \
        memcpy(&values[k], source + done + k * LANES, sizeof values[k]);                     \
        results[k] = FMA(values[k], factor, values[k] * rest);                               \
        NAME##_bits twice = (NAME##_bits)values[k] + (NAME##_bits)values[k];                 \
        least = __builtin_elementwise_min(least, (NAME##_words)twice);                       \
      }                                                                                      \
      NAME##_bits small = (NAME##_bits)((NAME##_sizes)least >> 32) < TINY_WORD;              \
      if (__builtin_reduce_or(small) != 0) {                                                 \
        NAME##_bits doubtful = (NAME##_bits)zero;                                            \
        for (int k = 0; k < VECTORS; k++)                                                    \
          doubtful |= ((NAME##_bits)values[k] & magnitude) + bias < tiny;                    \
        if (__builtin_reduce_or(doubtful) != 0) return done;                                 \
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

// One value by the conversion of its unit; stops in front of one in doubt.
#define DEFINE_MIXED(NAME, ATTRIBUTES, LOST, ENDS)                                           \
  ATTRIBUTES static size_t convert_mixed_##NAME(                                             \
      const double *source, double *target, const uint16_t *units, size_t count,             \
      const hk_conversion *conversions) {                                                    \
    for (size_t i = 0; i < count; i++) {                                                     \
      const hk_conversion *conversion = &conversions[units[i]];                              \
      double value = source[i];                                                              \
      double factor = conversion->factor, factor_rest = conversion->factor_rest;             \
      double factor_high = conversion->factor_high, factor_low = conversion->factor_low;     \
      double factor_down = conversion->factor_down;                                          \
      double rest_least = conversion->rest_least, rest_most = conversion->rest_most;         \
      double offset = conversion->offset;                                                    \
      (void)factor, (void)factor_rest, (void)factor_high, (void)factor_low;                  \
      (void)factor_down, (void)rest_least, (void)rest_most;                                  \
      if (offset == 0) {                                                                     \
        ENDS(double);                                                                        \
        if ((low != high) | is_tiny(value)) return i;                                        \
        target[i] = low;                                                                     \
      } else {                                                                               \
        double product = value * factor;                                                     \
        double lost = LOST;                                                                  \
        double offset_rest = conversion->offset_rest, sum, back, rest, doubt, low, high;     \
        ENDS_OF_SUM(__builtin_fabs);                                                         \
        if ((low != high) | is_tiny(value)) return i;                                        \
        target[i] = low;                                                                     \
      }                                                                                      \
    }                                                                                        \
    return count;                                                                            \
  }

DEFINE_CONVERT(plain, , 2, LOST_BY_HALVES, ENDS_BY_HALVES)
DEFINE_MIXED(plain, , LOST_BY_HALVES, ENDS_BY_HALVES)

#if defined(__x86_64__)
#define AVX2 __attribute__((target("avx2,fma")))
#define AVX512 __attribute__((target("avx512f,avx512dq,avx512vl,fma")))
DEFINE_CONVERT(avx2, AVX2, 4, LOST_BY_FMA, ENDS_BY_FMA)
DEFINE_MIXED(avx2, AVX2, LOST_BY_FMA, ENDS_BY_FMA)
DEFINE_CONVERT(avx512, AVX512, 8, LOST_BY_FMA, ENDS_BY_FMA)
DEFINE_SPLIT(avx2, AVX2)
DEFINE_SPLIT(avx512, AVX512)
#endif

#if defined(__aarch64__)
DEFINE_CONVERT(neon, , 2, LOST_BY_FMA, ENDS_BY_FMA)
DEFINE_MIXED(neon, , LOST_BY_FMA, ENDS_BY_FMA)
DEFINE_SPLIT(neon, )
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
  bool is_split = conversion->split_rest != 0;
  switch (path) {
#if defined(__x86_64__)
    case hk_path_avx2:
      return is_split ? convert_split_avx2(source, target, count, conversion)
                      : convert_avx2(source, target, count, conversion);
    case hk_path_avx512:
      return is_split ? convert_split_avx512(source, target, count, conversion)
                      : convert_avx512(source, target, count, conversion);
#endif
#if defined(__aarch64__)
    case hk_path_neon:
      return is_split ? convert_split_neon(source, target, count, conversion)
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
