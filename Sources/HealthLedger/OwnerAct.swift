/// A deletion or a restoration (law 5).
package final class OwnerAct: Sendable {
  /// A span of a series: it means the rows that start in it and do not end after it (law 5.2).
  package struct Period: Hashable, Sendable {
    package var type: Int64
    package var source: Int64
    package var time: ClosedRange<Double>

    package init(type: Int64, source: Int64, time: ClosedRange<Double>) {
      (self.type, self.source, self.time) = (type, source, time)
    }

    /// Whether it means a row of its series.
    fileprivate func means(_ row: RowKey) -> Bool {
      time.lowerBound <= row.start && row.time.upperBound <= time.upperBound
        && (row.start < time.upperBound || time.lowerBound == time.upperBound)
    }
  }

  /// What an act is of, as its owner said it.
  package struct Terms: Hashable, Sendable {
    package var periods: [Period] = []
    /// What was asked of each row besides.
    package var conditions: [String] = []

    package init(periods: [Period] = [], conditions: [String] = []) {
      (self.periods, self.conditions) = (periods, conditions)
    }
  }

  package let id: Int64
  package let stamp: Stamp
  package let isDeletion: Bool
  package let terms: Terms
  package var periods: [Period] { terms.periods }

  package init(id: Int64, stamp: Stamp, isDeletion: Bool, terms: Terms) {
    (self.id, self.stamp, self.isDeletion, self.terms) = (id, stamp, isDeletion, terms)
  }

  /// The last of some acts, which decides (law 5.3).
  package static func last(of acts: some Sequence<OwnerAct>) -> OwnerAct? {
    acts.max { $0.stamp < $1.stamp }
  }

  /// Whether each period of a deletion lies in one of a later restoration; what it names by itself does
  /// not decide.
  package func isRestored(by acts: some Sequence<OwnerAct>) -> Bool {
    let later = acts.filter { !$0.isDeletion && stamp < $0.stamp }.flatMap(\.periods)
    return periods.allSatisfy { period in
      later.contains {
        ($0.type, $0.source) == (period.type, period.source)
          && $0.time.contains(period.time)
      }
    }
  }
}

/// The periods of deletions and restorations in one series, in the order of their acts.
package struct SeriesPeriods: Sendable {
  private let periods: [(act: OwnerAct, period: OwnerAct.Period)]

  package init(of acts: some Sequence<OwnerAct>, type: Int64, source: Int64) {
    periods = acts.filter { !$0.periods.isEmpty }.sorted { $0.stamp < $1.stamp }.flatMap { act in
      act.periods.filter { $0.type == type && $0.source == source }.map { (act, $0) }
    }
  }

  package var isEmpty: Bool { periods.isEmpty }

  /// The periods of an act.
  package func periods(of act: Int64) -> [ClosedRange<Double>] {
    periods.filter { $0.act.id == act }.map { $0.period.time }
  }

  /// The last act that means a row (law 5.3): the last one that names it, or one that has it in a
  /// period.
  func last(_ named: OwnerAct?, meaning row: RowKey) -> OwnerAct? {
    guard let act = periods.last(where: { $0.period.means(row) })?.act else { return named }
    return named.map { $0.stamp < act.stamp } ?? true ? act : named
  }
}
