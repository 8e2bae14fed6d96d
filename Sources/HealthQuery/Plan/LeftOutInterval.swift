/// An interval that counts in no mean, extreme, group or comparison.
public struct LeftOutInterval: Sendable, Hashable {
  /// Its start, in seconds since 2001-01-01 UTC.
  public let start: Double
  /// Why it does not count.
  public let lack: WholeIntervals.Lack

  package init(start: Double, lack: WholeIntervals.Lack) { (self.start, self.lack) = (start, lack) }
}

extension AverageColumns {
  /// The sentence that says which days or hours averages leave out; `nil` where they leave out none.
  package func leftOutSentence(in zones: ZoneTimeline) -> String? {
    leftOut.sentence(by: CalendarInterval(unit == .day ? .day : .hour), in: zones)
  }
}

extension [LeftOutInterval] {
  /// The one sentence that says what was left out; `nil` where nothing was.
  ///
  /// - Parameters:
  ///   - interval: the length of the intervals
  ///   - zones: the zones of their calendar
  /// - Returns: the sentence, which begins with a small letter
  package func sentence(by interval: CalendarInterval?, in zones: ZoneTimeline) -> String? {
    let parts = WholeIntervals.Lack.allCases.compactMap { lack -> String? in
      var names: [String] = []
      for name in filter({ $0.lack == lack }).sorted(by: { $0.start < $1.start })
        .map({ $0.name(by: interval, in: zones) }) where !names.contains(name)
      {
        names.append(name)
      }
      guard let first = names.first, let last = names.last else { return nil }
      let list =
        switch names.count {
        case 1: first
        case 2: "\(first) and \(last)"
        default: "\(names.count) from \(first) to \(last)"
        }
      switch lack {
      case .notOver: return "\(list), which \(names.count == 1 ? "is" : "are") not over"
      case .dataBegin: return "\(list), where the data begin"
      case .dataEnd: return "\(list), where the data end"
      case .periodCut: return "\(list), where the period ends"
      }
    }
    guard !parts.isEmpty else { return nil }
    return "left out of means, extremes, groups and comparisons: "
      + parts.joined(separator: "; ") + "."
  }
}

extension LeftOutInterval {
  /// Its date for people; a week and other lengths by their first day, hours by their day.
  fileprivate func name(by interval: CalendarInterval?, in zones: ZoneTimeline) -> String {
    let date = LocalTime(start, in: zones).dateText
    return switch interval?.alignment {
    case .month: String(date.dropLast(3))
    case .year: String(date.dropLast(6))
    case .week: "the week of \(date)"
    case .quarter: "the quarter of \(date)"
    case .day, .hour, nil: date
    }
  }
}
