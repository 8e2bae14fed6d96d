import Foundation
import GRDB
import HealthSamples

/// Gathers the rows of one type and one source and writes them as segments.
///
/// The rows come in sections: those of one stored segment with what is new among them. A section
/// that nothing new falls into leaves its segment as it is.
final class SegmentWriter {
  private let database: Database
  private let block = RowBlock()
  private let type: SampleType
  private let source: Source
  /// Whether the rows are such as later exports superseded.
  private let isSuperseded: Bool
  private var gatherer: RowGatherer
  /// The stored segment of the section.
  private var segment: Int64?
  private var isChanged = false
  /// The numbers of the type and the source, once a segment was written.
  private var numbers: (type: Int64, source: Int64)?
  /// The rows of the section that are written already.
  private var writtenCount = 0
  /// The number of rows at which the next part is written.
  private var limit = 2 * EncodedSegment.rowCount

  init(
    type: SampleType, source: Source, database: Database, isSuperseded: Bool = false
  ) {
    self.isSuperseded = isSuperseded
    self.database = database
    self.type = type
    self.source = source
    gatherer = RowGatherer(type: type, source: source)
  }

  /// Begins the section of a stored segment, or one without.
  func begin(_ segment: Int64?) {
    self.segment = segment
    isChanged = false
    writtenCount = 0
    limit = usualLimit
    gatherer = RowGatherer(type: type, source: source)
  }

  /// Rows among those of a stored segment wait for enough to fill two, so that none comes out
  /// small; rows that only follow one another go when one is full.
  private var usualLimit: Int {
    segment == nil
      ? EncodedSegment.rowCount + RowBlock.capacity : 2 * EncodedSegment.rowCount
  }

  /// The number of rows that the section has so far.
  var rowCount: Int { writtenCount + gatherer.count }

  /// Takes over rows of the stored segment.
  ///
  /// Where tellings change, `met` says for each row of the block whether the import tells it too.
  func pass(_ range: Range<Int>, of cursor: RowCursor, met: [Bool] = []) throws {
    if let retelling = cursor.retelling, !isChanged, !met.isEmpty {
      isChanged = range.contains { row in
        let origin = Int(cursor.block.origins[row])
        let telling = met[row] ? retelling.told[origin] : retelling.lacked[origin]
        return telling != cursor.originTable[origin].telling
      }
    }
    try gatherer.append(range, of: cursor, met: met)
  }

  /// Leaves out rows of the stored segment.
  func leaveOut() { isChanged = true }

  /// Takes in new rows that stand in the block of a cursor, and so many copies more of the last one.
  ///
  /// The last one has `telling` where it is not its own.
  func insert(
    _ range: Range<Int>, of cursor: RowCursor, moreCopies: Int = 0, telling: UInt32? = nil
  ) throws {
    isChanged = isChanged || !range.isEmpty
    try gatherer.append(range, of: cursor)
    if let telling { gatherer.retellLast(telling) }
    if moreCopies != 0 { gatherer.addCopies(moreCopies, to: gatherer.count - 1) }
    if gatherer.count >= limit || gatherer.isHeavy { try writePart() }
  }

  /// Takes in a new row.
  func insert(_ row: CandidateRow, telling: UInt32? = nil) throws {
    isChanged = true
    try gatherer.append(row)
    if let telling { gatherer.retellLast(telling) }
    if gatherer.count >= limit || gatherer.isHeavy { try writePart() }
  }

  /// Notes that an export held more copies of a row of the section.
  ///
  /// A row that is written already keeps its number.
  func addCopies(_ count: Int, to row: Int) {
    guard row >= writtenCount else { return }
    isChanged = true
    gatherer.addCopies(count, to: row - writtenCount)
  }

  /// Ends the section: writes what is left of it when something changed.
  func end() throws {
    guard isChanged else { return }
    if let segment {
      try database.execute(sql: "DELETE FROM segments WHERE id = ?", arguments: [segment])
    }
    let count = gatherer.count
    let parts = max(1, (count + EncodedSegment.rowCount - 1) / EncodedSegment.rowCount)
    var start = 0
    for part in 1...parts {
      let end = part == parts ? count : boundary(near: count * part / parts) ?? count
      if end > start { try write(start..<end) }
      start = max(start, end)
    }
    gatherer = RowGatherer(type: type, source: source)
  }

