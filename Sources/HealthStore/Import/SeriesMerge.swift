import GRDB
import HealthSamples

/// Matches the samples of one type and one source in an export with those in the store.
///
/// Both are in order of start, end and value. Samples with the same times are the same when their
/// values agree, one to one and each with its copies: the lowest of one side is matched with the
/// lowest of the other that agrees, which gives the most matches.
///
/// A sample has the payload of the latest export that contains it: its unit, rounding, origin and
/// metadata.
struct SeriesMerge {
  /// The tolerance for values: six printed digits round differently in another unit (relative to
  /// the larger value).
  static let tolerance = 2e-5

  private let database: Database
  private let writer: ChunkWriter?
  private let isExact: Bool
  private let exports: SeriesExports
  /// Which rows of the stored block the export also contains.
  private var matched = [Bool](repeating: false, count: RowBlock.capacity)
  /// The pairs of chunks whose payloads were compared recently.
  private var comparisons: [PayloadComparison] = []
  private static let mostComparisons = 16
  private var fresh: RunMerge
  /// Rows that the owner deleted, and that the import must not bring back.
  private(set) var deleted: RowMatches
  private var piece: RunMerge.Piece?
  /// The current row of a piece of rows.
  private var row = 0
  /// Copies of the current sample without a match so far.
  private var unmatched = 0
  /// The row in the section that the current sample last matched.
  private var partner: Int?
  private(set) var counts = ImportReport.Counts()
  /// The number of stored rows that the export also contains.
  private(set) var matchedRows = 0
  /// Whether the export lacks rows that others contain.
  private(set) var lacksPresent = false
  /// Whether the export set of a row changes.
  private(set) var changesExportSets = false

  /// Without a writer rows are only counted.
  init(
    _ fresh: RunMerge, type: SampleType, exports: SeriesExports, deleted: RowMatches,
    database: Database, writer: ChunkWriter?
  ) {
    self.fresh = fresh
    self.deleted = deleted
    self.database = database
    self.writer = writer
    isExact = type.canonicalUnit == nil
    self.exports = exports
  }

  /// Merges all rows into the stored chunks among some slots, or between them.
  mutating func run(into slots: [RunPlan.Slot], units: inout RecordedUnits) throws {
    try nextPiece()
    for (index, slot) in slots.enumerated() {
      guard case .stored(let chunk) = slot else {
        try insertSection(before: slot.firstStart)
        continue
      }
      guard let start = key?.start else {
        try lack(chunk, &units)
        continue
      }
      let bound = index + 1 < slots.count ? slots[index + 1].firstStart : .infinity
      let isFull = bound == .infinity && chunk.count > EncodedChunk.rowCount / 4 * 3
      if start > chunk.lastStart && (start >= bound || isFull) {
        try lack(chunk, &units)
        continue
      }
      writer?.begin(chunk.id)
      do {
        try merge(try cursor(of: chunk, &units), units)
      } catch let damage as Corruption {
        throw Corruption(chunk: damage.chunk ?? chunk.id)
      }
      try insert(before: bound)
      try writer?.end()
    }
    try insertSection(before: .infinity)
  }

  private func cursor(
    of chunk: StoredChunk, _ units: inout RecordedUnits
  ) throws -> RowCursor {
    let cursor = try database.cursor(of: chunk.id, hasExportSets: true, units: &units)
    cursor.setChanges = try exports.changes(of: cursor.originTable.map(\.exportSet))
    return cursor
  }

  /// Skips a chunk of which the export contains no row.
  private mutating func lack(_ chunk: StoredChunk, _ units: inout RecordedUnits) throws {
    guard exports.index != nil || exports.isReplacing else { return }
    let cursor = try cursor(of: chunk, &units)
    writer?.begin(chunk.id)
    while !cursor.isAtEnd {
      try pass(0..<cursor.rowCount, of: cursor)
      try advanceBlock(of: cursor)
    }
    try writer?.end()
  }

