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

extension Electrocardiograms {
  /// What a watch finds in a signal; the raw values are those of `HKElectrocardiogram.Classification`.
  package enum Finding: Int, Sendable, CaseIterable {
    /// A regular rhythm.
    case sinusRhythm = 1
    /// Atrial fibrillation.
    case atrialFibrillation
    /// The heart beats too slowly for a result.
    case lowHeartRate
    /// The heart beats too fast for a result.
    case highHeartRate
    /// The signal is too bad for a result.
    case poorRecording
    /// There is no result for another reason.
    case inconclusive

    /// The words of exports, the first of a finding in the English that this program writes.
    private static let rows: [(words: String, finding: Self)] = [
      ("Sinus Rhythm", .sinusRhythm), ("Sinusrhythmus", .sinusRhythm),
      ("Rythme sinusal", .sinusRhythm), ("Ritmo sinusal", .sinusRhythm), ("洞調律", .sinusRhythm),
      ("Atrial Fibrillation", .atrialFibrillation), ("Vorhofflimmern", .atrialFibrillation),
      ("Fibrillation auriculaire", .atrialFibrillation),
      ("Fibrilación auricular", .atrialFibrillation), ("心房細動", .atrialFibrillation),
      ("Heart Rate Under 50", .lowHeartRate), ("Herzfrequenz unter 50", .lowHeartRate),
      ("Heart Rate Over 120", .highHeartRate), ("Heart Rate Over 150", .highHeartRate),
      ("Herzfrequenz über 120", .highHeartRate), ("Herzfrequenz über 150", .highHeartRate),
      ("Poor Recording", .poorRecording), ("Schlechte Aufzeichnung", .poorRecording),
      ("Inconclusive", .inconclusive), ("Uneindeutig", .inconclusive),
    ]

    /// The finding of the words of an export; `nil` for words that are not known.
    package init?(words: String) {
      guard let row = Self.rows.first(where: { $0.words == words }) else { return nil }
      self = row.finding
    }

    /// The words of an export in English.
    package var words: String { Self.rows.first { $0.finding == self }?.words ?? "" }
  }
}
