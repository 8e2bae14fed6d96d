#include "include/interval_run.h"

// A fused product and sum would round differently on some processors.
#pragma STDC FP_CONTRACT OFF

size_t hk_add_run(struct hk_run *run, const double *starts, const double *ends,
                  const double *values, const uint32_t *samples, size_t count, uint32_t masked,
                  double scale) {
  const double lower = run->lower, upper = run->upper;
  double sum = run->sum, lost = run->lost;
  double minimums[8], maximums[8];
  uint32_t counts[8] = {0};
  for (int lane = 0; lane < 8; lane++) {
    minimums[lane] = run->minimums[lane];
    maximums[lane] = run->maximums[lane];
  }
  size_t row = 0;
  for (; row + 8 <= count; row += 8) {
    // A row that ends before the upper edge starts before it.
    int inside = 1;
    for (int lane = 0; lane < 8; lane++)
      inside &= (starts[row + lane] >= lower) & (ends[row + lane] < upper);
    if (!inside) break;
    double terms[8];
    for (int lane = 0; lane < 8; lane++) {
      const double value = values[row + lane];
      terms[lane] = value * scale;
      minimums[lane] = value < minimums[lane] ? value : minimums[lane];
      maximums[lane] = value > maximums[lane] ? value : maximums[lane];
    }
    // Three roundings for each term, always in this order.
    const double term = ((terms[0] + terms[4]) + (terms[2] + terms[6])) +
                        ((terms[1] + terms[5]) + (terms[3] + terms[7]));
    const double total = sum + term;
    const double virtual_term = total - sum;
    lost += (sum - (total - virtual_term)) + (term - virtual_term);
    sum = total;
    for (int lane = 0; lane < 8; lane++) {
      const uint32_t *number = samples + row + lane;
      counts[lane] += (uint32_t)((number[0] != number[-1]) & (number[0] != masked));
    }
  }
  run->sum = sum;
  run->lost = lost;
  for (int lane = 0; lane < 8; lane++) {
    run->count += counts[lane];
    run->minimums[lane] = minimums[lane];
    run->maximums[lane] = maximums[lane];
  }
  return row;
}
