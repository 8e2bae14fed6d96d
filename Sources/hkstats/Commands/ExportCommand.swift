import ArgumentParser
import Foundation
import HealthMerge
import HealthQuery
import HealthSamples
import HealthStore
import HealthUnits

/// `hkstats export`: all that a store holds, in a form that other programs read.
struct ExportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "export",
    abstract: "Gets everything out again: csv, json, ndjson, SQLite, FHIR, GPX, GeoJSON.",
    discussion: """
      Without a name everything leaves: samples as they were recorded, type by type and source by \
      source, then \(StoredSelection.kinds). Text goes to stdout or, with --out, into a file that \
      appears whole or not at all; its suffix chooses the form. Memory stays flat, whatever the \
      size of the store.

      csv has one kind: on stdout and in a file *.csv lists inside of a workout stand as JSON, and \
      without a name only samples leave. With --out FOLDER each table is a file: workouts.csv, \
      workout_events.csv and so on. sqlite has the same tables, with foreign keys and views.

      fhir is a Bundle of R5 Observations with LOINC and UCUM codes, fhir-ndjson has one resource a \
      line. Records of a clinic leave as they came. gpx and geojson are for routes.

      With --merge only the quantities leave that count where sources overlap, in the type's \
      canonical unit.

      EXAMPLES:
        hkstats export --out folder
        hkstats export --out health.db
        hkstats export steps --format csv > steps.csv
        hkstats export workouts electrocardiograms --from -30d --format ndjson
        hkstats export routes --out routes.gpx
        hkstats export bloodPressure --format fhir > pressure.json
        hkstats export steps --merge hk --format csv
      """)

  @Argument(
    help: "Types and kinds: steps, heartRate, workouts, routes, bloodPressure; everything without.")
  var names: [String] = []

  @OptionGroup var period: PeriodOptions

  @Option(
    name: .customLong("format"),
    help: ArgumentHelp(
      "csv, json, ndjson, sqlite, fhir, fhir-ndjson, gpx or geojson. Else that of the suffix of --out, else csv.",
      valueName: "format"))
  var chosenFormat: ExportFormat?

  @Option(
    help: ArgumentHelp(
      "The new file, or for csv a folder; else stdout.", valueName: "path"),
    completion: .file())
  var out: String?

  @Flag(help: "Replaces files that are there already.")
  var force = false

  @OptionGroup var csv: CSVOptions

  @Option(
    help: ArgumentHelp("The unit of quantities; else as recorded.", valueName: "unit"))
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

  @OptionGroup var sources: SourceOptions
  @OptionGroup var query: QueryOptions

  /// The form as told, else as the name of the file says it.
  private var format: ExportFormat {
    chosenFormat ?? out.flatMap(ExportFormat.init(suffixOf:)) ?? .csv
  }

  private var target: ExportTarget { ExportTarget(path: out, replaces: force, csv: csv.form) }

  func validate() throws {
    if let out {
      guard !out.isEmpty else { throw ValidationError("--out needs the name of a file or folder.") }
      guard format.isNamed(by: out) || (format == .csv && target.isFolder) else {
        throw ValidationError(
          "--format \(format.rawValue) and the name \(out.printable) contradict each other; leave "
            + "--format out, or give another name.")
      }
      if chosenFormat == nil, ExportFormat(suffixOf: out) == nil, !target.isFolder {
        throw ValidationError(
          "The name \(out.printable) does not say in which form; give --format.")
      }
    }
    if format == .sqlite, out == nil { throw ValidationError("--format sqlite needs --out FILE.") }
    if force, out == nil { throw ValidationError("--force needs --out.") }
    if format.isClinical, unit != nil {
      throw ValidationError("The units of fhir are those of its codes; leave --unit out.")
    }
    if merge == .highest {
      throw ValidationError(
        "highest chooses a source for each interval, and samples have none; give another --merge.")
    }
    if !prefer.isEmpty, merge == nil { throw ValidationError("--prefer needs --merge.") }
  }

  func run() throws {
    try query.withStore { opened in
      let opened = try opened.choosing(sources, of: nil)
      let zone = try period.zone.zones(in: opened.store)
      let period = try period.period(in: zone)
      let chosen = try selections(in: opened)
      let store = query.storeOptions.path
      try target.checkApart(
        from: query.export.map { [$0] } ?? ["", "-wal", "-shm", "-journal"].map { store + $0 })
      let tables = chosen.compactMap(\.kind).map(OutputTable.table)
      let writer = try format.writer(
        to: target, of: chosen.count == tables.count ? tables.first : nil, in: zone,
        panelMembers: try panelMembers(of: chosen, in: opened.store, period))
      if out != nil { Interruption.watch() }
      try writer.begin()
      let form = RecordedForm(unitName: unit, zone: zone)
      for selection in chosen {
        try write(selection, of: opened.store, in: period, as: form, to: writer)
      }
      try writer.end()
    }
  }

  /// What leaves, each once.
  private func selections(in opened: OpenedStore) throws -> [StoredSelection] {
    let isOneTable = format == .csv && !target.isFolder
    var chosen = try names.map(opened.selection(named:))
    if names.isEmpty {
      chosen = try StoredSelection.all(in: opened.store)
      if format.isOfRoutes { chosen = [.elements(.route, type: nil)] }
      if merge != nil || isOneTable {
        let others = chosen.compactMap(\.kind).map(\.word)
        chosen = chosen.filter { $0.kind == nil }
        if merge == nil, !others.isEmpty {
          StandardError.note(
            "these are the samples; for \(others.joined(separator: ", ")) give --out FOLDER.")
        }
      }
    }
    if format.isOfRoutes, chosen.contains(where: { $0.kind != .route }) {
      throw Failure("\(format.rawValue) is for routes; leave other names out.", .usage)
    }
    if isOneTable, Set(chosen.map(\.kind)).count > 1 {
      throw Failure(
        "One csv holds one kind, and these are several. Give --out FOLDER for a file each.", .usage)
    }
    if merge != nil, chosen.contains(where: { $0.kind != nil }) {
      throw Failure("--merge is for quantities; leave other kinds out.", .usage)
    }
    var seen: Set<StoredSelection> = []
    return chosen.filter { selection in
      let isPart = selection.kind.map { chosen.contains(.elements($0, type: nil)) } ?? false
      return seen.insert(selection).inserted && !(isPart && selection.isOneType)
    }
  }

  /// The records that leave as parts of blood pressures and not by themselves.
  private func panelMembers(
    of chosen: [StoredSelection], in store: SampleStore, _ period: StoredPeriod
  ) throws -> Set<RecordLink> {
    var members: Set<RecordLink> = []
    guard format.isClinical else { return members }
    for case .elements(.correlation, let type) in chosen {
      try store.forEachElement(of: .correlation, type: type, in: period) { batch in
        guard case .correlations(let columns) = batch else { return true }
        for row in columns.rows { members.formUnion(BloodPressure(row)?.members ?? []) }
        return true
      }
    }
    return members
  }

  private func write(
    _ selection: StoredSelection, of store: SampleStore, in period: StoredPeriod,
    as form: RecordedForm, to writer: any ExportWriter
  ) throws {
    func give(_ batch: RecordColumns) throws {
      if Interruption.isRequested { throw Failure.exportStopped }
      try writer.write(try RecordedBatch(batch, as: form))
    }
    switch selection {
    case .samples(let type):
      if let merge, type.canonicalUnit != nil {
        let segments = try store.mergedSamples(
          of: type, in: period.range, policy: merge, preferred: prefer)
        for index in segments.sources.indices {
          try give(RecordColumns(segments, ofSource: index))
        }
      } else {
        try store.forEachBatch(of: type, in: period.range, give)
      }
    case .elements(let kind, let type):
      try store.forEachElement(of: kind, type: type, in: period) { batch in
        if Interruption.isRequested { throw Failure.exportStopped }
        try writer.write(batch)
        return true
      }
    }
  }
}

extension RecordColumns {
  /// What counts of one source, in the canonical unit; origins and metadata are those of whole
  /// samples and left out.
  fileprivate init(_ segments: SegmentColumns, ofSource index: Int) {
    self.init(type: segments.type, source: segments.sources[index])
    let numbers = segments.samples
    let all = (starts: segments.starts, ends: segments.ends, values: segments.values)
    let rows = segments.rows(ofSource: index).filter {
      numbers[$0] != SegmentColumns.masked
    }
    starts = rows.map { all.starts[$0] }
    ends = rows.map { all.ends[$0] }
    values = rows.map { all.values[$0] }
    created = Array(repeating: Self.notRecorded, count: rows.count)
    labels = Array(repeating: 0, count: rows.count)
    origins = Array(repeating: 0, count: rows.count)
    metadata = Array(repeating: 0, count: rows.count)
    copies = Array(repeating: 1, count: rows.count)
    labelTable = [segments.type.canonicalUnit?.description ?? ""]
    originTable = [Origin()]
  }
}
