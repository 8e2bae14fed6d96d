import HealthSamples

/// The length of an interval in calendar units: months, days and seconds.
///
/// ```swift
/// CalendarInterval("week")   // seven days, weeks begin on Monday
/// CalendarInterval("15min")  // a quarter of an hour
/// ```
///
/// Days and longer units are wall-clock time, so a day may have 23 or 25 hours; hours and shorter
/// ones are elapsed time. Longer units are applied first.
public struct CalendarInterval: Sendable, Hashable {
  /// The unit to whose start intervals align.
  public enum Alignment: String, Sendable, Hashable, CaseIterable {
    /// Each hour since local midnight.
    case hour
    /// Local midnight.
    case day
    /// Local midnight of Monday.
    case week
    /// Local midnight of the first.
    case month
    /// Local midnight of the first of January, April, July and October.
    case quarter
    /// Local midnight of January 1.
    case year
  }

  /// Months, years included.
  public let months: Int
  /// Days, weeks included.
  public let days: Int
  /// Seconds of elapsed time.
  public let seconds: Int
  /// The unit to which intervals align; `nil` for a number of units.
  public let alignment: Alignment?

  /// A single unit, aligned to the calendar.
  public init(_ alignment: Alignment) {
    let (months, days, seconds) =
      switch alignment {
      case .hour: (0, 0, 3600)
      case .day: (0, 1, 0)
      case .week: (0, 7, 0)
      case .month: (1, 0, 0)
      case .quarter: (3, 0, 0)
      case .year: (12, 0, 0)
      }
    (self.months, self.days, self.seconds) = (months, days, seconds)
    self.alignment = alignment
  }

  /// A combination of units, not aligned; `nil` unless it is positive, without a negative part, and
  /// at most 10,000 years.
  public init?(months: Int = 0, days: Int = 0, seconds: Int = 0) {
    let parts = [(months, 120_000), (days, 3_652_500), (seconds, 315_576_000_000)]
    guard parts.allSatisfy({ (0...$0.1).contains($0.0) }), parts.contains(where: { $0.0 > 0 })
    else { return nil }
    (self.months, self.days, self.seconds) = (months, days, seconds)
    alignment = nil
  }

  /// Parses `hour day week month quarter year`, a number of `s min h d w mo y`, or several of them
  /// such as `1mo15d`, each unit once; `nil` for any other text and for a length of zero or more
  /// than 10,000 years.
  ///
  /// Unit names may be written out: `15 minutes`, `2weeks`.
  public init?(_ text: String) {
    if let alignment = Alignment(rawValue: text) {
      self.init(alignment)
      return
    }
    var rest = text[...]
    var parts: [(count: Int, unit: String)] = []
    while !rest.isEmpty {
      let digits = rest.prefix { $0.isASCII && $0.isNumber }
      rest = rest.dropFirst(digits.count).drop { $0 == " " }
      let unit = String(rest.prefix { $0.isLetter })
      rest = rest.dropFirst(unit.count).drop { $0 == " " }
      // 10,000 years in minutes; more of any unit is too long.
      guard let count = Int(digits), count <= 5_259_600_000,
        !parts.contains(where: { $0.unit == unit })
      else { return nil }
      parts.append((count, unit))
    }
    var (months, days, seconds) = (0, 0, 0)
    for (count, unit) in parts {
      guard let factor = Self.units[unit] else { return nil }
      months += count * factor.months
      days += count * factor.days
      seconds += count * factor.seconds
    }
    self.init(months: months, days: days, seconds: seconds)
  }

  /// The length of one of each unit.
  private static let units: [String: (months: Int, days: Int, seconds: Int)] = {
    let units: [(names: [String], length: (months: Int, days: Int, seconds: Int))] = [
      (["s", "second", "seconds"], (0, 0, 1)),
      (["min", "minute", "minutes"], (0, 0, 60)),
      (["h", "hour", "hours"], (0, 0, 3600)),
      (["d", "day", "days"], (0, 1, 0)),
      (["w", "week", "weeks"], (0, 7, 0)),
      (["mo", "month", "months"], (1, 0, 0)),
      (["quarter", "quarters"], (3, 0, 0)),
      (["y", "year", "years"], (12, 0, 0)),
    ]
    return Dictionary(
      uniqueKeysWithValues: units.flatMap { unit in unit.names.map { ($0, unit.length) } })
  }()

  /// The text that is parsed as this interval: `week`, `1mo15d`, `900s`.
  public var text: String {
    if let alignment { return alignment.rawValue }
    return [(months, "mo"), (days, "d"), (seconds, "s")].filter { $0.0 > 0 }
      .map { "\($0.0)\($0.1)" }.joined()
  }

  /// The mean length in seconds, to estimate the index of an interval.
  package var meanSeconds: Double {
    Double(months) * 30.436875 * .secondsPerDay + Double(days) * .secondsPerDay + Double(seconds)
  }
}
