import ArgumentParser
import Foundation
import HealthExchange
import HealthQuery
import HealthSamples
import HealthStore

/// `hkstats summary`: the activity rings, day by day.
struct SummaryCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "summary",
    abstract: "The activity rings by day: move, exercise and stand, beside their goals.",
    discussion: """
      These are the summaries that the export holds, day by day as the watch lived them. A day \
      that stands in it twice, with other goals, is shown twice.

      EXAMPLES:
        hkstats summary --from -14d
        hkstats summary --from 2024-03-01 --to 2024-04-01 --format csv
      """)

  @OptionGroup var period: PeriodOptions

  @Option(help: "table, csv, json or ndjson.")
  var format: ListFormat = .table

  @OptionGroup var query: QueryOptions
  @OptionGroup var display: DisplayOptions
  @OptionGroup var csv: CSVOptions

  func run() throws {
    try query.withStore { opened in
      let zone = try period.zone.zones(in: opened.store)
      let days = try period.period(in: zone).days
      let rows = try opened.store.activitySummaries().rows
        .filter { days.contains($0.day) }.sorted { $0.day < $1.day }
      let output = csv.output
      try RingListing(rows: rows).write(as: format, style: display.style, to: output)
      try output.flush()
    }
  }
}