  /// Ends the writing: sums up what is stored now.
  func finish() throws {
    guard !isSuperseded, let numbers else { return }
    try database.summariseStream(type: numbers.type, source: numbers.source)
  }

  private func writePart() throws {
    let target = gatherer.isHeavy ? gatherer.count - 1 : EncodedSegment.rowCount
    guard let cut = boundary(near: target) ?? wholeSection else {
      limit = 2 * gatherer.count
      return
    }
    try write(0..<cut)
    gatherer.removeFirst(cut)
    writtenCount += cut
    limit = usualLimit
  }

  /// Rows of one instant stay in one segment, so that a later import meets them together; only a
  /// number that memory should not hold is cut.
  private var wholeSection: Int? {
    gatherer.count > EncodedSegment.mostRows / 4 || gatherer.isHeavy ? gatherer.count : nil
  }

  /// The place next to `target` where the times change, at `target` or before it if there is one.
  private func boundary(near target: Int) -> Int? {
    func isBoundary(_ row: Int) -> Bool {
      !gatherer.key(row - 1).isSimultaneous(with: gatherer.key(row))
    }
    guard target > 0, target < gatherer.count else { return nil }
    return stride(from: target, to: 0, by: -1).first(where: isBoundary)
      ?? (target..<gatherer.count).first(where: isBoundary)
  }

  /// Makes a run a segment, as it is; its rows have one telling.
  func adopt(_ run: Run, from file: RunFile, telling: UInt32) throws {
    let (core, detail) = (try file.bytes(run.core), try file.bytes(run.detail))
    for bytes in [core, detail] { _ = try ByteReader(sealed: bytes) }
    try insert(
      core, detail, SegmentFacts(try file.bytes(run.facts)),
      summary: try file.bytes(run.summary), telling: telling)
  }

  private func write(_ range: Range<Int>) throws {
    var places = range.map(UInt32.init)
    // Values that match within a tolerance may come out of order among rows of one instant.
    gatherer.rows.putInSegmentOrder(&places, canonical: gatherer.canonical)
    let segment = EncodedSegment(gatherer.rows, at: places[...], room: block)
    try insert(
      segment.core, segment.detail, segment.facts, summary: segment.summary.bytes)
  }

  private func insert(
    _ core: [UInt8], _ detail: [UInt8], _ facts: SegmentFacts, summary: [UInt8],
    telling: UInt32 = TellingTable.none
  ) throws {
    let numbers =
      try numbers ?? (database.identifier(of: type), database.identifier(of: source))
    self.numbers = numbers
    if isSuperseded {
      let id = try database.nextID(in: "superseded")
      return try database.cachedStatement(
        sql: """
          INSERT INTO superseded (id, type, source, count, firstStart, lastStart, core, detail)
          VALUES (?, ?, ?, ?, ?, ?, ?, ?)
          """
      ).execute(arguments: [
        id, numbers.type, numbers.source, facts.count, facts.firstStart, facts.lastStart,
        Data(ValueOwner.supersededCore(id).bound(core)),
        Data(ValueOwner.supersededDetail(id).bound(detail)),
      ])
    }
    let id = try database.nextID(in: "segments")
    try database.cachedStatement(
      sql: """
        INSERT INTO segments
          (id, type, source, count, firstStart, lastStart, lastEnd, core, detail, telling)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        """
    ).execute(arguments: [
      id, numbers.type, numbers.source, facts.count, facts.firstStart, facts.lastStart,
      facts.lastEnd, Data(ValueOwner.core(segment: id).bound(core)),
      Data(ValueOwner.detail(segment: id).bound(detail)), telling,
    ])
    try database.insertSummary(summary, of: id)
    for (label, count) in facts.labels.sorted(by: { $0.key < $1.key }) {
      try database.cachedStatement(
        sql: "INSERT INTO labels (segment, label, count) VALUES (?, ?, ?)"
      ).execute(arguments: [id, label, count])
    }
    for (device, count) in facts.devices.sorted(by: { $0.key < $1.key }) {
      try database.cachedStatement(
        sql: "INSERT INTO devices (segment, device, count) VALUES (?, ?, ?)"
      ).execute(arguments: [id, device, count])
    }
  }
}
