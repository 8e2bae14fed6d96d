import GRDB
import HealthSamples

/// Matches the samples of one type and one source in an export with those in the store.
///
/// Both come in the order of start, end and value. Samples with the same times are the same when
/// their values agree, one to one and each with its copies: the lowest of one side takes the
/// lowest of the other that it agrees with, which leaves the fewest without a partner.
///
/// A sample keeps the payload of the latest export that contains it: its unit, rounding, origin and
/// metadata.
struct SeriesMerge {
  /// How far values may lie apart: six printed digits do not round alike in another unit
  /// (relative to the larger value).
  static let tolerance = 2e-5

  private let database: Database
  private let writer: ChunkWriter?
  private let isExact: Bool
  private let exports: SeriesExports
  /// Which rows of the stored block the export contains too.
  private var matched = [Bool](repeating: false, count: RowBlock.capacity)
  /// The pairs of chunks whose payloads were compared lately.
  private var comparisons: [PayloadComparison] = []
  private static let mostComparisons = 16
  private var fresh: RunMerge
  private var piece: RunMerge.Piece?
  /// The current row of a piece of rows.
  private var row = 0
  /// Copies of the current sample that no stored copy matches yet.
  private var unmatched = 0
  /// The number of the row in the section that the current sample last agreed with.
  private var partner: Int?
  private(set) var counts = ImportReport.Counts()
  /// How many stored rows the export holds too.
  private(set) var matchedRows = 0
  /// Whether the export holds fewer copies of a stored row than the store.
  private(set) var lacksCopies = false
  /// Whether the export lacks rows that others contain.
  private(set) var lacksPresent = false
  /// Whether the export set of a row changes.
  private(set) var changesExportSets = false

  /// Prepares to match rows; without a writer they are only counted.
  init(
    _ fresh: RunMerge, type: SampleType, exports: SeriesExports, database: Database,
    writer: ChunkWriter?
  ) {
    self.fresh = fresh
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

  /// Passes a chunk of which the export contains no row.
  private mutating func lack(_ chunk: StoredChunk, _ units: inout RecordedUnits) throws {
    guard exports.index != nil else { return }
    let cursor = try cursor(of: chunk, &units)
    writer?.begin(chunk.id)
    while !cursor.isAtEnd {
      try pass(0..<cursor.rowCount, of: cursor)
      try advanceBlock(of: cursor)
    }
    try writer?.end()
  }

  /// Keeps rows of a stored chunk, and notes whether the export contains them.
  private mutating func pass(_ range: Range<Int>, of cursor: RowCursor) throws {
    try writer?.pass(range, of: cursor, matched: matched)
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

  /// Takes in all samples that start before `bound`, as chunks of their own.
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

  /// Takes the next sample.
  private mutating func next() throws {
    if case .rows(let rows, _) = piece, row + 1 < rows.upperBound {
      row += 1
      beginSample()
    } else {
      try nextPiece()
    }
  }

  /// Takes in all samples that start before `bound`.
  private mutating func insert(before bound: Double) throws {
    while let start = key?.start, start < bound {
      guard partner == nil, case .rows(let rows, let cursor) = piece else {
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

  /// Walks along the rows of a stored chunk.
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
          noteLeft(copies, cursor)
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
          let isUpdated =
            try writer != nil && isLater(than: cursor, cursor.row) && isWhole
            && partner == nil && !hasPayload(of: cursor)
          let moreCopies = copies - unmatched
          let pairs = min(unmatched, copies)
          unmatched -= pairs
          copies -= pairs
          partner = (writer?.rowCount ?? 0) + cursor.row - passed
          if isUpdated {
            try pass(passed..<cursor.row, of: cursor)
            passed = cursor.row + 1
            let origin = Int(cursor.block.origins[cursor.row])
            let exportSet = cursor.setChanges?.present[origin]
            try insertCurrent(moreCopies: moreCopies, exportSet: exportSet)
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
        noteLeft(copies, cursor)
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

  /// Notes whether copies of a stored row remain unmatched.
  private mutating func noteLeft(_ copies: Int, _ cursor: RowCursor) {
    if copies > 0, copies < Int(cursor.block.copies[cursor.row]) { lacksCopies = true }
  }

  /// How many rows from here on are the same in the store and the export: most are when an export
  /// is imported again.
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

  /// Decides what the current sample is, and takes the next.
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
    } else {
      counts.new += 1
      try insertCurrent()
    }
    try next()
  }

  /// Inserts the current sample, with so many copies more than the export holds.
  private func insertCurrent(moreCopies: Int = 0, exportSet: UInt32? = nil) throws {
    switch piece {
    case .rows(_, let cursor):
      try writer?.insert(row..<row + 1, of: cursor, moreCopies: moreCopies, exportSet: exportSet)
    case .row(var row):
      row.copies += moreCopies
      try writer?.insert(row, exportSet: exportSet)
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
