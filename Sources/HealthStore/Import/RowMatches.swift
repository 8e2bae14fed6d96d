import Algorithms
import GRDB
import HealthSamples

/// Rows of one type and one source that are matched one to one with others: those that the owner
/// deleted, so that no import brings them back, or those of another store.
struct RowMatches {
  /// Whether the rows that are taken come back.
  let isRestoring: Bool
  private let isExact: Bool
  private let zeroOffset: Double
  /// In order; a row is taken once.
  private var rows: [(key: RowKey, chunk: Int64, position: Int, isTaken: Bool)] = []

  /// Reads the rows.
  ///
  /// - Complexity: O(*n* log *n*) for *n* deleted rows
  init(
    of type: SampleType, _ source: Source, isRestoring: Bool, in database: Database,
    units: inout RecordedUnits
  ) throws {
    self.isRestoring = isRestoring
    isExact = type.canonicalUnit == nil
    for chunk in try database.deletedChunks(of: type, source) {
      let cursor = try database.cursor(of: chunk, isHidden: true, units: &units)
      var position = 0
      while !cursor.isAtEnd {
        for row in 0..<cursor.rowCount {
          rows.append((cursor.key(row), chunk, position + row, false))
        }
        position += cursor.rowCount
        try cursor.advanceBlock()
      }
    }
    rows.sort { $0.key < $1.key }
    zeroOffset = units.zeroOffset
  }

  /// Rows of another store, in order.
  init(_ keys: [RowKey], of type: SampleType, zeroOffset: Double) {
    isRestoring = false
    isExact = type.canonicalUnit == nil
    self.zeroOffset = zeroOffset
    rows = keys.map { ($0, 0, 0, false) }
  }

  var isEmpty: Bool { rows.isEmpty }
  /// The times and values, in order.
  var keys: [RowKey] { rows.map(\.key) }

  /// From the first start to the last one.
  var span: ClosedRange<Double>? {
    guard let first = rows.first, let last = rows.last else { return nil }
    return first.key.start...last.key.start
  }

  /// Whether a row is one of them; then it is taken.
  ///
  /// - Complexity: O(log *n*), and O(1) for each row of the same instant
  mutating func take(_ key: RowKey) -> Bool {
    guard !rows.isEmpty else { return false }
    var index = rows.partitioningIndex { $0.key.start >= key.start }
    while index < rows.count, rows[index].key.start == key.start {
      let row = rows[index]
      if !row.isTaken, row.key.isSimultaneous(with: key),
        SeriesMerge.agree(
          row.key.canonical, key.canonical, isExact: isExact, zeroOffset: zeroOffset)
      {
        rows[index].isTaken = true
        return true
      }
      index += 1
    }
    return false
  }

  /// Deletes the rows that came back from those that no import brings back.
  func forgetRestored(
    _ type: SampleType, _ source: Source, in database: Database, revision: Revision,
    units: inout RecordedUnits
  ) throws {
    guard isRestoring else { return }
    var taken: [Int64: Set<Int>] = [:]
    for row in rows where row.isTaken { taken[row.chunk, default: []].insert(row.position) }
    let writer = ChunkWriter(
      type: type, source: source, database: database, revision: revision, table: .deleted)
    for (chunk, positions) in taken.sorted(by: { $0.key < $1.key }) {
      let cursor = try database.cursor(
        of: chunk, hasExportSets: true, isHidden: true, units: &units)
      writer.begin(nil)
      var position = 0
      while !cursor.isAtEnd {
        for row in 0..<cursor.rowCount where !positions.contains(position + row) {
          try writer.keep(row..<row + 1, of: cursor)
        }
        position += cursor.rowCount
        try cursor.advanceBlock()
      }
      try writer.end()
      try database.execute(sql: "DELETE FROM hidden WHERE id = ?", arguments: [chunk])
    }
  }
}

extension Database {
  /// The chunks of the rows of a type and a source that the owner deleted.
  func deletedChunks(of type: SampleType, _ source: Source) throws -> [Int64] {
    try Int64.fetchAll(
      self,
      sql: "SELECT id FROM hidden WHERE type = ? AND source = ? AND isDeleted ORDER BY id",
      arguments: [storedIdentifier(of: type), storedIdentifier(of: source)])
  }
}
