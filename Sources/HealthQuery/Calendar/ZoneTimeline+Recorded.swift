import Foundation
import HealthSamples
public import HealthStore

extension ZoneTimeline {
  /// The zones recorded with samples, in order of time.
  ///
  /// A sample defines the zone for its whole span. Between the last sample of one zone and the
  /// first of the next the change is at the midpoint; where they overlap it is at the start of the
  /// later one. The first zone also applies before the first sample, and the last one after the
  /// last sample. An offset from UTC that the current zone has at that time is no change.
  ///
  /// - Parameter recorded: the zones from a store; unknown identifiers are skipped
  /// - Throws: ``QueryError/Reason/noRecordedZone``
  /// - Complexity: O(*n* log *n*)
  public init(recorded: RecordedZones) throws(QueryError) {
    let zones = recorded.zoneTable.map { try? TimeZone.named($0) }
    let rows = recorded.rowsInOrder
    let offsets = recorded.offsets
    var current: (zone: TimeZone, end: Double)?
    var currentOffsets = OffsetsByDay(of: .gmt)
    var first: TimeZone?
    var changes: [Change] = []
    for row in rows {
      guard let zone = zones[Int(recorded.zones[row])] else { continue }
      let (start, end) = (recorded.starts[row], recorded.ends[row])
      guard QueryDate.range.contains(start), QueryDate.range.contains(end) else { continue }
      guard let (known, since) = current else {
        (first, current, currentOffsets) = (zone, (zone, end), OffsetsByDay(of: zone))
        continue
      }
      let offset = offsets[Int(recorded.zones[row])]
      guard zone != known, offset == nil || offset != currentOffsets.offset(at: start) else {
        current = (known, max(end, since))
        continue
      }
      (current, currentOffsets) = ((zone, end), OffsetsByDay(of: zone))
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

  /// The rows by start, end and name of the zone.
  fileprivate var rowsInOrder: [Int] {
    let names = zoneTable.indices.sorted { zoneTable[$0] < zoneTable[$1] }
    var ranks = [Int](repeating: 0, count: names.count)
    for (rank, zone) in names.enumerated() { ranks[zone] = rank }
    return starts.indices.sorted { left, right in
      (starts[left], ends[left], ranks[Int(zones[left])])
        < (starts[right], ends[right], ranks[Int(zones[right])])
    }
  }

  /// Whether a zone has the offsets from UTC with which dates are written.
  fileprivate func areOffsets(of zone: TimeZone) -> Bool {
    let offsets = offsets
    var offsetsOfZone = OffsetsByDay(of: zone)
    return starts.indices.allSatisfy { row in
      guard let offset = offsets[Int(zones[row])], QueryDate.range.contains(starts[row]) else {
        return true
      }
      return offset == offsetsOfZone.offset(at: starts[row])
    }
  }

  /// The seconds east of UTC of each zone in the table that is an offset.
  fileprivate var offsets: [Int?] {
    zoneTable.map { name in
      (try? TimeZone.named(name)).flatMap { $0.isOffset ? $0.secondsFromGMT() : nil }
    }
  }
}

extension TimeZone {
  /// Whether it is an offset from UTC, such as `GMT+0200`.
  package var isOffset: Bool { identifier.hasPrefix("GMT") }
}

/// The offsets from UTC of a zone, asked once for each day on which it does not change.
private struct OffsetsByDay {
  private let zone: TimeZone
  /// The offset of a day of UTC; `nil` if it changes on that day.
  private var known: [Double: Int?] = [:]
  private var last: (day: Double, offset: Int?) = (.nan, nil)

  init(of zone: TimeZone) { self.zone = zone }

  /// The seconds to add to UTC at an instant.
  mutating func offset(at instant: Double) -> Int {
    let day = (instant / .secondsPerDay).rounded(.down)
    if day != last.day {
      if known[day] == nil {
        let edges = (
          zone.offset(at: day * .secondsPerDay), zone.offset(at: (day + 1) * .secondsPerDay)
        )
        known[day] = .some(edges.0 == edges.1 ? edges.0 : nil)
      }
      last = (day, known[day] ?? nil)
    }
    return last.offset ?? zone.offset(at: instant)
  }
}

extension SampleStore {
  /// The zones of days where neither a question nor the store names one.
  ///
  /// They are those of the machine, unless dates of files are written with other offsets from UTC:
  /// those cut the days of the files.
  ///
  /// - Throws: `QueryError`
  public func assumedZones() throws(QueryError) -> ZoneTimeline {
    let machine = TimeZone.current
    let recorded = try stored { () throws(StoreError) in try zonesOfDates() }
    guard let recorded, !recorded.areOffsets(of: machine) else { return ZoneTimeline(machine) }
    return (try? ZoneTimeline(recorded: recorded)) ?? ZoneTimeline(machine)
  }
}
