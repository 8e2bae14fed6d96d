package import HealthSamples
package import HealthStore

/// Which intervals count in means, comparisons, extremes and groups: those that are over and that the
/// data cover.
///
/// An interval is over when its end has passed. The data cover it when one stretch of told time
/// (`SampleStore.toldTime(until:)`) has all of it, but for a night at the beginning of an interval of two
/// days or more. Nothing else decides what an unfinished day is.
public struct WholeIntervals: Sendable, Hashable {
  /// Why an interval does not count.
  public enum Lack: Sendable, Hashable, CaseIterable {
    /// It is not over.
    case notOver
    /// The data begin inside of it.
    case dataBegin
    /// The data end inside of it.
    case dataEnd
    /// The period that was asked for begins or ends inside of it.
    case periodCut
  }

  /// The moment of the question, in seconds since 2001-01-01 UTC.
  let now: Double
  /// The told time: stretches in order that do not meet.
  let told: [ClosedRange<Double>]

  /// Makes the rule of a moment, for data that tell of some spans in any order.
  package init(at now: Double, told spans: [ClosedRange<Double>]) {
    self.now = now
    var told: [ClosedRange<Double>] = []
    for span in spans.sorted(by: { $0.lowerBound < $1.lowerBound }) {
      if let last = told.last, span.lowerBound <= last.upperBound {
        told[told.count - 1] = last.lowerBound...max(last.upperBound, span.upperBound)
      } else {
        told.append(span)
      }
    }
    self.told = told
  }

  /// How much may be missing at the beginning of an interval of some length: of weeks and longer ones a
  /// day, since a night before the first sample is no sign that data are missing.
  private static func slack(_ length: Double) -> Double { length >= 2 * day ? day : 0 }

  private static let day = Double.secondsPerDay

  /// The stretch that has the beginning of an interval; `nil` where the data begin inside of it.
  private func stretch(from start: Double, to end: Double) -> ClosedRange<Double>? {
    let slack = Self.slack(end - start)
    return told.last { $0.lowerBound - slack <= start && start < $0.upperBound }
  }

  /// Why an interval does not count; `nil` where it does.
  package func lack(from start: Double, to end: Double) -> Lack? {
    guard end <= now else { return .notOver }
    guard let stretch = stretch(from: start, to: end) else { return .dataBegin }
    return end <= stretch.upperBound ? nil : .dataEnd
  }

  /// Up to where an interval is over and covered: its end where it is whole.
  package func reach(from start: Double, to end: Double) -> Double {
    // What begins late, and a mean for which that is no matter, ends with the last stretch inside.
    let stretch = stretch(from: start, to: end) ?? told.last { $0.lowerBound < end }
    return min(end, now, stretch?.upperBound ?? end)
  }
}

extension SampleStore {
  /// Which intervals count at a moment, by the identifier of the type.
  package func wholeIntervals(at now: Double) throws(QueryError) -> (SampleType) -> WholeIntervals {
    let told = try stored { () throws(StoreError) in try toldTime(until: now) }
    return { WholeIntervals(at: now, told: told[$0.identifier] ?? []) }
  }
}
