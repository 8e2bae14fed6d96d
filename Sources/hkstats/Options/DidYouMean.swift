import HealthExchange
import HealthSamples

/// What a refused name may have meant.
enum DidYouMean {
  /// `Did you mean: a, b?`, or else what helps to find a name.
  static func advice(_ suggestions: [String], else help: String) -> String {
    suggestions.isEmpty
      ? help
      : "Did you mean: \(suggestions.map(\.printable).joined(separator: ", "))?"
  }

  /// That there is no such thing, and which there are.
  static func text(
    _ what: String, _ name: String, among known: [String], synonyms: [String: String] = [:]
  ) -> String {
    let near = synonyms[name.lowercased()].map { [$0] } ?? NearNames.of(name, among: known)
    let list = "Use one of: \(known.joined(separator: ", "))."
    let meant = near.isEmpty ? "" : " \(advice(near, else: ""))"
    return "there is no \(what) \"\(name.printable.truncated(to: 80))\".\(meant) \(list)"
  }
}
