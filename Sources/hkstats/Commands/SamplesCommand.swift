import ArgumentParser
import Foundation
import HealthQuery
import HealthSamples
import HealthStore

/// `hkstats samples`: the samples themselves, as they were recorded.
struct SamplesCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "samples",
    abstract: "The samples themselves, with source, device and metadata.",
    discussion: """
      Samples stand in the order of time, as they were recorded: nothing is merged. json, ndjson \
      and csv give everything that is known of a sample.

      EXAMPLES:
        hkstats samples bodyMass --unit kg
        hkstats samples heartRate --from today
        hkstats samples sleepAnalysis --from -1d --format json
        hkstats samples steps --limit 20 --export export.zip
      """)

  @Argument(help: "The type: steps, stepCount, StepCount or the full identifier.")
  var type: String

  @OptionGroup var period: PeriodOptions

  @Option(help: ArgumentHelp("The unit of the values; else as recorded.", valueName: "unit"))
  var unit: String?

  @Option(help: ArgumentHelp("No more than the first N samples.", valueName: "N"))
  var limit: Int?

  @Option(help: "table, csv, json or ndjson.")
  var format: ListFormat = .table

  @OptionGroup var query: QueryOptions
  @OptionGroup var display: DisplayOptions

  func validate() throws {
    if let limit, limit < 0 { throw ValidationError("--limit must not be negative.") }
  }

  func run() throws {
    try query.withStore { opened in
      let zone = try period.zone.zones(in: opened.store)
      let from = try period.date(period.from, in: zone)?.instant ?? -Double.infinity
      let to = try period.date(period.to, in: zone)?.instant ?? .infinity
      guard from < to else { throw QueryError(.emptyPeriod(from: from, to: to)) }
      let type = try opened.type(named: type)
      let samples = try RecordedSamples(
        batches: try opened.store.records(of: type, in: from..<to), within: from..<to,
        limit: limit, unit: try unit.map(UnitArgument.healthKit), zone: zone)
      let output = StandardOutput()
      switch format {
      case .table: try samples.writeTable(style: display.style, to: output)
      case .csv: try samples.writeCSV(to: output)
      case .json: try samples.writeJSON(to: output)
      case .ndjson: try samples.writeLines(to: output)
      }
      try output.flush()
    }
  }
}
