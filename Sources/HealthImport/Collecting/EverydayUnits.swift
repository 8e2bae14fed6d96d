import HealthSamples
import HealthUnits

/// The units in the files of other programs, which write them as people do: `lbs`, `bpm`, `°C`.
///
/// What `hkstats add` and `--unit` understand is understood here. Each text is read once.
struct EverydayUnits {
  /// A unit in HealthKit's text, or as written where it is none.
  struct Unit {
    let text: String
    /// The unit in which people say its numbers.
    let spoken: DisplayUnit

    init(text: String = "") {
      self.text = text
      spoken = DisplayUnit((try? UnitExpression(text)) ?? .null)
    }
  }

  /// Words that a person is understood by, who sees the result, but not a file: of a thousand times
  /// the size in one half of the tables.
  private static let ambiguousWords: Set = ["calorie", "calories"]
  private static let mostUnits = 1 << 12
  private var known: [String: Unit] = [:]

  /// The unit that is written.
  mutating func unit(_ written: String) -> Unit {
    if let unit = known[written] { return unit }
    guard written.utf8.count <= RecordTypes.longestName, known.count < Self.mostUnits else {
      return Unit(text: written)
    }
    var unit = Unit(text: written)
    if (try? UnitExpression(written)) == nil,
      !Self.ambiguousWords.contains(written.lowercased()),
      let read = try? UnitExpression(colloquial: written)
    {
      unit = Unit(text: read.text(in: .healthKit))
    }
    known[written] = unit
    return unit
  }
}
