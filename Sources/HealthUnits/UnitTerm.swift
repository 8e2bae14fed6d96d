/// A unit of the table with its prefix and power: one factor of a product.
package struct UnitTerm: Sendable {
  package let unit: UInt16
  package let prefix: UInt8
  package var power: Int8

  /// What tells two terms of one unit apart: the printed molar mass, a whole number, or the mark
  /// of a note.
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

  func withPower(_ power: Int8) -> UnitTerm {
    var copy = self
    copy.power = power
    return copy
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

  /// The texts of the notes, by their marks.
  private(set) var notes: [UInt64: String] = [:]

  /// The most bits that the numerator and denominator of a unit may need together.
  static let maximumBitWidth = 8192

  package init() {}

  /// Terms that are in canonical order already.
  init(_ terms: [UnitTerm], notes: [UInt64: String] = [:]) {
    self.terms = terms
    self.notes = notes
  }

  /// A unit with a note, whose text the list keeps.
  mutating func term(_ unit: PrefixedUnit, note: String) -> UnitTerm {
    // FNV-1a: the mark must be the same in every run, because it orders terms.
    let mark = note.utf8.reduce(0xCBF2_9CE4_8422_2325 as UInt64) {
      ($0 ^ UInt64($1)) &* 0x0100_0000_01B3
    }
    notes[mark] = note
    return UnitTerm(unit, parameter: mark)
  }

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
    if !list.notes.isEmpty { notes.merge(list.notes) { note, _ in note } }
    for term in list.terms {
      if let reason = multiply(by: term, power: power) { return reason }
    }
    return nil
  }

  /// The unit of the product, or what is wrong with it.
  func unit() -> Result<UnitExpression, UnitError> {
    var dimension = UnitDimension.one
    var reach = 0
    var bits = 0
    let facts = UnitTable.standard.facts
    for term in terms {
      let unit = facts[Int(term.unit)]
      let count = abs(Int(term.power))
      if unit.isLevel, terms.count > 1 || term.power != 1 {
        return .failure(UnitError(.notInCompound, at: 0, expected: .unit))
      }
      // Every power of a unit of the table is below 16, so these sums stay far from the edge.
      reach += count * 16
      bits += count * (unit.bitWidth + UnitPrefix.bitWidths[Int(term.prefix)])
      if unit.isMolarMass { bits += count * (abs(Int(term.molarMass.exponent)) + 53) }
      guard reach <= Int(Int16.max), bits <= Self.maximumBitWidth else {
        return .failure(UnitError(.factorOutOfRange, at: 0, expected: .unit))
      }
      dimension = dimension.multiplied(by: unit.dimension, power: Int16(term.power))
    }
    return .success(UnitExpression(self, dimension: dimension))
  }
}
