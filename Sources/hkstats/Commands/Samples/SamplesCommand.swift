import ArgumentParser
import Foundation
import HealthAnswers
import HealthExchange
import HealthQuery
import HealthSamples
import HealthStore

/// `hkstats samples`: the samples themselves, as they were recorded.
struct SamplesCommand: ManyTextsCommand {
  static let optionsOfManyTexts = ["--where"]

  static let configuration = CommandConfiguration(
    commandName: "samples",
    abstract: "The samples themselves, with source and metadata.",
    discussion: """
      Samples stand in the order of time, and with --limit the newest first, in every format. They \
      are as they were recorded: nothing is merged. json, ndjson \
      and csv give everything that is known of a sample, as export does. Memory stays flat, \
      whatever their number.

      A value in --where is understood as it is shown: in the unit after it, else in that of --unit, \
      else in the one that you prefer (hkstats units prefer), else in that of most samples. 95 % is \
      95 %, which HealthKit stores as 0.95.

      Beside quantities and categories there are these kinds: \(StoredSelection.kinds); a type \
      within one has its own name: bloodPressure, labResultRecord. --format chart draws \
      electrocardiograms.

      EXAMPLES:
        hkstats samples bodyMass --unit kg
        hkstats samples heartRate --from today
        hkstats samples heartRate --source "Anna's Apple Watch" --from -1d
        hkstats samples steps --limit 20
        hkstats samples heartRate --where "value>120 count/min" --where device=Watch
        hkstats samples heartRate --changed-since 0 --format json
        hkstats samples heartRate --where metadata.HKMetadataKeyHeartRateMotionContext=2
        hkstats samples bloodPressure --format csv
        hkstats samples electrocardiogram --limit 1 --format chart
        hkstats samples sleepAnalysis --from -1d --format json --export export.zip
      """)

  @Argument(
    help: ArgumentHelp(
      "The type or kind: steps, stepCount, HKQuantityTypeIdentifierStepCount, workout, ecg.",
      valueName: "type"),
    completion: .selections)
  var name: String

  @OptionGroup var period: PeriodOptions
  @OptionGroup var sources: SourceOptions

  @Option(
    name: .customLong("where"),
    help: ArgumentHelp(
      "Only samples of which this is true: source=NAME, device=NAME (name, model or hardware), value>120, \"value<=5 km\", value=asleepREM, metadata.KEY=TEXT, uuid=UUID; with = != < <= > >=. Repeat it to narrow, or give - to read conditions from standard input, one a line.",
      valueName: "condition"))
  var conditions: [ManyTexts] = []

  @OptionGroup var unit: RecordedUnitOption

  @Option(
    help: ArgumentHelp(
      "Only what was added and deleted since: the anchor that this option ended with the last time, or 0 for everything.",
      valueName: "anchor"))
  var changedSince: String?

  @Flag(help: "In csv, json and ndjson also the UUID of each sample.")
  var uuid = false

  @Option(
    help: ArgumentHelp(
      "No more than so many samples: the newest, the newest first.", valueName: "count"))
  var limit: Int?

  @Flag(help: "Begins with the newest sample, as with --limit.")
  var newestFirst = false

  @Flag(help: "Begins with the oldest sample, as without --limit.")
  var oldestFirst = false

  private var isNewestFirst: Bool { newestFirst || limit != nil && !oldestFirst }

  @OptionGroup var query: QueryOptions
  @OptionGroup var form: FormatOptions<ChartFormat>

  func validate() throws {
    if let limit, limit < 0 { throw ValidationError("--limit must not be negative.") }
    if newestFirst, oldestFirst {
      throw ValidationError("Give one of --newest-first and --oldest-first.")
    }
    if changedSince != nil, newestFirst || oldestFirst {
      throw ValidationError(
        "--changed-since has an order of its own; leave out --newest-first and --oldest-first.")
    }
    if changedSince != nil, query.export != nil {
      throw ValidationError("--changed-since asks a store, which remembers; leave out --export.")
    }
  }

