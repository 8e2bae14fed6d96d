import Foundation

extension NumberText {
  /// A whole number with a comma between thousands, or the mark of the ``Speech``.
  package static func grouped(_ value: Int) -> String {
    grouped(value.magnitude, isNegative: value < 0)
  }

  /// A number with a fixed number of decimals and marks between thousands, rounded as in C: to
  /// nearest, ties to even.
  package static func rounded(_ value: Double, decimals: Int) -> String {
    guard value.isFinite else { return value < 0 ? "-∞" : "∞" }
    guard abs(value) < 1e15 else { return String(format: "%.4g", value) }
    let scale = powersOfTen[decimals]
    guard let scaled = ExactProduct(value.magnitude, scale).nearestWhole else {
      let parts = String(format: "%.*f", decimals, value.magnitude).split(separator: ".")
      return grouped(UInt(parts[0]) ?? 0, isNegative: value < 0)
        + parts.dropFirst().map { decimalMark + $0 }.joined()
    }
    let (whole, fraction) = UInt(scaled).quotientAndRemainder(dividingBy: UInt(scale))
    return grouped(
      whole, isNegative: value < 0 && scaled > 0, decimals: decimals, fraction: fraction)
  }

  /// A single number, to about four significant digits, without trailing zeros.
  package static func rounded(_ value: Double) -> String {
    let decimals = decimals(for: CollectionOfOne(value))
    let text = rounded(value, decimals: decimals)
    guard decimals > 0, value.isFinite, abs(value) < 1e15 else { return text }
    let digits = text.utf8.dropLast(text.utf8.reversed().prefix { $0 == UInt8(ascii: "0") }.count)
    let isWhole = digits.count == text.utf8.count - decimals
    return String(text[..<digits.endIndex].dropLast(isWhole ? 1 : 0))
  }

  private static var decimalMark: String {
    String(decoding: Speech.current.decimalMark, as: UTF8.self)
  }

  /// The number of decimals that shows a column of numbers to about four significant digits.
  ///
  /// Whole numbers have none. The largest magnitude decides, so that all rows align.
  package static func decimals(for values: some Sequence<Double>) -> Int {
    var largest = 0.0
    var isWhole = true
    for value in values where value.isFinite {
      largest = max(largest, abs(value))
      isWhole = isWhole && value == value.rounded()
    }
    guard !isWhole, largest > 0 else { return 0 }
    return min(15, max(0, 3 - Int(log10(largest).rounded(.down))))
  }

  /// The fewest decimals that distinguish the ends of a scale.
  package static func decimals(between low: Double, and high: Double) -> Int {
    let span = high / 2 - low / 2
    guard span > 0 else { return decimals(for: [high]) }
    return min(9, max(0, 1 - Int(log10(span).rounded(.down))))
  }

  /// Digits with a mark between thousands, and decimals where there are some.
  private static func grouped(
    _ whole: UInt, isNegative: Bool, decimals: Int = 0, fraction: UInt = 0
  ) -> String {
    let speech = Speech.current
    // Twenty digits, six marks between them, a sign, a mark and the decimals.
    let capacity = 22 + 6 * speech.groupMark.count + speech.decimalMark.count + decimals
    return withUnsafeTemporaryAllocation(of: UInt8.self, capacity: capacity) { bytes in
      var first = capacity
      func put(_ byte: UInt8) {
        first -= 1
        bytes[first] = byte
      }
      var rest = fraction
      for _ in 0..<decimals {
        put(UInt8(ascii: "0") + UInt8(rest % 10))
        rest /= 10
      }
      if decimals > 0 { speech.decimalMark.reversed().forEach(put) }
      rest = whole
      let isGrouped = whole >= speech.leastGrouped
      var count = 0
      repeat {
        if isGrouped, count > 0, count.isMultiple(of: 3) {
          speech.groupMark.reversed().forEach(put)
        }
        put(UInt8(ascii: "0") + UInt8(rest % 10))
        rest /= 10
        count += 1
      } while rest > 0
      if isNegative { put(UInt8(ascii: "-")) }
      return String(decoding: bytes[first...], as: UTF8.self)
    }
  }
}
