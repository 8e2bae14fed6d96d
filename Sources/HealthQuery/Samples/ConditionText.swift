import Foundation

/// A condition as it is typed: what is compared, how, and with what.
package struct ConditionText {
  package let key: String
  /// `nil` without a sign.
  package let comparison: Comparison?
  package let value: String

  /// The longer signs first, so that `<=` is not read as `<`.
  private static let signs: [(text: String, comparison: Comparison)] =
    [("==", .equal)]
    + Comparison.allCases.map { ($0.rawValue, $0) }.sorted { $0.0.count > $1.0.count }

  package init(_ text: String) {
    let end = text.utf8.firstIndex { "!<=>".utf8.contains($0) } ?? text.endIndex
    key = Self.trimmed(text[..<end])
    let sign = Self.signs.first { text[end...].hasPrefix($0.text) }
    comparison = sign?.comparison
    value = Self.trimmed(text[end...].dropFirst(sign?.text.count ?? 0))
  }

  /// The text without blanks around it; of thousands of conditions hardly any has some.
  private static func trimmed(_ text: Substring) -> String {
    let (first, last) = (text.utf8.first ?? 0x20, text.utf8.last ?? 0x20)
    return 0x21...0x7E ~= first && 0x21...0x7E ~= last
      ? String(text) : text.trimmingCharacters(in: .whitespaces)
  }
}
