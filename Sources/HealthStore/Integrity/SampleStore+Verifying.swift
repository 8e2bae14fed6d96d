import GRDB
public import HealthSamples

/// The result of verifying a store.
public struct StoreVerification: Sendable, Hashable {
  /// A kind of content.
  public enum Part: String, Sendable, Hashable, CaseIterable {
    /// Pages of the database, with the order of its indexes and the references between its tables.
    case pages
    /// Digests of the rows of tables and indexes.
    case tables
    /// Chunks of samples, and their rows in the tables.
    case chunks
    /// Chunks of samples that do not count: retold, deleted or kept out, and in other words.
    case superseded
    /// Zone maps of chunks, and the totals of all chunks of a type and a source.
    case summaries
    /// Workouts, routes and all other elements, and the files that belong to objects.
    case elements
  }

  /// How many items of a kind were checked, and how many are damaged.
  public struct Count: Sendable, Hashable {
    /// How many were checked.
    public internal(set) var checked = 0
    /// How many of them are damaged.
    public internal(set) var damaged = 0

    /// Checks an item; returns whether it is whole.
    @discardableResult
    mutating func check(_ body: () throws -> Void) rethrows -> Bool {
      checked += 1
      do {
        try body()
        return true
      } catch is Corruption {
        damaged += 1
        return false
      }
    }

    static func + (left: Self, right: Self) -> Self {
      Self(checked: left.checked + right.checked, damaged: left.damaged + right.damaged)
    }
  }

  /// A damaged chunk, as described by its row.
  public struct DamagedChunk: Sendable, Hashable {
    /// The number of the chunk.
    public let id: Int64
    /// The type of its samples; `nil` when unknown.
    public let type: SampleType?
    /// The source of its samples; `nil` when unknown.
    public let source: Source?
    /// The number of samples.
    public let count: Int
    /// The earliest start, in seconds since 2001-01-01 UTC.
    public let firstStart: Double
    /// The latest end, in seconds since 2001-01-01 UTC.
    public let lastEnd: Double
  }

  /// Saves to the locked store that wait beside it for the next unlock, which is no damage.
  public struct WaitingSaves: Sendable, Hashable {
    /// How many there are by the lengths that stand before them; only the unlock reads them.
    public internal(set) var count = 0
    /// The bytes after them that are no save.
    public internal(set) var unreadableBytes = 0
    /// The file that would have them if it is not the owner's alone, and was not read; else `nil`.
    public internal(set) var left: String?
    /// The file of earlier saves that could not be read or made; `nil` if there is none.
    public internal(set) var aside: String?
  }

  private var counts: [Part: Count] = [:]
  /// The damaged chunks, by number.
  public internal(set) var damagedChunks: [DamagedChunk] = []
  /// How many elements of each kind are damaged.
  public internal(set) var damagedElements: [ElementKind: Int] = [:]
  /// What waits beside a sealed store.
  public internal(set) var waitingSaves = WaitingSaves()

  /// The counts of a kind.
  public subscript(part: Part) -> Count { counts[part] ?? Count() }

  /// Whether nothing is damaged.
  public var isWhole: Bool { counts.values.allSatisfy { $0.damaged == 0 } }

  /// Checks a part; if it cannot be read it counts as damaged.
  fileprivate mutating func check(_ part: Part, _ body: (inout Self) throws -> Count) throws {
    do {
      counts[part] = try body(&self)
    } catch let error as DatabaseError where error.resultCode.isAboutTheDisk {
      throw error
    } catch {
      counts[part] = Count(checked: 1, damaged: 1)
    }
  }
}

extension ResultCode {
  /// Whether reading failed because of the disk, whatever the file contains.
  fileprivate var isAboutTheDisk: Bool {
    [.SQLITE_IOERR, .SQLITE_FULL, .SQLITE_NOMEM, .SQLITE_BUSY, .SQLITE_INTERRUPT].contains(self)
  }
}

