import GRDB
public import HealthSamples

extension SampleStore {
  /// The samples of a type, in its canonical unit and in the order of columns.
  ///
  /// Only chunks that can overlap the range are read. An end before its start is treated as the
  /// start.
  ///
  /// - Parameters:
  ///   - type: a type of the catalogue, or one of ``types()``
  ///   - range: keeps samples that end at or after its lower bound and start before its upper one
  /// - Returns: columns, empty when the store has no such sample
  /// - Throws: ``StoreError``; ``StoreError/Reason/damaged`` names the chunk
  /// - Complexity: O(*n*) for the *n* samples of the chunks read
  public func samples(
    of type: SampleType, in range: Range<Double>? = nil
  ) throws(StoreError) -> SampleColumns {
    try samples(of: type, in: range, as: nil)
  }

  /// The same of the sources for which a body returns true, with values of another type than the
  /// store's, each converted once to its unit, and the recorded numbers; for `nil` the store's type
  /// without recorded numbers.
  ///
  /// With `byHardware` devices of one name that recorded a cumulative type at one time are sources of
  /// their own.
  package func samples(
    of type: SampleType, in range: Range<Double>?, as target: SampleType?,
    byHardware: Bool = false, where isChosen: (Source) -> Bool = { _ in true }
  ) throws(StoreError) -> SampleColumns {
    try read { database in
      let groups = try sources(of: type, in: range, from: database)
        .filter { isChosen($0.source) }
      let chunks = groups.flatMap(\.chunks)
      var columns = GrowingColumns()
      columns.reserve(try chunks.reduce(0) { try $0 + database.mostRows(of: $1) })
      let resolved = try resolved(type, in: database)
      return try columns.read(
        database.rows(of: groups, resolved, byHardware: byHardware), of: target ?? resolved,
        in: range, from: database, keepsRecorded: target != nil, watch: watch)
    }
  }

  /// The records of a type as they were recorded, with labels, origins and metadata.
  ///
  /// - Parameters:
  ///   - type: as for ``samples(of:in:)``
  ///   - range: as for ``samples(of:in:)``
  /// - Returns: one batch for each chunk, in the order of source and time
  /// - Throws: ``StoreError``; ``StoreError/Reason/damaged`` names the chunk
  /// - Complexity: O(*n*) for the *n* samples of the chunks read
  public func records(
    of type: SampleType, in range: Range<Double>? = nil
  ) throws(StoreError) -> [RecordColumns] {
    var batches: [RecordColumns] = []
    try StoreError.naming(path) {
      try forEachBatch(of: type, in: range) { batches.append($0) }
    }
    return batches
  }
}

extension [(source: Source, chunks: [Int64])] {
  /// The number of chunks of all sources.
  var chunkCount: Int { reduce(0) { $0 + $1.chunks.count } }
}

extension RowCursor {
  /// The rest of the chunk as a batch.
  func records(
    of type: SampleType, source: Source, in range: Range<Double>?, after serial: Int64
  ) throws(Corruption) -> RecordColumns {
    var builder = RecordColumns.Builder(type: type, source: source)
    while !isAtEnd {
      if range != nil || serial >= firstSerial {
        let range = range ?? -.infinity ..< .infinity
        for row in 0..<rowCount
        where range.hasSample(from: block.starts[row], to: block.ends[row])
          && self.serial(row) > serial
        {
          try builder.append(row..<row + 1, of: self)
        }
      } else {
        try builder.append(0..<rowCount, of: self)
      }
      try advanceBlock()
    }
    return builder.rows
  }
}

extension SampleStore {
  /// A type as the reader sees it in the store: an app gets its own type back where it sees none.
  func resolved(_ type: SampleType, in database: Database) throws -> SampleType {
    let resolved = try database.resolved(type)
    guard resolved != type, try !permission(in: database).mayRead(type.identifier) else {
      return resolved
    }
    return try sources(of: type, in: nil, from: database).isEmpty ? type : resolved
  }
}

extension Database {
  /// A type as the store uses it: from the catalogue, else as first imported.
  func resolved(_ type: SampleType) throws -> SampleType {
    if let known = Catalogue.type(type.identifier) { return known }
    let row = try Row.fetchOne(
      self, sql: "SELECT identifier, unit, style FROM types NOT INDEXED WHERE identifier = ?",
      arguments: [type.identifier])
    return try row.map { try SampleType($0) } ?? type
  }

  /// The selected sources of a type in the order of columns, each with the chunks that can overlap
  /// a range, in order of time.
  func sources(
    of type: SampleType, in range: Range<Double>?, among selection: SourceSelection
  ) throws -> [(source: Source, chunks: [Int64])] {
    let rows = try Row.fetchAll(
      self,
      sql: """
        WITH RECURSIVE
        asked(type) AS (SELECT id FROM types NOT INDEXED WHERE identifier = ?1),
        classes(type, length) AS (
          SELECT type, (SELECT min(lengthClass) FROM zoneMaps WHERE type = asked.type) FROM asked
          UNION ALL
          SELECT type, (
            SELECT min(lengthClass) FROM zoneMaps
            WHERE type = classes.type AND lengthClass > classes.length)
          FROM classes WHERE length IS NOT NULL)
        SELECT source, sources.name, sources.bundleIdentifier, sources.isUserEntered, chunk
        FROM classes CROSS JOIN zoneMaps ON zoneMaps.type = classes.type
            AND zoneMaps.lengthClass = classes.length AND firstStart >= ?2 - classes.length
            AND \(SampleTime.isInRange(from: "firstStart", to: "lastEnd", upper: "?3", lower: "?2"))
          LEFT JOIN sources ON sources.id = source
        ORDER BY source, firstStart, lastStart, chunk
        """,
      arguments: [
        type.identifier, range?.lowerBound ?? -.infinity, range?.upperBound ?? .infinity,
      ])
    var groups: [(source: Source, chunks: [Int64])] = []
    var last: Int64?
    for row in rows {
      let number = try row.decode(Int64.self, atIndex: 0)
      if number != last {
        groups.append((try Source(row, from: 1), []))
        last = number
      }
      groups[groups.count - 1].chunks.append(try row.decode(atIndex: 4))
    }
    return groups.filter { selection.contains($0.source) }
      .sorted { $0.source < $1.source }
  }

