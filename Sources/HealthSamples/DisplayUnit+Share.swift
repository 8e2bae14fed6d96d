extension DisplayUnit {
  /// What a number beside `%` is.
  public enum Share: Sendable, Hashable {
    /// A part of the whole, as HealthKit stores it: 0.97.
    case fraction
    /// Hundredths, as people say it: 97.
    case percentage
  }

  /// What a number beside this unit is.
  ///
  /// More than the whole is a percentage. Otherwise the reading in the plausible range counts, if the
  /// other one is outside.
  ///
  /// ```swift
  /// percent.share(97, within: nil)      // percentage
  /// percent.share(0.97, within: Catalogue.plausibleRange(of: SampleType(.oxygenSaturation)))
  /// // fraction: nobody has 0.97 %
  /// ```
  ///
  /// - Parameters:
  ///   - number: the number as it is written
  ///   - range: the plausible range of the type, if one is known
  /// - Returns: `nil` where the number may be either, and for a unit that is said as it is stored
  public func share(_ number: Double, within range: Catalogue.PlausibleRange?) -> Share? {
    guard scale != 1 else { return nil }
    if number.magnitude > 1 { return .percentage }
    guard let bounds = range?.bounds(in: self) else { return nil }
    let (isSaid, isStored) = (bounds.contains(number), bounds.contains(spoken(number)))
    return isSaid == isStored ? nil : isSaid ? .percentage : .fraction
  }
}
