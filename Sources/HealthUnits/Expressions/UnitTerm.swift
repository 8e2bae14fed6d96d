/// A unit of the table with its prefix and power: one factor of a product.
package struct UnitTerm: Sendable {
  /// Unit, prefix and power packed into one number, the unit in the top bits, for fast moves and
  /// comparisons.
  private var code: UInt32

  /// What distinguishes two terms of one unit: the printed molar mass, a whole number, or the hash
  /// of a note.
  package let parameter: UInt64

  /// Grams per mole as given; equality compares only `parameter`, which is what prints.
  package let molarMass: Double

  package init(
    _ unit: PrefixedUnit, power: Int8 = 1, parameter: UInt64 = 0, molarMass: Double = 0
  ) {
    code =
      UInt32(unit.unit) << 16 | UInt32(unit.prefix) << 8 | UInt32(UInt8(bitPattern: power))
    self.parameter = parameter
    self.molarMass = molarMass
  }

  package var unit: UInt16 { UInt16(truncatingIfNeeded: code >> 16) }

  package var prefix: UInt8 { UInt8(truncatingIfNeeded: code >> 8) }

  package var power: Int8 {
    get { Int8(truncatingIfNeeded: code) }
    set { code = code & ~0xFF | UInt32(UInt8(bitPattern: newValue)) }
  }

  func withPower(_ power: Int8) -> UnitTerm {
    var copy = self
    copy.power = power
    return copy
  }

  /// Whether two terms have the same unit, so that their powers add up.
  func hasSameUnit(as other: UnitTerm) -> Bool {
    code >> 8 == other.code >> 8 && parameter == other.parameter
  }

  /// The printing order: the order of the table, then small to large.
  func precedes(_ other: UnitTerm) -> Bool {
    (code >> 8, parameter) < (other.code >> 8, other.parameter)
  }
}

extension UnitTerm {
  /// The printed digits of a molar mass as a number: masses with the same digits are the same unit.
  static func parameter(ofMolarMass mass: Double) -> UInt64 {
    (Double(mass.withSixteenDigits) ?? mass).bitPattern
  }
}

extension UnitTerm: Hashable {
  package static func == (left: UnitTerm, right: UnitTerm) -> Bool {
    left.code == right.code && left.parameter == right.parameter
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(code)
    hasher.combine(parameter)
  }
}

/// A product of terms in canonical order, with limits that keep every factor exact.
package struct UnitTermList: Sendable {
  package private(set) var terms: [UnitTerm] = []

  /// The texts of the notes, by their hash.
  private(set) var notes: [UInt64: String] = [:]

  /// The most bits that numerator and denominator of a unit may need together.
  static let maximumBitWidth = 8192

  package init() {}

  /// Terms that are already in canonical order.
  init(_ terms: [UnitTerm], notes: [UInt64: String] = [:]) {
    self.terms = terms
    self.notes = notes
  }

  /// A unit with a note, whose text the list stores.
  mutating func term(_ unit: PrefixedUnit, note: String) -> UnitTerm {
    // FNV-1a: the hash must be the same in every process, because it orders terms.
    let mark = note.utf8.reduce(0xCBF2_9CE4_8422_2325 as UInt64) {
      ($0 ^ UInt64($1)) &* 0x0100_0000_01B3
    }
    notes[mark] = note
    return UnitTerm(unit, parameter: mark)
  }

  /// Adds a note to the last unit without a note or number; false where all have one.
  mutating func note(_ text: String) -> Bool {
    guard
      let place = terms.lastIndex(where: {
        $0.parameter == 0 && $0.unit != UnitTable.annotation
      })
    else { return false }
    let last = terms.remove(at: place)
    let noted = term(PrefixedUnit(prefix: last.prefix, unit: last.unit), note: text)
    return multiply(by: noted, power: Int(last.power))
  }

  /// Whether this is one unit and numbers, so that its values may have a shifted zero.
  func isScale(by facts: [UnitFacts]) -> Bool {
    let units = terms.filter { !facts[Int($0.unit)].isNumeric }
    return units.count == 1 && units[0].power == 1
  }

  /// Multiplies by a term raised to a power; false when a power leaves -127…127.
  mutating func multiply(by term: UnitTerm, power: Int = 1) -> Bool {
    guard abs(power) <= 127 else { return false }
    let added = Int(term.power) * power
    var place = terms.count
    while place > 0, !terms[place - 1].precedes(term) { place -= 1 }
    if place < terms.count, terms[place].hasSameUnit(as: term) {
      let sum = Int(terms[place].power) + added
      guard abs(sum) <= 127 else { return false }
      if sum == 0 { terms.remove(at: place) } else { terms[place].power = Int8(sum) }
    } else if added != 0 {
      guard abs(added) <= 127 else { return false }
      insert(term.withPower(Int8(added)), at: place)
    }
    return true
  }

  @inline(__always) private mutating func insert(_ term: UnitTerm, at place: Int) {
    // Few products have more than four factors: one allocation is enough.
    if terms.isEmpty { terms.reserveCapacity(4) }
    terms.append(term)
    guard place < terms.count - 1 else { return }
    // Array.insert takes as long as the rest of a multiplication.
    terms.withUnsafeMutableBufferPointer { terms in
      for later in (place + 1..<terms.count).reversed() { terms[later] = terms[later - 1] }
      terms[place] = term
    }
  }

  mutating func multiply(by list: UnitTermList, power: Int = 1) -> Bool {
    if !list.notes.isEmpty { notes.merge(list.notes) { note, _ in note } }
    return list.terms.allSatisfy { multiply(by: $0, power: power) }
  }

  /// The unit of the product.
  consuming func unit() throws(UnitError) -> UnitExpression {
    var dimension = UnitDimension.one
    var reach = 0
    var bits = 0
    let facts = UnitTable.standard.facts
    let prefixWidths = UnitPrefix.bitWidths
    for term in terms {
      let unit = facts[Int(term.unit)]
      let count = abs(Int(term.power))
      if unit.isLevel, !isScale(by: facts) {
        throw UnitError(.notInCompound, at: 0, expected: .unit)
      }
      // Every power of a unit of the table is below 16, so these sums cannot overflow.
      reach += count * 16
      bits += count * (unit.bitWidth + prefixWidths[Int(term.prefix)])
      if unit.isMolarMass { bits += count * (abs(Int(term.molarMass.exponent)) + 53) }
      guard reach <= Int(Int16.max), bits <= Self.maximumBitWidth else {
        throw UnitError(.factorOutOfRange, at: 0, expected: .unit)
      }
      dimension = dimension.multiplied(by: unit.dimension, power: Int16(term.power))
    }
    return UnitExpression(self, dimension: dimension)
  }
}
