public import ArgumentParser
import Foundation
import HealthAnswers
public import HealthExchange
import HealthMerge

/// `hkstats export`: the contents of a store in a format for other programs.
struct ExportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "export",
    abstract: "Get data out: csv, json, SQLite, FHIR, GPX, TCX, …",
    discussion: """
      Without a name everything leaves: samples as they were recorded, type by type and source by \
      source, then \(StoredSelection.kinds). Text goes to stdout or, with --out, into a file that \
      appears whole or not at all; its suffix chooses the form. Memory stays flat, whatever the \
      size of the store.

      csv and tsv have one kind: on stdout and in a file lists inside of a workout stand as JSON, and \
      without a name only samples leave. With --out FOLDER each table is a file: workouts.csv, \
      workout_events.csv and so on. sqlite has the same tables, with foreign keys and views.

      fhir is a Bundle of Observations with LOINC and UCUM codes, fhir-ndjson has one resource a \
      line, and with --out FOLDER a file for each type of resource: Observation.ndjson. Both are FHIR \
      R5, or R4 with --fhir-version. Records of a clinic leave as they came; with \
      R4 those of other versions stay out. gpx and geojson are for routes, tcx for workouts \
      with routes and heart rates: at each point the latest one, at most a minute old. With --each \
      each workout is a file of its own, such as 2024-03-09-0830-running.gpx; gpx leaves out those \
      without a route.

      With --merge only the quantities leave that count where sources overlap, in the type's \
      canonical unit.

      What leaves is for other programs: import refuses it. hkstats sync and hkstats store backup \
      carry a store to another machine.

      EXAMPLES:
        hkstats export --out folder
        hkstats export --out health.db
        hkstats export steps --format csv > steps.csv
        hkstats export workouts electrocardiograms --from -30d --format ndjson
        hkstats export routes --out routes.gpx
        hkstats export --format gpx --out routes --each
        hkstats export --format tcx --out workouts.tcx --from -30d
        hkstats export bloodPressure --format fhir > pressure.json
        hkstats export --format fhir-ndjson --fhir-version R4 --out resources
        hkstats export steps --merge hk --format csv
      """)

  @Argument(
    help: ArgumentHelp(
      "Types and kinds: steps, heartRate, workouts, routes, bloodPressure; everything without.",
      valueName: "type"),
    completion: .selections)
  var names: [String] = []

  @OptionGroup var period: PeriodOptions

  @Option(
    name: .customLong("format"),
    help: ArgumentHelp(
      "csv, tsv, json, ndjson, sqlite, fhir, fhir-ndjson, gpx, tcx or geojson. Else that of the suffix of --out, else csv.",
      valueName: "format"))
  var chosenFormat: ExportFormat?

  @Option(
    help: ArgumentHelp(
      "The new file, or a folder for csv, fhir-ndjson and with --each; else stdout.",
      valueName: "path"),
    completion: .file())
  var out: String?

  @Flag(help: "A file for each workout in the folder of --out, with --format gpx or tcx.")
  var each = false

  @Flag(help: "Replaces files that are there already.")
  var force = false

  @Option(help: "The release of FHIR of --format fhir and fhir-ndjson: R5 or R4. Else R5.")
  var fhirVersion: FHIRVersion?

  @OptionGroup var csv: CSVOptions

  @OptionGroup var unit: RecordedUnitOption

  @Option(
    help: ArgumentHelp(
      "Only what counts after merging: hk, hc, subtractive, drop or none. Else all as recorded.",
      valueName: "policy"),
    completion: .policies,
    transform: QuestionWords.policy)
  var merge: MergePolicy?

  @Option(
    help: ArgumentHelp(
      "With --merge, a source to believe before all others; repeat it, the highest first.",
      valueName: "source"),
    completion: .sources)
  var prefer: [String] = []

  @OptionGroup var sources: SourceOptions
  @OptionGroup var query: QueryOptions

  /// The requested format, otherwise that of the file name.
  private var format: ExportFormat {
    chosenFormat ?? out.flatMap(ExportFormat.init(suffixOf:)) ?? .csv
  }

  private var destination: ExportDestination {
    guard let out else { return .stream(.standardOutput) }
    if each { return .folder(path: out, replacing: force) }
    return format.isOfKinds && isFolder
      ? .folder(path: out, replacing: force) : .file(path: out, replacing: force)
  }

  /// Whether a format that can be several files goes to a folder: the path is a folder, or has no
  /// file suffix.
  private var isFolder: Bool {
    guard let out else { return false }
    var facts = stat()
    return namesFolder || stat(out, &facts) != 0 && ExportFormat.suffix(of: out).isEmpty
  }

  /// Whether the path is a folder, or can be nothing else.
  private var namesFolder: Bool {
    guard let out else { return false }
    var facts = stat()
    return out.hasSuffix("/") || stat(out, &facts) == 0 && facts.st_mode & S_IFMT == S_IFDIR
  }

  func validate() throws {
    if each {
      guard chosenFormat?.isOfWorkouts == true else {
        throw ValidationError("--each needs --format gpx or --format tcx.")
      }
      guard let out, !out.isEmpty else { throw ValidationError("--each needs --out FOLDER.") }
    }
    if let out, !each {
      guard !out.isEmpty else { throw ValidationError("--out needs the name of a file or folder.") }
      if !format.isOfKinds, namesFolder {
        throw ValidationError(
          "\(out.printable) is a folder, and \(format.rawValue) is one file: give a name in it, such "
            + "as \((out as NSString).appendingPathComponent("health.\(format.rawValue)").printable)"
            + (format.isOfWorkouts ? ", or --each for a file for each workout." : "."))
      }
      guard format.isNamed(by: out) || (format.isOfKinds && isFolder) else {
        throw ValidationError(
          "--format \(format.rawValue) and the name \(out.printable) contradict each other; leave "
            + "--format out, or give another name.")
      }
      if chosenFormat == nil, ExportFormat(suffixOf: out) == nil, !isFolder {
        throw ValidationError(
          "The name \(out.printable) does not say in which form; give --format.")
      }
    }
    if csv.decimalComma, !format.isOfTables {
      throw ValidationError("--decimal-comma is for --format csv and tsv.")
    }
    if format == .sqlite, out == nil { throw ValidationError("--format sqlite needs --out FILE.") }
    if force, out == nil { throw ValidationError("--force needs --out.") }
    if format.isClinical, unit.unit != nil {
      throw ValidationError("The units of fhir are those of its codes; leave --unit out.")
    }
    if fhirVersion != nil, !format.isClinical {
      throw ValidationError("--fhir-version needs --format fhir or fhir-ndjson.")
    }
    if !prefer.isEmpty, merge == nil { throw ValidationError("--prefer needs --merge.") }
  }

  func run() throws {
    try query.check(destination, besides: period.zone.timezoneFile)
    try query.withStore { opened in
      let opened = try opened.choosing(sources, of: nil, isQuestion: false)
      let zones = try period.zone.zones(in: opened.store)
      var request = ExportRequest(format: format, zones: zones)
      request.range = try period.period(in: zones, of: opened.store).range
      request.unit = unit.unit
      request.merging = merge
      request.preferredSources = prefer
      request.isSafeForSpreadsheets = csv.csvSafe
      request.hasDecimalCommas = csv.decimalComma
      if let fhirVersion { request.fhirVersion = fhirVersion }
      if !names.isEmpty { request.selections = try names.map(opened.selection(named:)) }
      let (selections, leftOut) = try request.resolved(in: opened.store, to: destination)
      if !leftOut.isEmpty {
        let words = leftOut.map(\.word).joined(separator: ", ")
        StandardError.note("these are the samples; for \(words) give --out FOLDER.")
      }
      request.selections = selections
      if out != nil { Interruption.watch() }
      let result = try opened.store.export(
        request, to: destination, isCancelled: { Interruption.isRequested })
      if !result.leftOut.isEmpty {
        let counts = result.leftOut.sorted { $0.key < $1.key }
          .map { "\($0.key): \(NumberText.grouped($0.value))" }
        let format =
          format.isClinical ? "FHIR \(request.fhirVersion.rawValue)" : format.rawValue
        StandardError.note(
          "left out, because \(format) has no form for it: \(counts.joined(separator: ", ")).")
      }
      if let out {
        StandardError.tell("\(out.printable) has \(AmountText.count(result.written, "item")).")
      }
    }
  }
}

extension ExportFormat: ExpressibleByArgument {}
extension FHIRVersion: ExpressibleByArgument {}
