#pragma once

// The shares of `ProRata`, with the same bits.

// What rounding took from `left - right == difference` (Knuth, TwoSum); not a number when the
// difference overflowed.
static inline double hk_lost(double left, double right, double difference) {
#pragma STDC FP_CONTRACT OFF
  const double virtual_term = left - difference;
  return (left - (difference + virtual_term)) + (virtual_term - right);
}

// The share of `value`, spread evenly over `start..<end`, that falls to `part_start..<part_end`,
// where a difference of two instants is no double.
double hk_corrected_share(double value, double start, double end, double part_start,
                          double part_end);

// The same for all spans that lie in one another.
static inline double hk_share(double value, double start, double end, double part_start,
                              double part_end) {
#pragma STDC FP_CONTRACT OFF
  const double whole = end - start, part = part_end - part_start;
  if (value == whole) return part;
  if (hk_lost(end, start, whole) == 0 && hk_lost(part_end, part_start, part) == 0)
    return value * (part / whole);
  return hk_corrected_share(value, start, end, part_start, part_end);
}
