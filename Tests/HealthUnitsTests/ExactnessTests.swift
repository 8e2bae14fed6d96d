import Foundation
import HealthUnits
import Testing
import _HealthNumerics
import _HealthTestSupport

@Suite struct ExactnessTests {
  /// Units that convert into each other, kind by kind.
  private static let families: [[String]] = [
    ["g", "kg", "mcg", "oz", "lb", "st", "mol<180.15588000005408>", "mmol<386.654>", "Tg"],
    ["m", "km", "in", "ft", "yd", "mi", "cm", "fm"],
    ["L", "mL", "fl_oz_us", "fl_oz_imp", "cup_us", "cup_imp", "pt_us", "pt_imp", "m^3", "in^3"],
    ["s", "min", "hr", "d", "ms"],
    ["J", "kJ", "kcal", "Cal", "cal", "kg·m^2/s^2"],
    ["Pa", "mmHg", "inHg", "cmAq", "atm", "hPa"],
    ["count/min", "Hz", "count/s", "count/hr", "count/d"],
    ["kcal/hr", "W", "kJ/d", "kcal/min"],
    ["kcal/hr·kg", "W/kg", "cal/min·lb"],
    ["mL/min·kg", "L/hr·lb", "fl_oz_us/d·st"],
    ["mg/dL", "mmol<180.15588000005408>/L", "oz/fl_oz_us", "g/cup_imp"],
    ["m/s", "km/hr", "mi/hr", "ft/min"],
    ["lb/ft^2", "kg/m^2", "g/cm^2"],
  ]

  /// How many random cases: a few in a normal run, as many as the environment says in a long one.
  private static let count =
    ProcessInfo.processInfo.environment["HKSTATS_UNIT_CASES"].flatMap { Int($0) } ?? 6000

  /// A conversion with the oracle of its exact factor and offset.
  private struct Case: Sendable {
    let conversion: UnitConversion
    let oracle: UnitOracle
    let name: String

    init(_ from: String, _ to: String) throws {
      conversion = try UnitConversion(from: UnitExpression(from), to: UnitExpression(to))
      oracle = UnitOracle(
        factor: "\(conversion.exactFactor)", offset: "\(conversion.exactOffset)")
      name = "\(from) → \(to)"
    }
  }

  private static func pairs(of families: [[String]]) throws -> [Case] {
    try families.flatMap { family in
      try family.flatMap { from in
        try family.compactMap { to in from == to ? nil : try Case(from, to) }
      }
    }
  }

  /// Values as health data has them, of any magnitude, and with any bits at all.
  private static func value(_ random: inout SplitMix64, _ kind: Int) -> Double {
    switch kind % 4 {
    case 0: Double(Int.random(in: 0...99_999, using: &random)) / 100
    case 1: Double.random(in: -1000...1000, using: &random)
    case 2:
      Double.random(in: 1..<2, using: &random)
        * Double(sign: .plus, exponent: .random(in: -1070...1020, using: &random), significand: 1)
    default: Double(bitPattern: random.next())
    }
  }

  @Test("a random value of a random pair of units comes out as the nearest double")
  func random() throws {
    let cases = try Self.pairs(of: Self.families)
    var random = SplitMix64(seed: 1)
    var wrong: [String] = []
    for index in 0..<Self.count {
      let value = Self.value(&random, index)
      guard value.isFinite else { continue }
      let tested = cases[Int.random(in: 0..<cases.count, using: &random)]
      if !tested.oracle.isNearest(tested.conversion(value), to: value), wrong.count < 10 {
        wrong.append("\(value.bitPattern) \(tested.name)")
      }
    }
    #expect(wrong == [])
  }

  @Test("a random temperature comes out as the nearest double")
  func temperatures() throws {
    let cases = try Self.pairs(of: [["degC", "degF", "K", "mK"]])
    var random = SplitMix64(seed: 2)
    var wrong: [String] = []
    for index in 0..<(Self.count / 4) {
      let value = Self.value(&random, index)
      let tested = cases[index % cases.count]
      if value.isFinite, !tested.oracle.isNearest(tested.conversion(value), to: value),
        wrong.count < 10
      {
        wrong.append("\(value.bitPattern) \(tested.name)")
      }
    }
    #expect(wrong == [])
    let fahrenheit = try UnitConversion(from: UnitExpression("degF"), to: UnitExpression("degC"))
    #expect(fahrenheit(98.6) == 37)
    #expect(fahrenheit(-40) == -40)
    #expect(fahrenheit(212) == 100)
  }

  /// Values whose exact result lies in the middle between two doubles: the factor n/d in lowest terms
  /// needs a value that the odd part of d divides and a product of 54 bits.
  private static func middles(
    of tested: Case, count: Int, _ random: inout SplitMix64
  ) -> [Double] {
    let ratio = tested.conversion.exactFactor
    let odd = ratio.denominator >> ratio.denominator.trailingZeroBitCount
    let top = ratio.numerator >> ratio.numerator.trailingZeroBitCount
    guard odd.bitWidth + 1 < 53, top.bitWidth < 54 else { return [] }
    let bits = 54 - top.bitWidth
    let range = (UInt(1) << UInt(bits - 1))..<(UInt(1) << UInt(bits))
    return (0..<count).compactMap { _ in
      // value = odd · multiplier, so that value · n/d = top · multiplier · 2^k exactly.
      let multiplier = Natural(UInt.random(in: range, using: &random) | 1)
      let (product, value) = (top * multiplier, odd * multiplier)
      return product.bitWidth == 54 && value.bitWidth <= 53 ? Double(value.lowestWord) : nil
    }
  }

