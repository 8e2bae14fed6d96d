import ArgumentParser
import Foundation
import HealthQuery
import HealthSamples

/// The forms in which health data can leave.
enum ExportFormat: String, ExpressibleByArgument, CaseIterable {
  case csv, json, ndjson, sqlite, fhir
  case fhirLines = "fhir-ndjson"
  case gpx, geojson

  /// Whether only places can be written in this form.
  var isOfRoutes: Bool { self == .gpx || self == .geojson }

  /// Whether it is one of FHIR, whose codes choose units.
  var isClinical: Bool { self == .fhir || self == .fhirLines }

  /// The form that a file name says, such as json for `steps.json`; `nil` where it says none that
  /// is known.
  init?(suffixOf path: String) {
    guard let known = Self.suffixes[Self.suffix(of: path)]?.first else { return nil }
    self = known
  }

  /// Whether the name of a file may hold this form: its suffix says no other.
  func isNamed(by path: String) -> Bool {
    Self.suffixes[Self.suffix(of: path)]?.contains(self) ?? true
  }

  /// The forms by what names of files end in, the first being what is meant without `--format`.
  private static let suffixes: [String: [ExportFormat]] = [
    "csv": [.csv], "json": [.json, .fhir, .geojson], "ndjson": [.ndjson, .fhirLines],
    "jsonl": [.ndjson, .fhirLines], "sqlite": [.sqlite], "sqlite3": [.sqlite], "db": [.sqlite],
    "gpx": [.gpx], "geojson": [.geojson],
  ]

  /// What the name of a file has behind its last point, in small letters; empty without one.
  fileprivate static func suffix(of path: String) -> String {
    let name = path.split(separator: "/", omittingEmptySubsequences: false).last ?? ""
    guard let point = name.lastIndex(of: "."), point != name.startIndex else { return "" }
    return name[name.index(after: point)...].lowercased()
  }

  /// What writes this form.
  ///
  /// - Parameters:
  ///   - target: where it goes
  ///   - table: the table of the only kind of elements that leaves; `nil` for samples
  ///   - zone: the zones of instants
  ///   - panelMembers: records that leave as parts of a panel, for FHIR
  /// - Returns: a writer that has not begun
  /// - Throws: ``Failure`` or `StoreError` when a file cannot be made
  func writer(
    to target: ExportTarget, of table: OutputTable?, in zone: ZoneTimeline,
    panelMembers: Set<RecordLink>
  ) throws -> any ExportWriter {
    switch self {
    case .csv where target.isFolder:
      try CommaSeparatedFolder(target: target, zone: zone)
    case .csv: CommaSeparatedExport(to: try target.output(), of: table, in: zone)
    case .json: ArrayExport(to: try target.output(), in: zone)
    case .ndjson: LineExport(to: try target.output(), in: zone)
    case .sqlite: try TableExport(target: target, zone: zone)
    case .fhir, .fhirLines:
      FHIRExport(
        to: try target.output(), in: zone, isBundle: self == .fhir, panelMembers: panelMembers)
    case .gpx: GPXExport(to: try target.output())
    case .geojson: GeoJSONExport(to: try target.output(), in: zone)
    }
  }
}

/// Where an export goes.
struct ExportTarget {
  /// The file or folder; `nil` for stdout.
  let path: String?
  /// Whether files that stand there are replaced.
  let replaces: Bool
  /// How comma-separated text is written.
  var csv = CommaSeparated()

  /// Whether comma-separated text goes into a folder with a file a table: the path names one, or
  /// has no suffix of a file.
  var isFolder: Bool {
    guard let path else { return false }
    var facts = stat()
    if stat(path, &facts) == 0 { return facts.st_mode & S_IFMT == S_IFDIR }
    return path.hasSuffix("/") || ExportFormat.suffix(of: path).isEmpty
  }

  /// One text.
  func output() throws(Failure) -> TextOutput {
    guard let path else { return StandardOutput(isCSVSafe: csv.isSafe) }
    return try OutputFile(path: path, replaces: replaces, csv: csv)
  }
}

extension ExportTarget {
  /// Refuses a target that is one of the files from which the export comes.
  func checkApart(from inputs: [String]) throws(Failure) {
    guard let path else { return }
    let places =
      isFolder ? [path] + CommaSeparatedFolder.fileNames.map { "\(path)/\($0)" } : [path]
    let taken = Set(places.compactMap(FileIdentity.init(path:)))
    for input in inputs {
      guard let identity = FileIdentity(path: input), taken.contains(identity) else { continue }
      throw Failure(
        "\(path.printable) is what the export comes from; it was not touched. Give another --out.",
        .usage)
    }
  }
}

/// Which file a path leads to, however it may be called.
private struct FileIdentity: Hashable {
  private let device: dev_t
  private let number: ino_t

  init?(path: String) {
    var facts = stat()
    guard stat(path, &facts) == 0 else { return nil }
    (device, number) = (facts.st_dev, facts.st_ino)
  }
}

/// Writes what leaves a store, piece by piece.
protocol ExportWriter {
  /// Writes what stands before everything.
  func begin() throws
  /// Writes the samples of a batch.
  func write(_ recorded: RecordedBatch) throws
  /// Writes elements that are no samples of a type.
  func write(_ elements: ExportBatch) throws
  /// Writes what stands behind everything, and makes sure that all has arrived.
  func end() throws
}

extension ExportBatch {
  /// The kind of the elements; `nil` for records.
  var kind: ElementKind? {
    switch self {
    case .records: nil
    case .workouts: .workout
    case .routes: .route
    case .correlations: .correlation
    case .activitySummaries: .activitySummary
    case .beatLists: .beatList
    case .electrocardiograms: .electrocardiogram
    case .audiograms: .audiogram
    case .visionPrescriptions: .visionPrescription
    case .clinicalRecords: .clinicalRecord
    case .characteristics: .characteristics
    }
  }

  /// Hands over each element as a row of the table of its kind.
  func forEachRow(_ body: (OutputRow, OutputTable, ElementKind) throws -> Void) rethrows {
    guard let kind else { return }
    let table = OutputTable.table(of: kind)
    for row in OutputRow.rows(of: self) { try body(row, table, kind) }
  }
}
