import _HealthNumerics

/// The slow twin of shares pro rata: what a subtraction or a product loses is found by exact
/// arithmetic.
public enum ReferenceShare {
  /// The share of `value`, spread evenly over `start..<end`, that falls to `partStart..<partEnd`.
  public static func share(
    of value: Double, start: Double, end: Double, partStart: Double, partEnd: Double
  ) -> Double {
    let (whole, part) = (end - start, partEnd - partStart)
    if value == whole { return part }
    if loss(end, start) == 0, loss(partEnd, partStart) == 0 { return value * (part / whole) }
    // Quarters, whose difference is always finite.
    let quarters = (start / 4, end / 4, partStart / 4, partEnd / 4)
    let (length, partLength) = (quarters.1 - quarters.0, quarters.3 - quarters.2)
    guard length > 0 else { return value }
    let ratio = partLength / length
    let remainder = rounded(Dyadic(partLength) - Dyadic(ratio) * Dyadic(length))
    let losses = (loss(quarters.1, quarters.0) ?? 0, loss(quarters.3, quarters.2) ?? 0)
    let correction = (remainder + losses.1 - ratio * losses.0) / length
    return value * ratio + value * correction
  }

  /// The exact share, rounded once.
  public static func nearest(
    of value: Double, start: Double, end: Double, partStart: Double, partEnd: Double
  ) -> Double {
    (Dyadic(value) * (Dyadic(partEnd) - Dyadic(partStart)))
      .rounded(dividedBy: Dyadic(end) - Dyadic(start))
  }

  /// What a difference of two doubles loses; `nil` when it overflows.
  private static func loss(_ left: Double, _ right: Double) -> Double? {
    let difference = left - right
    guard difference.isFinite else { return nil }
    return rounded(Dyadic(left) - Dyadic(right) - Dyadic(difference))
  }

  private static func rounded(_ number: Dyadic) -> Double { number.rounded(dividedBy: Dyadic(1)) }
}
