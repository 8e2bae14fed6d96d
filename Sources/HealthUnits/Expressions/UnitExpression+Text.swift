import _HealthNumerics

extension UnitExpression: CustomStringConvertible {
  /// The spelling of HealthKit: `mL/min·kg`, `1/s`, and `()` for the null unit.
  public var description: String { text(in: .healthKit) }

  /// The spelling in a dialect; parsing it gives the same unit.
  ///
  /// A unit that HealthKit cannot express is spelled in UCUM. HealthKit's `%` and UCUM's `%` are
  /// spelled alike and differ by a factor of 100: `UnitMapping` has the conversion of values.
  public func text(in dialect: UnitDialect) -> String {
    guard let mapping = try? UnitMapping(of: self, to: dialect),
      dialect == .ucum || mapping.conversion.exactFactor == percentFactor
    else { return list.ucumText }
    return dialect == .ucum ? mapping.unit.list.ucumText : mapping.unit.list.healthKitText()
  }

  /// The factor on values between UCUM's and HealthKit's per cent sign.
  private var percentFactor: ExactRatio {
    let power = terms.first { $0.unit == UnitIndices.ucumPercent }?.power ?? 0
    return ExactRatio(1, over: 100).raised(to: Int(power))
  }

  /// HealthKit's spelling with every digit of molar masses, so that parsing it gives the same sizes.
  package var archivedText: String {
    let mapped = (try? UnitMapping(of: self, to: .healthKit))?.unit ?? self
    return mapped.list.healthKitText { mass, printed in
      let digits = "\(mass)"
      return HealthKitParser.molarMass(digits[...]) == mass ? digits : printed
    }
  }

  /// The exact size in gram, metre, second, kelvin, ampere, candela and radian: `523/450`,
  /// with `·pi` where a degree of arc takes part.
  public var exactFactorText: String {
    let (rational, exponentOfPi) = UnitTable.standard.factor(of: terms)
    switch exponentOfPi {
    case 0: return rational.description
    case 1: return "\(rational)·pi"
    default: return "\(rational)·pi^\(exponentOfPi)"
    }
  }
}

extension UnitTermList {
  /// `mL/min·kg`: at most one `/`, no parentheses.
  ///
  /// `mass` gives the digits of a molar mass, from its number and the sixteen that HealthKit prints.
  fileprivate func healthKitText(
    mass: (Double, String) -> String = { $1 }
  ) -> String {
    if terms.isEmpty { return "()" }
    let above = terms.filter { $0.power > 0 }.map { $0.healthKitText(mass: mass) }
    let below = terms.filter { $0.power < 0 }.map { $0.healthKitText(mass: mass) }
    let numerator = above.isEmpty ? "1" : above.joined(separator: "·")
    return below.isEmpty ? numerator : numerator + "/" + below.joined(separator: "·")
  }

  /// `mL/(min.kg)`: parentheses around two or more denominators, and `/s` without numerator.
  fileprivate var ucumText: String {
    if terms.isEmpty { return "1" }
    let above = terms.filter { $0.power > 0 }.map(ucumText)
    let below = terms.filter { $0.power < 0 }.map(ucumText)
    let numerator = above.joined(separator: ".")
    switch below.count {
    case 0: return numerator
    case 1 where !below[0].contains("."): return numerator + "/" + below[0]
    default: return numerator + "/(" + below.joined(separator: ".") + ")"
    }
  }

  private func ucumText(of term: UnitTerm) -> String {
    let definition = UnitTable.standard.definitions[Int(term.unit)]
    let count = abs(Int(term.power))
    let note = notes[term.parameter].map { "{" + $0 + "}" } ?? ""
    switch definition.scale {
    // A number and a note have no exponent: they are repeated.
    case .number:
      return Array(repeating: String(term.parameter), count: count).joined(separator: ".")
    case .annotation: return Array(repeating: note, count: count).joined(separator: ".")
    case .molarMass:
      let mass = Double(bitPattern: term.parameter).withSixteenDigits
      return (UnitPrefix.all[Int(term.prefix)].ucum ?? "") + "mol"
        + (count == 1 ? "" : String(count)) + "{M=\(mass)}"
    case .linear, .shifted, .level: break
    }
    let name = (UnitPrefix.all[Int(term.prefix)].ucum ?? "") + (definition.ucum ?? "")
    return name + (count == 1 ? "" : String(count)) + note
  }
}

extension UnitTerm {
  /// Prefix, name, molar mass and the power without its sign.
  fileprivate func healthKitText(mass: (Double, String) -> String) -> String {
    let definition = UnitTable.standard.definitions[Int(unit)]
    var text = (UnitPrefix.all[Int(prefix)].healthKit ?? "") + (definition.healthKit ?? "")
    if definition.scale == .molarMass {
      text += "<" + mass(molarMass, Double(bitPattern: parameter).withSixteenDigits) + ">"
    }
    let count = abs(Int(power))
    return count == 1 ? text : "\(text)^\(count)"
  }
}

extension Double {
  /// A positive number with 16 significant digits, as C's `%.16g` writes it.
  package var withSixteenDigits: String {
    let exact = ExactRatio(exactly: self)
    var exponent = Int((Double(exact.numerator.bitWidth - exact.denominator.bitWidth) * 0.30103))
    // The estimate is off by at most one: adjust until there are exactly sixteen digits.
    var digits = exact.roundedDigits(scale: 15 - exponent)
    while digits.utf8.count != 16 {
      exponent += digits.utf8.count > 16 ? 1 : -1
      digits = exact.roundedDigits(scale: 15 - exponent)
    }
    let significant = Self.withoutTrailingZeros(digits)
    if exponent < -4 || exponent >= 16 {
      let rest = significant.dropFirst()
      let sign = exponent < 0 ? "-" : "+"
      let power = String(abs(exponent))
      return String(significant.prefix(1)) + (rest.isEmpty ? "" : ".") + rest + "e" + sign
        + (power.utf8.count < 2 ? "0" : "") + power
    }
    if exponent < 0 { return "0." + String(repeating: "0", count: -exponent - 1) + significant }
    if significant.utf8.count <= exponent + 1 {
      return significant + String(repeating: "0", count: exponent + 1 - significant.utf8.count)
    }
    return significant.prefix(exponent + 1) + "." + significant.dropFirst(exponent + 1)
  }

  private static func withoutTrailingZeros(_ digits: String) -> String {
    var digits = digits
    while digits.utf8.count > 1, digits.last == "0" { digits.removeLast() }
    return digits
  }
}

extension ExactRatio {
  /// The digits of the ratio times 10^scale, rounded to a whole number, half to even.
  fileprivate func roundedDigits(scale: Int) -> String {
    let scaled = self * .powerOfTen(scale)
    let (quotient, remainder) = scaled.numerator.quotientAndRemainder(
      dividingBy: scaled.denominator)
    let twice = remainder << 1
    let isUp =
      scaled.denominator < twice
      || (twice == scaled.denominator && quotient.lowestWord & 1 == 1)
    return (isUp ? quotient + Natural(1) : quotient).description
  }
}
