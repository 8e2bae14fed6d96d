/// Records of one type and one source as an export wrote them, on their way into a store or out.
///
/// Here a value stands in the unit it was recorded in, beside the text of that unit; inside
/// ``SampleColumns`` it stands in the canonical unit. Rows may be in any order. What repeats
/// (unit, origin, metadata) stands once in a table of the batch, and rows hold its index.
public struct RecordColumns: Sendable {
  /// The type of every record.
  public let type: SampleType
  /// The source of every record.
  public let source: Source

  /// Start instants, in seconds since 2001-01-01 UTC.
  public var starts: [Double] = []
  /// End instants as recorded; one before its start is kept as it is.
  public var ends: [Double] = []
  /// When the record was made, or ``notRecorded``.
  public var created: [Double] = []
  /// Finite values in the recorded unit; for a category type the raw value of the constant.
  public var values: [Double] = []
  /// Index into ``labelTable``.
  public var labels: [UInt16] = []
  /// Index into ``originTable``.
  public var origins: [UInt32] = []
  /// Index into ``metadataTable``; the entry at 0 is empty.
  public var metadata: [UInt32] = []
  /// How many equal copies of the record one export held; 0 for a record inside another element,
  /// which repeats one that stands by itself if there is such a one.
  public var copies: [UInt32] = []

  /// What stood beside the number: the unit text of a quantity, the constant's name of a category.
  public var labelTable: [String] = []
  /// Versions and devices.
  public var originTable: [Origin] = []
  /// Metadata entries; the first is empty.
  public var metadataTable: [Metadata] = [Metadata()]

  /// The creation date of a record that has none.
  public static let notRecorded = -Double.infinity

  /// The number of records. - Complexity: O(1)
  public var count: Int { starts.count }

  /// Makes an empty batch.
  public init(type: SampleType, source: Source) {
    self.type = type
    self.source = source
  }
}

/// The metadata entries of one record, in the order in which they were written; keys may repeat.
public struct Metadata: Sendable, Hashable {
  /// Keys and values, as written.
  public var entries: [Entry]

  /// One `MetadataEntry`.
  public struct Entry: Sendable, Hashable {
    /// The key, as written.
    public let key: String
    /// The value, as written.
    public let value: String

    /// Makes an entry.
    public init(key: String, value: String) {
      self.key = key
      self.value = value
    }
  }

  /// Makes metadata from entries.
  public init(_ entries: [Entry] = []) { self.entries = entries }
  /// Whether there is no entry.
  public var isEmpty: Bool { entries.isEmpty }
}
