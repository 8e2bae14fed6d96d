/// A unit: a product of named units with whole powers, of exactly known size.
///
/// ```swift
/// let rate = try UnitExpression("mL/kg·min")
/// rate.description                    // "mL/min·kg"
/// rate.text(in: .ucum)                // "mL/(min.kg)"
/// ```
///
/// Two units are equal when they are spelled with the same names, prefixes and powers in any order:
/// `kg/m·s^2` equals `kg·m^-1·s^-2`, but not `Pa`, into which it converts with factor 1. Molar masses
/// are compared as they print, with 16 significant digits.
public struct UnitExpression: Sendable {
  /// The longest text that is parsed, in UTF-8 bytes.
  public static let maximumByteCount = 1024

  /// The deepest nesting of parentheses.
  public static let maximumDepth = 32

  private final class Storage: Sendable {
    let list: UnitTermList
    let dimension: UnitDimension

    init(list: UnitTermList, dimension: UnitDimension) {
      self.list = list
      self.dimension = dimension
    }
  }

  private let storage: Storage

  /// A product in canonical order with its dimension.
  init(_ list: UnitTermList, dimension: UnitDimension) {
    storage = Storage(list: list, dimension: dimension)
  }

  /// The product with the texts of its notes.
  var list: UnitTermList { storage.list }

  /// The factors in canonical order.
  package var terms: [UnitTerm] { storage.list.terms }

  /// What the unit measures.
  public var dimension: UnitDimension { storage.dimension }

  /// Parses a unit.
  ///
  /// - Throws: `UnitError` with the byte offset, what was expected, and, where one was found, a
  ///   suggestion that parses.
  /// - Complexity: O(n²) in the number of factors, of which 1,024 bytes hold few.
  public init(_ text: String, dialect: UnitDialect = .healthKit) throws(UnitError) {
    do {
      self = try UnitExpression.parse(text, dialect: dialect)
    } catch {
      throw UnitSuggestion(dialect: dialect).complete(error, for: text)
    }
  }

  /// Parses a unit from bytes that may not be valid UTF-8; offsets of errors count these bytes.
  ///
  /// - Throws: `UnitError`, as for a text.
  public init(utf8 bytes: [UInt8], dialect: UnitDialect = .healthKit) throws(UnitError) {
    var failure: UnitError?
    let unit = bytes.withUnsafeBufferPointer {
      UnitExpression.parse($0, dialect: dialect, failure: &failure)
    }
    guard let unit else {
      let error = failure ?? UnitError(.missingUnit, at: 0, expected: .unit)
      throw UnitSuggestion(dialect: dialect)
        .complete(error, for: String(decoding: bytes, as: UTF8.self))
    }
    self = unit
  }

  /// Parses a unit without searching for a suggestion.
  static func parse(_ text: String, dialect: UnitDialect) throws(UnitError) -> UnitExpression {
    // A closure over bytes throws no typed error, so the error is passed by a variable.
    var failure: UnitError?
    let read = text.utf8.withContiguousStorageIfAvailable {
      parse($0, dialect: dialect, failure: &failure)
    }
    if let unit = read
      ?? Array(text.utf8).withUnsafeBufferPointer({
        parse($0, dialect: dialect, failure: &failure)
      })
    {
      return unit
    }
    throw failure ?? UnitError(.missingUnit, at: 0, expected: .unit)
  }

  private static func parse(
    _ bytes: UnsafeBufferPointer<UInt8>, dialect: UnitDialect, failure: inout UnitError?
  ) -> UnitExpression? {
    do throws(UnitError) {
      return try parsing(bytes, dialect: dialect)
    } catch {
      failure = error
      return nil
    }
  }

  private static func parsing(
    _ bytes: UnsafeBufferPointer<UInt8>, dialect: UnitDialect
  ) throws(UnitError) -> UnitExpression {
    guard bytes.count <= maximumByteCount else {
      throw UnitError(.tooLong, at: boundary(in: bytes), expected: .shorterText)
    }
    switch dialect {
    case .healthKit:
      var parser = HealthKitParser(bytes: bytes)
      return try parser.parse().unit()
    case .ucum:
      var parser = UCUMParser(bytes: bytes, spellings: .ucum, facts: UnitTable.standard.facts)
      return try parser.parse().unit()
    }
  }

  /// The last offset below the limit where a character starts.
  private static func boundary(in bytes: UnsafeBufferPointer<UInt8>) -> Int {
    var offset = maximumByteCount
    while offset > 0, bytes[offset] & 0xC0 == 0x80 { offset -= 1 }
    return offset
  }

  /// Parses a definition of the table while the table is being built.
  static func parseUCUM(_ text: String, spellings: UnitSpellings) -> UnitTermList? {
    Array(text.utf8).withUnsafeBufferPointer { bytes in
      var parser = UCUMParser(bytes: bytes, spellings: spellings, facts: nil)
      return try? parser.parse()
    }
  }

  /// The unit of plain numbers, which prints as `()`.
  public static let null = UnitExpression(UnitTermList(), dimension: .one)

  /// Whether this is the unit of plain numbers, without any name.
  public var isNull: Bool { terms.isEmpty }

  /// The same unit with conventional columns of mercury and water (133.322387415 Pa, 98.0665 Pa,
  /// 3386.388640341 Pa) instead of HealthKit's.
  ///
  /// Its text is unchanged, so parsing it gives HealthKit's unit again.
  public var withConventionalColumns: UnitExpression {
    UnitExpression(
      UnitTermList(
        terms.map { term in
          UnitIndices.conventional[term.unit].map { place in
            UnitTerm(PrefixedUnit(unit: place), power: term.power)
          } ?? term
        }.sorted { $0.precedes($1) }, notes: list.notes), dimension: dimension)
  }

  /// Whether values convert: both units have the same dimension.
  public func isCompatible(with other: UnitExpression) -> Bool {
    dimension == other.dimension
  }
}

extension UnitExpression: Hashable {
  /// Whether both are the same product of the same names.
  public static func == (left: UnitExpression, right: UnitExpression) -> Bool {
    left.storage === right.storage || left.terms == right.terms
  }

  /// Hashes the product of names.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(terms)
  }
}

extension UnitExpression {
  /// The product of two units; equal names add their powers.
  public func multiplied(by other: UnitExpression) throws(UnitError) -> UnitExpression {
    try combined(with: other, power: 1)
  }

  /// The quotient of two units; equal names cancel.
  public func divided(by other: UnitExpression) throws(UnitError) -> UnitExpression {
    try combined(with: other, power: -1)
  }

  /// The unit raised to a whole power; power 0 gives the null unit.
  public func raised(to power: Int) throws(UnitError) -> UnitExpression {
    try UnitExpression.null.combined(with: self, power: power)
  }

  private func combined(
    with other: UnitExpression, power: Int
  ) throws(UnitError) -> UnitExpression {
    var list = list
    guard list.multiply(by: other.list, power: power) else {
      throw UnitError(.exponentOutOfRange, at: 0, expected: .wholeNumber)
    }
    return try list.unit()
  }
}
