#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// A linear conversion, value × factor + offset, whose constants are sums of two doubles.
//
// `factor_high` and `factor_low` are the two halves of `factor` with at most 27 and 26 bits, from
// which the plain path makes an exact product. A constant of zero rest needs no second double.
// `factor_down` is the factor rounded down; what that leaves of it lies between `rest_least` and
// `rest_most`, which both are zero or differ by so much that no rounding of a product closes the gap.
// `split_factor` and `split_rest` are another sum for the factor, both above zero, of which
// fma(v, split_factor, v × split_rest) is the nearest double without any test; zero if there is none.
typedef struct {
  double factor;
  double factor_rest;
  double factor_high;
  double factor_low;
  double factor_down;
  double rest_least;
  double rest_most;
  double split_factor;
  double split_rest;
  double offset;
  double offset_rest;
} hk_conversion;

// The instruction sets that a kernel is compiled for; all give the same bits.
typedef enum {
  hk_path_plain = 0,
  hk_path_avx2 = 1,
  hk_path_avx512 = 2,
  hk_path_neon = 3,
} hk_path;

// Whether this processor runs a path, and the best that it runs.
bool hk_path_is_available(hk_path path);
hk_path hk_best_path(void);

// Converts values from the first on, `target` may be `source`. Stops in front of the first block in
// which a value lies too near a tie to round it for certain, is not finite, or is tiny: returns the
// number of values done, from which the caller goes on by exact arithmetic. The last few values
// that do not fill a block are left to the caller too.
size_t hk_convert(
    hk_path path, const double *source, double *target, size_t count, const hk_conversion *conversion);

// Multiplies by a factor that is one exact double: each product is the nearest.
void hk_multiply(
    hk_path path, const double *source, double *target, size_t count, double factor);

// Converts values each by the conversion that its unit names; stops as `hk_convert` does, but in
// front of the very value.
size_t hk_convert_mixed(
    hk_path path, const double *source, double *target, const uint16_t *units, size_t count,
    const hk_conversion *conversions);