  @Test("a value half way between two doubles goes to the even one")
  func ties() throws {
    var random = SplitMix64(seed: 3)
    var ties = 0
    for tested in try Self.pairs(of: Self.families) {
      for half in Self.middles(of: tested, count: 2, &random) {
        for value in [half, -half, half * 0x1p-900, half * 0x1p-1074, half * 0x1p900] {
          guard value.magnitude > 0, value.isFinite else { continue }
          #expect(tested.oracle.isNearest(tested.conversion(value), to: value), "\(tested.name)")
        }
        ties += 1
      }
    }
    #expect(ties > 200)
  }

  @Test(
    "a column of values half way between two doubles goes to the even ones, on every instruction set",
    arguments: InstructionSet.allCases.filter(\.isAvailable))
  func columnsOfTies(on instructions: InstructionSet) throws {
    var random = SplitMix64(seed: 6)
    var ties = 0
    for tested in try Self.pairs(of: [
      ["lb", "kg", "oz"], ["mi", "m", "ft"], ["kcal", "J"], ["mmHg", "atm"], ["count/hr", "Hz"],
    ]) {
      // Each between both neighbours, and zeros that keep their sign.
      let middles = Self.middles(of: tested, count: 40, &random)
      let column: [Double] =
        [-0.0, 0] + middles.flatMap { [$0.nextDown, $0, -$0, $0.nextUp] as [Double] }
      var results = [Double](repeating: .nan, count: column.count)
      column.withUnsafeBufferPointer { source in
        results.withUnsafeMutableBufferPointer { target in
          tested.conversion.apply(from: source, to: target, on: instructions)
        }
      }
      for (value, result) in zip(column, results) {
        #expect(tested.oracle.isNearest(result, to: value), "\(value) \(tested.name)")
        #expect(result.sign == value.sign)
      }
      ties += middles.count
    }
    #expect(ties > 150)
  }

  @Test("the smallest and the largest numbers come out as the nearest double")
  func extremes() throws {
    let values: [Double] = [
      .leastNonzeroMagnitude, 3 * .leastNonzeroMagnitude, .leastNormalMagnitude,
      .leastNormalMagnitude.nextDown, .greatestFiniteMagnitude, .greatestFiniteMagnitude / 3,
      0x1p-1022, 0x1p-1000, 0x1p-700, 0x1p1023, 1, 0,
    ]
    for tested in try Self.pairs(of: [
      ["lb", "kg", "oz", "Tg"], ["kcal/hr", "W"], ["fPa", "mmHg", "TPa", "fg/m·s^2"],
    ]) {
      for value in values + values.map({ -$0 }) {
        let result = tested.conversion(value)
        #expect(tested.oracle.isNearest(result, to: value), "\(value) \(tested.name)")
        #expect(result.sign == value.sign, "\(value) \(tested.name)")
      }
      #expect(tested.conversion(.nan).isNaN)
      #expect(tested.conversion(.infinity) == .infinity)
      #expect(tested.conversion(-.infinity) == -.infinity)
    }
  }

  @Test(
    "a column comes out with the bits of its values one by one, on every instruction set",
    arguments: InstructionSet.allCases.filter(\.isAvailable))
  func columns(on instructions: InstructionSet) throws {
    var random = SplitMix64(seed: 4)
    let special: [Double] = [0, -0.0, .nan, .infinity, -.infinity, .leastNonzeroMagnitude, 1e308]
    for tested in try Self.pairs(of: [
      ["lb", "kg", "g", "st"], ["degC", "degF", "K"], ["m", "km", "mi"], ["deg", "rad"],
    ]) {
      for count in [0, 1, 7, 8, 31, 32, 33, 65, max(200, Self.count / 20)] {
        var column = (0..<count).map { Self.value(&random, $0) }
        if count > 8 { column[count / 2] = special[count % special.count] }
        let expected = column.map { tested.conversion($0) }
        var target = [Double](repeating: 1, count: count)
        column.withUnsafeBufferPointer { source in
          target.withUnsafeMutableBufferPointer { target in
            tested.conversion.apply(from: source, to: target, on: instructions)
          }
        }
        #expect(target.map(\.bits) == expected.map(\.bits), "\(tested.name)")
        tested.conversion.apply(to: &column)
        #expect(column.map(\.bits) == expected.map(\.bits), "\(tested.name)")
      }
    }
  }
}

extension Double {
  /// The bits, all not-a-numbers alike.
  fileprivate var bits: UInt64 { isNaN ? Double.nan.bitPattern : bitPattern }
}
