import GRDB
import HealthLedger
import HealthSamples

/// Matches the rows of one type and one source in a file with those in the store.
///
/// Both are in order of start, end and value. A row is matched with a stored one, counted or hidden,
/// that is the same in everything. All others are inserted: ``SeriesReplay`` finds out what they are
/// to those of the store.
struct SeriesMerge {
  private let database: Database
  private let writer: ChunkWriter?
  private let files: SeriesFiles
  /// Which rows of the stored block the file also contains.
  private var matched = [Bool](repeating: false, count: RowBlock.capacity)
  /// The pairs of chunks whose payloads were compared recently.
  private var comparisons: [PayloadComparison] = []
  private static let mostComparisons = 16
  private var fresh: RunMerge
  /// Rows that do not count.
  private(set) var hidden: HiddenRows
  private var piece: RunMerge.Piece?
  /// The current row of a piece of rows.
  private var row = 0
  private(set) var counts = ImportSummary.Counts()
  /// The number of counted rows that the file also contains.
  private(set) var matchedRows = 0
  /// The time of the inserted rows.
  private(set) var inserted: ClosedRange<Double>?

  /// Without a writer rows are only counted.
  init(
    _ fresh: RunMerge, files: SeriesFiles, hidden: HiddenRows, database: Database,
    writer: ChunkWriter?
  ) {
    self.fresh = fresh
    self.hidden = hidden
    self.database = database
    self.writer = writer
    self.files = files
  }

  /// Merges all rows into the stored chunks among some slots, or between them.
  mutating func run(into slots: [RunPlan.Slot], units: inout RecordedUnits) throws {
    try nextPiece()
    for (index, slot) in slots.enumerated() {
      guard let chunk = slot.stored else {
        try insertSection(before: slot.firstStart, &units)
        continue
      }
      let start = key?.start ?? .infinity
      let bound = index + 1 < slots.count ? slots[index + 1].firstStart : .infinity
      let isFull = bound == .infinity && chunk.count > EncodedChunk.rowCount / 4 * 3
      if start > chunk.lastStart && (start >= bound || isFull) {
        try lack(chunk, &units)
        continue
      }
      writer?.begin(chunk.id)
      try Corruption.naming(chunk.id) { try merge(try cursor(of: chunk, &units), &units) }
      try insert(before: bound, &units)
      try writer?.end()
    }
    try insertSection(before: .infinity, &units)
  }

  private func cursor(of chunk: StoredChunk, _ units: inout RecordedUnits) throws -> RowCursor {
    let cursor = try database.cursor(of: chunk.id, hasMemberSets: true, units: &units)
    cursor.setChanges = try cursor.originTable.map { try files.change($0.memberSet) }
    return cursor
  }

  /// Skips a chunk of which the file contains no row.
  private mutating func lack(_ chunk: StoredChunk, _ units: inout RecordedUnits) throws {
    guard writer != nil else { return }
    let cursor = try cursor(of: chunk, &units)
    writer?.begin(chunk.id)
    while !cursor.isAtEnd {
      try writer?.pass(0..<cursor.rowCount, of: cursor, matched: matched)
      try advanceBlock(of: cursor)
    }
    try writer?.end()
  }

  private mutating func advanceBlock(of cursor: RowCursor) throws {
    for row in 0..<cursor.rowCount { matched[row] = false }
    try cursor.advanceBlock()
  }

  /// Inserts all rows that start before `bound` as new chunks.
  private mutating func insertSection(before bound: Double, _ units: inout RecordedUnits) throws {
    guard let start = key?.start, start < bound else { return }
    writer?.begin(nil)
    try insert(before: bound, &units)
    try writer?.end()
  }

  /// The sort key of the current row.
  private var key: RowKey? {
    switch piece {
    case .rows(_, let cursor): cursor.key(row)
    case .row(let row): row.key
    case nil: nil
    }
  }

  private mutating func nextPiece() throws {
    piece = try fresh.next()
    if case .rows(let rows, _) = piece { row = rows.lowerBound }
  }

  /// Moves to the next row.
  private mutating func next() throws {
    if case .rows(let rows, _) = piece, row + 1 < rows.upperBound {
      row += 1
    } else {
      try nextPiece()
    }
  }

  private mutating func recordInserted(_ span: ClosedRange<Double>) {
    inserted = inserted?.union(span) ?? span
  }

  /// Inserts all rows that start before `bound`.
  private mutating func insert(before bound: Double, _ units: inout RecordedUnits) throws {
    while let start = key?.start, start < bound {
      guard case .rows(let rows, let cursor) = piece else {
        try resolve(&units)
        continue
      }
      let limit = min(bound, try hidden.nextStart(from: start, database, &units) ?? .infinity)
      let end =
        (row..<rows.upperBound).first { cursor.block.starts[$0] >= limit } ?? rows.upperBound
      guard end > row else {
        try resolve(&units)
        continue
      }
      try writer?.insert(row..<end, of: cursor)
      recordInserted(cursor.span(row..<end))
      counts.new += end - row
      for row in row..<end { counts.duplicates += Int(cursor.block.copies[row]) - 1 }
      row = end - 1
      try next()
    }
  }

