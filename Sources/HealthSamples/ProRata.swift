import CKernels

/// The share of a value that falls to a part of its span, pro rata by time.
///
/// The kernel of sums needs it too, so the one place that says how is `pro_rata.h`.
package enum ProRata {
  /// The share of `value`, spread evenly over `start..<end`, that falls to `partStart..<partEnd`.
  ///
  /// Two roundings when both lengths are exact (always so for clock times of one era); else the
  /// ratio is corrected for what the two subtractions lost. Never overflows: the ratio is at most 1.
  ///
  /// - Precondition: `start <= partStart < partEnd <= end`, all finite.
  /// - Complexity: O(1)
  package static func share(
    of value: Double, start: Double, end: Double, partStart: Double, partEnd: Double
  ) -> Double {
    hk_share(value, start, end, partStart, partEnd)
  }
}
