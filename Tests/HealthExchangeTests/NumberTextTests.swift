import Foundation
import HealthExchange
import HealthUnits
import Testing
import _HealthNumerics
import _HealthTestSupport

@Suite("Numbers as text")
struct NumberTextTests {
  @Test("Exact text reads back to the same double, bit for bit")
  func exactTextReadsBack() throws {
    var generator = SplitMix64(seed: 7)
    for _ in 0..<20_000 {
      let value = Double(bitPattern: generator.next())
      guard value.isFinite else { continue }
      let text = NumberText.exact(value)
      #expect(try #require(Double(text)).bitPattern == value.bitPattern)
      #expect(text.utf8.count <= value.description.utf8.count)
      let plain = DecimalDigits.shortest(value)
      #expect(plain == text || plain.contains("e") && Double(plain) == value)
    }
  }

  @Test(
    "Whole numbers carry no point, exponents no plus sign and no leading zero",
    arguments: [
      (57.0, "57"), (-3.0, "-3"), (0.5, "0.5"), (1e16, "1e16"), (5.91532e-05, "5.91532e-5"),
      (8123.5, "8123.5"), (.infinity, "1e999"), (-.infinity, "-1e999"),
    ])
  func exactText(value: Double, text: String) { #expect(NumberText.exact(value) == text) }

  @Test(
    "Rounded text has commas between thousands",
    arguments: [
      (1_234_567.0, 0, "1,234,567"), (999.0, 0, "999"), (1000.0, 1, "1,000.0"),
      (-12_345.678, 2, "-12,345.68"), (0.0004, 2, "0.00"), (-0.0004, 2, "0.00"),
      (123_456.0, 0, "123,456"),
    ])
  func roundedText(value: Double, decimals: Int, text: String) {
    #expect(NumberText.rounded(value, decimals: decimals) == text)
  }

  /// Numbers of all sizes, of few digits, half-way between two, and next to powers of ten.
  private static var manyNumbers: [Double] {
    var generator = SplitMix64(seed: 31)
    let powers = (-9...17).map { pow(10, Double($0)) }
    return (0..<4000).flatMap { (_: Int) -> [Double] in
      let digits = Double(generator.next() >> (12 + generator.next() % 50))
      let power = powers[Int(generator.next() % UInt64(powers.count))]
      let half = (Double(generator.next() % 100_000) + 0.5) / 0x1p4
      return [digits / power, -digits * power, half, power.nextUp, -power.nextDown]
    }
  }

  @Test("Numbers are rounded to decimals as C rounds them")
  func roundedAsC() {
    for value in Self.manyNumbers where abs(value) < 1e15 {
      for decimals in [0, 1, 2, 3, 9, 15] {
        let text = String(format: "%.*f", decimals, value)
        let isZero = text.allSatisfy { "-0.".contains($0) }
        #expect(
          NumberText.rounded(value, decimals: decimals).filter { $0 != "," }
            == (isZero ? String(text.drop { $0 == "-" }) : text), "\(value) to \(decimals)")
      }
    }
  }

  @Test("The shortest number near another is that of 15 or 16 digits as C prints them")
  func shortest() {
    for value in Self.manyNumbers where value != value.rounded() {
      let near = [15, 16].compactMap { Double(String(format: "%.*g", $0, value)) }
        .first { abs($0 - value) <= 2 * value.ulp }
      #expect(NumberText.shortest(value) == near ?? value, "\(value)")
    }
    #expect(NumberText.shortest(62.00000000000001) == 62)
    for value in [0, -0.0, .infinity, 1e300, Double.leastNonzeroMagnitude, 1e22] {
      #expect(NumberText.shortest(value) == value)
    }
  }

  @Test("Whole numbers are their digits")
  func integers() {
    for value in [0, 7, -7, 10, 12_345, .max, .min] {
      var bytes: [UInt8] = []
      bytes.append(integer: value)
      #expect(String(decoding: bytes, as: UTF8.self) == String(value))
    }
    #expect(NumberText.exact(-0.0) == "-0")
  }

