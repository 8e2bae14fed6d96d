import GRDB
public import HealthSamples

extension SampleStore {
  /// Gives the records of a type away in the order of time, as they were recorded.
  ///
  /// Records stand by start and end, then by source in the order of columns. Only the segments
  /// that lie at the moment are in memory, one a source, whatever the number of records.
  ///
  /// - Parameters:
  ///   - type: as for ``samples(of:in:)``
  ///   - range: as for ``samples(of:in:)``
  ///   - isNewestFirst: whether the order is turned round
  ///   - body: takes a run of rows of one source, which are to be read from the last to the first
  ///     when the newest come first; whether it wants more. What it throws ends the reading and is
  ///     thrown on
  /// - Throws: ``StoreError``, or what `body` throws
  /// - Complexity: O(*n* + *r* · *s*) for *n* samples of the segments that are read, in *r* runs of
  ///   *s* sources
  public func forEachRun(
    of type: SampleType, in range: Range<Double>? = nil, isNewestFirst: Bool = false,
    _ body: (RecordColumns, Range<Int>) throws -> Bool
  ) throws {
    try readHandingOver { database in
      var merge = try RunsInTime(
        of: database.resolved(type), in: range, isNewestFirst: isNewestFirst,
        among: selection, database: database)
      while let run = try merge.next(from: database) {
        guard try Self.handOver({ try body(run.batch, run.rows) }) else { return }
      }
    }
  }
}

/// The records of several sources as one stream in the order of time.
private struct RunsInTime {
  /// The place of a record in the stream.
  private struct Key {
    var start: Double
    var end: Double
    var source: Int

    static func < (left: Self, right: Self) -> Bool {
      (left.start, left.end, left.source) < (right.start, right.end, right.source)
    }
  }

  /// The records of one source.
  private struct Stream {
    let source: Source
    /// The segments to read, the next one last.
    var segments: [Int64]
    /// The rows of the segment that is open and still to be given; none when one must be opened.
    var batch: RecordColumns?
    var rows = 0..<0
    /// The place of the next row; of the earliest that can come when a segment must be opened.
    var key: Key
  }

  private let type: SampleType
  private let range: Range<Double>?
  private let isNewestFirst: Bool
  private var meanings: LabelMeanings
  private var streams: [Stream] = []
  /// The streams that are not at their end, in the order of their next rows.
  private var order: [Int] = []

  init(
    of type: SampleType, in range: Range<Double>?, isNewestFirst: Bool,
    among selection: SourceSelection, database: Database
  ) throws {
    self.type = type
    self.range = range
    self.isNewestFirst = isNewestFirst
    meanings = LabelMeanings(of: type)
    let groups = try database.sources(of: type, in: range, among: selection)
    for (place, group) in groups.enumerated() {
      let segments = isNewestFirst ? group.segments : group.segments.reversed()
      streams.append(
        Stream(
          source: group.source, segments: segments, key: Key(start: 0, end: 0, source: place)))
      try announceSegment(of: place, in: database)
    }
  }

  /// The next records of one source that come before those of all others; `nil` at the end.
  mutating func next(
    from database: Database
  ) throws -> (batch: RecordColumns, rows: Range<Int>)? {
    while let first = order.first {
      order.removeFirst()
      guard let batch = streams[first].batch else {
        try openSegment(of: first, in: database)
        continue
      }
      let bound = order.first.map { streams[$0].key }
      let rows = streams[first].rows
      var run =
        isNewestFirst
        ? rows.upperBound - 1..<rows.upperBound : rows.lowerBound..<rows.lowerBound + 1
      while run.count < rows.count {
        let row = isNewestFirst ? run.lowerBound - 1 : run.upperBound
        if let bound, precedes(bound, key(of: batch, row, source: first)) { break }
        run = min(run.lowerBound, row)..<max(run.upperBound, row + 1)
      }
      streams[first].rows =
        isNewestFirst ? rows.lowerBound..<run.lowerBound : run.upperBound..<rows.upperBound
      try putBack(first, in: database)
      return (batch, run)
    }
    return nil
  }

  private func precedes(_ left: Key, _ right: Key) -> Bool {
    isNewestFirst ? right < left : left < right
  }

  private func key(of batch: RecordColumns, _ row: Int, source: Int) -> Key {
    Key(start: batch.starts[row], end: batch.ends[row], source: source)
  }

  /// Reads the next segment of a stream whose turn it is.
  private mutating func openSegment(of place: Int, in database: Database) throws {
    guard let segment = streams[place].segments.popLast() else { return }
    let batch = try database.records(
      of: segment, type, source: streams[place].source, in: range, meanings: &meanings)
    streams[place].batch = batch
    streams[place].rows = 0..<batch.count
    try putBack(place, in: database)
  }

  /// Puts a stream where its next row belongs.
  private mutating func putBack(_ place: Int, in database: Database) throws {
    let rows = streams[place].rows
    guard let batch = streams[place].batch, !rows.isEmpty else {
      return try announceSegment(of: place, in: database)
    }
    let row = isNewestFirst ? rows.upperBound - 1 : rows.lowerBound
    streams[place].key = key(of: batch, row, source: place)
    insert(place)
  }

  /// Puts a stream where its next segment can begin, without reading it.
  private mutating func announceSegment(of place: Int, in database: Database) throws {
    streams[place].batch = nil
    guard let segment = streams[place].segments.last else { return }
    let row = try Row.fetchOne(
      database.cachedStatement(
        sql: "SELECT firstStart, lastStart FROM summaries WHERE segment = ?"),
      arguments: [segment])
    guard let row else { throw SegmentDamage(segment: segment) }
    // Before every row that begins at the same moment.
    streams[place].key =
      isNewestFirst
      ? Key(start: try row.decode(atIndex: 1), end: .infinity, source: .max)
      : Key(start: try row.decode(atIndex: 0), end: -.infinity, source: -1)
    insert(place)
  }

  private mutating func insert(_ place: Int) {
    let key = streams[place].key
    var low = 0
    var high = order.count
    while low < high {
      let middle = (low + high) / 2
      if precedes(streams[order[middle]].key, key) { low = middle + 1 } else { high = middle }
    }
    order.insert(place, at: low)
  }
}
