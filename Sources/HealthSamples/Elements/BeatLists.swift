/// The heart beats from which heart rate variabilities were computed.
public struct BeatLists: Elements {
  /// The kind of all rows.
  public static let kind = ElementKind.beatList
  /// The elements.
  public var rows: [Row] = []
  /// No lists of beats.
  public init() {}

  /// The beats of one record.
  ///
  /// Both columns have the same length.
  public struct Row: Sendable, Hashable {
    /// The record of the beats.
    public var record: RecordLink
    /// The instant of each beat, in seconds after the start of the record; the first may be
    /// negative.
    ///
    /// The export writes a time of day without a zone, so whole hours are taken from the record.
    public var offsets: [Double] = []
    /// The momentary rate of each beat, in beats per minute.
    public var rates: [Double] = []

    /// Beats of a record.
    public init(record: RecordLink) { self.record = record }
  }
}
