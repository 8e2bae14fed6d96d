import HealthUnits

/// Known names that are similar to an unknown one.
package enum NearNames {
  /// `Did you mean: a, b?`; `nil` without names.
  package static func question(_ names: [String]) -> String? {
    names.isEmpty ? nil : "Did you mean: \(names.joined(separator: ", "))?"
  }

  /// The same behind a sentence, after a space; empty without names.
  package static func advice(_ names: [String]) -> String { question(names).map { " " + $0 } ?? "" }

  /// Up to three of `names`, the nearest first; equally near ones keep their order.
  ///
  /// - Complexity: O(*k* · *m*) in the number of names and the square of their length
  package static func of(_ text: String, among names: some Sequence<String>) -> [String] {
    let key = key(of: text)
    guard key.utf8.count <= longest else { return [] }
    var seen: Set<String> = []
    let ranked = names.filter { seen.insert($0).inserted }.enumerated().compactMap { index, name in
      distance(of: key, to: name).map { (distance: $0, index: index, name: name) }
    }
    return ranked.sorted { ($0.distance, $0.index) < ($1.distance, $1.index) }
      .prefix(3).map(\.name)
  }

  /// The distance to a name, or the larger one to one of its words.
  private static func distance(of key: String, to name: String) -> Int? {
    if let whole = likeness(of: key, to: self.key(of: name)) { return whole }
    // `Anna’s iPhone` has the words Anna and iPhone.
    let words = name.split { $0.isWhitespace || $0 == "'" || $0 == "’" }
    guard words.count > 1 else { return nil }
    return words.filter { $0.count > 2 }
      .compactMap { likeness(of: key, to: self.key(of: String($0))) }.min().map { 50 + $0 }
  }

  /// No name is longer, and comparing longer texts would be slow.
  static let longest = 200

  /// `name` in lower case, without spaces, `-` and `_`.
  package static func key(of name: String) -> String {
    var key = String.UnicodeScalarView()
    for scalar in name.lowercased().unicodeScalars
    where scalar != "-" && scalar != "_" && !scalar.properties.isWhitespace {
      key.append(scalar)
    }
    return String(key)
  }

  /// The least distance of a text that stands within a name, after its beginning.
  static let leastWithin = 100

  /// The distance of `key` to a known name: the number of edits, or more where it is only a part of
  /// the name; `nil` when they are not similar.
  static func likeness(of key: String, to name: String) -> Int? {
    // Up to a third of the letters may be wrong, but at most three; the difference in length is a
    // lower bound of the edits and cheap to check.
    let bound = min(3, max(1, key.unicodeScalars.count / 3))
    if abs(key.unicodeScalars.count - name.unicodeScalars.count) <= bound {
      let edits = EditDistance.between(key, name)
      if edits <= bound { return edits }
    }
    guard key.utf8.count >= 3, name.contains(key) else { return nil }
    return (name.hasPrefix(key) ? 10 : leastWithin) + name.utf8.count - key.utf8.count
  }
}
