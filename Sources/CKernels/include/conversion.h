#pragma once

#include "instruction_set.h"

#include <stddef.h>

// A linear conversion, value × factor + offset, whose constants are double-double numbers (head and
// tail).
//
// `factor_high` and `factor_low` are the halves of `factor` with at most 27 and 26 bits, from which
// the plain kernel computes an exact product. A constant that is one double has a zero tail.
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

// Converts values in order; `target` may be `source`. Stops before the first block with a value
// that is not finite, tiny, or too near a tie to round with certainty. Returns the number of
// converted values; the caller converts the next ones with exact arithmetic, and also the last
// values that do not fill a block.
size_t hk_convert(hk_instruction_set set, const double *source, double *target, size_t count,
                  const hk_conversion *conversion);

// Multiplies by a factor that is exactly one double: each product is correctly rounded.
void hk_multiply(hk_instruction_set set, const double *source, double *target, size_t count,
                 double factor);
