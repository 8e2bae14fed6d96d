import HealthLedger
@_spi(Queues) import HealthSamples

/// Sorted rows of one type and one source, encoded as a chunk in the spill file.
struct Run {
  /// The number of rows.
  var count: Int
  /// The number of additional copies of its rows in the export.
  var duplicates: Int
  /// The start of the first row.
  var firstStart: Double
  /// The start of the last row.
  var lastStart: Double
  /// The latest end of a row.
  var lastEnd: Double
  /// Whether no row is inside another element, too.
  var isWhole: Bool
  /// The bytes of the chunk in the file.
  var core: Range<Int>
  var detail: Range<Int>
  /// The statistics of the chunk.
  var statistics: Range<Int>
  var zoneMap: Range<Int>

  /// The time of its rows.
  var span: ClosedRange<Double> { firstStart...lastEnd }
}

/// The sizes of runs.
struct RunSizes {
  /// The rows of a full one.
  var full = EncodedChunk.rowCount
  /// The least rows of a run that becomes a chunk without merging.
  var fewestMovedRows = EncodedChunk.rowCount / 4
  /// How many of the last rows are sampled for the watermark.
  var watermarkRows = 4_096
  /// The most bytes of buffered rows.
  var mostBufferedBytes = 24 << 20
}

/// The watermark of a series: rows beyond it are deferred to the next batch, so that runs do not
/// overlap although adjacent rows in the file may be out of order.
struct Watermark {
  /// The earliest or, going backwards, latest instant of rows expected in later batches.
  let bound: Double
  /// Whether the file is in ascending order.
  let isForwards: Bool

  /// Computes the watermark from the last rows; `nil` when there are too few, or they are
  /// unordered.
  ///
  /// A quarter of the last rows may be outliers.
  ///
  /// - Complexity: O(*n*)
  init?(_ starts: [Double], last count: Int) {
    guard starts.count >= 4 * count else { return nil }
    func some(_ rows: Range<Int>) -> [Double] {
      stride(from: rows.lowerBound, to: rows.upperBound, by: max(1, count / 64))
        .map { starts[$0] }.sorted()
    }
    let (first, last) = (some(0..<count), some(starts.count - count..<starts.count))
    isForwards = first[first.count / 2] <= last[last.count / 2]
    bound = isForwards ? last[last.count / 4] : last[last.count - 1 - last.count / 4].nextUp
    let (bound, isForwards) = (bound, isForwards)
    let deferred = starts.reduce(0) { $0 + (($1 >= bound) == isForwards ? 1 : 0) }
    guard deferred <= starts.count / 2 else { return nil }
  }

  /// Whether a row is deferred to the next batch.
  func defers(_ start: Double) -> Bool { (start >= bound) == isForwards }

  /// The rows that are deferred.
  func deferred(of starts: [Double]) -> [Range<Int>] {
    [Range<Int>](joining: starts.indices.lazy.filter { defers(starts[$0]) })
  }
}

/// Which runs of a series become chunks unchanged (a trivial move), and which must be merged.
///
/// A run that overlaps nothing else is already what a chunk would be.
struct RunPlan {
  /// A position for merged rows, by the start of its first row: a stored chunk, whose rows may match,
  /// or a run that becomes a chunk.
  typealias Slot = (firstStart: Double, stored: StoredChunk?)

  /// The runs that become chunks.
  private(set) var moved: [Run] = []
  /// The other runs.
  private(set) var merged: [Run] = []
  /// The stored chunks and the moved runs in order of time.
  let slots: [Slot]

  /// Finds runs that overlap nothing else.
  ///
  /// Small ones are merged with each other or with the previous chunk, so that no series gets many
  /// small chunks. Runs that overlap hidden chunks are merged, too.
  ///
  /// - Complexity: O(*n* log *n*) for *n* runs and chunks
  init(
    _ runs: [Run], among chunks: [StoredChunk], hidden: [StoredChunk] = [], fewestMovedRows: Int
  ) {
    let spans =
      (runs.map { (first: $0.firstStart, last: $0.lastStart) }
      + (chunks + hidden).map { (first: $0.firstStart, last: $0.lastStart) })
      .sorted { $0.first < $1.first }
    var isolated: Set<Double> = []
    var end = -Double.infinity
    for (index, span) in spans.enumerated() {
      let isAloneBefore = end < span.first
      let isAloneAfter = index + 1 == spans.count || span.last < spans[index + 1].first
      if isAloneBefore, isAloneAfter { isolated.insert(span.first) }
      end = max(end, span.last)
    }
    for run in runs {
      let isLarge = run.count >= fewestMovedRows || spans.count == 1
      if isLarge, run.isWhole, isolated.contains(run.firstStart) {
        moved.append(run)
      } else {
        merged.append(run)
      }
    }
    slots = (chunks.map { ($0.firstStart, $0) } + moved.map { ($0.firstStart, nil) })
      .sorted { $0.firstStart < $1.firstStart }
  }
}

