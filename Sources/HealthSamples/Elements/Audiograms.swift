/// Hearing tests.
public struct Audiograms: Elements {
  /// The kind of all rows.
  public static let kind = ElementKind.audiogram
  /// The elements.
  public var rows: [Row] = []
  /// No hearing tests.
  public init() {}

  /// One hearing test.
  public struct Row: Sendable, Hashable {
    /// Source, times and metadata.
    public var facts = ElementFacts()
    /// The identifier as written, such as `HKDataTypeIdentifierAudiogram`.
    public var type = ""
    /// The points, in the order of the file.
    public var points: [Point] = []

    /// A hearing test without points.
    public init() {}
  }

  /// The hearing threshold at one frequency.
  public struct Point: Sendable, Hashable {
    /// The frequency of the tone, in Hz.
    public var frequency = 0.0
    /// The left ear.
    public var left = Ear()
    /// The right ear.
    public var right = Ear()

    /// A point without values.
    public init() {}
  }

  /// One ear at one frequency.
  ///
  /// Values that are not recorded are `nil`.
  public struct Ear: Sendable, Hashable {
    /// The hearing level, in dBHL.
    public var sensitivity: Double?
    /// Whether the other ear was masked with noise.
    public var isMasked: Bool?
    /// The lowest level that the test can measure, in dBHL.
    public var clampingLowerBound: Double?
    /// The highest level that the test can measure, in dBHL.
    public var clampingUpperBound: Double?

    /// An ear without values.
    public init() {}
  }
}
