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

  /// Up to three identifiers whose city is similar to that of an unknown one, the nearest first; of a
  /// city that there is, it alone.
  private static func suggestions(for identifier: String) -> [String] {
    let zones = Dictionary(grouping: knownTimeZoneIdentifiers.sorted(), by: city)
    let wanted = city(of: identifier)
    let near = NearNames.of(wanted, among: zones.keys.sorted())
    let same = near.filter { NearNames.key(of: $0) == NearNames.key(of: wanted) }
    return Array((same.isEmpty ? near : same).flatMap { zones[$0] ?? [] }.prefix(3))
  }

  /// `Paris` of `Europe/Paris`.
  private static func city(of identifier: String) -> String {
    identifier.split(separator: "/").last.map(String.init) ?? ""
  }
}
