/// Source, dates and metadata of an element or a record.
public struct ElementFacts: Sendable, Hashable {
  /// The source; without a name where the element has none.
  public var source = Source(name: "")
  /// The version and device of the source.
  public var origin = Origin()
  /// When it was created, in seconds since 2001-01-01 UTC, or ``RecordColumns/notRecorded``.
  package var created = RecordColumns.notRecorded
  /// When it was created, in seconds since 2001-01-01 UTC; `nil` when not recorded.
  public var creation: Double? {
    get { created == RecordColumns.notRecorded ? nil : created }
    set { created = newValue ?? RecordColumns.notRecorded }
  }
  /// The start instant, in seconds since 2001-01-01 UTC.
  public var start = 0.0
  /// The end instant as recorded; it may lie before the start.
  public var end = 0.0
  /// The time, with both ends.
  package var time: ClosedRange<Double> { SampleTime.closed(from: start, to: end) }
  /// Metadata entries.
  public var metadata = Metadata()

  /// Facts without a source, at the beginning of 2001.
  public init() {}
}
