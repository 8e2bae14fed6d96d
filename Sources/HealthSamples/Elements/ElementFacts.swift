/// Who wrote an element, when, and about which time; what a record says of itself too.
public struct ElementFacts: Sendable, Hashable {
  /// Who wrote it; without a name where the element has no source.
  public var source = Source(name: "")
  /// The version and device of the source.
  public var origin = Origin()
  /// When it was made, in seconds since 2001-01-01 UTC, or ``RecordColumns/notRecorded``.
  package var created = RecordColumns.notRecorded
  /// When it was made, in seconds since 2001-01-01 UTC; `nil` when not recorded.
  public var creation: Double? {
    get { created == RecordColumns.notRecorded ? nil : created }
    set { created = newValue ?? RecordColumns.notRecorded }
  }
  /// The start instant, in seconds since 2001-01-01 UTC.
  public var start = 0.0
  /// The end instant as recorded; one before its start is kept as it is.
  public var end = 0.0
  /// Metadata entries.
  public var metadata = Metadata()

  /// Facts of nobody at the beginning of 2001.
  public init() {}
}
