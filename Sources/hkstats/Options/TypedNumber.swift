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
  private static var areDecimalCommas: Bool { Vocabulary.current.separators.decimal == "," }

  /// Refuses a text that begins with a number that is another one in the language shown.
  static func check(_ text: String) throws(Failure) {
    guard areDecimalCommas, let digits = DisplayUnit.parts(of: text)?.digits, hasTwoReadings(digits)
    else { return }
    // The number itself is a measured value, which no error names.
    throw Failure(
      "A number with one mark before three digits may be whole or a fraction: write 1125 for the one, "
        + "1,1250 for the other.", .usage)
  }

  /// Refuses such a number in a value to save, or in one of both of a blood pressure.
  static func check(value: String) throws(Failure) {
    for part in SpokenEntry.parts(of: value) { try check(part) }
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

  /// Whether a number has one mark, before three digits, so that it may be whole or a fraction.
  private static func hasTwoReadings(_ digits: String) -> Bool {
    let parts = digits.prefix { !"eE".contains($0) }
      .split(omittingEmptySubsequences: false) { $0 == "." || $0 == "," }
    guard parts.count == 2, parts[1].utf8.count == 3 else { return false }
    let whole = parts[0].drop { $0 == "-" || $0 == "+" }
    return (1...3).contains(whole.utf8.count) && whole != "0"
  }
}
