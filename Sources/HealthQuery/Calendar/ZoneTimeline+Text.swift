import Foundation
import HealthSamples

extension ZoneTimeline {
  /// Parses a list of zones: one per line, each with the moment from which it applies.
  ///
  /// ```
  /// # Home, the conference, home again
  /// Europe/Paris
  /// 2024-06-10T14:05 Asia/Tokyo
  /// 2024-06-24T18:30+02:00 Europe/Paris
  /// ```
  ///
  /// A moment is a date or a date with a time, in ISO 8601. Without an offset it is in the line's
  /// own zone, as clocks show it on arrival; a bare date is the first instant of that date. The
  /// first zone also applies before its moment, which it may omit. Blank lines and text after a `#`
  /// are ignored.
  ///
  /// - Throws: ``QueryError/Reason/timeline(line:_:)``
  /// - Complexity: O(*n*)
  public init(text: String) throws(QueryError) {
    var first: TimeZone?
    var last = -Double.infinity
    var changes: [Change] = []
    var number = 0
    // Some editors write a byte order mark.
    let text = text.hasPrefix("\u{FEFF}") ? text.dropFirst() : text[...]
    for line in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline) {
      number += 1
      let words = line.prefix { $0 != "#" }.split(whereSeparator: \.isWhitespace)
      guard let name = words.last else { continue }
      let (zone, moment) = try Self.entry(
        String(name), at: words.dropLast().joined(separator: " "), line: number)
      guard moment ?? .infinity > last else {
        throw QueryError(.timeline(line: number, .notAscending))
      }
      if first == nil {
        first = zone
      } else {
        guard let moment else { throw QueryError(.timeline(line: number, .missingDate)) }
        changes.append(Change(instant: moment, zone: zone))
      }
      last = moment ?? last
    }
    guard let first, let timeline = ZoneTimeline(first: first, changes: changes) else {
      throw QueryError(.timeline(line: number, .noZone))
    }
    self = timeline
  }

  private static func entry(
    _ name: String, at moment: String, line: Int
  ) throws(QueryError) -> (zone: TimeZone, moment: Double?) {
    let zone: TimeZone
    do {
      zone = try TimeZone.named(name)
    } catch {
      guard case .unknownTimeZone(let name, let suggestions) = error.reason else { throw error }
      throw QueryError(.timeline(line: line, .unknownTimeZone(name, suggestions: suggestions)))
    }
    guard !moment.isEmpty else { return (zone, nil) }
    guard let clock = WallClockText(moment) else {
      throw QueryError(.timeline(line: line, .unreadableDate(moment)))
    }
    return (zone, QueryDate.instant(of: clock, in: ZoneTimeline(zone)))
  }
}
