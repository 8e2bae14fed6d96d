import Foundation
public import HealthStore

extension ZoneTimeline {
  /// The zones recorded with samples, in order of time.
  ///
  /// A sample defines the zone for its whole span. Between the last sample of one zone and the
  /// first of the next the change is at the midpoint; where they overlap it is at the start of the
  /// later one. The first zone also applies before the first sample, and the last one after the
  /// last sample.
  ///
  /// - Parameter recorded: the zones from a store; unknown identifiers are skipped
  /// - Throws: ``QueryError/Reason/noRecordedZone``
  /// - Complexity: O(*n* log *n*)
  public init(recorded: RecordedZones) throws(QueryError) {
    let zones = recorded.zoneTable.map { try? TimeZone.named($0) }
    let rows = recorded.starts.indices.sorted {
      let (left, right) = (recorded.key($0), recorded.key($1))
      return left < right
    }
    var current: (zone: TimeZone, end: Double)?
    var first: TimeZone?
    var changes: [Change] = []
    for row in rows {
      guard let zone = zones[Int(recorded.zones[row])] else { continue }
      let (start, end) = (recorded.starts[row], recorded.ends[row])
      guard QueryDate.range.contains(start), QueryDate.range.contains(end) else { continue }
      guard let (known, since) = current else {
        (first, current) = (zone, (zone, end))
        continue
      }
      guard zone != known else {
        current = (zone, max(end, since))
        continue
      }
      current = (zone, end)
      let instant = start > since ? max(since, (since / 2 + start / 2).rounded(.down)) : start
      if let last = changes.last, last.instant >= instant { changes.removeLast() }
      changes.append(Change(instant: instant, zone: zone))
    }
    guard let first, let timeline = ZoneTimeline(first: first, changes: changes) else {
      throw QueryError(.noRecordedZone)
    }
    self = timeline
  }
}

extension RecordedZones {
  /// The identifiers in the table that are unknown on this machine.
  public var unknownZones: [String] {
    zoneTable.filter { (try? TimeZone.named($0)) == nil }
  }

  fileprivate func key(_ row: Int) -> (Double, Double, String) {
    (starts[row], ends[row], zoneTable[Int(zones[row])])
  }
}
