/// The forms in which health data can leave a store.
public enum ExportFormat: String, Sendable, Hashable, CaseIterable {
  /// Comma-separated text (RFC 4180): one kind in a file, or a folder with a file for each table.
  case csv
  /// One JSON array of objects.
  case json
  /// One JSON object a line.
  case ndjson
  /// A SQLite file of plain tables with views.
  case sqlite
  /// A Bundle of FHIR R5 resources.
  case fhir
  /// One FHIR R5 resource a line.
  case fhirLines = "fhir-ndjson"
  /// GPX 1.1, for routes.
  case gpx
  /// GeoJSON (RFC 7946), for routes.
  case geojson

  /// Whether only routes can be written in this form.
  public var isOfRoutes: Bool { self == .gpx || self == .geojson }

  /// Whether it is one of FHIR, whose codes choose units.
  public var isClinical: Bool { self == .fhir || self == .fhirLines }

  /// The form that a file name says, such as json for `steps.json`; `nil` where it says none that
  /// is known.
  public init?(suffixOf path: String) {
    guard let known = Self.suffixes[Self.suffix(of: path)]?.first else { return nil }
    self = known
  }

  /// Whether the name of a file may hold this form: its suffix says no other.
  public func isNamed(by path: String) -> Bool {
    Self.suffixes[Self.suffix(of: path)]?.contains(self) ?? true
  }

  /// The forms by what names of files end in, the first being what is meant when only the name is
  /// given.
  private static let suffixes: [String: [ExportFormat]] = [
    "csv": [.csv], "json": [.json, .fhir, .geojson], "ndjson": [.ndjson, .fhirLines],
    "jsonl": [.ndjson, .fhirLines], "sqlite": [.sqlite], "sqlite3": [.sqlite], "db": [.sqlite],
    "gpx": [.gpx], "geojson": [.geojson],
  ]

  /// What the name of a file has after its last point, in small letters; empty without one.
  package static func suffix(of path: String) -> String {
    let name = path.split(separator: "/", omittingEmptySubsequences: false).last ?? ""
    guard let point = name.lastIndex(of: "."), point != name.startIndex else { return "" }
    return name[name.index(after: point)...].lowercased()
  }
}
