import GRDB
package import HealthSamples

extension SampleStore {
  /// The samples of a type for one question, summed up where only their sums matter.
  ///
  /// Of a segment the summary is read first. A block of it whose samples are all of one group needs
  /// no more; one that an edge cuts is decoded and summed up piece by piece. Other segments stay on
  /// the disk.
  ///
  /// - Parameters:
  ///   - type: as for ``samples(of:in:)``
  ///   - range: as for ``samples(of:in:)``
  ///   - groups: which samples are counted together
  ///   - alone: whether samples that one of another source touches must be seen one by one
  /// - Throws: ``StoreError``; ``StoreError/Reason/damaged`` names the segment
  /// - Complexity: O(blocks + edges × samples of a block + samples that are seen one by one)
  package func summarisedSamples(
    of type: SampleType, in range: Range<Double>, by groups: SampleGroups, whereAlone alone: Bool
  ) throws(StoreError) -> SummarisedSamples {
    try read { database in
      let resolved = try database.resolved(type)
      var reading = SummaryReading(
        database: database, meanings: LabelMeanings(of: resolved), range: range, groups: groups)
      let sources = try database.sources(of: type, in: range)
      for (source, group) in sources.enumerated() {
        for segment in group.segments { try reading.add(segment, ofSource: source) }
      }
      if alone && sources.count > 1 { try reading.findTouched() }
      return try reading.result(of: resolved, sources: sources.map(\.source))
    }
  }
}

extension SampleStore {
  /// Where the segments of a type that can overlap a range start, in the order of time, and how many
  /// samples each has.
  ///
  /// - Complexity: O(*s* log *s*) for *s* segments of the type; no sample is read
  package func sampleCounts(
    of type: SampleType, in range: Range<Double>
  ) throws(StoreError) -> [(firstStart: Double, count: Int)] {
    try read { database in
      try Row.fetchAll(
        database,
        sql: """
          SELECT firstStart, count FROM segments
          WHERE type = (SELECT id FROM types WHERE identifier = ?)
            AND firstStart < ? AND lastEnd >= ?
          ORDER BY firstStart
          """, arguments: [type.identifier, range.upperBound, range.lowerBound]
      ).map { row in
        (try row.decode(Double.self, atIndex: 0), try row.decode(Int.self, atIndex: 1))
      }
    }
  }
}

/// The reading of the segments of one question.
private struct SummaryReading {
  let database: Database
  var meanings: LabelMeanings
  let range: Range<Double>
  let groups: SampleGroups
  private let room = RowBlock()
  private var parts: [Part] = []
  private var columns = GrowingColumns()
  private var summaries = SummaryColumns()

  /// A segment, and what may be done with it.
  private struct Part {
    let segment: Int64
    let source: Int
    let summary: SegmentSummary?
    /// What its one label means; `nil` where no sum is known.
    let meaning: LabelMeaning?
    /// The blocks of which samples must be seen one by one.
    var touched: Set<Int> = []
  }

  /// A shorter run takes more room summed up than sample by sample.
  private static let shortestRun = 4
  /// Segments of so many blocks are sparse: they may span years and touch little of them.
  private static let sparseBlocks = 4
  /// How many samples of sparse segments are worth a look at each.
  private static let sparseRows = 1 << 20

  init(
    database: Database, meanings: LabelMeanings, range: Range<Double>, groups: SampleGroups
  ) {
    self.database = database
    self.meanings = meanings
    self.range = range
    self.groups = groups
  }

  mutating func add(_ segment: Int64, ofSource source: Int) throws {
    let summary = try database.summary(of: segment)
    parts.append(
      Part(
        segment: segment, source: source, summary: summary,
        meaning: summary?.label.flatMap { meanings.meaning(of: $0) }))
  }

