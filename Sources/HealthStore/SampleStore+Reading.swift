import GRDB
public import HealthSamples
import HealthUnits

extension SampleStore {
  /// The types that have samples, by identifier.
  ///
  /// - Complexity: O(*s*) for *s* segments; no sample is read
  public func types() throws(StoreError) -> [TypeSummary] {
    try read { database in
      let labels = try database.mostFrequent("label", by: "type")
      return try Row.fetchAll(
        database,
        sql: """
          SELECT types.identifier, types.unit, types.style, types.id, sum(count),
            min(firstStart), max(lastStart), max(lastEnd)
          FROM segments JOIN types ON types.id = segments.type
          GROUP BY types.id ORDER BY types.identifier
          """
      ).map { row in
        let stored = try SampleType(row)
        let type = Catalogue.type(stored.identifier) ?? stored
        return TypeSummary(
          type: type, count: try row.sampleCount(atIndex: 4),
          firstStart: try row.decode(atIndex: 5),
          lastStart: try row.decode(atIndex: 6), lastEnd: try row.decode(atIndex: 7),
          recordedUnit: type.canonicalUnit == nil ? nil : labels[[try row.decode(atIndex: 3)]])
      }
    }
  }

  /// The sources of a type, or of all types, by type, then in the order of columns.
  ///
  /// - Complexity: O(*s*) for *s* segments; no sample is read
  public func sources(of type: SampleType? = nil) throws(StoreError) -> [SourceSummary] {
    try read { database in
      let devices = try database.mostFrequent("device", by: "type, source")
      let types = try database.sampleTypes()
      return try Row.fetchAll(
        database,
        sql: """
          SELECT types.identifier, sources.name, sources.isUserEntered, types.id, sources.id,
            sum(count), min(firstStart), max(lastStart), max(lastEnd)
          FROM segments JOIN types ON types.id = segments.type
            JOIN sources ON sources.id = segments.source
          WHERE ?1 IS NULL OR types.identifier = ?1
          GROUP BY types.id, sources.id ORDER BY types.identifier
          """, arguments: [type?.identifier]
      ).compactMap { row -> SourceSummary? in
        guard let type = types[try row.decode(atIndex: 0)] else { return nil }
        let source = Source(
          name: try row.decode(atIndex: 1), isUserEntered: try row.decode(atIndex: 2))
        let device = devices[[try row.decode(atIndex: 3), try row.decode(atIndex: 4)]] ?? ""
        return SourceSummary(
          type: type, source: source, count: try row.sampleCount(atIndex: 5),
          firstStart: try row.decode(atIndex: 6), lastStart: try row.decode(atIndex: 7),
          lastEnd: try row.decode(atIndex: 8), device: device,
          deviceKind: DeviceKind(device: device, sourceName: source.name))
      }.sorted { left, right in
        (left.type.identifier, left.source.sortKey) < (right.type.identifier, right.source.sortKey)
      }
    }
  }
}

extension Row {
  /// A number of samples; one that no store can hold is damage.
  fileprivate func sampleCount(atIndex index: Int) throws -> Int {
    let count: Int = try decode(atIndex: index)
    guard (0...1 << 48).contains(count) else { throw SegmentDamage() }
    return count
  }
}

extension Database {
  /// The text that most rows of a group of segments have, the smaller one of equals.
  fileprivate func mostFrequent(_ text: String, by columns: String) throws -> [[Int64]: String] {
    let rows = try Row.fetchAll(
      self,
      sql: """
        SELECT \(text), sum(facts.count) AS number, \(columns)
        FROM \(text)s AS facts JOIN segments ON segments.id = facts.segment
        GROUP BY \(columns), \(text) ORDER BY number DESC, \(text)
        """)
    var texts: [[Int64]: String] = [:]
    for row in rows {
      let group = try (2..<row.count).map { try row.decode(Int64.self, atIndex: $0) }
      if texts[group] == nil { texts[group] = try row.decode(atIndex: 0) }
    }
    return texts
  }
}

extension SampleType {
  /// A type as the store keeps it: identifier, unit, style.
  init(_ row: Row) throws {
    let identifier = try row.decode(String.self, atIndex: 0)
    guard let text = try row.decode(String?.self, atIndex: 1) else {
      self.init(identifier: identifier, kind: .category)
      return
    }
    guard let style = try row.decode(String?.self, atIndex: 2).flatMap(AggregationStyle.init) else {
      throw SegmentDamage()
    }
    let unit: UnitExpression
    do {
      unit = try UnitExpression(text)
    } catch {
      throw StoreError(.unknownUnit(text), path: "")
    }
    self.init(identifier: identifier, kind: .quantity(canonicalUnit: unit, style: style))
  }
}

/// The place of a source in columns: by name, hand-entered first.
struct SourceSortKey: Comparable {
  var name: String
  var rank: Int

  static func < (left: Self, right: Self) -> Bool {
    (left.name, left.rank) < (right.name, right.rank)
  }
}

extension Source {
  var sortKey: SourceSortKey { SourceSortKey(name: matchingName, rank: isUserEntered ? 0 : 1) }
}
