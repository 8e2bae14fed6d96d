/// The bleed with which a menstrual cycle begins, and the spotting after it.
struct Bleed {
  let number: Int
  /// The number of its first day within the export.
  let firstDay: Int
  /// The days from its first to its last one.
  let length: Int
  /// The day of the cycle on which there is spotting; none in every third cycle.
  let spotting: Int?

  private static let usualCycle = 28
  private static let earliest = 2
  private static let latest = 7

  /// The bleed of a cycle; cycles have 23 to 33 days.
  init(number: Int, seed: UInt64) {
    var chance = Chance(seed: seed, stream: 0x43, day: number)
    self.number = number
    firstDay = Self.usualCycle * number + chance.whole(in: Self.earliest...Self.latest)
    length = chance.whole(in: number % 2 == 1 ? 5...7 : 3...6)
    let pause = chance.whole(in: 4...9)
    spotting = number % 3 == 2 ? nil : length + pause
  }

  /// The last bleed that began on a day or before, if there is one.
  init?(day: Int, seed: UInt64) {
    let number = (day - Self.earliest).flooredDivision(by: Self.usualCycle).quotient
    let found = [number, number - 1].filter { $0 >= 0 }
      .map { Bleed(number: $0, seed: seed) }.first { $0.firstDay <= day }
    guard let found else { return nil }
    self = found
  }

  /// What a person notes of a day of the cycle.
  enum Note {
    case flow(CategoryLabel, Extra)
    case spotting
  }

  /// What the person notes of a day after the first one, the first being 0.
  func note(ofDay day: Int) -> Note? {
    if day == spotting {
      // Some apps know no spotting, and call it light flow.
      return number % 3 == 0 ? .spotting : .flow(.bleedingLight, .cycleDay)
    }
    guard day < length else { return nil }
    switch day {
    case 0: return .flow(number % 5 == 4 ? .bleedingUnspecified : .bleedingMedium, .cycleStart)
    case 1: return .flow(.bleedingHeavy, .cycleDay)
    case 2: return .flow(.bleedingMedium, .cycleDay)
    // A single day without flow is within the bleed.
    case 3 where number % 2 == 1: return .flow(.bleedingNone, .cycleDay)
    default: return .flow(.bleedingLight, .cycleDay)
    }
  }
}
