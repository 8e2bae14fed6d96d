package import HealthSamples

/// The edges of an infinite grid of intervals: edge *k* is anchor + *k* × interval, each computed
/// from the anchor in the calendar of the current zone.
///
/// Edges never descend. Two may be equal where a zone or a journey skipped a whole day; that
/// interval is empty and left out of ``boundaries(_:)``.
package struct IntervalGrid: Sendable {
  private let interval: CalendarInterval
  private let clock: WallClock
  /// The anchor as an instant, which is enough for intervals of elapsed time.
  private let anchor: Double
  /// The wall-clock time of the anchor, for longer intervals.
  private let date: CivilDate
  private let time: Double
  /// The dates of edges if each is computed from the previous one; `nil` when each is computed from
  /// the anchor.
  private let walked: WalkedDates?

  /// Makes a grid.
  ///
  /// The anchor is an edge (where a journey repeats its wall-clock time, the later one), or with an
  /// alignment the start of the calendar unit that contains it. `range` contains all instants that
  /// will be passed in, within the years 1 to 9999. With `walks` each date is computed from the
  /// previous one, away from the anchor.
  ///
  /// - Complexity: O(days of the range)
  package init(
    _ interval: CalendarInterval, anchor: Double, alignment: CalendarInterval.Alignment?,
    zones: ZoneTimeline, range: ClosedRange<Double>, walks: Bool = false
  ) {
    self.interval = interval
    // Room for the edges of adjacent intervals.
    let margin = 2 * interval.meanSeconds + Double.secondsPerDay
    let read =
      interval.isElapsed
      ? anchor - margin...anchor + margin
      : range.lowerBound - margin...range.upperBound + margin
    clock = WallClock(of: zones, over: read.clamped(to: QueryDate.range))
    let whole = anchor.rounded(.down)
    let local = Int(whole) + zones.offset(at: whole)
    let day = local.floorDivided(by: CivilDate.secondsPerDay)
    let date = alignment?.beginning(ofUnitWith: day) ?? CivilDate(dayNumber: day)
    self.date = date
    walked = walks && interval.months > 0 ? WalkedDates(interval, from: date, over: range) : nil
    guard alignment != nil else {
      time = Double(local - day * CivilDate.secondsPerDay) + (anchor - whole)
      self.anchor = anchor
      return
    }
    time = 0
    self.anchor = clock.instant(ofDay: date.dayNumber, seconds: 0)
  }

  /// The instant of an edge.
  package func edge(_ index: Int) -> Double {
    let elapsed = Double(interval.seconds * index)
    guard !interval.isElapsed else { return anchor + elapsed }
    return clock.instant(ofDay: dayNumber(ofEdge: index), seconds: time) + elapsed
  }

  /// The interval that contains an instant.
  package func index(containing instant: Double) -> Int {
    var index = Int(((instant - anchor) / interval.meanSeconds).rounded(.down))
    while edge(index) > instant { index -= 1 }
    while edge(index + 1) <= instant { index += 1 }
    return index
  }

  /// The interval with `start < instant <= end`.
  func index(endingAtOrAfter instant: Double) -> Int {
    var index = index(containing: instant)
    while edge(index) >= instant { index -= 1 }
    return index
  }

  /// The edges of some intervals; `nil` when all of them are empty.
  ///
  /// - Complexity: O(*n* log *n*)
  package func boundaries(_ indices: ClosedRange<Int>) -> Boundaries? {
    var edges: [Double] = []
    edges.reserveCapacity(indices.count + 1)
    for index in indices.lowerBound...indices.upperBound + 1 {
      let edge = edge(index)
      if edges.last.map({ $0 < edge }) ?? true { edges.append(edge) }
    }
    return edges.count > 1 ? Boundaries(ascendingEdges: edges) : nil
  }

  private func dayNumber(ofEdge index: Int) -> Int {
    if let walked { return walked.date(index).dayNumber }
    let months = interval.months * index
    return (months == 0 ? date : date.adding(months: months)).dayNumber + interval.days * index
  }
}

extension CalendarInterval {
  /// Whether the length is elapsed time only.
  fileprivate var isElapsed: Bool { months == 0 && days == 0 }
}

extension CalendarInterval.Alignment {
  /// The first date of the unit that contains a day; for an hour, the day.
  package func beginning(ofUnitWith day: Int) -> CivilDate {
    let date = CivilDate(dayNumber: day)
    return switch self {
    case .hour, .day: date
    case .week: CivilDate(dayNumber: day.floorDivided(by: 7) * 7)
    case .month: CivilDate(year: date.year, month: date.month, day: 1)
    case .quarter: CivilDate(year: date.year, month: (date.month - 1) / 3 * 3 + 1, day: 1)
    case .year: CivilDate(year: date.year, month: 1, day: 1)
    }
  }
}
