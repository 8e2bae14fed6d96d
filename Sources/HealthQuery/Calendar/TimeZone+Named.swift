public import Foundation
import HealthSamples

extension TimeZone {
  /// The zone with an IANA identifier such as `Europe/Paris`.
  ///
  /// - Throws: ``QueryError`` with ``QueryError/Reason/unknownTimeZone(_:suggestions:)``
  public static func named(_ identifier: String) throws(QueryError) -> TimeZone {
    if !identifier.isEmpty, let zone = TimeZone(identifier: identifier) { return zone }
    throw QueryError(
      .unknownTimeZone(identifier, suggestions: suggestions(for: identifier)))
  }

  /// Up to three identifiers similar to an unknown one, the nearest first; of a city that there is, it
  /// alone.
  private static func suggestions(for identifier: String) -> [String] {
    let wanted = String(identifier.lowercased().prefix(64)).replacing(" ", with: "_")
    guard !wanted.isEmpty else { return [] }
    let limit = max(2, wanted.count / 4)
    let near = knownTimeZoneIdentifiers.compactMap { known -> (distance: Int, name: String)? in
      let name = known.lowercased()
      // The city alone is compared, too.
      let city = name.split(separator: "/").last.map(String.init) ?? ""
      let distance = min(EditDistance.between(wanted, name), EditDistance.between(wanted, city))
      return distance <= limit ? (distance, known) : nil
    }
    let exact = near.filter { $0.distance == 0 }
    return (exact.isEmpty ? near : exact)
      .sorted { ($0.distance, $0.name) < ($1.distance, $1.name) }.prefix(3).map(\.name)
  }
}
