#pragma once

#include "conversion.h"

#include <stdbool.h>
#include <stddef.h>

// The results of compensated sums; whether all are finite.
bool hk_compensated_results(hk_path path, const double *sums, const double *lost, double *target,
                            ptrdiff_t count);

// Compensated sums divided by counts: the quotient, corrected for its own remainder and for what
// the sum lost; 0 where the count is 0. Whether all are finite.
bool hk_compensated_means(hk_path path, const double *sums, const double *lost,
                          const ptrdiff_t *counts, double *target, ptrdiff_t count);
