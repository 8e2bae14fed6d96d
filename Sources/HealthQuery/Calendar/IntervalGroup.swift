import HealthSamples

/// What intervals of different days, weeks or years have in common.
public enum IntervalGroup: String, Sendable, Hashable, CaseIterable {
  /// Monday to Sunday.
  case weekday
  /// Monday to Friday, and the weekend.
  case weekend
  /// The hours of the day, 0 to 23.
  case hour
  /// January to December.
  case month

  /// The groups, in order: `Monday`, `weekend`, `13`, `January`.
  public var labels: [String] {
    switch self {
    case .weekday:
      ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]
    case .weekend: ["weekday", "weekend"]
    case .hour: (0..<24).map(String.init)
    case .month:
      [
        "January", "February", "March", "April", "May", "June", "July", "August", "September",
        "October", "November", "December",
      ]
    }
  }

  /// The longest interval of which each lies in one group.
  public var longest: CalendarInterval.Alignment {
    switch self {
    case .weekday, .weekend: .day
    case .hour: .hour
    case .month: .month
    }
  }

  /// The place of the group of an interval that begins at a local time.
  package func place(of time: LocalTime) -> Int {
    switch self {
    case .weekday: time.weekday
    case .weekend: time.weekday < 5 ? 0 : 1
    case .hour: time.hour
    case .month: time.date.month - 1
    }
  }
}
