import Foundation
import Samples

@testable import HealthQuery

/// The midnights of ten years in a zone with summer time.
struct EdgesProblem {
  private static let count = 3_652
  /// 2016-11-01 at midnight in Paris.
  private static let first = 499_647_600.0
  private let zone: TimeZone
  private let calendar: Calendar

  /// The problem, after Foundation and we have agreed on it.
  static func checked() throws -> Self {
    guard let zone = TimeZone(identifier: "Europe/Paris") else {
      throw ProblemError("This machine does not know the zone Europe/Paris.")
    }
    let problem = EdgesProblem(zone: zone)
    guard problem.ours() == problem.foundation() else {
      throw ProblemError("Foundation has other midnights.")
    }
    return problem
  }

  private init(zone: TimeZone) {
    self.zone = zone
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = zone
    self.calendar = calendar
  }

  func ours() -> [Double] {
    let last = Self.first + Double(Self.count) * 86_400
    let grid = IntervalGrid(
      CalendarInterval(.day), anchor: Self.first, alignment: nil, zones: ZoneTimeline(zone),
      range: Self.first...last)
    return (0..<Self.count).map(grid.edge)
  }

  func foundation() -> [Double] {
    var date = Date(timeIntervalSinceReferenceDate: Self.first)
    return (0..<Self.count).map { _ in
      defer { date = calendar.date(byAdding: .day, value: 1, to: date) ?? date }
      return date.timeIntervalSinceReferenceDate
    }
  }
}
