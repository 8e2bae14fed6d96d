public import Foundation
public import HealthSamples

/// The slow twin of sums by day: asks Foundation's calendar for each day of each interval, and looks
/// at every sample for each of them.
public enum ReferenceAverages {
  /// How many local dates of `[lower, upper)` hold a part of a sample.
  public static func days(
    _ rows: [SampleColumns.Row], from lower: Double, to upper: Double, zone: TimeZone
  ) -> Int {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = zone
    var count = 0
    var day = calendar.startOfDay(for: Date(timeIntervalSinceReferenceDate: lower))
    while day.timeIntervalSinceReferenceDate < upper,
      let noon = calendar.date(byAdding: .hour, value: 36, to: day)
    {
      let next = calendar.startOfDay(for: noon)
      if holds(
        rows, from: max(lower, day.timeIntervalSinceReferenceDate),
        to: min(upper, next.timeIntervalSinceReferenceDate))
      {
        count += 1
      }
      day = next
    }
    return count
  }

  /// How many stretches of 3600 s since `origin` hold a part of a sample, within `[lower, upper)`.
  public static func hours(
    _ rows: [SampleColumns.Row], from lower: Double, to upper: Double, since origin: Double
  ) -> Int {
    var count = 0
    var hour = origin
    while hour < upper {
      if hour + 3600 > lower, holds(rows, from: max(lower, hour), to: min(upper, hour + 3600)) {
        count += 1
      }
      hour += 3600
    }
    return count
  }

  private static func holds(
    _ rows: [SampleColumns.Row], from lower: Double, to upper: Double
  ) -> Bool {
    rows.contains { row in
      row.start == row.end
        ? lower <= row.start && row.start < upper : row.start < upper && row.end > lower
    }
  }
}
