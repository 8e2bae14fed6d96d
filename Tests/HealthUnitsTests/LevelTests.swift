import HealthUnits
import Testing
import _HealthTestSupport

@Suite struct LevelTests {
  /// A level and the quantity it stands for, as their definitions say it.
  struct Definition: Sendable, CustomTestStringConvertible {
    let level: String
    let quantity: String
    /// The reference is this many of the quantity's unit, as a quotient.
    var reference: (top: UInt64, bottom: UInt64) = (1, 1)
    /// The binary logarithm of what one more of the level multiplies.
    let step: ReferenceLogarithm
    var isDecreasing = false

    var testDescription: String { "\(level) of \(quantity)" }

    /// log2(value / reference) - level × step, which is zero for an exact pair.
    func difference(level: Double, value: Double) -> Double {
      let logarithm = ReferenceLogarithm(value, times: reference.bottom, over: reference.top)
      let expected = step.times(isDecreasing ? -level : level)
      return Double(logarithm.scaled - expected.scaled) * 0x1p-100
    }
  }

  private static let ten = ReferenceLogarithm(10)

  static let definitions = [
    Definition(level: "B", quantity: "1", step: ten),
    Definition(level: "dB", quantity: "1", step: ten.divided(by: 10)),
    Definition(level: "Np", quantity: "1", step: .ofE),
    Definition(level: "bit_s", quantity: "1", step: ReferenceLogarithm(2)),
    Definition(
      level: "dB[SPL]", quantity: "Pa", reference: (1, 50_000), step: ten.divided(by: 20)),
    Definition(level: "dB[W]", quantity: "mW", reference: (1_000, 1), step: ten.divided(by: 10)),
    Definition(level: "B[uV]", quantity: "V", reference: (1, 1_000_000), step: ten.divided(by: 2)),
    Definition(
      level: "dB[10.nV]", quantity: "mV", reference: (1, 100_000), step: ten.divided(by: 20)),
    Definition(level: "[pH]", quantity: "mol/L", step: ten, isDecreasing: true),
    Definition(level: "[hp'_C]", quantity: "1", step: ReferenceLogarithm(100), isDecreasing: true),
    Definition(
      level: "[hp'_Q]", quantity: "1", step: ReferenceLogarithm(50_000), isDecreasing: true),
  ]

  private static func conversion(_ from: String, _ to: String) throws -> UnitConversion {
    try UnitConversion(
      from: UnitExpression(from, dialect: .ucum), to: UnitExpression(to, dialect: .ucum))
  }

  @Test("the quantity of a level is within 2 ulp", arguments: definitions)
  func quantities(_ definition: Definition) throws {
    let conversion = try Self.conversion(definition.level, definition.quantity)
    var random = SplitMix64(seed: 21)
    // From a billionth of a billionth of the reference to as many times more.
    let reach = 60 / (Double(definition.step.scaled) * 0x1p-100)
    for index in 0..<600 {
      let level =
        index % 3 == 0
        ? (Double.random(in: -reach...reach, using: &random) * 10).rounded() / 10
        : Double.random(in: -reach...reach, using: &random)
      let value = conversion(level)
      let error = definition.difference(level: level, value: value) * 0.6931471805599453
      #expect(abs(error) <= 2 * value.ulp / value, "\(level)")
    }
  }

  @Test("the level of a quantity is within 2 ulp", arguments: definitions)
  func levels(_ definition: Definition) throws {
    let conversion = try Self.conversion(definition.quantity, definition.level)
    let reference = Double(definition.reference.top) / Double(definition.reference.bottom)
    var random = SplitMix64(seed: 22)
    for index in 0..<600 {
      // Any size, and close to the reference, where the level is close to zero.
      let distance = Double(sign: .plus, exponent: -(index % 40), significand: 1)
      let value =
        index % 2 == 0
        ? Double.random(in: 1..<2, using: &random)
          * Double(sign: .plus, exponent: .random(in: -60...60, using: &random), significand: 1)
        : reference * (1 + Double.random(in: -0.9...0.9, using: &random) * distance)
      let level = conversion(value)
      let error = definition.difference(level: level, value: value)
      let step = Double(definition.step.scaled) * 0x1p-100
      #expect(abs(error) <= 2 * level.ulp * step, "\(value)")
    }
  }
}