extension SampleStore {
  /// Reads everything and checks it: the database, the digests of its tables, the checksum and the
  /// contents of every chunk and element, and their rows in the tables.
  ///
  /// Beside a sealed store it counts the saves that wait for the next unlock.
  ///
  /// - Throws: ``StoreError`` where the store cannot be read at all, and for an app
  /// - Complexity: O(*n*)
  public func verification() throws(StoreError) -> StoreVerification {
    try checkOwner()
    return try StoreError.naming(path) {
      try connections.reading { _, database in
        var found = StoreVerification()
        found.waitingSaves = waitingSaves
        try found.check(.pages) { _ in try database.verifiedPages() }
        try found.check(.tables) { _ in
          let (wrong, checked) = try database.wrongDigests(of: database.digestedParts())
          return try .init(checked: checked, damaged: wrong) + Tombstones.verified(in: database)
        }
        try found.check(.chunks) { try database.verifiedChunks(&$0) }
        try found.check(.superseded) { _ in try database.verifiedSuperseded() }
        try found.check(.summaries) { _ in try database.verifiedSummaries() }
        try found.check(.elements) {
          try database.verifiedAttachments() + database.verifiedElements(&$0)
        }
        return found
      }
    }
  }

  /// Reads everything and throws if the store is damaged.
  ///
  /// - Throws: ``StoreError/Reason/damaged``, with the chunk if the damage is in one
  /// - Complexity: O(*n*)
  public func verify() throws(StoreError) {
    let found = try verification()
    guard found.isWhole else {
      throw StoreError(.damaged, path: path, chunk: found.damagedChunks.first?.id)
    }
  }
}

extension Database {
  fileprivate func verifiedPages() throws -> StoreVerification.Count {
    let mostFaults = 1000
    let faults = try String.fetchAll(self, sql: "PRAGMA integrity_check(\(mostFaults))")
    let isWhole = faults == ["ok"]
    let references = try Row.fetchAll(self, sql: "PRAGMA foreign_key_check").count
    return .init(
      checked: try Int.fetchOne(self, sql: "PRAGMA page_count") ?? 0,
      damaged: (isWhole ? 0 : faults.count) + references)
  }

  fileprivate func verifiedChunks(
    _ found: inout StoreVerification
  ) throws -> StoreVerification.Count {
    let types = try sampleTypes()
    let sources = try sources()
    let rows = try Row.fetchCursor(
      self,
      sql: """
        SELECT chunks.type, chunks.source, chunks.id, types.identifier, count, firstStart,
          lastStart, lastEnd, firstSerial, lastSerial, chunks.id, counts
        FROM chunks LEFT JOIN types ON types.id = chunks.type
        ORDER BY chunks.type, chunks.source, firstStart, lastStart, chunks.id
        """)
    var count = StoreVerification.Count()
    var previous: (series: SeriesNumbers, lastStart: Double)?
    while let row = try rows.next() {
      let series = try SeriesNumbers(row)
      let (id, identifier): (Int64, String?) = try row.values(from: 2)
      let type = identifier.flatMap { types[$0] }
      var statistics = try ChunkStatistics(row, from: 4)
      (statistics.firstSerial, statistics.lastSerial) = try row.values(from: 8)
      let source = sources[series.source]
      let isInOrder = previous.map { $0 != series || $1 <= statistics.firstStart } ?? true
      previous = (series, statistics.lastStart)
      let isWhole = try count.check {
        statistics.counts = try Self.counts(row, from: 10)
        guard let type, source != nil, isInOrder else { throw Corruption() }
        var found = try self.statistics(of: id, type)
        // Earlier versions did not count copies.
        if statistics.counts.copies == 0 { found.counts.copies = 0 }
        guard found == statistics else { throw Corruption() }
      }
      if isWhole { continue }
      found.damagedChunks.append(
        .init(
          id: id, type: type, source: source, count: statistics.count,
          firstStart: statistics.firstStart, lastEnd: statistics.lastEnd))
    }
    found.damagedChunks.sort { $0.id < $1.id }
    return count
  }

  /// Checks the zone map of each chunk, and the totals of the chunks of each type and source.
  fileprivate func verifiedSummaries() throws -> StoreVerification.Count {
    let block = RowBlock()
    let rows = try Row.fetchCursor(
      self,
      sql: """
        SELECT chunks.id, chunks.firstStart, chunks.lastEnd, lengthClass,
          zoneMaps.type IS chunks.type AND zoneMaps.source IS chunks.source
          AND zoneMaps.firstStart IS chunks.firstStart
          AND zoneMaps.lastStart IS chunks.lastStart AND zoneMaps.lastEnd IS chunks.lastEnd
        FROM chunks LEFT JOIN zoneMaps ON zoneMaps.chunk = chunks.id
        """)
    var count = StoreVerification.Count()
    while let row = try rows.next() {
      let id = try row.decode(Int64.self, atIndex: 0)
      try count.check {
        let (start, end, lengthClass, isSame): (Double, Double, Double?, Bool) =
          try row.values(from: 1)
        guard isSame, lengthClass == Self.lengthClass(from: start, to: end),
          try zoneMap(of: id) == ZoneMap(core: core(of: id), room: block)
        else { throw Corruption() }
      }
    }
    count.checked += try Int.fetchOne(self, sql: "SELECT count(*) FROM series") ?? 0
    count.damaged += try wrongTotals()
    return count
  }

