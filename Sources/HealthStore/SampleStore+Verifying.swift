import GRDB
import HealthSamples

extension SampleStore {
  /// Reads everything and checks that it holds together: the database, the checksum and the
  /// contents of every segment and element, and what the tables say of it.
  ///
  /// - Throws: ``StoreError/Reason/damaged``, with the segment where one is to blame
  /// - Complexity: O(*n*)
  public func verify() throws(StoreError) {
    try read { database in
      guard try String.fetchAll(database, sql: "PRAGMA integrity_check") == ["ok"],
        try Row.fetchOne(database, sql: "PRAGMA foreign_key_check") == nil
      else { throw StoreError(.damaged, path: path) }
      let types = try database.sampleTypes()
      let rows = try Row.fetchCursor(
        database,
        sql: """
          SELECT segments.id, types.identifier, count, firstStart, lastStart, lastEnd, source
          FROM segments JOIN types ON types.id = segments.type
          ORDER BY types.id, source, firstStart, lastStart, segments.id
          """)
      let block = RowBlock()
      var previous: (stream: [DatabaseValue], lastStart: Double)?
      while let row = try rows.next() {
        let id = try row.decode(Int64.self, atIndex: 0)
        guard let type = types[try row.decode(atIndex: 1)] else { throw SegmentDamage(segment: id) }
        let facts = SegmentFacts(
          count: try row.decode(atIndex: 2), firstStart: try row.decode(atIndex: 3),
          lastStart: try row.decode(atIndex: 4), lastEnd: try row.decode(atIndex: 5),
          labels: try database.counts("label", of: id),
          devices: try database.counts("device", of: id))
        do {
          guard try database.facts(of: id, type) == facts,
            try database.holdsSummary(of: id, facts, room: block)
          else { throw SegmentDamage() }
        } catch {
          throw SegmentDamage(segment: id)
        }
        let stream = [row[1] as DatabaseValue, row[6]]
        if let previous, previous.stream == stream, previous.lastStart > facts.firstStart {
          throw SegmentDamage(segment: id)
        }
        previous = (stream, facts.lastStart)
      }
      guard
        try database.hold("streams", Database.streams()),
        try database.hold("streamLabels", Database.streamLabels())
      else { throw SegmentDamage() }
      try database.verifySuperseded(types)
      try database.verifyElements()
    }
  }
}

extension Database {
  fileprivate func counts(_ text: String, of segment: Int64) throws -> [String: Int] {
    let rows = try Row.fetchAll(
      self, sql: "SELECT \(text), count FROM \(text)s WHERE segment = ?", arguments: [segment])
    let pairs = try rows.map { row in
      (try row.decode(String.self, atIndex: 0), try row.decode(Int.self, atIndex: 1))
    }
    return Dictionary(pairs) { first, _ in first }
  }

  /// Whether a table holds exactly the rows of a query.
  fileprivate func hold(_ table: String, _ query: String) throws -> Bool {
    try Row.fetchOne(self, sql: "SELECT * FROM \(table) EXCEPT SELECT * FROM (\(query))") == nil
      && Row.fetchOne(self, sql: "SELECT * FROM (\(query)) EXCEPT SELECT * FROM \(table)") == nil
  }

  /// Whether what is known of a segment agrees with its contents.
  fileprivate func holdsSummary(
    of segment: Int64, _ facts: SegmentFacts, room block: RowBlock
  ) throws -> Bool {
    let isFound = try Bool.fetchOne(
      self,
      sql: """
        SELECT summaries.type = segments.type AND summaries.source = segments.source
          AND summaries.firstStart = segments.firstStart
          AND summaries.lastStart = segments.lastStart AND summaries.lastEnd = segments.lastEnd
          AND reach = ?
        FROM segments JOIN summaries ON summaries.segment = segments.id WHERE segments.id = ?
        """,
      arguments: [Self.reach(from: facts.firstStart, to: facts.lastEnd), segment])
    let found = try SegmentSummary(core: core(of: segment), room: block)
    let kept = try summary(of: segment)
    return isFound == true && found == kept
  }

  /// Checks that superseded rows can be read, and that their tellings are there.
  fileprivate func verifySuperseded(_ types: [String: SampleType]) throws {
    let table = try TellingTable(self)
    for row in try Row.fetchAll(
      self,
      sql: """
        SELECT superseded.id, types.identifier FROM superseded JOIN types
          ON types.id = superseded.type
        """)
    {
      guard let type = types[try row.decode(atIndex: 1)] else { throw SegmentDamage() }
      var meanings = LabelMeanings(of: type)
      let cursor = try cursor(
        of: row.decode(atIndex: 0), hasTellings: true, isSuperseded: true, meanings: &meanings)
      for origin in cursor.originTable { _ = try table.turns(of: origin.telling) }
      while !cursor.isAtEnd { try cursor.advanceBlock() }
    }
  }

  /// The facts of a segment, from its contents.
  fileprivate func facts(of segment: Int64, _ type: SampleType) throws -> SegmentFacts {
    var meanings = LabelMeanings(of: type)
    let cursor = try cursor(of: segment, meanings: &meanings)
    var facts = SegmentFacts()
    facts.count = cursor.count
    while !cursor.isAtEnd {
      let block = cursor.block
      for row in 0..<cursor.rowCount {
        guard facts.lastStart <= block.starts[row], block.copies[row] > 0 else {
          throw SegmentDamage()
        }
        facts.firstStart = min(facts.firstStart, block.starts[row])
        facts.lastStart = block.starts[row]
        facts.lastEnd = max(facts.lastEnd, block.starts[row], block.ends[row])
        facts.labels[cursor.labelTable[Int(block.labels[row])], default: 0] += 1
        let origin = cursor.originTable[Int(block.origins[row])]
        facts.devices[origin.device, default: 0] += 1
        _ = try cursor.metadata(Int(block.metadata[row]))
      }
      try cursor.advanceBlock()
    }
    return facts
  }
}
