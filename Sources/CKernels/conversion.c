// Correctly rounded conversion of columns: the error-free product of Dekker (1971), in hardware where
// a fused multiply-add exists, and the rounding test of Ziv (1991).

#include "include/conversion.h"

#include "dispatch.h"

#include <stdint.h>
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
#define ENDS_OF_SUM                                                                          \
  sum = product + offset;                                                                    \
  back = sum - product;                                                                      \
  tail = ((product - (sum - back)) + (offset - back)) +                                      \
         ((error + offset_tail) + value * factor_tail);                                      \
  bound = (__builtin_elementwise_abs(product) + __builtin_elementwise_abs(offset)) *         \
          ERROR_BOUND;                                                                       \
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
        ENDS_OF_SUM;                                                                         \
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

DEFINE_CONVERT(plain, , 2, ERROR_BY_HALVES, ENDS_BY_HALVES)

// Without fused multiply-adds there is no such kernel.
#define convert_double_double_plain convert_plain

#if defined(__x86_64__)
DEFINE_CONVERT(avx2, AVX2, 4, ERROR_BY_FMA, ENDS_BY_FMA)
DEFINE_CONVERT(avx512, AVX512, 8, ERROR_BY_FMA, ENDS_BY_FMA)
DEFINE_DOUBLE_DOUBLE(avx2, AVX2)
DEFINE_DOUBLE_DOUBLE(avx512, AVX512)
#endif

#if defined(__aarch64__)
DEFINE_CONVERT(neon, , 2, ERROR_BY_FMA, ENDS_BY_FMA)
DEFINE_DOUBLE_DOUBLE(neon, )
#endif

size_t hk_convert(hk_instruction_set set, const double *source, double *target, size_t count,
                  const hk_conversion *conversion) {
  return conversion->tail != 0
             ? DISPATCH(set, convert_double_double, source, target, count, conversion)
             : DISPATCH(set, convert, source, target, count, conversion);
}

void hk_multiply(hk_instruction_set set, const double *source, double *target, size_t count,
                 double factor) {
  DISPATCH(set, multiply, source, target, count, factor);
}