  /// Keeps rows of a stored chunk, and records whether the export contains them.
  ///
  /// Where the export replaces the series, only rows that it contains are kept.
  private mutating func pass(_ range: Range<Int>, of cursor: RowCursor) throws {
    if exports.isReplacing {
      var start = range.lowerBound
      while start < range.upperBound {
        // What an app saved is in no file.
        func isKept(_ row: Int) -> Bool {
          matched[row] || cursor.exportSet(row) == ExportSets.saved
        }
        let keeps = isKept(start)
        let end = (start..<range.upperBound).first { isKept($0) != keeps } ?? range.upperBound
        if keeps {
          matchedRows += (start..<end).count { !matched[$0] }
          try writer?.pass(start..<end, of: cursor, matched: matched)
        } else {
          try writer?.leaveOut(start..<end, of: cursor)
        }
        start = end
      }
    } else {
      try writer?.pass(range, of: cursor, matched: matched)
    }
    guard exports.index != nil, let setChanges = cursor.setChanges else { return }
    for row in range {
      let origin = Int(cursor.block.origins[row])
      if !matched[row] { lacksPresent = lacksPresent || setChanges.wasPresent[origin] }
      let exportSet = matched[row] ? setChanges.present[origin] : setChanges.absent[origin]
      changesExportSets = changesExportSets || exportSet != cursor.originTable[origin].exportSet
    }
  }

  private mutating func advanceBlock(of cursor: RowCursor) throws {
    for row in 0..<cursor.rowCount { matched[row] = false }
    try cursor.advanceBlock()
  }

  /// Inserts all samples that start before `bound` as new chunks.
  private mutating func insertSection(before bound: Double) throws {
    guard let start = key?.start, start < bound else { return }
    writer?.begin(nil)
    try insert(before: bound)
    try writer?.end()
  }

