import GRDB
import HealthSamples

/// Meets the samples that an export holds of one type and one source with those in the store.
///
/// Both come in the order of start, end and value. Samples with the same times are the same when
/// their values agree, one to one and each with its copies: the lowest of one side takes the
/// lowest of the other that it agrees with, which leaves the fewest without a partner.
///
/// A sample stays in the words of the latest export that told it: its unit, rounding, origin and
/// metadata.
struct StreamMerge {
  /// How far values may lie apart: six printed digits do not round alike in another unit
  /// (relative to the larger value).
  static let tolerance = 2e-5

  private let database: Database
  private let writer: SegmentWriter?
  private let isExact: Bool
  private let tellings: StreamTellings
  /// Which rows of the stored block the export tells too.
  private var met = [Bool](repeating: false, count: RowBlock.capacity)
  /// The pairs of segments whose words were compared lately.
  private var wordings: [RowWording] = []
  private static let mostWordings = 16
  private var fresh: RunMerge
  private var piece: RunMerge.Piece?
  /// The current row of a piece of rows.
  private var row = 0
  /// Copies of the current sample that no stored one stands for yet.
  private var unmatched = 0
  /// The number of the row in the section that the current sample last agreed with.
  private var partner: Int?
  private(set) var counts = ImportReport.Counts()
  /// How many stored rows the export holds too.
  private(set) var metRows = 0
  /// Whether the export holds fewer copies of a stored row than the store.
  private(set) var lacksCopies = false
  /// Whether the export lacks rows of which others told.
  private(set) var lacksTold = false
  /// Whether another export than before is the last that told of a row.
  private(set) var isRetold = false

  /// Prepares to meet rows; without a writer they are only counted.
  init(
    _ fresh: RunMerge, type: SampleType, tellings: StreamTellings, database: Database,
    writer: SegmentWriter?
  ) {
    self.fresh = fresh
    self.database = database
    self.writer = writer
    isExact = type.canonicalUnit == nil
    self.tellings = tellings
  }

  /// Merges all rows into the stored segments among some places, or between them.
  mutating func run(into places: [RunPlan.Place], meanings: inout LabelMeanings) throws {
    try nextPiece()
    for (index, place) in places.enumerated() {
      guard case .stored(let segment) = place else {
        try insertSection(before: place.firstStart)
        continue
      }
      guard let start = key?.start else {
        try lack(segment, &meanings)
        continue
      }
      let bound = index + 1 < places.count ? places[index + 1].firstStart : .infinity
      let isFull = bound == .infinity && segment.count > EncodedSegment.rowCount / 4 * 3
      if start > segment.lastStart && (start >= bound || isFull) {
        try lack(segment, &meanings)
        continue
      }
      writer?.begin(segment.id)
      do {
        try merge(try cursor(of: segment, &meanings), meanings)
      } catch let damage as SegmentDamage {
        throw SegmentDamage(segment: damage.segment ?? segment.id)
      }
      try insert(before: bound)
      try writer?.end()
    }
    try insertSection(before: .infinity)
  }

  private func cursor(
    of segment: StoredSegment, _ meanings: inout LabelMeanings
  ) throws -> RowCursor {
    let cursor = try database.cursor(of: segment.id, hasTellings: true, meanings: &meanings)
    cursor.retelling = try tellings.retelling(of: cursor.originTable.map(\.telling))
    return cursor
  }

  /// Passes a segment none of whose rows the export tells.
  private mutating func lack(_ segment: StoredSegment, _ meanings: inout LabelMeanings) throws {
    guard tellings.place != nil else { return }
    let cursor = try cursor(of: segment, &meanings)
    writer?.begin(segment.id)
    while !cursor.isAtEnd {
      try pass(0..<cursor.rowCount, of: cursor)
      try advanceBlock(of: cursor)
    }
    try writer?.end()
  }

  /// Takes over rows of a stored segment, and notes whether the export tells them.
  private mutating func pass(_ range: Range<Int>, of cursor: RowCursor) throws {
    try writer?.pass(range, of: cursor, met: met)
    guard tellings.place != nil, let retelling = cursor.retelling else { return }
    for row in range {
      let origin = Int(cursor.block.origins[row])
      if !met[row] { lacksTold = lacksTold || retelling.isTold[origin] }
      let telling = met[row] ? retelling.told[origin] : retelling.lacked[origin]
      isRetold = isRetold || telling != cursor.originTable[origin].telling
    }
  }

  private mutating func advanceBlock(of cursor: RowCursor) throws {
    for row in 0..<cursor.rowCount { met[row] = false }
    try cursor.advanceBlock()
  }

