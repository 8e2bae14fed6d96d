/// Hearing tests.
public struct Audiograms: Elements {
  public static let kind = ElementKind.audiogram
  public var rows: [Row] = []
  public init() {}

  /// One hearing test.
  public struct Row: Sendable, Hashable {
    /// Source, times and metadata.
    public var facts = ElementFacts()
    /// The identifier as written, such as `HKDataTypeIdentifierAudiogram`.
    public var type = ""
    /// The points, in the order of the file.
    public var points: [Point] = []

    public init() {}
  }

  /// How loud a tone had to be to be heard.
  public struct Point: Sendable, Hashable {
    /// The tone, in Hz.
    public var frequency = 0.0
    public var left = Ear()
    public var right = Ear()

    public init() {}
  }

  /// One ear at one tone.
  ///
  /// What is not recorded is `nil`.
  public struct Ear: Sendable, Hashable {
    /// The hearing level, in dBHL.
    public var sensitivity: Double?
    /// Whether the other ear was kept busy with noise.
    public var isMasked: Bool?
    /// The least level that the test could tell, in dBHL.
    public var clampingLowerBound: Double?
    /// The highest level that the test could tell, in dBHL.
    public var clampingUpperBound: Double?

    public init() {}
  }
}
