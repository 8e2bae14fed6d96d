/// A unit of the table with its prefix and power: one factor of a product.
package struct UnitTerm: Sendable {
  package let unit: UInt16
  package let prefix: UInt8
  package var power: Int8

  /// What tells two terms of one unit apart: the printed molar mass, or a whole number.
  package let parameter: UInt64

  /// Grams per mole as given; equality looks only at `parameter`, which is what prints.
  package let molarMass: Double

  package init(
    _ unit: PrefixedUnit, power: Int8 = 1, parameter: UInt64 = 0, molarMass: Double = 0
  ) {
    self.unit = unit.unit
    prefix = unit.prefix
    self.power = power
    self.parameter = parameter
    self.molarMass = molarMass
  }

  /// Whether two terms are one unit, so that their powers add up.
  func hasSameUnit(as other: UnitTerm) -> Bool {
    unit == other.unit && prefix == other.prefix && parameter == other.parameter
  }

  /// The order of printing: the order of the table, then small to large.
  func precedes(_ other: UnitTerm) -> Bool {
    (unit, prefix, parameter) < (other.unit, other.prefix, other.parameter)
  }
}

extension UnitTerm {
  /// What prints of a molar mass, as a number: two masses are one unit when it is the same.
  static func parameter(ofMolarMass mass: Double) -> UInt64 {
    (Double(mass.withSixteenDigits) ?? mass).bitPattern
  }
}

extension UnitTerm: Hashable {
  package static func == (left: UnitTerm, right: UnitTerm) -> Bool {
    left.hasSameUnit(as: right) && left.power == right.power
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(UInt64(unit) << 32 | UInt64(prefix) << 8 | UInt64(UInt8(bitPattern: power)))
    hasher.combine(parameter)
  }
}

/// A product of terms in its one canonical order, with the bounds that keep every factor exact.
package struct UnitTermList: Sendable {
  package private(set) var terms: [UnitTerm] = []

  /// The most bits that the numerator and denominator of a unit may need together.
  static let maximumBitWidth = 8192

  package init() {}

  /// Terms that are in canonical order already.
  init(_ terms: [UnitTerm]) { self.terms = terms }

  /// Multiplies by a term raised to a power; nil when all is well, else what went out of range.
  mutating func multiply(by term: UnitTerm, power: Int = 1) -> UnitError.Reason? {
    guard abs(power) <= 127 else { return .exponentOutOfRange }
    let added = Int(term.power) * power
    let place = terms.firstIndex { !$0.precedes(term) } ?? terms.count
    if place < terms.count, terms[place].hasSameUnit(as: term) {
      let sum = Int(terms[place].power) + added
      guard abs(sum) <= 127 else { return .exponentOutOfRange }
      if sum == 0 { terms.remove(at: place) } else { terms[place].power = Int8(sum) }
    } else if added != 0 {
      guard abs(added) <= 127 else { return .exponentOutOfRange }
      var copy = term
      copy.power = Int8(added)
      terms.insert(copy, at: place)
    }
    return nil
  }

  mutating func multiply(by list: UnitTermList, power: Int = 1) -> UnitError.Reason? {
    for term in list.terms {
      if let reason = multiply(by: term, power: power) { return reason }
    }
    return nil
  }

  /// The dimension, or nil when a power or the exact factor leaves its range.
  func dimension(in table: UnitTable) -> UnitDimension? {
    var powers = SIMD16<Int32>.zero
    var bits = 0
    for term in terms {
      let definition = table.definitions[Int(term.unit)]
      powers &+=
        SIMD16<Int32>(truncatingIfNeeded: definition.dimension.powers)
        &* SIMD16<Int32>(repeating: Int32(term.power))
      var width = definition.factor.bitWidth
      let prefix = UnitPrefix.all[Int(term.prefix)]
      width += abs(prefix.exponentOfTen) * 4 + prefix.exponentOfTwo
      switch definition.scale {
      case .molarMass: width += abs(Int(term.molarMass.exponent)) + 53
      case .number: width += 64
      case .linear, .shifted: break
      }
      bits += width * abs(Int(term.power))
    }
    let limit = SIMD16<Int32>(repeating: 8000)
    guard bits <= Self.maximumBitWidth, all(powers .<= limit), all(powers .>= .zero &- limit)
    else { return nil }
    return UnitDimension(powers: SIMD16<Int16>(truncatingIfNeeded: powers))
  }
}
