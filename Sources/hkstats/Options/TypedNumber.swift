import HealthExchange
import HealthQuery
import HealthReport
import HealthSamples

/// Numbers that a person types, whose marks may be those that tables show.
///
/// Input reads `1,125` as 1125 and `12.717` as a fraction in every language. Where tables have decimal
/// commas, a person may mean the other number, so neither is taken.
enum TypedNumber {
  /// Whether the language shown has decimal commas.
  static var areDecimalCommas: Bool { Vocabulary.current.separators.decimal == "," }

  /// Refuses a text that begins with a number that is another one in the language shown.
  static func check(_ text: String) throws(Failure) {
    guard areDecimalCommas, let digits = SpokenUnit.parts(of: text)?.digits,
      let readings = readings(of: digits)
    else { return }
    throw Failure(
      "\"\(digits)\" is \(readings.fraction) or \(readings.whole): write \(readings.whole), or "
        + "\(readings.written).", .usage)
  }

  /// Refuses such a number in a value to save, or in one of both of a blood pressure.
  static func check(value: String) throws(Failure) {
    for part in value.lowercased().replacing("over", with: "/").split(separator: "/") {
      try check(String(part.drop(while: \.isWhitespace)))
    }
  }

  /// Refuses such a number in a condition on samples or workouts.
  static func check(condition: String) throws(Failure) {
    let words = ConditionText(condition)
    let isText = words.comparison == .equal || words.comparison == .notEqual
    guard !isText || !(textKeys.contains(words.key) || words.key.hasPrefix("metadata.")) else {
      return
    }
    try check(words.value)
  }

  /// What conditions compare as texts.
  private static let textKeys: Set<String> = ["source", "device", "uuid"]

  /// What a number with one mark before three digits may mean, and how the fraction is written so
  /// that nobody doubts it; `nil` for other numbers.
  static func readings(of digits: String) -> (fraction: String, whole: String, written: String)? {
    let number = digits.prefix { !"eE".contains($0) }
    let power = digits[number.endIndex...]
    let parts = number.split(omittingEmptySubsequences: false) { $0 == "." || $0 == "," }
    guard parts.count == 2, parts[1].utf8.count == 3 else { return nil }
    let whole = parts[0].drop { $0 == "-" || $0 == "+" }
    guard (1...3).contains(whole.utf8.count), whole != "0" else { return nil }
    return (
      "\(parts[0]).\(parts[1])\(power)", "\(parts[0])\(parts[1])\(power)",
      "\(parts[0]),\(parts[1])0\(power)"
    )
  }
}
