import GRDB
import HealthSamples

/// Reads the chunks of one query: zone maps first, and only the blocks whose samples are needed
/// individually.
struct PreaggregatedReader {
  private let type: SampleType
  private let period: SamplePeriod
  private let groups: SampleGroups
  private let database: Database
  private let watch: ReadWatch?
  private var units: RecordedUnits
  private let room = RowBlock()
  private var parts: [Part] = []
  private var columns = GrowingColumns()
  private var aggregates = AggregateColumns()

  /// The aggregate of the current group so far.
  private var aggregate: Aggregate?

  /// Samples of one group.
  private struct Aggregate {
    let group: Int
    var statistics: BlockStatistics
    var count: Int
  }

  /// A chunk, and how it can be read.
  private struct Part {
    let chunk: Int64
    let source: Int
    let zoneMap: ZoneMap
    /// The unit of all its values; `nil` if there are several or it is unknown.
    let unit: RecordedUnit?
    /// The blocks with samples that overlap or touch one of another source.
    var contested: Set<Int> = []
    /// The rows that one device recorded; `nil` for all.
    let selected: SelectedRows?
  }

  init(
    of type: SampleType, in period: SamplePeriod, by groups: SampleGroups, from database: Database,
    watch: ReadWatch?
  ) {
    self.type = type
    self.period = period
    self.groups = groups
    self.database = database
    self.watch = watch
    units = RecordedUnits(of: type)
  }

  /// Reads chunks source by source, each once.
  mutating func samples(
    _ sources: [SourceRows], onlyUncontested: Bool
  ) throws -> PreaggregatedSamples {
    for (source, group) in sources.enumerated() {
      for chunk in group.chunks { try add(chunk, of: group, source) }
    }
    if onlyUncontested && sources.count > 1 { try findContested() }
    return try result(sources: sources.map(\.source))
  }

  private mutating func add(_ chunk: Int64, of group: SourceRows, _ source: Int) throws {
    try watch?.check()
    let zoneMap = try database.zoneMap(of: chunk)
    parts.append(
      Part(
        chunk: chunk, source: source, zoneMap: zoneMap,
        unit: zoneMap.label.flatMap { units.unit(of: $0) },
        selected: group.selected(of: chunk)))
  }

  /// Finds the blocks with samples that overlap or touch one of another source.
  private mutating func findContested() throws {
    var spans: [SourceSpan] = []
    var blocks: [(part: Int, block: Int)] = []
    var sparseRows = 0
    for (index, part) in parts.enumerated() {
      let zoneMap = part.zoneMap
      let isSparse =
        zoneMap.blocks.count <= sparseBlocks && sparseRows + zoneMap.count <= mostSparseRows
      var reader = isSparse ? try reader(of: part) : nil
      for (number, block) in zoneMap.blocks.enumerated() where period.mayContain(block) {
        let count = try reader?.read(block: number, at: block.offset, into: room)
        for row in 0..<(count ?? 0) {
          spans.append(.init(start: room.starts[row], end: room.ends[row], source: part.source))
          blocks.append((index, number))
        }
        sparseRows += count ?? 0
        if count == nil {
          spans.append(.init(start: block.firstStart, end: block.lastEnd, source: part.source))
          blocks.append((index, number))
        }
      }
    }
    for ((part, block), isUncontested) in zip(blocks, spans.areUncontested) where !isUncontested {
      parts[part].contested.insert(block)
    }
  }

  private mutating func result(sources: [Source]) throws -> PreaggregatedSamples {
    var steps = ReadSteps(watch, of: parts.count)
    var next = 0
    for (index, source) in sources.enumerated() {
      let before = aggregates.count
      while next < parts.count, parts[next].source == index {
        try steps.begin()
        try Corruption.naming(parts[next].chunk) { try visit(parts[next]) }
        next += 1
      }
      endAggregate()
      if aggregates.count > before { aggregates.endSource(source) }
      columns.endSource(source, keepsEmpty: aggregates.count > before)
    }
    try steps.end()
    return PreaggregatedSamples(samples: columns.samples(of: type), aggregates: aggregates)
  }

  private mutating func visit(_ part: Part) throws {
    var opened: CanonicalReader?
    var group = 0
    for (number, block) in part.zoneMap.blocks.enumerated() where period.mayContain(block) {
      let statistics =
        part.selected != nil || part.contested.contains(number)
        ? nil : part.unit.flatMap(block.converted)
      if statistics != nil, groups.misses(block) { continue }
      let isWhole = period.contains(block)
      if let statistics, isWhole, groups.holdsWhole(block, near: &group) {
        append(
          Aggregate(
            group: group, statistics: statistics,
            count: part.zoneMap.rowCount(ofBlock: number)))
        continue
      }
      var reader = try opened ?? reader(of: part)
      var read = try reader.read(block: number, at: block.offset, into: room)
      opened = reader
      if let selected = part.selected {
        read = try selected.select(read, of: room, from: number * RowBlock.capacity)
      }
      let count = isWhole ? read : period.select(read, of: room)
      if count == 0 { continue }
      if statistics == nil { columns.append(room, count, in: nil) } else { cut(count) }
    }
  }

  /// Aggregates the rows of a decoded block by group; those that an edge cuts stay individual.
  private mutating func cut(_ count: Int) {
    let edges = groups.edges
    var group = groups.index(of: room.starts[0])
    var row = 0
    while row < count {
      let start = room.starts[row]
      group = groups.index(of: start, near: group)
      guard group < edges.count - 1 else { return }
      guard group >= 0 else {
        columns.append(room, row: row)
        row += 1
        continue
      }
      let upper = edges[group + 1]
      var end = row
      while end < count, room.starts[end] < upper, !groups.cutsEnds || room.ends[end] <= upper {
        end += 1
      }
      append(row..<max(end, row + 1), of: group, isInside: end > row)
      row = max(end, row + 1)
    }
  }

  private mutating func append(_ rows: Range<Int>, of group: Int, isInside: Bool) {
    let statistics = room.statistics(rows)
    guard isInside, rows.count >= fewestAggregated, statistics.isFinite else {
      for row in rows { columns.append(room, row: row) }
      return
    }
    append(Aggregate(group: group, statistics: statistics, count: rows.count))
  }

  /// Adds samples of the current source; consecutive ones of one group are merged.
  private mutating func append(_ next: Aggregate) {
    if var aggregate, aggregate.group == next.group {
      aggregate.statistics.merge(next.statistics)
      aggregate.count += next.count
      if aggregate.statistics.isFinite {
        self.aggregate = aggregate
        return
      }
    }
    endAggregate()
    aggregate = next
  }

  private mutating func endAggregate() {
    guard let ended = aggregate else { return }
    let statistics = ended.statistics
    aggregates.append(
      count: ended.count, from: statistics.firstStart, to: statistics.lastEnd,
      sum: statistics.sum, sumError: statistics.sumError, minimum: statistics.minimum,
      maximum: statistics.maximum)
    aggregate = nil
  }

  private mutating func reader(of part: Part) throws -> CanonicalReader {
    try CanonicalReader(try database.core(of: part.chunk), units: &units)
  }
}

/// Fewer samples take less memory individually.
private let fewestAggregated = 4
/// Chunks of so few blocks are sparse: they may span years and touch little of them.
private let sparseBlocks = 4
/// The most samples of sparse chunks that are read individually.
private let mostSparseRows = 1 << 20
