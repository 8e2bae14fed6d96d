/// The share of a value that belongs to a part of its span: pro rata by time.
///
/// This is the only definition. `pro_rata.h` is the same for the kernel of sums; tests check that
/// the bits are equal.
package enum ProRata {
  /// The share of `value`, spread evenly over `start..<end`, of `partStart..<partEnd`.
  ///
  /// Two roundings when both lengths are exact (always so for clock times of one era); otherwise
  /// the ratio is corrected by the rounding errors of the two subtractions. Never overflows: the
  /// ratio is at most 1. A value equal to the length of its span is shared as lengths, so whole
  /// seconds stay whole.
  ///
  /// - Precondition: `start <= partStart < partEnd <= end`, all finite.
  /// - Complexity: O(1)
  @inlinable
  package static func share(
    of value: Double, start: Double, end: Double, partStart: Double, partEnd: Double
  ) -> Double {
    let (whole, wholeError) = twoSum(end, -start)
    let (part, partError) = twoSum(partEnd, -partStart)
    if value == whole { return part }
    if wholeError == 0, partError == 0 { return value * (part / whole) }
    return correctedShare(
      of: value, start: start, end: end, partStart: partStart, partEnd: partEnd)
  }

  @usableFromInline
  static func correctedShare(
    of value: Double, start: Double, end: Double, partStart: Double, partEnd: Double
  ) -> Double {
    // Quarters of the instants, so that no difference overflows.
    let (start, end) = (start / 4, end / 4)
    let (partStart, partEnd) = (partStart / 4, partEnd / 4)
    let (whole, wholeError) = twoSum(end, -start)
    let (part, partError) = twoSum(partEnd, -partStart)
    guard whole > 0 else { return value }
    let ratio = part / whole
    let remainder = part.addingProduct(-ratio, whole)
    let correction = (remainder + partError - ratio * wholeError) / whole
    return value * ratio + value * correction
  }
}
