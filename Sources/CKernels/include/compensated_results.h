#pragma once

#include "instruction_set.h"

#include <stdbool.h>
#include <stddef.h>

// The results of compensated sums. Returns whether all are finite.
bool hk_compensated_results(hk_instruction_set set, const double *sums, const double *lost,
                            double *target, ptrdiff_t count);

// Compensated sums divided by counts: the quotient, corrected by its remainder and by the rounding
// error of the sum; 0 where the count is 0. Returns whether all are finite.
bool hk_compensated_means(hk_instruction_set set, const double *sums, const double *lost,
                          const ptrdiff_t *counts, double *target, ptrdiff_t count);
