/// A reference to a record by what identifies it in every export.
///
/// An export has no identifiers: type, source, times and value distinguish records.
public struct RecordLink: Sendable, Hashable {
  /// The identifier of the type.
  public var type: String
  /// The source.
  public var source: Source
  /// The start instant, in seconds since 2001-01-01 UTC.
  public var start: Double
  /// The end instant.
  public var end: Double
  /// The time, with both ends.
  package var time: ClosedRange<Double> { SampleTime.closed(from: start, to: end) }
  /// The value in the canonical unit of the type; for a category its raw value.
  public var value: Double
  /// The recorded unit of a quantity, or the constant of a category.
  public var label: String

  /// Makes a link.
  public init(
    type: String, source: Source, start: Double, end: Double, value: Double, label: String
  ) {
    self.type = type
    self.source = source
    self.start = start
    self.end = end
    self.value = value
    self.label = label
  }
}
