/// How a unit is written after a number.
struct UnitName: Sendable, Hashable {
  /// After one of it.
  let one: String
  /// After any other number.
  let other: String

  /// The form after a shown number.
  ///
  /// French counts less than two as one; the others only 1 without decimals; Japanese never.
  func text(_ scaled: Int, digits: Int, in language: ReportLanguage.Base) -> String {
    switch language {
    case .french:
      var two: UInt = 2
      for _ in 0..<digits { two *= 10 }
      return scaled.magnitude < two ? one : other
    case .japanese: return other
    case .english, .german, .spanish: return digits == 0 && scaled.magnitude == 1 ? one : other
    }
  }
}

/// The written units of measures, by language.
enum UnitNames {
  /// The unit of a measure in a language: `steps`, `bpm`, `kcal`, `breaths/min`; empty if none is
  /// written.
  ///
  /// `unit` is in the program's spelling, and that of the measure if `nil`.
  static func name(
    of measure: Measure, in unit: String? = nil, _ language: ReportLanguage.Base
  ) -> UnitName {
    name(of: measure.id, in: unit ?? measure.unit, language)
  }

  /// The same for a type by its Swift name.
  static func name(of id: String, in unit: String, _ language: ReportLanguage.Base) -> UnitName {
    let unit = Measure.withoutMass(unit)
    if unit == "count" || unit == "count/min" {
      if let nouns = nouns[id] { return nouns[language] }
      return unit == "count" ? UnitName(one: "", other: "") : perMinute[language]
    }
    if let symbol = symbols[unit] { return symbol[language] }
    return UnitName(one: unit, other: unit)
  }

  /// A name in five languages.
  struct Row: Sendable {
    let names: [UnitName]

    subscript(language: ReportLanguage.Base) -> UnitName {
      switch language {
      case .english: names[0]
      case .german: names[1]
      case .french: names[2]
      case .spanish: names[3]
      case .japanese: names[4]
      }
    }

    /// Singular and plural are divided by `|` where they differ.
    init(_ en: String, _ de: String, _ fr: String, _ es: String, _ ja: String) {
      names = [en, de, fr, es, ja].map { text in
        let forms = text.split(separator: "|").map(String.init)
        return UnitName(one: forms.first ?? "", other: forms.last ?? "")
      }
    }

    /// A symbol that all languages share.
    init(_ symbol: String) { self.init(symbol, symbol, symbol, symbol, symbol) }
  }

  /// Beats, where a measure has no noun of its own.
  private static let perMinute = Row("/min", "/min", "/min", "/min", "/分")

  private static let beats = Row("bpm", "bpm", "bpm", "lpm", "拍/分")

  // swift-format-ignore
  private static let nouns: [String: Row] = [
    "stepCount": Row("step|steps", "Schritt|Schritte", "pas", "paso|pasos", "歩"),
    "flightsClimbed": Row("flight|flights", "Stockwerk|Stockwerke", "étage|étages", "piso|pisos", "階"),
    "swimmingStrokeCount": Row("stroke|strokes", "Zug|Züge", "mouvement|mouvements", "brazada|brazadas", "ストローク"),
    "pushCount": Row("push|pushes", "Schub|Schübe", "poussée|poussées", "impulso|impulsos", "回"),
    "inhalerUsage": Row("puff|puffs", "Hub|Hübe", "bouffée|bouffées", "inhalación|inhalaciones", "回"),
    "numberOfAlcoholicBeverages": Row("drink|drinks", "Getränk|Getränke", "verre|verres", "bebida|bebidas", "杯"),
    "numberOfTimesFallen": Row("fall|falls", "Sturz|Stürze", "chute|chutes", "caída|caídas", "回"),
    "heartRate": beats,
    "restingHeartRate": beats,
    "walkingHeartRateAverage": beats,
    "heartRateRecoveryOneMinute": beats,
    "respiratoryRate": Row("breaths/min", "Atemzüge/min", "resp./min", "resp./min", "回/分"),
    "cyclingCadence": Row("rpm", "U/min", "tr/min", "rpm", "rpm"),
  ]

  // swift-format-ignore
  private static let symbols: [String: Row] = [
    "min": Row("min", "min", "min", "min", "分"),
    "hr": Row("h", "h", "h", "h", "時間"),
    "s": Row("s", "s", "s", "s", "秒"),
    "d": Row("day|days", "Tag|Tage", "jour|jours", "día|días", "日"),
    "degC": Row("°C"),
    "degF": Row("°F"),
    "km/hr": Row("km/h"),
    "mi/hr": Row("mph"),
    "mL/min·kg": Row("mL/kg·min"),
    "kcal/hr·kg": Row("kcal/h·kg"),
    "dBASPL": Row("dB"),
    "dBHL": Row("dB HL"),
    "mcg": Row("µg"),
    "mcS": Row("µS"),
    "mcV": Row("µV"),
    "IU": Row("IU", "IE", "UI", "UI", "IU"),
    "fl_oz_us": Row("fl oz"),
    "cup_us": Row("cup|cups", "Tasse|Tassen", "tasse|tasses", "taza|tazas", "カップ"),
    "lb": Row("lb"),
    "appleEffortScore": Row(""),
  ]
}