  func run() throws {
    try query.withStore { opened in
      let zone = try period.zone.zones(in: opened.store)
      let period = try period.period(in: zone, of: opened.store)
      let selection = try opened.selection(named: name)
      let type = if case .samples(let type) = selection { type } else { SampleType?.none }
      let conditions = try conditions.typed().map { try SampleCondition($0) }
      let opened = try opened.choosing(sources, of: type)
      if unit.unit != nil, let kind = selection.kind {
        throw Failure("\(kind.word) has no unit of its own; leave --unit out.", .usage)
      }
      if form.format == .chart, selection.kind != .electrocardiogram {
        throw Failure("chart draws electrocardiograms; hkstats stats draws others.", .usage)
      }
      if let kind = selection.kind {
        for (option, isGiven) in [
          ("--where", !conditions.isEmpty), ("--changed-since", changedSince != nil),
          ("--uuid", uuid),
        ] where isGiven {
          throw Failure("\(option) is for quantities and categories, not for \(kind.word).", .usage)
        }
      }
      let predicate = try type.map { type in
        SamplePredicate.all([
          .overlaps(period.range),
          try SampleCondition.predicate(
            of: conditions, for: type, in: opened.store, unit: unit.unit),
        ])
      }
      let recorded = try recordedForm(of: type, in: opened.store, zone)
      if let changedSince, let type, let format = form.format.listed {
        var query = SampleQuery(types: [type], predicate: predicate ?? .all([]), limit: limit)
        query.after = try ChangedSamples.anchor(changedSince, in: opened.store)
        return try ChangedSamples(query, in: opened.store, as: recorded)
          .write(of: type, in: zone, as: format, form: form)
      }
      let end =
        form.format == .table
        ? try DataEnd(of: selection, in: opened.store, zones: zone) : nil
      let writer = writer(
        of: selection, until: end, in: zone,
        selection.kind == .activitySummary ? try opened.store.activityUnits() : nil,
        to: form.output)
      try writer.begin()
      try write(
        selection, meeting: predicate ?? .all([]), of: opened.store, in: period, as: recorded,
        to: writer)
      if let table = writer as? SampleTable, table.isEmpty, conditions.isEmpty, limit != 0, let type
      {
        func date(_ bound: Double) -> QueryDate? {
          bound.isFinite ? QueryDate(instant: bound) : nil
        }
        let reason = try AnswerNotes.absence(
          of: type, in: opened.store, from: date(period.range.lowerBound),
          to: date(period.range.upperBound), zones: zone)
        table.explain(reason)
      }
      try writer.end()
    }
  }

  /// People are shown one unit, the one in which they are understood; machines the recorded ones.
  ///
  /// A type that the catalogue does not have may be recorded in units that do not convert.
  private func recordedForm(
    of type: SampleType?, in store: SampleStore, _ zone: ZoneTimeline
  ) throws -> RecordedForm {
    guard form.format == .table, let type, Catalogue.type(type.identifier) != nil,
      let spoken = try store.displayUnit(of: type, named: unit.unit)
    else { return RecordedForm(unitName: unit.unit, zone: zone) }
    return RecordedForm(unit: spoken.unit, of: type, zone: zone)
  }

  private func writer(
    of selection: StoredSelection, until end: DataEnd?, in zone: ZoneTimeline,
    _ units: ActivityUnits?, to output: TextOutput
  ) -> any ExportWriter {
    switch form.format {
    case .table:
      SampleTable(
        of: selection.kind, until: end, in: zone, units, style: form.display.style, to: output)
    case .csv, .tsv:
      CommaSeparatedExport(
        to: output, of: selection.kind.map(OutputTable.table), in: zone, hasUUIDs: uuid)
    case .json: JSONArrayExport(to: output, in: zone)
    case .ndjson: JSONLinesExport(to: output, in: zone)
    case .chart: VoltageCharts(in: zone, style: form.display.style, to: output)
    }
  }

  private func write(
    _ selection: StoredSelection, meeting predicate: SamplePredicate, of store: SampleStore,
    in period: StoredPeriod, as form: RecordedForm, to writer: any ExportWriter
  ) throws {
    switch selection {
    case .samples(let type):
      let query = SampleQuery(
        types: [type], predicate: predicate,
        sort: [SampleSort(.start, isDescending: isNewestFirst)], limit: limit)
      var identities = RowIdentities(store)
      try store.forEachSample(query) { batch, rows in
        var recorded = try RecordedBatch(batch, rows, as: form)
        if uuid { recorded.uuids = try identities.uuids(of: rows, in: batch) }
        try writer.write(recorded)
        return true
      }
    case .elements(let kind, let type):
      var left = limit ?? .max
      guard left > 0 else { return }
      try store.forEachElement(
        of: kind, type: type, in: period, isNewestFirst: isNewestFirst
      ) { batch in
        try writer.write(batch)
        left -= 1
        return left > 0
      }
    }
  }
}

/// The UUIDs of rows in the order of time, asked for in blocks: sources alternate, and asking for
/// those of a few rows takes as long as for those of a block.
private struct RowIdentities {
  /// Consecutive rows of a batch.
  private struct Block {
    let serials: [Int64]
    let first: Int
    let uuids: [UUID]
  }

  private let store: SampleStore
  private var blocks: [Source: Block] = [:]

  private static let size = 1024

  init(_ store: SampleStore) { self.store = store }

  mutating func uuids(of rows: [Int], in batch: RecordColumns) throws -> [Int: UUID] {
    var block = blocks[batch.source]
    // Equal at once where they are the same.
    if block?.serials != batch.serials { block = nil }
    var uuids: [Int: UUID] = [:]
    for row in rows {
      let first = row - row % Self.size
      if block?.first != first {
        let serials = batch.serials[first..<min(first + Self.size, batch.count)]
        block = Block(
          serials: batch.serials, first: first, uuids: try store.identities(of: serials))
      }
      uuids[row] = block?.uuids[row - first]
    }
    blocks[batch.source] = block
    return uuids
  }
}
