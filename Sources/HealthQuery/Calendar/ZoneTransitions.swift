import Foundation
import HealthSamples
internal import _HealthNumerics

/// The UTC offsets of a time zone over a range of time, cached.
///
/// Foundation is called once per day of the range and then, where the offset changes, by bisection;
/// after that a wall-clock time costs a few comparisons. Outside the range the offset at its
/// nearest end applies.
struct ZoneTransitions: Sendable {
  /// The instants of offset changes, ascending.
  private let instants: [Double]
  /// The offset before the first instant, then the one after each instant, in seconds.
  private let offsets: [Int]

  /// More than any zone's offset from UTC.
  private static let largestOffset = 16.0 * 3600

  /// Caches a zone over a range of instants.
  ///
  /// - Complexity: O(days)
  init(of zone: TimeZone, from range: ClosedRange<Double>) {
    var probe = range.lowerBound.rounded(.down)
    var offset = zone.offset(at: probe)
    var instants: [Double] = []
    var offsets = [offset]
    while probe < range.upperBound {
      let next = probe + Double.secondsPerDay
      let nextOffset = zone.offset(at: next)
      if nextOffset != offset {
        var (before, after) = (probe, next)
        while after - before > 1 {
          let middle = ((before + after) / 2).rounded(.down)
          if zone.offset(at: middle) == offset { before = middle } else { after = middle }
        }
        offset = zone.offset(at: after)
        instants.append(after)
        offsets.append(offset)
        probe = after
      } else {
        probe = next
      }
    }
    (self.instants, self.offsets) = (instants, offsets)
  }

  /// Seconds to add to UTC at an instant. - Complexity: O(log *n*)
  func offset(at instant: Double) -> Int { offsets[segment(at: instant)] }

  /// The instant at which the clock first shows a time.
  ///
  /// A midnight that the clock skips is the first instant after the gap; another skipped time is
  /// continued from before the gap, as Foundation does.
  ///
  /// `day` is the day number of the date, `seconds` the time of day.
  ///
  /// - Complexity: O(log *n*)
  func instant(ofDay day: Int, seconds: Double) -> Double {
    let local = Double(day * CivilDate.secondsPerDay) + seconds
    var segment = segment(at: local - 2 * Self.largestOffset)
    while true {
      let instant = local - Double(offsets[segment])
      guard segment < instants.count, instant >= instants[segment] else { return instant }
      let change = instants[segment]
      if local - Double(offsets[segment + 1]) < change { return seconds == 0 ? change : instant }
      segment += 1
    }
  }

  private func segment(at instant: Double) -> Int {
    instants.partitioningIndex { $0 > instant }
  }
}