  /// The most rows that a chunk can have; a wrong count must not make an answer allocate more than
  /// its bytes can encode.
  fileprivate func mostRows(of chunk: Int64) throws -> Int {
    let (rows, bytes): (Int, Int) = try values(
      "SELECT count, length(core) FROM chunks WHERE id = ?", [chunk], chunk: chunk)
    return max(0, min(rows, 64 * bytes, EncodedChunk.mostRows))
  }
}

extension SampleStore {
  /// Visits the records of a type batch by batch, as they were recorded.
  ///
  /// All batches come from one snapshot of the store, and only one is in memory at a time.
  ///
  /// - Parameters:
  ///   - type: as for ``samples(of:in:)``
  ///   - range: as for ``samples(of:in:)``
  ///   - body: gets one batch for each chunk, in the order of source and time; an error that it
  ///     throws ends the iteration and is rethrown
  /// - Throws: ``StoreError``, or what `body` throws
  /// - Complexity: O(*n*) for the *n* samples of the chunks read
  public func forEachBatch(
    of type: SampleType, in range: Range<Double>? = nil, _ body: (RecordColumns) throws -> Void
  ) throws {
    try forEachBatch(of: SampleScan(of: type, in: range), body)
  }

  /// Visits the records that a scan wants, batch by batch.
  package func forEachBatch(of scan: SampleScan, _ body: (RecordColumns) throws -> Void) throws {
    try readHandingOver { database in
      let resolved = try resolved(scan.type, in: database)
      var units = RecordedUnits(of: resolved)
      let groups = try sources(of: scan.type, in: scan.range, from: database)
      var steps = ReadSteps(watch, of: groups.chunkCount)
      for group in groups where scan.mayContain(group.source, of: resolved) {
        for chunk in group.chunks {
          try steps.begin()
          let bounds = try database.bounds(of: chunk, of: resolved, group.source)
          guard try database.mayContain(chunk, bounds, by: scan) else { continue }
          let batch = try database.records(
            of: chunk, resolved, source: group.source, by: scan, units: &units)
          if batch.count > 0 { try Self.handOver { try body(batch) } }
        }
      }
      try steps.end()
    }
  }
}

extension SampleStore {
  /// The samples of a type with their creation dates, which replace modification dates: an export
  /// has no others.
  ///
  /// A record that ends before it starts is left out.
  ///
  /// - Parameters:
  ///   - type: as for ``samples(of:in:)``
  ///   - range: as for ``samples(of:in:)``
  /// - Returns: columns, empty when the store has no such sample
  /// - Throws: ``StoreError``; ``StoreError/Reason/damaged`` names the chunk
  /// - Complexity: O(*n* log *n*) for the *n* samples of the chunks read
  public func datedSamples(
    of type: SampleType, in range: Range<Double>? = nil
  ) throws(StoreError) -> DatedSampleColumns {
    try datedSamples(of: type, in: range, byHardware: false)
  }

  /// The same; with `byHardware` devices of one name that recorded at one time are sources of their
  /// own.
  package func datedSamples(
    of type: SampleType, in range: Range<Double>?, byHardware: Bool
  ) throws(StoreError) -> DatedSampleColumns {
    try read { database in
      let resolved = try resolved(type, in: database)
      var units = RecordedUnits(of: resolved)
      var rows: [DatedSampleColumns.Row] = []
      let groups = try database.rows(
        of: sources(of: type, in: range, from: database), resolved, byHardware: byHardware)
      var steps = ReadSteps(watch, of: groups.reduce(0) { $0 + $1.chunks.count })
      for group in groups {
        for chunk in group.chunks {
          try steps.begin()
          let cursor = try database.cursor(of: chunk, units: &units)
          try Corruption.naming(chunk) {
            try cursor.appendDated(
              to: &rows, source: group.source, in: range, of: group.selected(of: chunk))
          }
        }
      }
      try steps.end()
      return DatedSampleColumns(type: resolved, rows: rows)
    }
  }
}

extension RowCursor {
  /// Appends the chunk from its beginning, or of it what one device recorded.
  fileprivate func appendDated(
    to rows: inout [DatedSampleColumns.Row], source: Source, in range: Range<Double>?,
    of selected: SelectedRows?
  ) throws(Corruption) {
    var first = 0
    while !isAtEnd {
      for row in 0..<rowCount {
        if let selected, !selected.contains(first + row) { continue }
        let (start, end) = (block.starts[row], block.ends[row])
        if let range, !range.hasSample(from: start, to: end) { continue }
        rows.append(
          .init(
            sample: .init(source: source, start: start, end: end, value: canonical[row]),
            lastModified: block.created[row]))
      }
      first += rowCount
      try advanceBlock()
    }
  }
}
