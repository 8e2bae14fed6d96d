import HealthSamples

/// The duration of a workout, or of a part of one: a number and a unit.
enum WorkoutDuration {
  /// The duration in seconds; `nil` on overflow.
  ///
  /// Newer exports write minutes and their unit, old ones seconds without a unit. So without a unit
  /// the number is minutes if as many fit into `span`, the seconds from start to end, which pauses
  /// only lengthen.
  static func seconds(_ value: Double, unit: String?, span: Double?) -> Double? {
    let seconds =
      switch unit?.lowercased() {
      case "min": value * 60
      case "hr", "h": value * 3600
      case "d": value * .secondsPerDay
      case "ms": value / 1000
      case nil: value * (span.map { value * 60 <= $0 * roundingShare + 1 } == true ? 60 : 1)
      default: value
      }
    return seconds.isFinite ? seconds : nil
  }

  /// A rounded number of minutes may be a little longer than the span.
  private static let roundingShare = 1.01
}
