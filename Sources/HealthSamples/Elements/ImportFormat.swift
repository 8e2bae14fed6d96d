/// The program that wrote a file of health data; each format is tracked on its own.
///
/// A sample that a later file of the same format lacks was deleted; a file of another format has no
/// say about it. The store saves the raw value, so it never changes.
public enum ImportFormat: String, Sendable, Hashable, CaseIterable {
  /// Apple's Health app.
  case appleHealth
  /// Health Auto Export, as JSON.
  case healthAutoExport
  /// Simple Health Export, as CSV.
  case simpleHealthExport
  /// A backup of Google's Health Connect.
  case healthConnect
}
