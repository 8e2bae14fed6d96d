public import Foundation
public import HealthSamples

/// The slow twin of sums by day: asks Foundation's calendar for each day of each interval, and looks
/// at every sample for each of them.
public enum ReferenceAverages {
  /// The local dates of `[lower, upper)` that hold a part of a sample there.
  public static func days(
    _ rows: [SampleColumns.Row], from lower: Double, to upper: Double, zone: TimeZone
  ) -> [Range<Double>] {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = zone
    var days: [Range<Double>] = []
    var day = calendar.startOfDay(for: Date(timeIntervalSinceReferenceDate: lower))
    while day.timeIntervalSinceReferenceDate < upper,
      let noon = calendar.date(byAdding: .hour, value: 36, to: day)
    {
      let next = calendar.startOfDay(for: noon)
      let date = day.timeIntervalSinceReferenceDate..<next.timeIntervalSinceReferenceDate
      if holds(rows, date.clamped(to: lower..<upper)) { days.append(date) }
      day = next
    }
    return days
  }

  /// The stretches of 3600 s since `origin` that hold a part of a sample within `[lower, upper)`.
  public static func hours(
    _ rows: [SampleColumns.Row], from lower: Double, to upper: Double, since origin: Double
  ) -> [Range<Double>] {
    var hours: [Range<Double>] = []
    var hour = origin
    while hour < upper {
      let all = hour..<hour + 3600
      if hour + 3600 > lower, holds(rows, all.clamped(to: lower..<upper)) { hours.append(all) }
      hour += 3600
    }
    return hours
  }

  private static func holds(_ rows: [SampleColumns.Row], _ part: Range<Double>) -> Bool {
    rows.contains { row in
      row.start == row.end
        ? part.contains(row.start) : row.start < part.upperBound && row.end > part.lowerBound
    }
  }
}
