/// The one place that says which share of a value falls to a part of its span: pro rata by time.
///
/// `pro_rata.h` is the same for the kernel of sums, which tests hold to these bits.
package enum ProRata {
  /// The share of `value`, spread evenly over `start..<end`, that falls to `partStart..<partEnd`.
  ///
  /// Two roundings when both lengths are exact (always so for clock times of one era); else the
  /// ratio is corrected for what the two subtractions lost. Never overflows: the ratio is at most 1.
  /// Of a span's own length the share is the length of the part, so whole seconds stay whole.
  ///
  /// - Precondition: `start <= partStart < partEnd <= end`, all finite.
  /// - Complexity: O(1)
  @inlinable
  package static func share(
    of value: Double, start: Double, end: Double, partStart: Double, partEnd: Double
  ) -> Double {
    let whole = end - start
    let part = partEnd - partStart
    if value == whole { return part }
    if lost(end, start, whole) == 0, lost(partEnd, partStart, part) == 0 {
      return value * (part / whole)
    }
    return correctedShare(
      of: value, start: start, end: end, partStart: partStart, partEnd: partEnd)
  }

  /// What rounding took from `left - right == difference` (Knuth, TwoSum); not a number when the
  /// difference overflowed.
  @inlinable
  static func lost(_ left: Double, _ right: Double, _ difference: Double) -> Double {
    let virtual = left - difference
    return (left - (difference + virtual)) + (virtual - right)
  }

  @usableFromInline
  static func correctedShare(
    of value: Double, start: Double, end: Double, partStart: Double, partEnd: Double
  ) -> Double {
    // A quarter of each instant: no difference of two of them can overflow.
    let (start, end) = (start / 4, end / 4)
    let (partStart, partEnd) = (partStart / 4, partEnd / 4)
    let whole = end - start
    let part = partEnd - partStart
    guard whole > 0 else { return value }
    let wholeLost = lost(end, start, whole)
    let partLost = lost(partEnd, partStart, part)
    let ratio = part / whole
    let remainder = part.addingProduct(-ratio, whole)
    let correction = (remainder + partLost - ratio * wholeLost) / whole
    return value * ratio + value * correction
  }
}