  /// The number of series whose totals are not those of their chunks.
  private func wrongTotals() throws -> Int {
    var expected: [SeriesNumbers: ChunkStatistics] = [:]
    let chunks = try Row.fetchCursor(
      self,
      sql: """
        SELECT type, source, count, firstStart, lastStart, lastEnd, id, counts FROM chunks
        """)
    while let row = try chunks.next() {
      let chunk = try ChunkStatistics(row, from: 2)
      let series = try SeriesNumbers(row)
      var total = expected[series] ?? ChunkStatistics()
      total.count += chunk.count
      total.firstStart = min(total.firstStart, chunk.firstStart)
      total.lastStart = max(total.lastStart, chunk.lastStart)
      total.lastEnd = max(total.lastEnd, chunk.lastEnd)
      total.counts.add(try Self.counts(row, from: 6))
      expected[series] = total
    }
    var wrong = 0
    for row in try Row.fetchAll(
      self, sql: "SELECT type, source, counts, count, firstStart, lastStart, lastEnd FROM series")
    {
      var total = try ChunkStatistics(row, from: 3)
      total.counts = try Self.seriesCounts(row, from: 0)
      if try expected.removeValue(forKey: SeriesNumbers(row)) != total { wrong += 1 }
    }
    return wrong + expected.count
  }

  /// Checks that superseded rows are readable, and that their sets of members exist.
  fileprivate func verifiedSuperseded() throws -> StoreVerification.Count {
    let types = try sampleTypes()
    let sets = try Provenances(self)
    try sets.readAll()
    var count = StoreVerification.Count()
    for row in try Row.fetchAll(
      self,
      sql: """
        SELECT hidden.id, types.identifier FROM hidden JOIN types ON types.id = hidden.type
        """)
    {
      try count.check {
        let (id, identifier): (Int64, String) = try row.values()
        guard let type = types[identifier] else { throw Corruption() }
        var units = RecordedUnits(of: type)
        let cursor = try cursor(
          of: id, hasMemberSets: true, isHidden: true, units: &units)
        for origin in cursor.originTable { _ = try sets.members(origin.memberSet) }
        while !cursor.isAtEnd { try cursor.advanceBlock() }
      }
    }
    return count
  }

  /// The statistics of a chunk, from its contents.
  private func statistics(of chunk: Int64, _ type: SampleType) throws -> ChunkStatistics {
    var units = RecordedUnits(of: type)
    let cursor = try cursor(of: chunk, units: &units)
    var statistics = ChunkStatistics()
    statistics.count = cursor.count
    (statistics.firstSerial, statistics.lastSerial) = (.max, .min)
    let block = cursor.block
    try cursor.forEachRow { row in
      guard statistics.lastStart <= block.starts[row], block.copies[row] > 0 else {
        throw Corruption()
      }
      statistics.firstStart = min(statistics.firstStart, block.starts[row])
      statistics.lastStart = block.starts[row]
      statistics.lastEnd = max(statistics.lastEnd, cursor.span(row).upperBound)
      statistics.firstSerial = min(statistics.firstSerial, cursor.serial(row))
      statistics.lastSerial = max(statistics.lastSerial, cursor.serial(row))
      statistics.counts.labels[cursor.labelTable[Int(block.labels[row])], default: 0] += 1
      let origin = cursor.originTable[Int(block.origins[row])]
      statistics.counts.add(1, ofDevice: origin.device)
      statistics.counts.copies += Int(block.copies[row]) - 1
      _ = try cursor.metadata(Int(block.metadata[row]))
    }
    return statistics
  }
}

extension ChunkStatistics {
  /// From the columns count, firstStart, lastStart and lastEnd.
  fileprivate init(_ row: Row, from column: Int) throws {
    (count, firstStart, lastStart, lastEnd) = try row.values(from: column)
  }
}