  /// Merges with the rows of a stored chunk.
  private mutating func merge(_ cursor: RowCursor, _ units: inout RecordedUnits) throws {
    var passed = 0
    while !cursor.isAtEnd {
      let equal = try equalRows(cursor)
      if equal > 0 {
        for row in cursor.row..<cursor.row + equal { matched[row] = true }
        counts.known += equal
        matchedRows += equal
        row += equal - 1
        try next()
        cursor.move(to: cursor.row + equal)
      } else if let key {
        if key < cursor.key {
          try writer?.pass(passed..<cursor.row, of: cursor, matched: matched)
          passed = cursor.row
          try resolve(&units)
          continue
        }
        if key.isCopy(of: cursor.key), !isSaved(cursor.row, of: cursor),
          try isSame(as: cursor, cursor.row)
        {
          matched[cursor.row] = true
          matchedRows += 1
          counts.known += 1
          countCopies()
          try next()
        }
        cursor.move(to: cursor.row + 1)
      } else {
        try writer?.pass(passed..<cursor.rowCount, of: cursor, matched: matched)
        try advanceBlock(of: cursor)
        passed = 0
        continue
      }
      if cursor.row == cursor.rowCount {
        try writer?.pass(passed..<cursor.rowCount, of: cursor, matched: matched)
        passed = 0
        try advanceBlock(of: cursor)
      }
    }
  }

  private func isSaved(_ row: Int, of stored: RowCursor) -> Bool {
    stored.setChanges?[Int(stored.block.origins[row])].isSaved ?? false
  }

  /// The number of rows from here on that are the same in the store and the file: nearly all when
  /// an export is imported again.
  private mutating func equalRows(_ stored: RowCursor) throws(Corruption) -> Int {
    guard case .rows(let rows, let cursor) = piece else { return 0 }
    let most = min(rows.upperBound - row, stored.rowCount - stored.row)
    var count = 0
    while count < most, cursor.block.copies[row + count] == 1,
      stored.block.copies[stored.row + count] == 1,
      cursor.key(row + count).isCopy(of: stored.key(stored.row + count)),
      !isSaved(stored.row + count, of: stored),
      try hasPayload(of: stored, stored.row + count, as: cursor, cursor.payloadIndices(row + count))
    {
      count += 1
    }
    return count
  }

  private mutating func countCopies() {
    switch piece {
    case .rows(_, let cursor): counts.duplicates += Int(cursor.block.copies[row]) - 1
    case .row(let row):
      counts.duplicates += row.copies - 1
      counts.repeating += row.repeating
    case nil: break
    }
  }

  /// Counts the current row as new, or as known if it is among the hidden ones, and moves to the
  /// next.
  private mutating func resolve(_ units: inout RecordedUnits) throws {
    guard let key else { return }
    countCopies()
    if try matchesHidden(key, &units) {
      counts.known += 1
    } else {
      counts.new += 1
      recordInserted(key.time)
      switch piece {
      case .rows(_, let cursor): try writer?.insert(row..<row + 1, of: cursor)
      case .row(let row): try writer?.insert(row)
      case nil: break
      }
    }
    try next()
  }

  private mutating func matchesHidden(_ key: RowKey, _ units: inout RecordedUnits) throws -> Bool {
    try hidden.move(to: key, database, &units)
    while let cursor = hidden.cursor, cursor.key.isCopy(of: key) {
      let isSaved = try files.sets.members(cursor.memberSet(cursor.row)).isSaved
      let isFound = try !isSaved && isSame(as: cursor, cursor.row)
      try hidden.advance(isMatched: isFound, database, &units)
      if isFound { return true }
    }
    return false
  }

  /// Whether a stored row is the current one in everything.
  private mutating func isSame(as stored: RowCursor, _ other: Int) throws(Corruption) -> Bool {
    switch piece {
    case .rows(_, let cursor):
      guard cursor.block.copies[row] == stored.block.copies[other] else { return false }
      return try hasPayload(of: stored, other, as: cursor, cursor.payloadIndices(row))
    case .row(let row):
      guard row.copies == Int(stored.block.copies[other]) else { return false }
      return try hasPayload(of: stored, other, as: row.cursor, row.cells)
    case nil: return false
    }
  }

  private mutating func hasPayload(
    of stored: RowCursor, _ row: Int, as cursor: RowCursor, _ payload: PayloadIndices
  ) throws(Corruption) -> Bool {
    let known = comparisons.firstIndex { $0.isBetween(cursor, stored) }
    if known == nil {
      if comparisons.count == Self.mostComparisons { comparisons = [] }
      comparisons.append(PayloadComparison(cursor, stored))
    }
    return try comparisons[known ?? comparisons.count - 1].areSame(
      payload, stored.payloadIndices(row))
  }
}

/// The rows of a series that do not count, in order, and which of them a file has.
struct HiddenRows {
  private var chain: ChunkChain
  let chunks: [StoredChunk]
  /// Of the rows that were visited, in their order.
  private var visited: [Bool] = []

  init(_ chunks: [StoredChunk], in database: Database, units: inout RecordedUnits) throws {
    self.chunks = chunks
    chain = try ChunkChain(chunks, isHidden: true, database, &units)
  }

  var cursor: RowCursor? { chain.cursor }

  /// Which rows the file has.
  var matched: [Bool] {
    visited + Array(repeating: false, count: chunks.reduce(0) { $0 + $1.count } - visited.count)
  }

  /// Moves to the first row at or after a key.
  mutating func move(to key: RowKey, _ database: Database, _ units: inout RecordedUnits) throws {
    try skip(database, &units) { $0 < key }
  }

  private mutating func skip(
    _ database: Database, _ units: inout RecordedUnits, while isBefore: (RowKey) -> Bool
  ) throws {
    while let next = chain.key, isBefore(next) {
      try advance(isMatched: false, database, &units)
    }
  }

  mutating func advance(
    isMatched: Bool, _ database: Database, _ units: inout RecordedUnits
  ) throws {
    visited.append(isMatched)
    try chain.advance(database, &units)
  }

  /// The start of the next row that starts at or after an instant.
  mutating func nextStart(
    from start: Double, _ database: Database, _ units: inout RecordedUnits
  ) throws -> Double? {
    try skip(database, &units) { $0.start < start }
    return chain.key?.start
  }
}
