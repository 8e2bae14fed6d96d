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
  /// The longest text that is read, in UTF-8 bytes.
  public static let maximumByteCount = 1024

  /// The most parentheses inside each other.
  public static let maximumDepth = 32

  private final class Storage: Sendable {
    let terms: [UnitTerm]
    let dimension: UnitDimension

    init(terms: [UnitTerm], dimension: UnitDimension) {
      self.terms = terms
      self.dimension = dimension
    }
  }

  private let storage: Storage

  /// A product in canonical order whose dimension is known.
  init(terms: [UnitTerm], dimension: UnitDimension) {
    storage = Storage(terms: terms, dimension: dimension)
  }

  /// The factors in canonical order.
  package var terms: [UnitTerm] { storage.terms }

  /// What the unit measures.
  public var dimension: UnitDimension { storage.dimension }

  /// Reads a unit.
  ///
  /// - Throws: `UnitError` with the byte offset, what was expected, and, where one was found, a
  ///   suggestion that parses.
  /// - Complexity: O(n²) in the number of factors, of which 1,024 bytes hold few.
  public init(_ text: String, dialect: UnitDialect = .healthKit) throws(UnitError) {
    switch UnitExpression.parse(text, dialect: dialect) {
    case .success(let unit): self = unit
    case .failure(let error):
      throw UnitSuggestion(dialect: dialect).complete(error, for: text)
    }
  }

  /// Reads a unit without looking for a suggestion.
  static func parse(_ text: String, dialect: UnitDialect) -> Result<UnitExpression, UnitError> {
    text.utf8.withContiguousStorageIfAvailable { parse($0, dialect: dialect) }
      ?? Array(text.utf8).withUnsafeBufferPointer { parse($0, dialect: dialect) }
  }

  private static func parse(
    _ bytes: UnsafeBufferPointer<UInt8>, dialect: UnitDialect
  ) -> Result<UnitExpression, UnitError> {
    guard bytes.count <= maximumByteCount else {
      return .failure(UnitError(.tooLong, at: maximumByteCount, expected: .shorterText))
    }
    do throws(UnitError) {
      var parser = HealthKitParser(bytes: bytes)
      let list = try parser.parse()
      guard let dimension = list.dimension(in: .standard) else {
        throw UnitError(.factorOutOfRange, at: 0, expected: .unit)
      }
      return .success(UnitExpression(terms: list.terms, dimension: dimension))
    } catch {
      return .failure(error)
    }
  }

  /// The unit of plain numbers, which prints as `()`.
  public static let null = UnitExpression(terms: [], dimension: .one)

  /// Whether this is the unit of plain numbers, without any name.
  public var isNull: Bool { terms.isEmpty }

  /// Whether values convert: both units measure the same.
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
