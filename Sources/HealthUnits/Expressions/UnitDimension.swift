/// What a unit measures: the powers of the base dimensions.
///
/// Two units are convertible when their dimensions are equal. Units without a physical definition
/// (international units, A-weighted levels, effort scores) are dimensions of their own.
public struct UnitDimension: Hashable, Sendable, CustomStringConvertible {
  /// A base dimension; the raw value is its index in the vector.
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

  /// The powers of the first eight bases and of the others.
  ///
  /// One vector of sixteen would be aligned to 32 bytes, for which allocation is slower.
  private var physical: SIMD8<Int16>
  private var conventional: SIMD8<Int16> = .zero

  /// Distinguishes products of arbitrary units: the sum over the units of hash times power.
  private var arbitraryMark: UInt64 = 0

  /// The powers of the first eight bases.
  init(physical: SIMD8<Int16> = .zero) { self.physical = physical }

  package static let one = UnitDimension()

  package static func base(_ base: Base) -> UnitDimension {
    var dimension = one
    if base.rawValue < 8 {
      dimension.physical[base.rawValue] = 1
    } else {
      dimension.conventional[base.rawValue - 8] = 1
    }
    return dimension
  }

  /// The dimension of a unit that is defined by a procedure only.
  static func arbitrary(_ id: UInt64) -> UnitDimension {
    var dimension = base(.arbitrary)
    // An odd multiplier spreads the ids so that small sums of different units do not collide.
    dimension.arbitraryMark = (id &+ 1) &* 0x9E37_79B9_7F4A_7C15
    dimension.arbitraryMark ^= dimension.arbitraryMark >> 29
    return dimension
  }

  /// The dimension of a product with a power of another.
  @inline(__always) func multiplied(by other: UnitDimension, power: Int16) -> UnitDimension {
    var result = self
    result.physical &+= other.physical &* power
    result.conventional &+= other.conventional &* power
    result.arbitraryMark &+= other.arbitraryMark &* UInt64(truncatingIfNeeded: power)
    return result
  }

  /// The power of one base dimension.
  public subscript(base: Base) -> Int {
    let place = base.rawValue
    return Int(place < 8 ? physical[place] : conventional[place - 8])
  }

  /// Whether the unit is a plain number.
  public var isScalar: Bool { self == .one }

  /// The dimension of the reciprocal unit.
  package var reciprocal: UnitDimension {
    UnitDimension.one.multiplied(by: self, power: -1)
  }

  /// The name of the dimension as HealthKit's messages have it, such as `Mass`, `Length` or
  /// `Energy`; the powers where there is no name.
  package var name: String {
    switch self {
    case .energy: "Energy"
    case .pressure: "Pressure"
    case .power: "Power"
    case .potential: "ElectricPotentialDifference"
    case .conductance: "ElectricConductance"
    case .volume: "Volume"
    default: description.prefix(1).uppercased() + description.dropFirst()
    }
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
