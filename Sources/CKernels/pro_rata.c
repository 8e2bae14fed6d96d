#include "include/pro_rata.h"

#pragma STDC FP_CONTRACT OFF

double hk_corrected_share(double value, double start, double end, double part_start,
                          double part_end) {
  // Quarters of the instants, so that no difference overflows.
  start /= 4, end /= 4, part_start /= 4, part_end /= 4;
  const double whole = end - start, part = part_end - part_start;
  if (!(whole > 0)) return value;
  const double ratio = part / whole;
  const double remainder = __builtin_fma(-ratio, whole, part);
  const double correction =
      (remainder + hk_lost(part_end, part_start, part) - ratio * hk_lost(end, start, whole)) /
      whole;
  return value * ratio + value * correction;
}