  /// Takes in all samples that start before `bound`, as segments of their own.
  private mutating func insertSection(before bound: Double) throws {
    guard let start = key?.start, start < bound else { return }
    writer?.begin(nil)
    try insert(before: bound)
    try writer?.end()
  }

  /// Where the current sample stands.
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

  /// Walks along the rows of a stored segment.
  private mutating func merge(_ cursor: RowCursor, _ meanings: LabelMeanings) throws {
    var passed = 0
    var copies = cursor.isAtEnd ? 0 : Int(cursor.block.copies[cursor.row])
    while !cursor.isAtEnd {
      let equal = try equalRows(cursor, copies)
      if equal > 0 {
        for row in cursor.row..<cursor.row + equal { met[row] = true }
        counts.known += equal
        metRows += equal
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
        if key.isSimultaneous(with: stored), agree(key.canonical, stored.canonical, meanings) {
          let isWhole = copies == Int(cursor.block.copies[cursor.row])
          if isWhole { metRows += 1 }
          met[cursor.row] = true
          let isReworded =
            try writer != nil && isLater(than: cursor, cursor.row) && isWhole
            && partner == nil && !hasWording(of: cursor)
          let moreCopies = copies - unmatched
          let pairs = min(unmatched, copies)
          unmatched -= pairs
          copies -= pairs
          partner = (writer?.rowCount ?? 0) + cursor.row - passed
          if isReworded {
            try pass(passed..<cursor.row, of: cursor)
            passed = cursor.row + 1
            let origin = Int(cursor.block.origins[cursor.row])
            let telling = cursor.retelling?.told[origin]
            try insertCurrent(moreCopies: moreCopies, telling: telling)
            isRetold = isRetold || telling != cursor.originTable[origin].telling
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

  /// Whether the export has the last word on a row of the store.
  private func isLater(than stored: RowCursor, _ row: Int) -> Bool {
    stored.retelling?.isLater[Int(stored.block.origins[row])] ?? false
  }

  /// Notes how many copies of a stored row were not met.
  private mutating func noteLeft(_ copies: Int, _ cursor: RowCursor) {
    if copies > 0, copies < Int(cursor.block.copies[cursor.row]) { lacksCopies = true }
  }

  /// How many rows from here on are the same in the store and the export: most are when an export
  /// is imported again.
  private mutating func equalRows(
    _ stored: RowCursor, _ copies: Int
  ) throws(SegmentDamage) -> Int {
    guard case .rows(let rows, let cursor) = piece, partner == nil else { return 0 }
    guard Int(stored.block.copies[stored.row]) == copies else { return 0 }
    let most = min(rows.upperBound - row, stored.rowCount - stored.row)
    var count = 0
    while count < most, cursor.block.copies[row + count] == 1,
      stored.block.copies[stored.row + count] == 1,
      cursor.key(row + count).isCopy(of: stored.key(stored.row + count))
    {
      if writer != nil, isLater(than: stored, stored.row + count),
        try !hasWording(of: stored, stored.row + count, as: cursor, cursor.words(row + count))
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
  private func insertCurrent(moreCopies: Int = 0, telling: UInt32? = nil) throws {
    switch piece {
    case .rows(_, let cursor):
      try writer?.insert(row..<row + 1, of: cursor, moreCopies: moreCopies, telling: telling)
    case .row(var row):
      row.copies += moreCopies
      try writer?.insert(row, telling: telling)
    case nil: break
    }
  }

  /// Whether the store has the current sample in the words of the export.
  private mutating func hasWording(of stored: RowCursor) throws(SegmentDamage) -> Bool {
    switch piece {
    case .rows(_, let cursor):
      try hasWording(of: stored, stored.row, as: cursor, cursor.words(row))
    case .row(let row): try hasWording(of: stored, stored.row, as: row.cursor, row.words)
    case nil: true
    }
  }

  private mutating func hasWording(
    of stored: RowCursor, _ row: Int, as cursor: RowCursor, _ words: RowWords
  ) throws(SegmentDamage) -> Bool {
    let known = wordings.firstIndex { $0.isBetween(cursor, stored) }
    if known == nil {
      if wordings.count == Self.mostWordings { wordings = [] }
      wordings.append(RowWording(cursor, stored))
    }
    return try wordings[known ?? wordings.count - 1].areSame(words, stored.words(row))
  }

  private func agree(_ left: Double, _ right: Double, _ meanings: LabelMeanings) -> Bool {
    Self.agree(left, right, isExact: isExact, zeroOffset: meanings.zeroOffset)
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
