package import _HealthNumerics

/// A prefix that multiplies a unit by a power of ten or of two.
package struct UnitPrefix: Sendable {
  package let healthKit: String?
  package let ucum: String?
  package let exponentOfTen: Int
  package let exponentOfTwo: Int

  init(_ healthKit: String?, _ ucum: String?, ten: Int = 0, two: Int = 0) {
    self.healthKit = healthKit
    self.ucum = ucum
    exponentOfTen = ten
    exponentOfTwo = two
  }

  package var factor: ExactRatio {
    .powerOfTen(exponentOfTen) * ExactRatio(Natural(1) << exponentOfTwo)
  }

  /// All prefixes, HealthKit's first, small to large; a term holds the index, and 0 is no prefix.
  package static let all: [UnitPrefix] = [
    UnitPrefix("", ""),
    UnitPrefix("f", "f", ten: -15),
    UnitPrefix("p", "p", ten: -12),
    UnitPrefix("n", "n", ten: -9),
    UnitPrefix("mc", "u", ten: -6),
    UnitPrefix("m", "m", ten: -3),
    UnitPrefix("c", "c", ten: -2),
    UnitPrefix("d", "d", ten: -1),
    UnitPrefix("da", "da", ten: 1),
    UnitPrefix("h", "h", ten: 2),
    UnitPrefix("k", "k", ten: 3),
    UnitPrefix("M", "M", ten: 6),
    UnitPrefix("G", "G", ten: 9),
    UnitPrefix("T", "T", ten: 12),
    UnitPrefix(nil, "y", ten: -24),
    UnitPrefix(nil, "z", ten: -21),
    UnitPrefix(nil, "a", ten: -18),
    UnitPrefix(nil, "P", ten: 15),
    UnitPrefix(nil, "E", ten: 18),
    UnitPrefix(nil, "Z", ten: 21),
    UnitPrefix(nil, "Y", ten: 24),
    UnitPrefix(nil, "Ki", two: 10),
    UnitPrefix(nil, "Mi", two: 20),
    UnitPrefix(nil, "Gi", two: 30),
    UnitPrefix(nil, "Ti", two: 40),
  ]

  /// Upper limits of the bits that the factors need, prefix by prefix.
  static let bitWidths = all.map { abs($0.exponentOfTen) * 4 + $0.exponentOfTwo }

  package func name(in dialect: UnitDialect) -> String? {
    switch dialect {
    case .healthKit: healthKit
    case .ucum: ucum
    }
  }
}
