import ArgumentParser
import Foundation
import HealthMerge
import HealthQuery
import HealthSamples
import HealthStore
import HealthUnits

/// `hkstats export`: the samples of a store in a form that other programs read.
struct ExportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "export",
    abstract: "Gets samples out again, as csv, json, ndjson, SQLite tables or FHIR.",
    discussion: """
      Samples leave as they were recorded, type by type and source by source; with --merge only \
      what counts where sources overlap, in the type's canonical unit. csv, json, ndjson and fhir \
      go to stdout as they are read, so memory stays flat; sqlite needs --out.

      fhir is a Bundle of R5 Observations with LOINC and UCUM codes.

      EXAMPLES:
        hkstats export steps --format csv > steps.csv
        hkstats export heartRate restingHeartRate --from -30d --format ndjson
        hkstats export --format sqlite --out health.db
        hkstats export steps --merge hk --format csv
        hkstats export bodyMass --format fhir > weight.json
      """)

  @Argument(help: "The types: steps, stepCount or full identifiers; all that there are without.")
  var types: [String] = []

  @OptionGroup var period: PeriodOptions

  @Option(help: "csv, json, ndjson, sqlite or fhir.")
  var format: ExportFormat = .csv

  @Option(
    help: ArgumentHelp("The new SQLite file, for --format sqlite.", valueName: "file"),
    completion: .file())
  var out: String?

  @Option(help: ArgumentHelp("The unit of the values; else as recorded.", valueName: "unit"))
  var unit: String?

  @Option(
    help: ArgumentHelp(
      "Only what counts after merging: hk, hc, subtractive, drop or none. Else all as recorded.",
      valueName: "policy"),
    transform: MergeOptions.policy)
  var merge: MergePolicy?

  @Option(
    help: ArgumentHelp(
      "With --merge, a source to believe before all others; repeat it, the highest first.",
      valueName: "source"))
  var prefer: [String] = []

  @OptionGroup var query: QueryOptions

  func validate() throws {
    guard (format == .sqlite) == (out != nil) else {
      throw ValidationError(
        out == nil
          ? "--format sqlite needs --out FILE."
          : "--out is for --format sqlite; the others go to stdout."
      )
    }
    if format == .fhir, unit != nil {
      throw ValidationError("The units of fhir are those of its codes; leave --unit out.")
    }
    if merge == .highest {
      throw ValidationError(
        "highest chooses a source for each interval, and samples have none; give another --merge.")
    }
    if !prefer.isEmpty, merge == nil { throw ValidationError("--prefer needs --merge.") }
  }

  func run() throws {
    let zone = try period.zone()
    let from = try period.date(period.from, in: zone)?.instant ?? -Double.infinity
    let to = try period.date(period.to, in: zone)?.instant ?? .infinity
    guard from < to else { throw QueryError(.emptyPeriod(from: from, to: to)) }
    let unit = try unit.map(UnitArgument.healthKit)
    try query.withStore { opened in
      let chosen =
        types.isEmpty
        ? try opened.store.types().map(\.type) : try types.map(opened.type(named:))
      if format == .sqlite { Interruption.watch() }
      let writer = try format.writer(out: out)
      try writer.begin()
      for type in chosen {
        let isMerged = merge != nil && type.canonicalUnit != nil
        let give = { (batch: RecordColumns) in
          if Interruption.isRequested { throw Failure.exportStopped }
          try writer.write(try RecordedBatch(batch, unit: unit, zone: zone))
        }
        if let merge, isMerged {
          let segments = try opened.store.mergedSamples(
            of: type, in: from..<to, policy: merge, preferred: prefer)
          for index in segments.sources.indices {
            try give(RecordColumns(segments, ofSource: index))
          }
        } else {
          try opened.store.forEachBatch(of: type, in: from..<to, give)
        }
      }
      try writer.end()
    }
  }
}

extension RecordColumns {
  /// What counts of one source, in the canonical unit; origins and metadata are those of whole
  /// samples and left out.
  fileprivate init(_ segments: SegmentColumns, ofSource index: Int) {
    self.init(type: segments.type, source: segments.sources[index])
    let rows = segments.rows(ofSource: index).filter {
      segments.samples[$0] != SegmentColumns.masked
    }
    starts = rows.map { segments.starts[$0] }
    ends = rows.map { segments.ends[$0] }
    values = rows.map { segments.values[$0] }
    created = Array(repeating: Self.notRecorded, count: rows.count)
    labels = Array(repeating: 0, count: rows.count)
    origins = Array(repeating: 0, count: rows.count)
    metadata = Array(repeating: 0, count: rows.count)
    copies = Array(repeating: 1, count: rows.count)
    labelTable = [segments.type.canonicalUnit?.description ?? ""]
    originTable = [Origin()]
  }
}
