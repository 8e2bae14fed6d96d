#pragma once

#include <stddef.h>
#include <stdint.h>

// What rows that lie inside of one interval add up to. `sum` and `lost` are a compensated sum.
struct hk_run {
  double lower, upper;
  double sum, lost;
  size_t count;
  double minimums[8], maximums[8];
};

// Adds blocks of eight rows from the first on, as long as all rows of a block lie between the
// edges, and returns how many rows that were. The row before the first must be in the run: a sample
// counts where its number is not that of the row before, nor `masked`.
size_t hk_add_run(struct hk_run *run, const double *starts, const double *ends,
                  const double *values, const uint32_t *samples, size_t count, uint32_t masked,
                  double scale);
