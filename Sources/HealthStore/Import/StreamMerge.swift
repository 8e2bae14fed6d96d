import Foundation
import GRDB
import HealthSamples

/// Meets the samples that an export holds of one type and one source with those in the store.
///
/// Both come in the order of start, end and value. Samples with the same times are the same when
/// their values agree, one to one and each with its copies: the lowest of one side takes the
/// lowest of the other that it agrees with, which leaves the fewest without a partner.
struct StreamMerge {
  /// How far values may lie apart: six printed digits do not round alike in another unit
  /// (relative to the larger value).
  static let tolerance = 2e-5

  private let database: Database
  private let writer: SegmentWriter?
  private let isExact: Bool
  private var fresh: RunMerge
  private var candidate: Candidate?
  private(set) var counts = ImportReport.Counts()

  /// A sample of the export on its way.
  private struct Candidate {
    var row: CandidateRow
    /// Copies that no stored one stands for yet.
    var unmatched: Int
    /// The number of the row in the section that it last agreed with.
    var partner: Int?
  }

  /// Prepares to meet rows; without a writer they are only counted.
  init(_ fresh: RunMerge, type: SampleType, database: Database, writer: SegmentWriter?) {
    self.fresh = fresh
    self.database = database
    self.writer = writer
    isExact = type.canonicalUnit == nil
  }

  /// Merges all rows.
  mutating func run(into segments: [StoredSegment], meanings: inout LabelMeanings) throws {
    try next()
    for (place, segment) in segments.enumerated() {
      guard let start = candidate?.row.key.start else { return }
      let bound = place + 1 < segments.count ? segments[place + 1].firstStart : .infinity
      let isFull = bound == .infinity && segment.count > EncodedSegment.rowCount / 4 * 3
      if start > segment.lastStart && (start >= bound || isFull) { continue }
      writer?.begin(segment.id)
      do {
        try merge(try database.cursor(of: segment.id, meanings: &meanings), meanings)
      } catch let damage as SegmentDamage {
        throw SegmentDamage(segment: damage.segment ?? segment.id)
      }
      try insert(before: bound)
      try writer?.end()
    }
    writer?.begin(nil)
    try insert(before: .infinity)
    try writer?.end()
  }

  private mutating func next() throws {
    candidate = try fresh.next().map { Candidate(row: $0, unmatched: $0.copies) }
  }

  private mutating func insert(before bound: Double) throws {
    while let row = candidate?.row, row.key.start < bound { try resolve() }
  }

  /// Walks along the rows of a stored segment.
  private mutating func merge(_ cursor: RowCursor, _ meanings: LabelMeanings) throws {
    var passed = 0
    var copies = cursor.isAtEnd ? 0 : Int(cursor.block.copies[cursor.row])
    while !cursor.isAtEnd {
      guard let current = candidate else {
        try writer?.pass(passed..<cursor.rowCount, of: cursor)
        try cursor.advanceBlock()
        passed = 0
        continue
      }
      let key = current.row.key
      let stored = cursor.key
      if key.isSimultaneous(with: stored), agree(key.canonical, stored.canonical, meanings) {
        let pairs = min(current.unmatched, copies)
        candidate?.unmatched -= pairs
        candidate?.partner = (writer?.rowCount ?? 0) + cursor.row - passed
        copies -= pairs
        if current.unmatched == pairs { try resolve() }
        if copies > 0 { continue }
      } else if key < stored {
        try writer?.pass(passed..<cursor.row, of: cursor)
        passed = cursor.row
        try resolve()
        continue
      }
      if cursor.row + 1 == cursor.rowCount {
        try writer?.pass(passed..<cursor.rowCount, of: cursor)
        passed = 0
      }
      try cursor.advance()
      if !cursor.isAtEnd { copies = Int(cursor.block.copies[cursor.row]) }
    }
    if candidate?.partner != nil { try resolve() }
  }

  /// Decides what the current sample is, and takes the next.
  private mutating func resolve() throws {
    guard let current = candidate else { return }
    counts.duplicates += current.row.copies - 1
    if let partner = current.partner {
      counts.known += 1
      if current.unmatched > 0 { writer?.addCopies(current.unmatched, to: partner) }
    } else {
      counts.new += 1
      try writer?.insert(current.row)
    }
    try next()
  }

  private func agree(_ left: Double, _ right: Double, _ meanings: LabelMeanings) -> Bool {
    if left == right { return true }
    let scale = max(left.magnitude, right.magnitude) + meanings.zeroOffset
    return !isExact && (left - right).magnitude <= Self.tolerance * scale
  }
}
