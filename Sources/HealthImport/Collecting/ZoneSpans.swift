import HealthSamples

/// Collects the zones of records whose dates have their own offsets from UTC.
///
/// In each hour the offset of most records counts: a program that writes all of its dates in UTC
/// does not move the days of others.
struct ZoneSpans {
  /// The records of an hour with one offset.
  private struct Records {
    var count = 0
    var first = Double.infinity
    var last = -Double.infinity
  }

  /// The records by hour since 2001-01-01 UTC and by offset, in minutes.
  private var hours: [Int: [Int: Records]] = [:]

  private static let hour = 3600.0
  /// More hours, and more journeys, than any backup has; further ones of a hostile file are not
  /// collected.
  private static let mostHours = 1 << 18
  private static let mostSpans = 1 << 14
  /// The offsets of zones are between -12 and +14 hours; `java.time` allows 18.
  private static let mostMinutes = 18 * 60
  /// The longest span: whether a zone has its offset is asked at its start.
  private static let longest = 7 * Double.secondsPerDay

  /// Adds a record.
  mutating func add(_ start: Double, secondsFromUTC seconds: Int) {
    let (minutes, hour) = (seconds / 60, (start / Self.hour).rounded(.down))
    guard CivilDate.instants.contains(start), abs(minutes) <= Self.mostMinutes,
      hours.count < Self.mostHours || hours[Int(hour)] != nil
    else { return }
    var records = hours[Int(hour), default: [:]].removeValue(forKey: minutes) ?? Records()
    records.count += 1
    (records.first, records.last) = (min(records.first, start), max(records.last, start))
    hours[Int(hour), default: [:]][minutes] = records
  }

  /// The spans of one zone each.
  ///
  /// - Complexity: O(*n* log *n*) for *n* hours
  var spans: [FileFacts.ZoneSpan] {
    var spans: [(start: Double, end: Double, minutes: Int)] = []
    for (_, offsets) in hours.sorted(by: { $0.key < $1.key }) {
      guard
        let (minutes, records) = offsets.max(by: {
          ($0.value.count, $0.key) < ($1.value.count, $1.key)
        })
      else { continue }
      if let last = spans.last, last.minutes == minutes, records.last - last.start <= Self.longest {
        spans[spans.count - 1].end = records.last
      } else {
        spans.append((records.first, records.last, minutes))
      }
    }
    return spans.prefix(Self.mostSpans).map { span in
      let zone = Metadata.Entry.zone(secondsFromUTC: span.minutes * 60)
      return FileFacts.ZoneSpan(start: span.start, end: span.end, zone: zone.value)
    }
  }
}