  /// The sort key of the current sample.
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
    beginSample()
  }

  private mutating func beginSample() {
    partner = nil
    switch piece {
    case .rows(_, let cursor): unmatched = Int(cursor.block.copies[row])
    case .row(let row): unmatched = row.copies
    case nil: unmatched = 0
    }
  }

  /// Moves to the next sample.
  private mutating func next() throws {
    if case .rows(let rows, _) = piece, row + 1 < rows.upperBound {
      row += 1
      beginSample()
    } else {
      try nextPiece()
    }
  }

  /// Inserts all samples that start before `bound`.
  private mutating func insert(before bound: Double) throws {
    while let start = key?.start, start < bound {
      guard partner == nil, deleted.isEmpty, case .rows(let rows, let cursor) = piece else {
        try resolve()
        continue
      }
      let end =
        (row..<rows.upperBound).first { cursor.block.starts[$0] >= bound } ?? rows.upperBound
      try writer?.insert(row..<end, of: cursor)
      counts.new += end - row
      for row in row..<end { counts.duplicates += Int(cursor.block.copies[row]) - 1 }
      row = end - 1
      try next()
    }
  }

  /// Merges with the rows of a stored chunk.
  private mutating func merge(_ cursor: RowCursor, _ units: RecordedUnits) throws {
    var passed = 0
    var copies = cursor.isAtEnd ? 0 : Int(cursor.block.copies[cursor.row])
    while !cursor.isAtEnd {
      let equal = try equalRows(cursor, copies)
      if equal > 0 {
        for row in cursor.row..<cursor.row + equal { matched[row] = true }
        counts.known += equal
        matchedRows += equal
        row += equal - 1
        try next()
        cursor.move(to: cursor.row + equal)
      } else {
        guard let key else {
          try pass(passed..<cursor.rowCount, of: cursor)
          try advanceBlock(of: cursor)
          copies = cursor.isAtEnd ? 0 : Int(cursor.block.copies[cursor.row])
          passed = 0
          continue
        }
        let stored = cursor.key
        if key.isSimultaneous(with: stored), agree(key.canonical, stored.canonical, units) {
          let isWhole = copies == Int(cursor.block.copies[cursor.row])
          if isWhole { matchedRows += 1 }
          matched[cursor.row] = true
          let lacksCopies = exports.isReplacing && copies > unmatched
          let isUpdated =
            try writer != nil && isLater(than: cursor, cursor.row) && isWhole
            && partner == nil && (lacksCopies || !hasPayload(of: cursor))
          let moreCopies = exports.isReplacing ? min(0, copies - unmatched) : copies - unmatched
          let pairs = min(unmatched, copies)
          unmatched -= pairs
          copies -= pairs
          partner = (writer?.rowCount ?? 0) + cursor.row - passed
          if isUpdated {
            let serial = cursor.serial(cursor.row)
            try pass(passed..<cursor.row, of: cursor)
            passed = cursor.row + 1
            let origin = Int(cursor.block.origins[cursor.row])
            let exportSet = cursor.setChanges?.present[origin]
            try insertCurrent(serial: serial, moreCopies: moreCopies, exportSet: exportSet)
            changesExportSets =
              changesExportSets || exportSet != cursor.originTable[origin].exportSet
          }
          if unmatched == 0 { try resolve() }
          if copies > 0 { continue }
        } else if key < stored {
          try pass(passed..<cursor.row, of: cursor)
          passed = cursor.row
          try resolve()
          continue
        }
        cursor.move(to: cursor.row + 1)
      }
      if cursor.row == cursor.rowCount {
        try pass(passed..<cursor.rowCount, of: cursor)
        passed = 0
        try advanceBlock(of: cursor)
      }
      if !cursor.isAtEnd { copies = Int(cursor.block.copies[cursor.row]) }
    }
    if partner != nil { try resolve() }
  }

  /// Whether the export updates a row of the store.
  private func isLater(than stored: RowCursor, _ row: Int) -> Bool {
    stored.setChanges?.isLater[Int(stored.block.origins[row])] ?? false
  }

  /// The number of rows from here on that are the same in the store and the export: nearly all when
  /// an export is imported again.
  private mutating func equalRows(
    _ stored: RowCursor, _ copies: Int
  ) throws(Corruption) -> Int {
    guard case .rows(let rows, let cursor) = piece, partner == nil else { return 0 }
    guard Int(stored.block.copies[stored.row]) == copies else { return 0 }
    let most = min(rows.upperBound - row, stored.rowCount - stored.row)
    var count = 0
    while count < most, cursor.block.copies[row + count] == 1,
      stored.block.copies[stored.row + count] == 1,
      cursor.key(row + count).isCopy(of: stored.key(stored.row + count))
    {
      if writer != nil, isLater(than: stored, stored.row + count),
        try !hasPayload(
          of: stored, stored.row + count, as: cursor, cursor.payloadIndices(row + count))
      {
        break
      }
      count += 1
    }
    return count
  }

  /// Counts the current sample as new or known, and moves to the next.
  private mutating func resolve() throws {
    switch piece {
    case .rows(_, let cursor): counts.duplicates += Int(cursor.block.copies[row]) - 1
    case .row(let row):
      counts.duplicates += row.copies - 1
      counts.repeating += row.repeating
    case nil: return
    }
    if let partner {
      counts.known += 1
      if unmatched > 0 { writer?.addCopies(unmatched, to: partner) }
    } else if let key, deleted.take(key), !deleted.isRestoring {
      counts.known += 1
      counts.deletedBefore += 1
    } else {
      counts.new += 1
      try insertCurrent()
    }
    try next()
  }

  /// Inserts the current sample, with `moreCopies` more than the export has; with a serial it
  /// replaces the words of a stored row.
  private func insertCurrent(
    serial: Int64? = nil, moreCopies: Int = 0, exportSet: UInt32? = nil
  ) throws {
    switch piece {
    case .rows(_, let cursor):
      try writer?.insert(
        row..<row + 1, of: cursor, serial: serial, moreCopies: moreCopies, exportSet: exportSet)
    case .row(var row):
      row.copies += moreCopies
      try writer?.insert(row, serial: serial, exportSet: exportSet)
    case nil: break
    }
  }

  /// Whether the store has the current sample with the payload of the export.
  private mutating func hasPayload(of stored: RowCursor) throws(Corruption) -> Bool {
    switch piece {
    case .rows(_, let cursor):
      try hasPayload(of: stored, stored.row, as: cursor, cursor.payloadIndices(row))
    case .row(let row): try hasPayload(of: stored, stored.row, as: row.cursor, row.payloadIndices)
    case nil: true
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

  private func agree(_ left: Double, _ right: Double, _ units: RecordedUnits) -> Bool {
    Self.agree(left, right, isExact: isExact, zeroOffset: units.zeroOffset)
  }

  /// Whether the values of two samples with the same times make them the same sample.
  static func agree(
    _ left: Double, _ right: Double, isExact: Bool, zeroOffset: Double
  ) -> Bool {
    if left == right { return true }
    let scale = max(left.magnitude, right.magnitude) + zeroOffset
    return !isExact && (left - right).magnitude <= tolerance * scale
  }
}
