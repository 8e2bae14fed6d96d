import ArgumentParser
import Foundation
import HealthQuery

/// How a list is shown.
struct ListOptions: ParsableArguments {
  @Option(help: "table, csv, json or ndjson.")
  var format: ListFormat = .table

  @Option(
    help: ArgumentHelp(
      "The zone of dates, such as Europe/Paris; else that of this machine.", valueName: "zone"))
  var timezone: String?

  @OptionGroup var display: DisplayOptions

  /// The zone, as told or that of the machine.
  func zone() throws(QueryError) -> TimeZone {
    guard let timezone else { return .current }
    return try .named(timezone)
  }

  /// Writes a list to stdout.
  func write(_ listing: Listing) throws {
    let output = StandardOutput()
    try listing.write(as: format, style: display.style, to: output)
    try output.flush()
  }
}
