/// Electrocardiograms with their voltages.
public struct Electrocardiograms: Elements {
  /// The kind of all rows.
  public static let kind = ElementKind.electrocardiogram
  /// The elements.
  public var rows: [Row] = []
  /// No electrocardiograms.
  public init() {}

  /// One electrocardiogram.
  public struct Row: Sendable, Hashable {
    /// Source, times and metadata; the end is the start plus the length of the signal.
    public var facts = ElementFacts()
    /// The classification as written, in the language of the phone.
    public var classification = ""
    /// The symptoms as written.
    public var symptoms = ""
    /// The lead as written, such as `Lead I`.
    public var lead = ""
    /// Samples per second.
    public var sampleRate = 0.0
    /// The signal, in microvolts.
    public var voltages: [Double] = []
    /// The file, relative to the export.
    public var path = ""

    /// An empty electrocardiogram.
    public init() {}
  }
}
