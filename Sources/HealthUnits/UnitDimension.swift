/// What a unit measures: the powers of the base dimensions.
///
/// Two units convert into each other when their dimensions are equal. Units without a physical
/// definition (international units, A-weighted levels, effort scores) are dimensions of their own.
public struct UnitDimension: Hashable, Sendable, CustomStringConvertible {
  /// A base dimension, by its place in the vector.
  public enum Base: Int, Sendable, CaseIterable {
    case mass
    case length
    case time
    case temperature
    case current
    case luminousIntensity
    case angle
    case amount
    case internationalUnit
    case soundPressureLevel
    case hearingLevel
    case prism
    case effort
    case arbitrary
  }

  package var powers: SIMD16<Int16>

  /// Which arbitrary unit the `arbitrary` power counts; 0 when that power is 0.
  package var arbitraryUnit: UInt16 = 0

  package init(powers: SIMD16<Int16> = .zero) { self.powers = powers }

  package static let one = UnitDimension()

  package static func base(_ base: Base) -> UnitDimension {
    var powers = SIMD16<Int16>.zero
    powers[base.rawValue] = 1
    return UnitDimension(powers: powers)
  }

  /// The power of one base dimension.
  public subscript(base: Base) -> Int { Int(powers[base.rawValue]) }

  /// Whether the unit is a plain number.
  public var isScalar: Bool { powers == .zero }

  /// The dimension of a quotient upside down.
  package var reciprocal: UnitDimension {
    var result = self
    result.powers = .zero &- powers
    return result
  }

  /// The powers as text, base by base: `mass·length^2·time^-2`, or `1` for a plain number.
  public var description: String {
    var parts: [String] = []
    for base in Base.allCases {
      switch self[base] {
      case 0: continue
      case 1: parts.append("\(base)")
      case let power: parts.append("\(base)^\(power)")
      }
    }
    return parts.isEmpty ? "1" : parts.joined(separator: "·")
  }
}
