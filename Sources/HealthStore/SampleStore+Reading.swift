import GRDB
public import HealthSamples
import HealthUnits

extension SampleStore {
  /// The types that have samples, by identifier.
  ///
  /// - Complexity: O(types × sources); no sample is read
  public func types() throws(StoreError) -> [TypeSummary] {
    try read { database in
      let labels = try database.mostFrequentLabels()
      return try Row.fetchAll(
        database,
        sql: """
          SELECT types.identifier, types.unit, types.style, types.id, sum(count),
            min(firstStart), max(lastStart), max(lastEnd)
          FROM streams JOIN types ON types.id = streams.type
          GROUP BY types.id ORDER BY types.identifier
          """
      ).map { row in
        let stored = try SampleType(row)
        let type = Catalogue.type(stored.identifier) ?? stored
        return TypeSummary(
          type: type, count: try row.sampleCount(atIndex: 4),
          firstStart: try row.decode(atIndex: 5),
          lastStart: try row.decode(atIndex: 6), lastEnd: try row.decode(atIndex: 7),
          recordedUnit: type.canonicalUnit == nil ? nil : labels[try row.decode(atIndex: 3)])
      }
    }
  }

  /// The sources of a type, or of all types, by type, then in the order of columns.
  ///
  /// - Complexity: O(types × sources); no sample is read
  public func sources(of type: SampleType? = nil) throws(StoreError) -> [SourceSummary] {
    try read { database in
      let types = try database.sampleTypes()
      return try Row.fetchAll(
        database,
        sql: """
          SELECT types.identifier, sources.name, sources.isUserEntered, streams.device,
            count, firstStart, lastStart, lastEnd
          FROM streams JOIN types ON types.id = streams.type
            JOIN sources ON sources.id = streams.source
          WHERE ?1 IS NULL OR streams.type = (SELECT id FROM types WHERE identifier = ?1)
          """, arguments: [type?.identifier]
      ).compactMap { row -> SourceSummary? in
        guard let type = types[try row.decode(atIndex: 0)] else { return nil }
        let source = Source(
          name: try row.decode(atIndex: 1), isUserEntered: try row.decode(atIndex: 2))
        guard selection.contains(source) else { return nil }
        let device = try row.decode(String.self, atIndex: 3)
        return SourceSummary(
          type: type, source: source, count: try row.sampleCount(atIndex: 4),
          firstStart: try row.decode(atIndex: 5), lastStart: try row.decode(atIndex: 6),
          lastEnd: try row.decode(atIndex: 7), device: device,
          deviceKind: DeviceKind(device: device, sourceName: source.name))
      }.sorted { left, right in
        (left.type.identifier, left.source.sortKey) < (right.type.identifier, right.source.sortKey)
      }
    }
  }
}

extension SampleStore {
  /// Every source of samples and of elements, by name, whatever the ``selection``.
  public func allSources() throws(StoreError) -> [Source] {
    try read { database in
      try database.sources().values.sorted { $0.sortKey < $1.sortKey }
    }
  }
}

extension Row {
  /// A number of samples; one that no store can hold is damage.
  func sampleCount(atIndex index: Int, atMost most: Int = 1 << 48) throws -> Int {
    let count: Int = try decode(atIndex: index)
    guard (0...most).contains(count) else { throw SegmentDamage() }
    return count
  }
}

extension Database {
  /// The label that most rows of each type have, the smaller one of equals.
  fileprivate func mostFrequentLabels() throws -> [Int64: String] {
    let rows = try Row.fetchAll(
      self,
      sql: """
        SELECT type, label FROM streamLabels GROUP BY type, label
        ORDER BY sum(count) DESC, label
        """)
    let labels = try rows.map { row in
      (try row.decode(Int64.self, atIndex: 0), try row.decode(String.self, atIndex: 1))
    }
    return Dictionary(labels) { first, _ in first }
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
