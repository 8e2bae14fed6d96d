public import Foundation

extension TimeZone {
  /// The zone with an IANA identifier such as `Europe/Paris`.
  ///
  /// - Throws: ``QueryError`` with ``QueryError/Reason/unknownTimeZone(_:suggestions:)``
  public static func named(_ identifier: String) throws(QueryError) -> TimeZone {
    if !identifier.isEmpty, let zone = TimeZone(identifier: identifier) { return zone }
    throw QueryError(
      .unknownTimeZone(identifier, suggestions: suggestions(for: identifier)))
  }

  /// Up to three identifiers that a misspelt one may stand for, the nearest first.
  private static func suggestions(for identifier: String) -> [String] {
    let wanted = Array(identifier.lowercased().utf8.prefix(64))
    guard !wanted.isEmpty else { return [] }
    let limit = max(2, wanted.count / 4)
    let near = knownTimeZoneIdentifiers.compactMap { known -> (distance: Int, name: String)? in
      let name = known.lowercased()
      // A city alone is as good as its identifier.
      let city = name.split(separator: "/").last.map { Array($0.utf8) } ?? []
      let distance = min(
        editDistance(wanted, Array(name.utf8)), editDistance(wanted, city))
      return distance <= limit ? (distance, known) : nil
    }
    return near.sorted { ($0.distance, $0.name) < ($1.distance, $1.name) }.prefix(3).map(\.name)
  }

  /// How many bytes must be added, removed or replaced (Levenshtein).
  private static func editDistance(_ left: [UInt8], _ right: [UInt8]) -> Int {
    var row = Array(0...right.count)
    for (index, byte) in left.enumerated() {
      var diagonal = row[0]
      row[0] = index + 1
      for (column, other) in right.enumerated() {
        let above = row[column + 1]
        row[column + 1] = min(above + 1, row[column] + 1, diagonal + (byte == other ? 0 : 1))
        diagonal = above
      }
    }
    return row[right.count]
  }
}
