import Foundation
import HealthQuery

/// A condition as it is typed: what is compared, how, and with what.
struct ConditionText {
  let key: String
  /// `nil` without a sign.
  let comparison: Comparison?
  let value: String

  /// The longer signs first, so that `<=` is not read as `<`.
  private static let signs: [(text: String, comparison: Comparison)] =
    [("==", .equal)]
    + Comparison.allCases.map { ($0.rawValue, $0) }.sorted { $0.0.count > $1.0.count }

  init(_ text: String) {
    let end = text.firstIndex { "!<=>".contains($0) } ?? text.endIndex
    key = text[..<end].trimmingCharacters(in: .whitespaces)
    let sign = Self.signs.first { text[end...].hasPrefix($0.text) }
    comparison = sign?.comparison
    value = text[end...].dropFirst(sign?.text.count ?? 0).trimmingCharacters(in: .whitespaces)
  }
}