  @Test(
    "The largest value of a column decides its decimals",
    arguments: [
      ([1.0, 2, 300], 0), ([0.978], 4), ([61.25, 72.5], 2), ([61.25, 720.5], 1),
      ([8123.5, 0.25], 0), ([], 0), ([0.00012], 7),
    ])
  func decimalsOfColumn(values: [Double], decimals: Int) {
    #expect(NumberText.decimals(for: values) == decimals)
  }

  @Test(
    "A number by itself has about four digits and no zeros behind them",
    arguments: [
      (0.978 * 100, "97.8"), (72.5, "72.5"), (62, "62"), (15.1668, "15.17"), (1234.567, "1,235"),
      (0.00012345, "0.0001234"), (98, "98"), (100, "100"), (0, "0"), (-0.5, "-0.5"),
      (1e20, "1e+20"), (.infinity, "∞"),
    ])
  func loneNumber(value: Double, text: String) { #expect(NumberText.rounded(value) == text) }

  @Test("Text without an exponent reads back to the same double, in the digits of the shortest")
  func withoutExponent() throws {
    var generator = SplitMix64(seed: 9)
    var values = (0..<5000).map { _ in Double(bitPattern: generator.next()) }.filter(\.isFinite)
    values += [0, 8e-6, -8e-6, 1e-300, 1e300, 1.5e22, 123_456.789, .leastNonzeroMagnitude]
    for value in values {
      let text = NumberText.withoutExponent(value)
      #expect(Double(text) == value)
      #expect(text.wholeMatch(of: /-?(0|[1-9][0-9]*)(\.[0-9]*[1-9])?/) != nil, "\(text)")
      func digits(_ text: some Sequence<Character>) -> String {
        let all = String(text.filter(\.isNumber)).drop { $0 == "0" }
        return String(all.reversed().drop { $0 == "0" })
      }
      #expect(digits(text) == digits(NumberText.exact(value).prefix { $0 != "e" }))
    }
    #expect(NumberText.withoutExponent(-0.0) == "0")
    #expect(NumberText.withoutExponent(8e-6) == "0.000008")
  }

  @Test("A decimal for FHIR says the ratio exactly or is none")
  func clinicalDecimals() throws {
    var generator = SplitMix64(seed: 10)
    for _ in 0..<2000 {
      let numerator = generator.next() >> (generator.next() % 64)
      let decimals = Int.random(in: 0...20, using: &generator)
      let ratio = ExactRatio(numerator) * .powerOfTen(-decimals)
      guard let text = NumberText.clinicalDecimal(ratio) else {
        #expect(decimals > 17 || String(numerator).count - decimals > 18)
        continue
      }
      let parts = text.split(separator: ".")
      #expect(parts[0].count <= 18 && (parts.count < 2 || parts[1].count <= 17))
      #expect(ExactFactor(decimal: Substring(text))?.rational == ratio)
    }
    #expect(NumberText.clinicalDecimal(ExactRatio(1, over: 3)) == nil)
    #expect(NumberText.clinicalDecimal(ExactRatio(1, over: 8).negated) == "-0.125")
    #expect(NumberText.clinicalDecimal(.zero) == "0")
  }

  @Test("Digits between the commas are those of the number, in groups of three")
  func groupsHoldTheDigits() {
    var generator = SplitMix64(seed: 8)
    for _ in 0..<2000 {
      let value = Int(truncatingIfNeeded: generator.next() >> (generator.next() % 63))
      let text = NumberText.grouped(value)
      #expect(text.filter { $0 != "," } == String(value))
      let groups = text.drop { $0 == "-" }.split(separator: ",")
      #expect(groups.dropFirst().allSatisfy { $0.count == 3 })
      #expect((1...3).contains(groups.first?.count ?? 0))
    }
  }
}
