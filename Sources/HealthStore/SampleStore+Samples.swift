import GRDB
public import HealthSamples

extension SampleStore {
  /// The samples of a type, in its canonical unit and in the order of columns.
  ///
  /// Only segments that can overlap the range are read. An end before its start counts as the
  /// start.
  ///
  /// - Parameters:
  ///   - type: a type of the catalogue, or one that ``types()`` gives
  ///   - range: keeps samples that end at or after its lower bound and start before its upper one
  /// - Returns: columns, empty when the store has no such sample
  /// - Throws: ``StoreError``; ``StoreError/Reason/damaged`` names the segment
  /// - Complexity: O(*n*) for the *n* samples of the segments that are read
  public func samples(
    of type: SampleType, in range: Range<Double>? = nil
  ) throws(StoreError) -> SampleColumns {
    try samples(of: type, in: range, as: nil)
  }

  /// The same, with values of another type than the store's, each converted once to its unit, and
  /// the numbers as they were recorded; the store's type, and no such numbers, for `nil`.
  package func samples(
    of type: SampleType, in range: Range<Double>?, as target: SampleType?
  ) throws(StoreError) -> SampleColumns {
    try read { database in
      let groups = try sources(of: type, in: range, from: database)
      let segments = groups.flatMap(\.segments)
      var columns = GrowingColumns()
      columns.reserve(try segments.reduce(0) { try $0 + database.mostRows(of: $1) })
      return try columns.read(
        groups, of: target ?? database.resolved(type), in: range, from: database,
        keepsRecorded: target != nil)
    }
  }

  /// The records of a type as they were recorded, with labels, origins and metadata.
  ///
  /// - Parameters:
  ///   - type: as for ``samples(of:in:)``
  ///   - range: as for ``samples(of:in:)``
  /// - Returns: one batch for each segment, in the order of source and time
  /// - Throws: ``StoreError``; ``StoreError/Reason/damaged`` names the segment
  /// - Complexity: O(*n*) for the *n* samples of the segments that are read
  public func records(
    of type: SampleType, in range: Range<Double>? = nil
  ) throws(StoreError) -> [RecordColumns] {
    var batches: [RecordColumns] = []
    do {
      try forEachBatch(of: type, in: range) { batches.append($0) }
    } catch {
      throw StoreError(error, path: path)
    }
    return batches
  }
}

extension RowCursor {
  /// The rest of the segment as a batch.
  func records(
    of type: SampleType, source: Source, in range: Range<Double>?
  ) throws(SegmentDamage) -> RecordColumns {
    var gatherer = RowGatherer(type: type, source: source)
    while !isAtEnd {
      if let range {
        for row in 0..<rowCount
        where max(block.starts[row], block.ends[row]) >= range.lowerBound
          && block.starts[row] < range.upperBound
        {
          try gatherer.append(row..<row + 1, of: self)
        }
      } else {
        try gatherer.append(0..<rowCount, of: self)
      }
      try advanceBlock()
    }
    return gatherer.rows
  }
}

extension Database {
  /// A type as the store reads it: of the catalogue, else as it was first imported.
  func resolved(_ type: SampleType) throws -> SampleType {
    if let known = Catalogue.type(type.identifier) { return known }
    let row = try Row.fetchOne(
      self, sql: "SELECT identifier, unit, style FROM types WHERE identifier = ?",
      arguments: [type.identifier])
    return try row.map { try SampleType($0) } ?? type
  }

  /// The selected sources of a type in the order of columns, each with the segments that can overlap
  /// a range, in the order of time.
  func sources(
    of type: SampleType, in range: Range<Double>?, among selection: SourceSelection
  ) throws -> [(source: Source, segments: [Int64])] {
    let rows = try Row.fetchAll(
      self,
      sql: """
        WITH RECURSIVE
        asked(type) AS (SELECT id FROM types WHERE identifier = ?1),
        reaches(type, reach) AS (
          SELECT type, (SELECT min(reach) FROM summaries WHERE type = asked.type) FROM asked
          UNION ALL
          SELECT type, (
            SELECT min(reach) FROM summaries WHERE type = reaches.type AND reach > reaches.reach)
          FROM reaches WHERE reach IS NOT NULL)
        SELECT source, sources.name, sources.isUserEntered, segment
        FROM reaches CROSS JOIN summaries ON summaries.type = reaches.type
            AND summaries.reach = reaches.reach AND firstStart >= ?2 - reaches.reach
            AND firstStart < ?3 AND lastEnd >= ?2
          LEFT JOIN sources ON sources.id = source
        ORDER BY source, firstStart, lastStart, segment
        """,
      arguments: [
        type.identifier, range?.lowerBound ?? -.infinity, range?.upperBound ?? .infinity,
      ])
    var groups: [(source: Source, segments: [Int64])] = []
    var last: Int64?
    for row in rows {
      let number = try row.decode(Int64.self, atIndex: 0)
      if number != last {
        let source = Source(
          name: try row.decode(atIndex: 1), isUserEntered: try row.decode(atIndex: 2))
        groups.append((source, []))
        last = number
      }
      groups[groups.count - 1].segments.append(try row.decode(atIndex: 3))
    }
    return groups.filter { selection.contains($0.source) }
      .sorted { $0.source.sortKey < $1.source.sortKey }
  }

  /// The most rows that a segment can have; a wrong count must not make an answer take more room
  /// than its bytes can hold.
  fileprivate func mostRows(of segment: Int64) throws -> Int {
    let facts = try Row.fetchOne(
      cachedStatement(sql: "SELECT count, length(core) FROM segments WHERE id = ?"),
      arguments: [segment])
    guard let facts else { throw SegmentDamage(segment: segment) }
    let rows = try facts.decode(Int.self, atIndex: 0)
    let bytes = try facts.decode(Int.self, atIndex: 1)
    return max(0, min(rows, 64 * bytes, EncodedSegment.mostRows))
  }
}
