/// The formats of exports.
public enum ExportFormat: String, Sendable, Hashable, CaseIterable {
  /// Comma-separated text (RFC 4180): one kind per file, or a folder with a file for each table.
  case csv
  /// The same with tab stops between fields.
  case tsv
  /// One JSON array of objects.
  case json
  /// One JSON object per line.
  case ndjson
  /// A SQLite file of plain tables with views.
  case sqlite
  /// A Bundle of FHIR resources, R5 or R4.
  case fhir
  /// One FHIR resource per line, R5 or R4; in a folder a file for each type of resource.
  case fhirLines = "fhir-ndjson"
  /// GPX 1.1, for routes; in a folder a file for each workout that has some.
  case gpx
  /// TCX, for workouts with their routes and heart rates; in a folder a file for each.
  case tcx
  /// GeoJSON (RFC 7946), for routes.
  case geojson

  /// Whether the format is only for routes.
  public var isOfRoutes: Bool { self == .gpx || self == .geojson }

  /// Whether a folder of it has a file for each kind of thing.
  public var isOfKinds: Bool { isOfTables || self == .fhirLines }

  /// Whether it is text in records and fields.
  public var isOfTables: Bool { self == .csv || self == .tsv }

  /// Whether a folder of it has a file for each workout.
  public var isOfWorkouts: Bool { self == .gpx || self == .tcx }

  /// Whether it is a FHIR format, whose codes choose units.
  public var isClinical: Bool { self == .fhir || self == .fhirLines }

  /// The format of a file name, such as json for `steps.json`; `nil` if its suffix is unknown.
  public init?(suffixOf path: String) {
    guard let known = Self.suffixes[Self.suffix(of: path)]?.first else { return nil }
    self = known
  }

  /// Whether a file name fits the format: its suffix is not that of another one.
  public func isNamed(by path: String) -> Bool {
    Self.suffixes[Self.suffix(of: path)]?.contains(self) ?? true
  }

  /// The formats by suffix; the first one is the default for the suffix.
  private static let suffixes: [String: [ExportFormat]] = [
    "csv": [.csv], "tsv": [.tsv], "json": [.json, .fhir, .geojson],
    "ndjson": [.ndjson, .fhirLines],
    "jsonl": [.ndjson, .fhirLines], "sqlite": [.sqlite], "sqlite3": [.sqlite], "db": [.sqlite],
    "gpx": [.gpx], "tcx": [.tcx], "geojson": [.geojson],
  ]

  /// The suffix of a file name after the last point, in lower case; empty if there is none.
  package static func suffix(of path: String) -> String {
    let name = path.split(separator: "/", omittingEmptySubsequences: false).last ?? ""
    guard let point = name.lastIndex(of: "."), point != name.startIndex else { return "" }
    return name[name.index(after: point)...].lowercased()
  }
}
