import Foundation
import HealthSamples
import HealthUnits

/// What the page shows: a quantity type, or a total of a category type such as sleep.
struct Measure: Sendable, Hashable {
  /// A family shares a colour.
  enum Family: String, Sendable, Hashable, CaseIterable {
    case activity, heart, sleep, body, food, walk
  }

  /// How numbers are written.
  enum Form: String, Sendable, Hashable {
    case number
    /// Whole minutes: `8 h 05`.
    case duration
  }

  /// What a mean is of.
  enum Per: Sendable, Hashable {
    case day
    case night
    /// The mean of a level is of no time.
    case none
  }

  /// Which words compare two amounts.
  enum Comparison: Sendable, Hashable {
    /// Fewer or more.
    case counted
    /// Less or more.
    case mass
    /// Lower or higher.
    case level
    /// Shorter or longer.
    case length
    /// Smaller or larger.
    case size
  }

  /// The Swift name of the type: `stepCount`.
  let id: String
  let family: Family
  /// The place in the family; types without a row come last.
  let order: Int
  /// The unit shown unless another is asked for, in the program's spelling.
  let unit: String
  /// The decimals shown in that unit.
  let digits: Int
  let form: Form
  let per: Per
  let comparison: Comparison
  /// The decimals that a person's small numbers need beyond the usual ones.
  var moreDigits = 0

  /// Whether amounts add up.
  var isSum: Bool { per == .day || form == .duration }

  /// The measure of a type; one without a row is described by the catalogue.
  static func of(_ id: String) -> Measure { Measures.byIdentifier[id] ?? fallback(id) }

  /// The decimals in a unit: those of the unit, and as many more as the measure has in its own, or as
  /// small numbers need.
  func digits(in other: String) -> Int { usualDigits(in: other) + moreDigits }

  private func usualDigits(in other: String) -> Int {
    guard other != unit else { return digits }
    // A height of 168 cm is 1.68 m.
    guard (unit, other) != ("cm", "m") else { return digits + 2 }
    return max(0, Self.usualDigits(of: other) + digits - Self.usualDigits(of: unit))
  }

  /// The decimals that leave a magnitude three significant digits, beyond those of its unit.
  ///
  /// None where the usual ones leave a digit: 0.8 L stays, 0.003 mg is 0.00300 mg. A nutrient that only
  /// the catalogue knows needs two, as 2.4 µg a day are not 2. Events are counted in whole numbers.
  func moreDigits(for magnitude: Double, in unit: String) -> Int {
    let shown = Self.isPercent(unit) ? magnitude * 100 : magnitude
    guard form == .number, shown.isNormal, shown > 0, !(unit == "count" && isSum) else { return 0 }
    let place = Int(log10(shown).rounded(.down))
    let usual = usualDigits(in: unit)
    let least = family == .food && order == .max && unit != "count" ? 2 : 1
    let needed = 2 - place
    return place + 1 + usual < least && needed <= Self.mostDigits ? needed - usual : 0
  }

  /// A number with more decimals is shown as nothing.
  private static let mostDigits = 8

  /// Whether values of a unit are shares of 1 that are shown in percent.
  static func isPercent(_ unit: String) -> Bool { unit == "%" }

  private static func usualDigits(of unit: String) -> Int { decimals[withoutMass(unit)] ?? 1 }

  /// The spelling of a unit without the mass of a mole: `mmol/L`.
  static func withoutMass(_ unit: String) -> String {
    guard let open = unit.firstIndex(of: "<"), let close = unit.firstIndex(of: ">"), open < close
    else { return unit }
    return String(unit[..<open] + unit[unit.index(after: close)...])
  }

  private static let decimals: [String: Int] = [
    "count": 0, "count/min": 0, "kcal": 0, "kJ": 0, "cal": 0, "min": 0, "s": 0, "ms": 0, "m": 0,
    "cm": 0, "mm": 0, "yd": 0, "g": 0, "mg": 0, "mcg": 0, "mmHg": 0, "mg/dL": 0, "mL": 0,
    "L/min": 0,
    "W": 0, "dBASPL": 0, "IU": 0, "hr": 1, "km": 1, "mi": 1, "ft": 1, "in": 1, "kg": 1, "lb": 1,
    "st": 1, "%": 1, "degC": 1, "degF": 1, "mmol/L": 1, "km/hr": 1, "mi/hr": 1, "m/s": 2, "L": 2,
    "kPa": 1, "mcS": 2, "kcal/hr·kg": 1, "mL/min·kg": 1, "appleEffortScore": 0,
  ]

  /// The units of lengths.
  private static let lengths: Set<String> = ["m", "cm", "mm", "km", "yd", "ft", "in", "mi"]

  /// What the catalogue says of a type.
  private static func fallback(_ id: String) -> Measure {
    let type = try? Catalogue.type(named: id)
    let row = type.flatMap { type in
      Catalogue.quantityType(HKQuantityTypeIdentifier(rawValue: type.identifier))
    }
    let unit = type?.everydayUnit()?.shortDescription ?? "count"
    let isSum = row?.style == .cumulative
    let comparison: Comparison =
      isSum
      ? unit == "count" ? .counted : .mass
      : lengths.contains(unit) ? .size : .level
    return Measure(
      id: id, family: family(of: row?.chapter), order: .max, unit: unit,
      digits: usualDigits(of: unit), form: .number, per: isSum ? .day : .none,
      comparison: comparison)
  }

  private static func family(of chapter: Catalogue.Chapter?) -> Family {
    switch chapter {
    case .heart, .respiratory, .vitalSigns: .heart
    case .sleep: .sleep
    case .nutrition: .food
    case .mobility, .hearingHealth: .walk
    case .bodyMeasurements, .reproductiveHealth, .symptoms: .body
    case .fitness, .mindfulness, .other, .deprecated, nil: .activity
    }
  }
}

extension Measure {
  /// The name in a language; the catalogue's words for a type without one.
  func name(in language: ReportLanguage.Base) -> Noun { Self.name(of: id, in: language) }

  /// The name of a type by its Swift name.
  static func name(of id: String, in language: ReportLanguage.Base) -> Noun {
    MeasureNames.byIdentifier[id]?[language] ?? .n(words(of: id))
  }

  /// Abbreviations with which identifiers begin, which Swift names have in small letters.
  private static let abbreviations = ["uv": "UV"]

  /// The words of a Swift name: `Distance rowing`; one without small letters stays: `Vitamin B12`, and
  /// so do abbreviations: `UV exposure`.
  static func words(of id: String) -> String {
    var words: [String] = []
    var isAfterSmall = false
    for character in id.dropFirst(id.hasPrefix("dietary") ? 7 : 0) {
      if words.isEmpty || character.isUppercase && isAfterSmall { words.append("") }
      words[words.count - 1].append(character)
      isAfterSmall = character.isLowercase
    }
    let text = words.map { word in
      let small = word.lowercased()
      return abbreviations[small] ?? (word.contains(where: \.isLowercase) ? small : word)
    }.joined(separator: " ")
    return text.prefix(1).uppercased() + text.dropFirst()
  }
}
