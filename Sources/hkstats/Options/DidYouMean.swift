import HealthExchange
import HealthSamples

/// Suggestions for an unknown name.
enum DidYouMean {
  /// `Did you mean: a, b?`, or else `help`.
  static func advice(_ suggestions: [String], else help: String) -> String {
    NearNames.question(suggestions.map(\.printable)) ?? help
  }

  /// That a name is unknown, and the known ones.
  static func text(
    _ what: String, _ name: String, among known: [String], synonyms: [String: String] = [:]
  ) -> String {
    let near = synonyms[name.lowercased()].map { [$0] } ?? NearNames.of(name, among: known)
    let list = "Use one of: \(known.joined(separator: ", "))."
    let meant = near.isEmpty ? "" : " \(advice(near, else: ""))"
    return "there is no \(what) \"\(name.printable)\".\(meant) \(list)"
  }
}
