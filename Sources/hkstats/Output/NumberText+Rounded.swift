import Foundation
import HealthExchange

extension NumberText {
  /// A whole number with a comma between thousands.
  static func grouped(_ value: Int) -> String { grouping(String(value)) }

  /// A number with a fixed number of decimals and a comma between thousands.
  static func rounded(_ value: Double, decimals: Int) -> String {
    guard value.isFinite else { return value < 0 ? "-∞" : "∞" }
    guard abs(value) < 1e15 else { return String(format: "%.4g", value) }
    let text = String(format: "%.*f", decimals, value)
    let isZero = text.allSatisfy { !$0.isNumber || $0 == "0" }
    return grouping(isZero && text.hasPrefix("-") ? String(text.dropFirst()) : text)
  }

  /// A single number, to about four significant digits, without trailing zeros.
  static func rounded(_ value: Double) -> String {
    let text = rounded(value, decimals: decimals(for: [value]))
    guard text.contains("."), !text.contains("e") else { return text }
    let digits = text.reversed().drop { $0 == "0" }.reversed()
    return String(digits.last == "." ? digits.dropLast() : digits[...])
  }

  /// The number of decimals that shows a column of numbers to about four significant digits.
  ///
  /// Whole numbers have none. The largest magnitude decides, so that all rows align.
  static func decimals(for values: some Sequence<Double>) -> Int {
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
  static func decimals(between low: Double, and high: Double) -> Int {
    let span = high / 2 - low / 2
    guard span > 0 else { return decimals(for: [high]) }
    return min(9, max(0, 1 - Int(log10(span).rounded(.down))))
  }

  /// Inserts commas into the whole part of a decimal text.
  private static func grouping(_ text: String) -> String {
    let sign = text.hasPrefix("-") ? "-" : ""
    let parts = text.dropFirst(sign.count).split(
      separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    let digits = parts.first ?? ""
    var whole = ""
    for (index, digit) in digits.enumerated() {
      if index > 0, (digits.count - index) % 3 == 0 { whole += "," }
      whole.append(digit)
    }
    return sign + whole + (parts.count > 1 ? "." + parts[1] : "")
  }
}
