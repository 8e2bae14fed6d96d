public import HealthUnits

extension SampleType {
  /// What the type measures, where a mole in its unit is a mole of one known substance.
  public var substance: Substance? {
    guard case .quantity = kind else { return nil }
    return Catalogue.quantityType(HKQuantityTypeIdentifier(rawValue: identifier))?.substance
  }

  /// Parses a unit for values of this type as people write it.
  ///
  /// ```swift
  /// try SampleType(.bodyMass).unit(colloquial: "lbs")            // lb
  /// try SampleType(.bloodGlucose).unit(colloquial: "mmol/L")     // a mole of glucose
  /// ```
  ///
  /// - Throws: `UnitError` for an invalid unit, with reason `incompatible` for a unit of another
  ///   quantity. A suggestion is always a unit of this type.
  public func unit(colloquial text: String) throws(UnitError) -> UnitExpression {
    guard let canonical = canonicalUnit else { return try UnitExpression(colloquial: text) }
    do throws(UnitError) {
      let unit = inMolesOfSubstance(try UnitExpression(colloquial: text))
      guard unit.isCompatible(with: canonical) else {
        _ = try UnitConversion(from: canonical, to: unit)
        return unit
      }
      return unit
    } catch {
      var error = error
      if let name = error.suggestion, let unit = try? UnitExpression(name),
        !inMolesOfSubstance(unit).isCompatible(with: canonical)
      {
        error.suggestion = nil
      }
      throw error
    }
  }

  /// The unit as records have it, whose text holds sixteen digits of the molar mass: a value in it is
  /// the recorded one.
  private func inMolesOfSubstance(_ unit: UnitExpression) -> UnitExpression {
    guard let whole = substance.map(unit.withMoles), whole != unit else { return unit }
    return (try? UnitExpression(whole.description)) ?? whole
  }

  /// Units that people may name for the type, the everyday one first.
  public var everydayUnits: [String] {
    guard let canonical = canonicalUnit, let everyday = everydayUnit() else { return [] }
    let others = Self.everyday.filter { name in
      (try? UnitExpression(name)).map { inMolesOfSubstance($0).isCompatible(with: canonical) }
        ?? false
    }
    var known: Set<String> = []
    return ([everyday.shortDescription, canonical.shortDescription] + others)
      .filter { known.insert($0).inserted }
  }

  private static let everyday = [
    "count", "%", "kg", "g", "mg", "mcg", "lb", "oz", "st", "km", "m", "cm", "mm", "mi", "ft", "in",
    "yd", "kcal", "kJ", "cal", "W", "kW", "L", "mL", "fl_oz_us", "cup_us", "degC", "degF", "K",
    "mmHg", "kPa", "hPa", "cmAq", "count/min", "count/s", "Hz", "m/s", "km/hr", "mi/hr", "hr",
    "min",
    "s", "ms", "d", "mg/dL", "mmol/L", "g/L", "L/min", "mL/min", "mL/min·kg", "kcal/hr·kg",
    "dBASPL",
    "dBHL", "IU", "mcS", "S", "mV", "mcV", "V", "D", "deg", "rad", "lx", "appleEffortScore",
  ]
}
