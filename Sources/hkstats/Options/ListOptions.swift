import ArgumentParser
import Foundation
import HealthExchange
import HealthQuery

/// Options of lists.
struct ListOptions: ParsableArguments {
  @Option(help: "table, csv, json or ndjson.")
  var format: ListFormat = .table

  @OptionGroup var zone: ZoneOptions

  @OptionGroup var display: DisplayOptions
  @OptionGroup var csv: CSVOptions

  /// Writes a list to stdout.
  func write(_ listing: Listing) throws {
    let output = csv.output
    try listing.write(as: format, style: display.style, to: output)
    try output.flush()
  }
}
