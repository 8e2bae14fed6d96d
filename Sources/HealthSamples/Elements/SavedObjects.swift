/// Objects that an app saved and that Apple's export lacks, such as states of mind and
/// questionnaires.
public struct SavedObjects: Elements {
  /// The kind of all rows.
  public static let kind = ElementKind.savedObject
  /// The elements.
  public var rows: [Row] = []
  /// No objects.
  public init() {}

  /// One object.
  public struct Row: Sendable, Hashable {
    /// Source, times and metadata.
    public var facts = ElementFacts()
    /// The identifier of its type, such as `HKDataTypeStateOfMind`.
    public var type = ""
    /// Its properties, by name.
    public var properties = Metadata()
    /// A document; empty without one.
    public var document: [UInt8] = []
    /// Measurements as columns of one length, such as the instants of heartbeats.
    public var columns: [[Double]] = []

    /// An empty object.
    public init() {}
  }
}
