import ArgumentParser
import Foundation
import HealthQuery

/// From when to when, and in which time zone.
struct PeriodOptions: ParsableArguments {
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "The first moment: 2024-03-09, 2024-03-09T10:00, 2024-03-09T10:00+01:00, today, yesterday, -30d.",
      valueName: "date"))
  var from: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("The end, which is not included.", valueName: "date"))
  var to: String?

  @Option(
    help: ArgumentHelp(
      "The zone whose days count, such as Europe/Paris; else that of this machine.",
      valueName: "zone"))
  var timezone: String?

  /// The zone, as told or that of the machine.
  func zone() throws(QueryError) -> TimeZone {
    guard let timezone else { return .current }
    return try .named(timezone)
  }

  /// A moment of the command line, read in a zone.
  func date(_ text: String?, in zone: TimeZone) throws(QueryError) -> QueryDate? {
    guard let text else { return nil }
    return try QueryDate(text, in: zone, now: Date.now.timeIntervalSinceReferenceDate)
  }
}
