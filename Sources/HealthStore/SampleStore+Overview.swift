import Foundation
import GRDB
import HealthLedger
public import HealthSamples
import HealthUnits

extension SampleStore {
  /// The types that have samples, by identifier.
  ///
  /// - Complexity: O(types × sources); no sample is read
  public func types() throws(StoreError) -> [TypeSummary] {
    try read { database in
      let visible = try permission(in: database).condition(type: "type", source: "source")
      let labels = try database.mostFrequentLabels(where: visible)
      return try Row.fetchAll(
        database,
        sql: """
          SELECT types.identifier, types.unit, types.style, types.id, sum(count),
            min(firstStart), max(lastStart), max(lastEnd)
          FROM series JOIN types ON types.id = series.type
          WHERE \(visible) GROUP BY types.id ORDER BY types.identifier
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
      let permission = try permission(in: database)
      return try Row.fetchAll(
        database,
        sql: """
          SELECT types.identifier, sources.name, bundleIdentifier, isUserEntered, series.type,
            series.source, counts, count, firstStart, lastStart, lastEnd
          FROM series JOIN types ON types.id = series.type
            JOIN sources ON sources.id = series.source
          WHERE ?1 IS NULL OR series.type = (SELECT id FROM types NOT INDEXED WHERE identifier = ?1)
          """, arguments: [type?.identifier]
      ).compactMap { row -> SourceSummary? in
        guard let type = types[try row.decode(atIndex: 0)] else { return nil }
        let source = try Source(row, from: 1)
        guard selection.contains(source), permission.contains(type.identifier, from: source) else {
          return nil
        }
        let device = try Database.seriesCounts(row, from: 4).mainDevice
        return SourceSummary(
          type: type, source: source, count: try row.sampleCount(atIndex: 7),
          firstStart: try row.decode(atIndex: 8), lastStart: try row.decode(atIndex: 9),
          lastEnd: try row.decode(atIndex: 10), device: device,
          deviceKind: DeviceKind(of: source, device: device))
      }.sorted { left, right in
        (left.type.identifier, left.source) < (right.type.identifier, right.source)
      }
    }
  }
}

extension SampleStore {
  /// Every source of samples and of elements, by name, whatever the ``selection``; for an app those
  /// of the samples that it sees, and its own.
  public func allSources() throws(StoreError) -> [Source] {
    try read { database in
      let permission = try permission(in: database)
      guard !permission.isOwner else { return try database.sources().values.sorted() }
      let visible = try Int64.fetchSet(
        database,
        sql: """
          SELECT source FROM series
          WHERE \(permission.condition(type: "type", source: "source"))
          """)
      return try database.sources().filter {
        visible.contains($0.key) || permission.contains(type: nil, source: $0.key)
      }.values.sorted()
    }
  }
}

extension Row {
  /// The values of consecutive columns.
  func values<each Value: DatabaseValueConvertible>(
    from first: Int = 0
  ) throws -> (repeat each Value) {
    var column = first - 1
    func next<Next: DatabaseValueConvertible>(_ type: Next.Type) throws -> Next {
      column += 1
      return try decode(type, atIndex: column)
    }
    return (repeat try next((each Value).self))
  }

  /// A number of samples; one that no store can have is damage.
  func sampleCount(atIndex index: Int, atMost most: Int = 1 << 48) throws -> Int {
    let count: Int = try decode(atIndex: index)
    guard (0...most).contains(count) else { throw Corruption() }
    return count
  }
}

extension Database {
  /// The values of the first row of a query; a store without it is damaged.
  func values<each Value: DatabaseValueConvertible>(
    _ sql: String, _ arguments: StatementArguments = [], chunk: Int64? = nil
  ) throws -> (repeat each Value) {
    let row = try Row.fetchOne(cachedStatement(sql: sql), arguments: arguments)
    guard let row else { throw Corruption(chunk: chunk) }
    return try row.values()
  }

  /// Inserts a row with values of some columns, in their order; returns its number.
  @discardableResult
  func insert(
    into table: String, _ columns: String, _ values: StatementArguments, or conflict: String = ""
  ) throws -> Int64 {
    let places = columns.split(separator: ",").map { _ in "?" }.joined(separator: ", ")
    try cachedStatement(sql: "INSERT \(conflict) INTO \(table) (\(columns)) VALUES (\(places))")
      .execute(arguments: values)
    return lastInsertedRowID
  }

  /// The most frequent label of each type, of equals the smallest.
  fileprivate func mostFrequentLabels(where condition: String) throws -> [Int64: String] {
    var totals: [Int64: RowCounts] = [:]
    let rows = try Row.fetchAll(
      self, sql: "SELECT type, source, counts FROM series WHERE \(condition)")
    for row in rows {
      totals[try row.decode(atIndex: 0), default: .init()].add(try Self.seriesCounts(row, from: 0))
    }
    return totals.compactMapValues { counts in
      counts.labels.min { ($1.value, $0.key) < ($0.value, $1.key) }?.key
    }
  }

  /// The counts of a type and a source from the columns type, source and counts.
  static func seriesCounts(_ row: Row, from column: Int) throws -> RowCounts {
    let owner = ValueOwner.seriesCounts(
      type: try row.decode(atIndex: column), source: try row.decode(atIndex: column + 1))
    return try RowCounts(owner.untagged([UInt8](row.decode(Data.self, atIndex: column + 2))))
  }
}

extension SampleType {
  /// A type as stored: identifier, unit, style.
  init(_ row: Row) throws {
    let identifier = try row.decode(String.self, atIndex: 0)
    guard let text = try row.decode(String?.self, atIndex: 1) else {
      self.init(identifier: identifier, kind: .category)
      return
    }
    guard let style = try row.decode(String?.self, atIndex: 2).flatMap(AggregationStyle.init) else {
      throw Corruption()
    }
    guard let unit = try? UnitExpression(text) else {
      throw StoreError(.unknownUnit(text), path: "")
    }
    self.init(identifier: identifier, kind: .quantity(canonicalUnit: unit, style: style))
  }
}

/// Summary of one type in a store.
public struct TypeSummary: Sendable, Hashable {
  /// The type; if it is not in the catalogue, as first imported.
  public let type: SampleType
  /// The number of samples.
  public let count: Int
  /// The start of the first sample, in seconds since 2001-01-01 UTC.
  public let firstStart: Double
  /// The start of the last sample.
  public let lastStart: Double
  /// The latest end of a sample.
  public let lastEnd: Double
  /// The most frequent recorded unit; `nil` for a category type.
  public let recordedUnit: String?
}

/// Summary of one type from one source in a store.
public struct SourceSummary: Sendable, Hashable {
  /// The type.
  public let type: SampleType
  /// The source.
  public let source: Source
  /// The number of samples.
  public let count: Int
  /// The start of the first sample, in seconds since 2001-01-01 UTC.
  public let firstStart: Double
  /// The start of the last sample.
  public let lastStart: Double
  /// The latest end of a sample.
  public let lastEnd: Double
  /// The most frequent device description of the samples; it may be empty.
  public let device: String
  /// The kind of that device.
  public let deviceKind: DeviceKind
}

/// Summary of a store.
public struct StoreOverview: Sendable, Hashable {
  /// The bytes of the file; 0 for a temporary store.
  public let bytes: Int
  /// The number of samples.
  public let sampleCount: Int
  /// The number of types that have samples.
  public let typeCount: Int
  /// The number of sources that have samples.
  public let sourceCount: Int
  /// The start of the first sample, in seconds since 2001-01-01 UTC; `nil` without samples.
  public let firstStart: Double?
  /// The latest end of a sample.
  public let lastEnd: Double?
  /// How many elements of each kind there are.
  public let elements: [ElementKind: Int]
  /// The date of the latest imported file of each format, for files with a date.
  public let latestExports: [ImportFormat: Double]
}

extension SampleStore {
  /// A summary of the store; for an app of what it sees, without bytes and exports.
  ///
  /// - Throws: ``StoreError``
  /// - Complexity: O(types × sources + elements); no sample is read
  public func overview() throws(StoreError) -> StoreOverview {
    let elements = try elementCounts()
    var facts = stat()
    let bytes = reader == nil && !path.isEmpty && stat(path, &facts) == 0 ? Int(facts.st_size) : 0
    return try read { database in
      let permission = try permission(in: database)
      let row = try Row.fetchOne(
        database,
        sql: """
          SELECT coalesce(sum(count), 0), count(DISTINCT type), count(DISTINCT source),
            min(firstStart), max(lastEnd)
          FROM series WHERE \(permission.condition(type: "type", source: "source"))
          """)
      guard let row else { throw Corruption() }
      let exports = permission.isOwner ? try database.latestExports() : [:]
      return StoreOverview(
        bytes: bytes, sampleCount: try row.sampleCount(atIndex: 0),
        typeCount: try row.decode(atIndex: 1), sourceCount: try row.decode(atIndex: 2),
        firstStart: try row.decode(atIndex: 3), lastEnd: try row.decode(atIndex: 4),
        elements: elements, latestExports: exports)
    }
  }
}

extension Database {
  /// The date of the latest present file of each format.
  func latestExports() throws -> [ImportFormat: Double] {
    var latest: [ImportFormat: Double] = [:]
    for file in try StoreHistory(self).files.values where file.isPresent {
      guard let date = file.exportedAt else { continue }
      latest[file.format] = max(date, latest[file.format] ?? date)
    }
    return latest
  }
}
