/// Records that belong together: the two of a blood pressure, the nutrients of a meal.
public struct Correlations: Elements {
  /// The kind of all rows.
  public static let kind = ElementKind.correlation
  /// The elements.
  public var rows: [Row] = []
  /// No correlations.
  public init() {}

  /// One correlation.
  public struct Row: Sendable, Hashable {
    /// Source, times and metadata.
    public var facts = ElementFacts()
    /// The identifier, such as `HKCorrelationTypeIdentifierBloodPressure`.
    public var type = ""
    /// The records, in the order of the file.
    ///
    /// Each is also a sample of its own type.
    public var members: [RecordLink] = []

    /// A correlation without members.
    public init() {}
  }
}
