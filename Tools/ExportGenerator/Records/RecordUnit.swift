/// The unit that a model speaks, and how the person's preference writes it.
enum RecordUnit {
  case count, fraction, perMinute, minutes, hours, milliseconds
  case kilometres, kilometresPerHour, metres, centimetres, millilitres
  case kilograms, grams, milligrams, micrograms, degrees
  case kilocalories, effort, oxygenUptake, effortScore
  case decibels, millimetresOfMercury, millimolesPerLitre

  /// What a person chose in the Health app.
  enum Preference: String, CaseIterable {
    case metric
    case imperial
    case kilojoules
  }

  /// The text of the unit, escaped for an attribute, and what to do with the model's number.
  func written(
    _ preference: Preference
  ) -> (escapedText: StaticString, factor: Double, summand: Double) {
    switch (self, preference) {
    case (.kilometres, .imperial): ("mi", 1 / 1.609344, 0)
    case (.kilometresPerHour, .imperial): ("mi/hr", 1 / 1.609344, 0)
    case (.metres, .imperial): ("yd", 1 / 0.9144, 0)
    case (.millilitres, .imperial): ("fl_oz_us", 1 / 29.573_529_562_5, 0)
    case (.centimetres, .imperial): ("in", 1 / 2.54, 0)
    case (.kilograms, .imperial): ("lb", 1 / 0.453_592_37, 0)
    case (.degrees, .imperial): ("degF", 1.8, 32)
    case (.millimolesPerLitre, .imperial): ("mg/dL", 18.015_588_000_005_41, 0)
    case (.kilocalories, .imperial): ("Cal", 1, 0)
    case (.kilocalories, .kilojoules): ("kJ", 4.184, 0)
    default: (metricText, 1, 0)
    }
  }

  /// The metric unit without escapes.
  var plainText: String {
    metricText.description.replacing("&lt;", with: "<").replacing("&gt;", with: ">")
  }

  private var metricText: StaticString {
    switch self {
    case .count: "count"
    case .fraction: "%"
    case .perMinute: "count/min"
    case .minutes: "min"
    case .hours: "hr"
    case .milliseconds: "ms"
    case .kilometres: "km"
    case .kilometresPerHour: "km/hr"
    case .metres: "m"
    case .centimetres: "cm"
    case .millilitres: "mL"
    case .kilograms: "kg"
    case .grams: "g"
    case .milligrams: "mg"
    case .micrograms: "mcg"
    case .degrees: "degC"
    case .kilocalories: "kcal"
    case .effort: "kcal/hr·kg"
    case .oxygenUptake: "mL/min·kg"
    case .effortScore: "appleEffortScore"
    case .decibels: "dBASPL"
    case .millimetresOfMercury: "mmHg"
    case .millimolesPerLitre: "mmol&lt;180.1558800000541&gt;/L"
    }
  }
}
