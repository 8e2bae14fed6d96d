/// Which program wrote a file of health data; each is a truth of its own.
///
/// What a later file of the same format lacks was deleted there; a file of another format says
/// nothing about it. The store keeps the raw value, so it never changes.
public enum ImportFormat: String, Sendable, Hashable, CaseIterable {
  /// The Health app of Apple.
  case appleHealth
  /// Health Auto Export, as JSON.
  case healthAutoExport
  /// Simple Health Export, as CSV.
  case simpleHealthExport
  /// A backup of Google's Health Connect.
  case healthConnect
}

extension ImportFormat {
  /// The name of the program that writes the format.
  package var programName: String {
    switch self {
    case .appleHealth: "Apple Health"
    case .healthAutoExport: "Health Auto Export"
    case .simpleHealthExport: "Simple Health Export"
    case .healthConnect: "Health Connect"
    }
  }

  /// What its files hold, after "3 MB of".
  package var contentName: String {
    switch self {
    case .appleHealth: "XML"
    case .healthAutoExport: "JSON"
    case .simpleHealthExport: "CSV"
    case .healthConnect: "a Health Connect backup"
    }
  }
}
