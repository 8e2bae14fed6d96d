public import Foundation
internal import _HealthNumerics

/// The time zones in which a person lived, in order of time.
///
/// ```swift
/// ZoneTimeline(paris)   // at home all the time
/// try ZoneTimeline(text: """
///   Europe/Paris
///   2024-06-10T14:05 Asia/Tokyo
///   2024-06-24T18:30 Europe/Paris
///   """)
/// ```
///
/// Days are those that the person experienced. A date starts where the clock of the current zone
/// shows its midnight. A journey may move the clock across a midnight:
///
/// - forwards: the date starts at the moment of the change;
/// - backwards: the traveller sees the same midnight twice, and the later one starts the date.
///
/// So each instant is in exactly one day, and a day between two midnights has 24 hours less what
/// the clock was moved forwards in it: 30 hours from Paris to New York, 18 on the return. A whole
/// date that a journey skips does not exist. Other times of the wall clock follow the same rule.
/// Clock changes within one zone are those of the zone.
public struct ZoneTimeline: Sendable, Hashable {
  /// A moment from which another zone applies.
  public struct Change: Sendable, Hashable {
    /// Seconds since 2001-01-01 UTC.
    public let instant: Double
    /// The zone after the change.
    public let zone: TimeZone

    /// Makes a change.
    public init(instant: Double, zone: TimeZone) {
      self.instant = instant
      self.zone = zone
    }
  }

  /// The zone before all changes.
  public let first: TimeZone
  /// The changes, strictly ascending; each to a different zone than the previous one.
  public let changes: [Change]

  /// A single zone for all time.
  public init(_ zone: TimeZone) {
    first = zone
    changes = []
  }

  /// Zones in order of time; `nil` unless the changes ascend strictly within the years 1 to 9999.
  ///
  /// A change to the current zone is removed.
  public init?(first: TimeZone, changes: [Change]) {
    guard changes.allSatisfy({ QueryDate.range.contains($0.instant) }),
      zip(changes, changes.dropFirst()).allSatisfy({ $0.instant < $1.instant })
    else { return nil }
    self.first = first
    var kept: [Change] = []
    for change in changes where change.zone != (kept.last?.zone ?? first) { kept.append(change) }
    self.changes = kept
  }

  /// The zone at an instant in seconds since 2001-01-01 UTC.
  ///
  /// - Complexity: O(log *n*)
  public func zone(at instant: Double) -> TimeZone {
    let place = changes.count(through: instant)
    return place == 0 ? first : changes[place - 1].zone
  }

  /// The zone's identifier, such as `Europe/Paris`; `timeline` for several zones.
  public var identifier: String { changes.isEmpty ? first.name : "timeline" }

  /// Seconds to add to UTC at an instant.
  package func offset(at instant: Double) -> Int { zone(at: instant).offset(at: instant) }
}

extension [ZoneTimeline.Change] {
  /// The number of changes at or before an instant.
  func count(through instant: Double) -> Int {
    partitioningIndex { $0.instant > instant }
  }
}

extension TimeZone {
  /// The identifier, and `UTC` for the zone that Foundation calls GMT.
  package var name: String { identifier == "GMT" ? "UTC" : identifier }

  /// Seconds to add to UTC, at an instant in seconds since 2001.
  func offset(at instant: Double) -> Int {
    secondsFromGMT(for: Date(timeIntervalSinceReferenceDate: instant))
  }
}
