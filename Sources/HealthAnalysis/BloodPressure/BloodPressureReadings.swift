/// Readings of blood pressure with the days and hours at which they were taken.
///
/// ```swift
/// let readings = try BloodPressureReadings(
///   days: [1, 1, 2, 2], hours: [7, 20, 7, 21], systolic: [128, 131, 125, 127],
///   diastolic: [82, 84, 80, 81])
/// ```
public struct BloodPressureReadings: Sendable, Hashable {
  /// The local date of each, as a number of days from any one.
  public let days: [Int]
  /// The hour of the local clock, from 0 to below 24; 7.5 is 7:30.
  public let hours: [Double]
  /// In mmHg.
  public let systolic: [Double]
  /// In mmHg.
  public let diastolic: [Double]

  /// Makes readings, in any order.
  ///
  /// - Throws: `AnalysisError` for columns of different lengths, a number that is not finite, an hour
  ///   outside of the day, a day of more than 10 million, or not 0 < diastolic < systolic
  /// - Complexity: O(*n*)
  public init(
    days: [Int], hours: [Double], systolic: [Double], diastolic: [Double]
  ) throws(AnalysisError) {
    for column in [hours.count, systolic.count, diastolic.count] where column != days.count {
      throw AnalysisError(.lengthsDiffer(x: days.count, y: column))
    }
    for row in days.indices {
      guard hours[row].isFinite else { throw AnalysisError(.notFinite, row: row) }
      guard hours[row] >= 0, hours[row] < 24, days[row].magnitude <= DayNumber.limit else {
        throw AnalysisError(.outOfRange, row: row)
      }
      try Self.check(systolic: systolic[row], diastolic: diastolic[row], row: row)
    }
    (self.days, self.hours, self.systolic, self.diastolic) = (days, hours, systolic, diastolic)
  }

  /// The number of readings.
  public var count: Int { days.count }

  /// Refuses what is no blood pressure.
  static func check(
    systolic: Double, diastolic: Double, row: Int? = nil
  ) throws(AnalysisError) {
    guard systolic.isFinite, diastolic.isFinite else { throw AnalysisError(.notFinite, row: row) }
    guard diastolic > 0, systolic > diastolic else { throw AnalysisError(.outOfRange, row: row) }
  }
}

/// The days that columns count.
enum DayNumber {
  /// The largest number of a day, 27,000 years from the first: differences do not overflow.
  static let limit: UInt = 10_000_000
}
