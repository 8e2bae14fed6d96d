#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// A linear conversion, value × factor + offset, whose constants are double-double numbers (head and
// tail).
//
// `factor_high` and `factor_low` are the halves of `factor` with at most 27 and 26 bits, from which
// the plain path computes an exact product. A constant that is one double has a zero tail.
// `factor_down` is the factor rounded down; the exact remainder lies between `tail_least` and
// `tail_most`, which are both zero or so far apart that rounding a product cannot make them equal.
// `head` and `tail` are another double-double for the factor, both positive, for which
// fma(v, head, v × tail) is the nearest double without a test; zero if there is none.
typedef struct {
  double factor;
  double factor_tail;
  double factor_high;
  double factor_low;
  double factor_down;
  double tail_least;
  double tail_most;
  double head;
  double tail;
  double offset;
  double offset_tail;
} hk_conversion;

// The instruction sets that a kernel is compiled for; all give the same bits.
typedef enum {
  hk_path_plain = 0,
  hk_path_avx2 = 1,
  hk_path_avx512 = 2,
  hk_path_neon = 3,
} hk_path;

// Whether this processor supports an instruction set, and the fastest that it supports.
bool hk_path_is_available(hk_path path);
hk_path hk_best_path(void);

// Converts values in order; `target` may be `source`. Stops before the first block with a value
// that is not finite, tiny, or too near a tie to round with certainty. Returns the number of
// converted values; the caller converts the next ones with exact arithmetic, and also the last
// values that do not fill a block.
size_t hk_convert(
    hk_path path, const double *source, double *target, size_t count, const hk_conversion *conversion);

// Multiplies by a factor that is exactly one double: each product is correctly rounded.
void hk_multiply(
    hk_path path, const double *source, double *target, size_t count, double factor);

// Converts each value with the conversion that its unit names; stops as `hk_convert` does, but
// directly before the value.
size_t hk_convert_mixed(
    hk_path path, const double *source, double *target, const uint16_t *units, size_t count,
    const hk_conversion *conversions);
