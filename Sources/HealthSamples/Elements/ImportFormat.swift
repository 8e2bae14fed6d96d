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
