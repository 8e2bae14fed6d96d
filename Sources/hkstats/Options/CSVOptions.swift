import ArgumentParser
import Foundation
import HealthExchange

/// Options of comma-separated text.
struct CSVOptions: ParsableArguments {
  @Flag(
    help:
      "In csv, puts an apostrophe before texts that a spreadsheet would run as a formula: those that begin with = + - @, a tab or a line break. Numbers stay numbers."
  )
  var csvSafe = false

  /// Text to stdout.
  var output: TextOutput { TextOutput(.standardOutput, isSafeForSpreadsheets: csvSafe) }
}