  /// Finds the blocks with samples that one of another source touches.
  mutating func findTouched() throws {
    var spans: [Solitude.Span] = []
    var places: [(part: Int, block: Int)] = []
    var sparseRows = 0
    for (place, part) in parts.enumerated() {
      guard let summary = part.summary else {
        // Of a segment of which nothing is known anything may be touched.
        spans.append(.init(start: -.infinity, end: .infinity, source: part.source))
        places.append((place, 0))
        continue
      }
      let isSparse =
        summary.blocks.count <= Self.sparseBlocks && sparseRows + summary.count <= Self.sparseRows
      var reader = isSparse ? try reader(of: part) : nil
      for (number, block) in summary.blocks.enumerated() where matches(block) {
        let count = try reader?.read(block: number, at: block.offset, into: room)
        for row in 0..<(count ?? 0) {
          spans.append(.init(start: room.starts[row], end: room.ends[row], source: part.source))
          places.append((place, number))
        }
        sparseRows += count ?? 0
        if count == nil {
          spans.append(.init(start: block.firstStart, end: block.lastEnd, source: part.source))
          places.append((place, number))
        }
      }
    }
    for (index, isAlone) in Solitude.ofSpans(spans).enumerated() where !isAlone {
      parts[places[index].part].touched.insert(places[index].block)
    }
  }

  mutating func result(of type: SampleType, sources: [Source]) throws -> SummarisedSamples {
    var next = 0
    for (index, source) in sources.enumerated() {
      let before = summaries.count
      while next < parts.count, parts[next].source == index {
        do {
          try take(parts[next])
        } catch is SegmentDamage {
          throw SegmentDamage(segment: parts[next].segment)
        }
        next += 1
      }
      if summaries.count > before { summaries.endSource(source) }
      columns.endSource(source, keepsEmpty: summaries.count > before)
    }
    return SummarisedSamples(samples: columns.samples(of: type), summaries: summaries)
  }

  private mutating func take(_ part: Part) throws {
    guard let summary = part.summary else {
      var reader = try reader(of: part)
      while case let count = try reader.next(into: room), count > 0 {
        columns.append(room, count, in: range)
      }
      return
    }
    var opened: CanonicalReader?
    for (number, block) in summary.blocks.enumerated() where matches(block) {
      let total = part.touched.contains(number) ? nil : part.meaning.flatMap(block.total.converted)
      if let total, groups.misses(block) || groups.holdsWhole(block) {
        guard !groups.misses(block) else { continue }
        summaries.append(
          total, count: summary.rowCount(ofBlock: number), from: block.firstStart,
          to: block.lastEnd)
        continue
      }
      var reader = try opened ?? reader(of: part)
      let count = try reader.read(block: number, at: block.offset, into: room)
      opened = reader
      if total == nil { columns.append(room, count, in: range) } else { cut(count) }
    }
  }

  /// Sums up the rows of a decoded block group by group; those that an edge cuts stay as they are.
  private mutating func cut(_ count: Int) {
    let edges = groups.edges
    var group = groups.index(of: room.starts[0])
    var row = 0
    while row < count {
      let start = room.starts[row]
      if group + 1 < edges.count, edges[group + 1] <= start { group = groups.index(of: start) }
      guard group < edges.count - 1 else { return }
      guard group >= 0 else {
        if room.ends[row] >= range.lowerBound { columns.append(room, row: row) }
        row += 1
        continue
      }
      let upper = edges[group + 1]
      var end = row
      while end < count, room.starts[end] < upper, !groups.cutsEnds || room.ends[end] <= upper {
        end += 1
      }
      append(row..<max(end, row + 1), isRun: end > row)
      row = max(end, row + 1)
    }
  }

  private mutating func append(_ rows: Range<Int>, isRun: Bool) {
    let total = BlockTotal(UnsafeBufferPointer(rebasing: room.values[rows]))
    guard isRun, rows.count >= Self.shortestRun, total.isFinite else {
      for row in rows { columns.append(room, row: row) }
      return
    }
    var lastEnd = room.ends[rows.lowerBound]
    for row in rows { lastEnd = max(lastEnd, room.ends[row]) }
    summaries.append(total, count: rows.count, from: room.starts[rows.lowerBound], to: lastEnd)
  }

  private mutating func reader(of part: Part) throws -> CanonicalReader {
    try database.reader(of: part.segment, meanings: &meanings)
  }

  /// Whether a block may have samples of the range.
  private func matches(_ block: BlockSummary) -> Bool {
    block.lastEnd >= range.lowerBound && block.firstStart < range.upperBound
  }
}

extension SummaryColumns {
  fileprivate mutating func append(
    _ total: BlockTotal, count: Int, from firstStart: Double, to lastEnd: Double
  ) {
    append(
      count: count, from: firstStart, to: lastEnd, sum: total.sum, lost: total.lost,
      minimum: total.minimum, maximum: total.maximum)
  }
}
