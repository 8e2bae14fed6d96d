import HealthSamples

/// The reading of the segments of one question.
struct SummaryReading<Bytes: SegmentBytes> {
  private let type: SampleType
  private let range: Range<Double>
  private let groups: SampleGroups
  private let bytes: Bytes
  private var meanings: LabelMeanings
  private let room = RowBlock()
  private var parts: [Part] = []
  private var columns = GrowingColumns()
  private var summaries = SummaryColumns()

  /// What is summed up of the group at hand.
  private var run: Run?

  /// Samples of one group.
  private struct Run {
    let group: Int
    var total: BlockTotal
    var count: Int
    let firstStart: Double
    var lastEnd: Double
  }

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

  init(
    of type: SampleType, in range: Range<Double>, by groups: SampleGroups, from bytes: Bytes
  ) {
    self.type = type
    self.range = range
    self.groups = groups
    self.bytes = bytes
    meanings = LabelMeanings(of: type)
  }

  /// Reads segments source by source, each once.
  mutating func samples(
    _ sources: [(source: Source, segments: [Int64])], whereAlone alone: Bool
  ) throws -> SummarisedSamples {
    for (source, group) in sources.enumerated() {
      for segment in group.segments { try add(segment, ofSource: source) }
    }
    if alone && sources.count > 1 { try findTouched() }
    return try result(sources: sources.map(\.source))
  }

  private mutating func add(_ segment: Int64, ofSource source: Int) throws {
    let summary = try bytes.summary(of: segment)
    parts.append(
      Part(
        segment: segment, source: source, summary: summary,
        meaning: summary?.label.flatMap { meanings.meaning(of: $0) }))
  }

  /// Finds the blocks with samples that one of another source touches.
  private mutating func findTouched() throws {
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
        summary.blocks.count <= sparseBlocks && sparseRows + summary.count <= mostSparseRows
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

  private mutating func result(sources: [Source]) throws -> SummarisedSamples {
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
      endRun()
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
    var group = 0
    for (number, block) in summary.blocks.enumerated() where matches(block) {
      let total = part.touched.contains(number) ? nil : part.meaning.flatMap(block.total.converted)
      if total != nil, groups.misses(block) { continue }
      if let total, groups.holdsWhole(block, near: &group) {
        append(
          Run(
            group: group, total: total, count: summary.rowCount(ofBlock: number),
            firstStart: block.firstStart, lastEnd: block.lastEnd))
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
      group = groups.index(of: start, near: group)
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
      append(row..<max(end, row + 1), of: group, isRun: end > row)
      row = max(end, row + 1)
    }
  }

  private mutating func append(_ rows: Range<Int>, of group: Int, isRun: Bool) {
    let total = BlockTotal(UnsafeBufferPointer(rebasing: room.values[rows]))
    guard isRun, rows.count >= shortestRun, total.isFinite else {
      for row in rows { columns.append(room, row: row) }
      return
    }
    append(
      Run(
        group: group, total: total, count: rows.count, firstStart: room.starts[rows.lowerBound],
        lastEnd: UnsafeBufferPointer(rebasing: room.ends[rows]).largest))
  }

  /// Takes in a run of the source at hand; neighbours of one group become one.
  private mutating func append(_ next: Run) {
    if var run, run.group == next.group {
      run.total.merge(next.total)
      run.count += next.count
      run.lastEnd = max(run.lastEnd, next.lastEnd)
      if run.total.isFinite {
        self.run = run
        return
      }
    }
    endRun()
    run = next
  }

  private mutating func endRun() {
    guard let ended = run else { return }
    summaries.append(
      count: ended.count, from: ended.firstStart, to: ended.lastEnd, sum: ended.total.sum,
      lost: ended.total.lost, minimum: ended.total.minimum, maximum: ended.total.maximum)
    run = nil
  }

  private mutating func reader(of part: Part) throws -> CanonicalReader {
    try CanonicalReader(try bytes.core(of: part.segment), meanings: &meanings)
  }

  /// Whether a block may have samples of the range.
  private func matches(_ block: BlockSummary) -> Bool {
    block.lastEnd >= range.lowerBound && block.firstStart < range.upperBound
  }
}

/// A shorter run takes more room summed up than sample by sample.
private let shortestRun = 4
/// Segments of so many blocks are sparse: they may span years and touch little of them.
private let sparseBlocks = 4
/// How many samples of sparse segments are worth a look at each.
private let mostSparseRows = 1 << 20