/// Merges sorted runs into one order, with copies merged.
///
/// A run is opened when the merge reaches its first row: for an export in sorted order one or two
/// are open, whatever its size.
struct RunMerge {
  /// The next rows.
  enum Piece {
    /// Rows of the block of a cursor without copies or rows of other runs in between.
    case rows(Range<Int>, RowCursor)
    /// One row with its copies merged.
    case row(CandidateRow)
  }

  private var waiting: ArraySlice<Run>
  private let open: (Run) throws(StoreError) -> RowCursor
  /// Open runs by their next rows.
  private var cursors = PriorityQueue<RowKey, RowCursor>()
  private let agreement: ValueAgreement
  private let keepsOrdinals: Bool
  /// The samples of one time and value that come next, the first one last.
  private var numbered: [CandidateRow] = []
  /// The last row of a part that was full, and the number of the next sample of its time and value.
  private var part: (last: RowKey, next: UInt32)?

  /// Merges runs whose values in one time are one value where `agreement` says so; with
  /// `keepsOrdinals` rows have their numbers among equal ones.
  init(
    _ runs: [Run], agreement: ValueAgreement, keepsOrdinals: Bool,
    open: @escaping (Run) throws(StoreError) -> RowCursor
  ) {
    waiting = runs.sorted { $0.firstStart < $1.firstStart }[...]
    (self.agreement, self.keepsOrdinals, self.open) = (agreement, keepsOrdinals, open)
  }

  /// The next rows of the export, which are valid until the next call.
  ///
  /// - Complexity: O(log *k*) for *k* open runs, plus the rows
  mutating func next() throws -> Piece? {
    if let row = numbered.popLast() { return .row(row) }
    guard let lowest = try front() else { return nil }
    let isPart = part.map { agreement($0.last, lowest.key) } ?? false
    let rows = lowest.row..<(isPart ? lowest.row : plainEnd(lowest))
    if !rows.isEmpty {
      lowest.move(to: rows.upperBound)
      cursors.replaceFirst(by: lowest, priority: lowest.key)
      return .rows(rows, lowest)
    }
    var equal = EqualRows<CandidateRow>(
      keepsOrdinals: keepsOrdinals, from: isPart ? part?.next ?? 0 : 0)
    part = nil
    var last = lowest.key
    repeat {
      guard let cursor = try front() else { break }
      let row = CandidateRow(cursor)
      let copies = RunCopies(column: cursor.block.copies[cursor.row])
      equal.add(row, row.key, try row.payload, copies: copies)
      last = row.key
      try advance(cursor)
    } while try !equal.isFull && front().map { agreement(last, $0.key) } ?? false
    if equal.isFull { part = (last, equal.next) }
    numbered = equal.ordered(areAll: true).reversed().map { sample in
      var row = sample.row
      (row.copies, row.repeating) = (sample.copies, sample.nested)
      row.key.ordinal = sample.ordinal
      return row
    }
    return numbered.popLast().map(Piece.row)
  }

  /// The end of the rows that are below all other runs, stand alone in their time and value, and are
  /// not only inside other elements.
  ///
  /// The last row of a block is never among them: its successor is not decoded yet.
  private func plainEnd(_ lowest: RowCursor) -> Int {
    let bound = cursors.secondPriority
    let waitingStart = waiting.first?.firstStart ?? .infinity
    var key = lowest.key
    var row = lowest.row
    while row + 1 < lowest.rowCount, key.start < waitingStart,
      RunCopies(column: lowest.block.copies[row]).isWhole
    {
      if let bound, !(key < bound) || agreement(key, bound) { break }
      let next = lowest.key(row + 1)
      if agreement(key, next) { break }
      key = next
      row += 1
    }
    return row
  }

  private mutating func front() throws(StoreError) -> RowCursor? {
    while let run = waiting.first,
      cursors.first.map({ run.firstStart <= $0.priority.start }) ?? true
    {
      waiting.removeFirst()
      let cursor = try open(run)
      cursors.insert(cursor, priority: cursor.key)
    }
    return cursors.first?.value
  }

  /// Moves the first cursor to its next row.
  private mutating func advance(_ first: RowCursor) throws(Corruption) {
    try first.advance()
    if first.isAtEnd {
      cursors.removeFirst()
    } else {
      cursors.replaceFirst(by: first, priority: first.key)
    }
  }
}
