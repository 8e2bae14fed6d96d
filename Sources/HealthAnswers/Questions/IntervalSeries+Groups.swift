public import HealthQuery
import HealthSamples

/// The intervals of one group: how their numbers lie.
public struct GroupSummary: Sendable, Hashable {
  /// The group: `Monday`, `13`.
  public let label: String
  /// The mean of the intervals with data; `nil` without any.
  public let mean: Double?
  /// The least of them.
  public let min: Double?
  /// The greatest of them.
  public let max: Double?
  /// How many intervals have data.
  public let count: Int
}

extension IntervalSeries {
  /// The numbers, of amounts with a 0 for each interval without samples on a day with data.
  ///
  /// `times` are the local times of the starts.
  func valuesWithQuietHours(at times: [LocalTime]) -> [Double?] {
    guard statistic == "sum" else { return values }
    let days = Set(zip(times, values).filter { $1 != nil }.map { $0.0.date.dayNumber })
    return zip(times, values).map { time, value in
      value ?? (days.contains(time.date.dayNumber) ? 0 : nil)
    }
  }

  /// The series up to the end of its last day, so that its hours after the last sample count as 0, too.
  func throughLastDay() -> IntervalSeries {
    guard let start = starts.last, let end = ends.last, isOfHours else { return self }
    let clock = WallClock(of: timeZone, over: start...end)
    let midnight = clock.instant(ofDay: clock.day(containing: start) + 1, seconds: 0)
    let more = Array(stride(from: end, to: midnight, by: end - start))
    return IntervalSeries(
      name: name, type: type, statistic: statistic, unit: unit, timeZone: timeZone,
      starts: starts + more, ends: ends + more.map { min($0 + (end - start), midnight) },
      values: values + more.map { _ in nil })
  }

  /// The numbers by weekday, hour of the day or month: one summary for each group, with data or not.
  ///
  /// An interval belongs to the group of the local time at which it begins. Of amounts by the hour
  /// an hour without samples counts as 0 on a day with data, so that the means of the hours add up
  /// to that of the day.
  ///
  /// - Complexity: O(*n*)
  public func grouped(by group: IntervalGroup) -> [GroupSummary] {
    var offsets = OffsetCache(timeZone)
    let times = starts.map { LocalTime($0, in: &offsets) }
    let values = group == .hour ? valuesWithQuietHours(at: times) : values
    var members: [[Double]] = Array(repeating: [], count: group.labels.count)
    for (time, value) in zip(times, values) {
      if let value { members[group.place(of: time)].append(value) }
    }
    return zip(group.labels, members).map { label, values in
      let mean = Mean(of: values.map(Optional.some))
      return GroupSummary(
        label: label, mean: mean.value, min: values.min(), max: values.max(), count: mean.count)
    }
  }
}
