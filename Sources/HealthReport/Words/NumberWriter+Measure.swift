extension NumberWriter {
  /// A number of a measure, without its unit: `8,920`, `66.9`, `8 h 05`.
  ///
  /// `unit` is that of the number, and the measure's own if `nil`.
  func number(_ scaled: Int, of measure: Measure, in unit: String? = nil) -> String {
    switch measure.form {
    case .duration: duration(minutes: scaled)
    case .number: number(scaled, digits: measure.digits(in: unit ?? measure.unit))
    }
  }

  /// A difference of a measure, without its unit: `+330`, `−1.1`, `+48 min`.
  func difference(_ scaled: Int, of measure: Measure, in unit: String? = nil) -> String {
    switch measure.form {
    case .duration: durationDifference(minutes: scaled)
    case .number: difference(scaled, digits: measure.digits(in: unit ?? measure.unit))
    }
  }

  /// A number of a measure with its unit: `8,920 steps`, `97.2%`, `8 h 05`.
  func amount(_ scaled: Int, of measure: Measure, in unit: String? = nil) -> String {
    let number = number(scaled, of: measure, in: unit)
    let unit = unit ?? measure.unit
    if measure.form == .duration { return number }
    if Measure.isPercent(unit) { return TextPattern.filled(patterns.percent, number) }
    return withUnit(number, unitName(scaled, of: measure, in: unit))
  }

  /// The unit beside a number: `steps`, and `step` beside 1; `%` in percent, none for a duration.
  func unitName(_ scaled: Int, of measure: Measure, in unit: String? = nil) -> String {
    guard measure.form == .number else { return "" }
    return UnitNames.name(of: measure, in: unit, language.base)
      .text(scaled, digits: measure.digits(in: unit ?? measure.unit), in: language.base)
  }

  /// The unit beside a mean: `steps a day`, `a night`, `bpm`.
  func unitOfMean(_ scaled: Int, of measure: Measure, in unit: String? = nil) -> String {
    let name = unitName(scaled, of: measure, in: unit)
    let text =
      switch measure.per {
      case .day: TextPattern.filled(patterns.perDay, name)
      case .night: TextPattern.filled(patterns.perNight, name)
      case .none: name
      }
    return text.first == " " ? String(text.dropFirst()) : text
  }

  /// An amount of the sentence: a count without the noun that stands beside it, `12`, or `27 min`.
  func amountInSentence(_ scaled: Int, of measure: Measure, in unit: String? = nil) -> String {
    guard measure.comparison == .counted, (unit ?? measure.unit) == "count" else {
      return amount(scaled, of: measure, in: unit)
    }
    return TextPattern.filled(
      patterns.countInSentence, number(scaled, of: measure, in: unit),
      unitName(scaled, of: measure, in: unit))
  }
}
