#pragma once

// The shares of `ProRata`, bit for bit.

// The rounding error of `left - right == difference` (Knuth, TwoSum); NaN when the difference
// overflowed.
static inline double hk_lost(double left, double right, double difference) {
#pragma STDC FP_CONTRACT OFF
  const double virtual_term = left - difference;
  return (left - (difference + virtual_term)) + (virtual_term - right);
}

// The share of `value`, spread evenly over `start..<end`, of `part_start..<part_end`, for instants
// whose differences are not exact doubles.
double hk_corrected_share(double value, double start, double end, double part_start,
                          double part_end);

// The same for any part inside its span.
static inline double hk_share(double value, double start, double end, double part_start,
                              double part_end) {
#pragma STDC FP_CONTRACT OFF
  const double whole = end - start, part = part_end - part_start;
  if (value == whole) return part;
  if (hk_lost(end, start, whole) == 0 && hk_lost(part_end, part_start, part) == 0)
    return value * (part / whole);
  return hk_corrected_share(value, start, end, part_start, part_end);
}
