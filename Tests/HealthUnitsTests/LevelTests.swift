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

  /// Units of far-fetched size, next to whose reference a ratio needs more than two doubles.
  private static let compounds = [
    Definition(
      level: "dB[W]", quantity: "[lb_av].m2/s3", reference: (100_000_000, 45_359_237),
      step: ten.divided(by: 10)),
    Definition(
      level: "cB[SPL]", quantity: "[lb_av]/(m.s2)", reference: (2_000, 45_359_237),
      step: ten.divided(by: 200)),
  ]

  /// All that two doubles leave out, in ulp of the result: far below the promised 2.
  private static let tolerance = 0.501

  /// What the reference logarithm leaves out.
  private static let resolution = 0x1p-99

  @Test("the quantity of a level is within 2 ulp", arguments: definitions + compounds)
  func quantities(_ definition: Definition) throws {
    let conversion = try Self.conversion(definition.level, definition.quantity)
    var random = SplitMix64(seed: 21)
    // From a billionth of a billionth of the reference to as many times more.
    let reach = 60 / (Double(definition.step.scaled) * 0x1p-100)
    for index in 0..<1500 {
      let level =
        index % 3 == 0
        ? (Double.random(in: -reach...reach, using: &random) * 10).rounded() / 10
        : Double.random(in: -reach...reach, using: &random)
      let value = conversion(level)
      let error = definition.difference(level: level, value: value) * 0.6931471805599453
      #expect(
        abs(error) <= Self.tolerance * value.ulp / value + Self.resolution, "\(level)")
    }
  }

  @Test("the level of a quantity is within 2 ulp", arguments: definitions + compounds)
  func levels(_ definition: Definition) throws {
    let conversion = try Self.conversion(definition.quantity, definition.level)
    let reference = Double(definition.reference.top) / Double(definition.reference.bottom)
    var random = SplitMix64(seed: 22)
    for index in 0..<1500 {
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
      #expect(
        abs(error) <= Self.tolerance * level.ulp * step + Self.resolution, "\(value)")
    }
  }

  // MARK: A level of one unit as the level of another

  /// A level by its definition: quantity = reference × base^(multiple × level).
  struct Level: Sendable {
    let code: String
    var isMetric = true
    var base: Int = 10
    /// As a quotient.
    var multiple = "1"
    /// What the reference measures, and its power of ten in the coherent unit.
    var quantity = "number"
    var exponent = 0
  }

  /// From the text of UCUM 2.2, units of measure with functions; base 0 is e.
  static let levels = [
    Level(code: "B"), Level(code: "Np", base: 0), Level(code: "bit_s", isMetric: false, base: 2),
    Level(code: "B[SPL]", multiple: "1/2", quantity: "pressure"),
    Level(code: "B[V]", multiple: "1/2", quantity: "voltage"),
    Level(code: "B[mV]", multiple: "1/2", quantity: "voltage", exponent: -3),
    Level(code: "B[uV]", multiple: "1/2", quantity: "voltage", exponent: -6),
    Level(code: "B[10.nV]", multiple: "1/2", quantity: "voltage", exponent: -8),
    Level(code: "B[W]", quantity: "power"), Level(code: "B[kW]", quantity: "power", exponent: 3),
    Level(code: "[pH]", isMetric: false, multiple: "-1", quantity: "concentration"),
    Level(code: "[hp'_X]", isMetric: false, multiple: "-1"),
    Level(code: "[hp'_C]", isMetric: false, multiple: "-2"),
    Level(code: "[hp'_M]", isMetric: false, multiple: "-3"),
    Level(code: "[hp'_Q]", isMetric: false, base: 50_000, multiple: "-1"),
  ]

  /// Prefixes with their powers of ten.
  private static let prefixes = [
    ("", 0), ("d", -1), ("c", -2), ("m", -3), ("u", -6), ("k", 3), ("M", 6),
  ]

  private static func ratio(_ text: String) -> (Int, Int) {
    let parts = text.split(separator: "/").compactMap { Int($0) }
    return (parts[0], parts.count > 1 ? parts[1] : 1)
  }

  /// A quotient of whole numbers times a power of ten, as text.
  private static func quotient(_ top: Int, _ bottom: Int, tens: Int) -> String {
    let zeros = String(repeating: "0", count: abs(tens))
    let sign = (top < 0) != (bottom < 0) && top != 0 ? "-" : ""
    return tens < 0
      ? "\(sign)\(abs(top))/\(abs(bottom))\(zeros)" : "\(sign)\(abs(top))\(zeros)/\(abs(bottom))"
  }

  private static var pairs: [(source: Level, target: Level)] {
    levels.flatMap { source in
      levels.filter { $0.quantity == source.quantity }.map { (source, $0) }
    }
  }

  private static func values(count: Int) -> [Double] {
    var random = SplitMix64(seed: 23)
    let plain: [Double] = [
      0, 1, -1, 3, 20, 120, 0.1, 500, 1e-300, -.leastNonzeroMagnitude, 7.4, 1e300, -1e17,
    ]
    return plain
      + (0..<count).map { index in
        let sign: FloatingPointSign = index % 2 == 0 ? .plus : .minus
        let significand = Double.random(in: 1..<2, using: &random)
        return index % 3 == 0
          ? (significand * 1000).rounded() / 10
          : Double(
            sign: sign, exponent: .random(in: -12...12, using: &random), significand: significand)
      }
  }

  @Test("the list of levels is that of the table")
  func completeness() {
    let codes = UnitTable.standard.definitions.compactMap { definition -> String? in
      guard case .level(let function) = definition.scale, function != .squareRoot,
        function != .hundredfoldTangent
      else { return nil }
      return definition.ucum
    }
    #expect(Set(codes) == Set(Self.levels.map(\.code)))
  }

  @Test("a level becomes a level of another reference as the nearest double")
  func levelsToLevels() throws {
    var count = 0
    var countOfOnePrefix = 0
    for (source, target) in Self.pairs where source.base == target.base {
      for (sourcePrefix, sourceTens) in source.isMetric ? Self.prefixes : [("", 0)] {
        for (targetPrefix, targetTens) in target.isMetric ? Self.prefixes : [("", 0)] {
          let conversion = try Self.conversion(
            sourcePrefix + source.code, targetPrefix + target.code)
          // multiple · 10^tens · level + exponent = multiple' · 10^tens' · level' + exponent'
          let (top, bottom) = Self.ratio(source.multiple)
          let (otherTop, otherBottom) = Self.ratio(target.multiple)
          let oracle = UnitOracle(
            factor: Self.quotient(
              top * otherBottom, bottom * otherTop, tens: sourceTens - targetTens),
            offset: Self.quotient(
              (source.exponent - target.exponent) * otherBottom, otherTop, tens: -targetTens))
          let values = Self.values(count: 40)
          for value in values {
            #expect(
              oracle.isNearest(conversion(value), to: value),
              "\(value) \(sourcePrefix)\(source.code) → \(targetPrefix)\(target.code)")
          }
          #expect(
            conversion.converted(values).map(\.bitPattern)
              == values.map { conversion($0).bitPattern })
          count += 1
          let isOtherReference = source.exponent != target.exponent
          if isOtherReference, sourcePrefix == targetPrefix { countOfOnePrefix += 1 }
        }
      }
    }
    #expect(count > 1000)
    // Four references of voltage and two of power, with each of the prefixes.
    #expect(countOfOnePrefix == (4 * 3 + 2) * Self.prefixes.count)
  }

  @Test("a level becomes one of another base as the nearest double")
  func otherBases() throws {
    for (source, target) in Self.pairs where source.base != target.base {
      let conversion = try Self.conversion(source.code, target.code)
      let (step, otherStep) = (Self.step(of: source), Self.step(of: target))
      for value in Self.values(count: 400) where (1e-3...1e4).contains(value.magnitude) {
        let result = conversion(value)
        let difference = otherStep(result) - step(value)
        let ulp = Double(otherStep(1).magnitude) * 0x1p-100 * result.ulp
        let error = Double(difference.magnitude) * 0x1p-100 / ulp
        #expect(error <= 0.5 + 0x1p-30, "\(value) \(source.code) → \(target.code)")
      }
    }
  }

  /// The binary logarithm of the ratio of a level, times 2^100.
  private static func step(of level: Level) -> (Double) -> Int128 {
    let base: ReferenceLogarithm = level.base == 0 ? .ofE : ReferenceLogarithm(Double(level.base))
    let (top, bottom) = ratio(level.multiple)
    return { base.times($0).scaled * Int128(top) / Int128(bottom) }
  }

  @Test("what is no number, and what no double holds, has a level and is one")
  func extremes() throws {
    let level = try Self.conversion("1", "dB")
    #expect(level(0) == -.infinity && level(.infinity) == .infinity)
    #expect(level(-1).isNaN && level(.nan).isNaN)
    let quantity = try Self.conversion("[pH]", "mol/L")
    #expect(quantity(.infinity) == 0 && quantity(-.infinity) == .infinity)
    #expect(quantity(.nan).isNaN && quantity(-1e308) == .infinity && quantity(1e308) == 0)
    #expect(try Self.conversion("mol/L", "[pH]")(0) == .infinity)
    // Neither the factor nor the ratio is a double, and the level is a small number.
    let far = try Self.conversion("10*-40.[pptr]30", "B")
    #expect(far(1e300) == -100 && far(.leastNonzeroMagnitude).rounded() == -723)
    #expect(try Self.conversion("B", "10*40.[pptr]-30")(350) == 1e-50)
  }
}
