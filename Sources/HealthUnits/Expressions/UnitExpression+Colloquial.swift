extension UnitExpression {
  /// Reads a unit as people write it: HealthKit's string, or `lbs`, `bpm`, `°C`, `µg`, `km/h`,
  /// `miles per hour`, `hours`, or UCUM's code.
  ///
  /// It accepts only unambiguous texts. A misprinted or incomplete text is an error whose
  /// suggestion says what may have been meant.
  ///
  /// - Throws: `UnitError`, as for a HealthKit string.
  public init(colloquial text: String) throws(UnitError) {
    do throws(UnitError) {
      try self.init(text)
    } catch {
      if error.reason == .tooLong { throw error }
      let reading = UnitSuggestion(dialect: .healthKit, isReading: true)
      guard let name = reading.suggestion(for: text), let unit = try? UnitExpression(name) else {
        throw error
      }
      self = unit
    }
  }

  /// The same unit with every mole without a molar mass as a mole of a substance.
  public func withMoles(of substance: Substance) -> UnitExpression {
    let molarMass = substance.molarMass
    let terms = terms.map { term in
      guard term.unit == UnitIndices.mole else { return term }
      return UnitTerm(
        PrefixedUnit(prefix: term.prefix, unit: UnitIndices.moleOfMass), power: term.power,
        parameter: UnitTerm.parameter(ofMolarMass: molarMass), molarMass: molarMass)
    }
    let list = UnitTermList(terms.sorted { $0.precedes($1) }, notes: list.notes)
    return (try? list.unit()) ?? self
  }

  /// HealthKit's string without molar masses.
  ///
  /// For display where the substance is known: `mmol/L` instead of `mmol<180.1558800000541>/L`.
  /// Parsing it gives a different unit.
  public var shortDescription: String {
    var text = description
    while let open = text.firstIndex(of: "<"),
      let close = text[open...].firstIndex(of: ">")
    {
      text.removeSubrange(open...close)
    }
    return text
  }
}
