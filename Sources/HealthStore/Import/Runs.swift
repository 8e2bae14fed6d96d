/// Sorted rows of one type and one source, encoded as a chunk in the spill file.
struct Run {
  /// The number of rows.
  var count: Int
  /// How many further copies the export held of its rows.
  var duplicates: Int
  /// The start of the first row.
  var firstStart: Double
  /// The start of the last row.
  var lastStart: Double
  /// Whether every row is a record of the top level: none was only inside other elements so far.
  var isWhole: Bool
  /// Where the bytes of the chunk are.
  var core: Range<Int>
  var detail: Range<Int>
  /// The statistics of the chunk.
  var statistics: Range<Int>
  var zoneMap: Range<Int>
}

/// How many rows make a run.
struct RunSizes {
  /// The rows of a full one.
  var full = EncodedChunk.rowCount
  /// Runs that nothing else comes between become chunks as they are when they have so many rows.
  var fewestMovedRows = EncodedChunk.rowCount / 4
  /// How many of the last rows are sampled for the watermark.
  var watermarkRows = 4_096
  /// The bytes that buffered rows may take before they become runs.
  var mostBufferedBytes = 24 << 20
}

/// The watermark of a series: rows beyond it wait for the next batch, so that runs do not
/// overlap although neighbours in the file are not quite in order.
struct Watermark {
  /// Rows of a later batch are expected from here on, or before it.
  let bound: Double
  /// Whether the file goes forwards in time.
  let isForwards: Bool

  /// Finds the watermark among the last rows; none when there are too few, or they are in no order.
  ///
  /// A quarter of the last rows may be strays.
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

  /// Whether a row waits for the next batch.
  func defers(_ start: Double) -> Bool { (start >= bound) == isForwards }
}

/// Which runs of a series become chunks as they are (a trivial move), and which must be merged.
///
/// A run that nothing else comes between holds what a chunk would: decoding and encoding it
/// again changes nothing.
struct RunPlan {
  /// What merged rows are inserted before, between or into.
  enum Slot {
    /// A stored chunk, whose rows may match.
    case stored(StoredChunk)
    /// A run that becomes a chunk and begins here.
    case moved(firstStart: Double)

    /// The start of the first row.
    var firstStart: Double {
      switch self {
      case .stored(let chunk): chunk.firstStart
      case .moved(let firstStart): firstStart
      }
    }
  }

  /// The runs that become chunks.
  private(set) var moved: [Run] = []
  /// The rest.
  private(set) var merged: [Run] = []
  /// The stored chunks and the moved runs in the order of time.
  let slots: [Slot]

  /// Looks for runs that are alone in their time.
  ///
  /// Small ones are merged with each other or with the chunk before them, so that no series falls
  /// into many small chunks.
  ///
  /// - Complexity: O(*n* log *n*) for *n* runs and chunks
  init(_ runs: [Run], among chunks: [StoredChunk], fewestMovedRows: Int) {
    let spans =
      (runs.map { Span(first: $0.firstStart, last: $0.lastStart) }
      + chunks.map { Span(first: $0.firstStart, last: $0.lastStart) })
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
    slots = (chunks.map(Slot.stored) + moved.map { .moved(firstStart: $0.firstStart) })
      .sorted { $0.firstStart < $1.firstStart }
  }

  private struct Span {
    var first: Double
    var last: Double
  }
}

/// The rows of sorted runs in one order, copies put together.
///
/// A run is opened when the front reaches its first row: an export that is written in order keeps
/// one or two open, whatever its size.
struct RunMerge {
  /// What comes next.
  enum Piece {
    /// Rows of the block of a cursor that have no copies and that nothing else comes between.
    case rows(Range<Int>, RowCursor)
    /// One row, its copies put together.
    case row(CandidateRow)
  }

  private var waiting: ArraySlice<Run>
  private let open: (Run) throws(StoreError) -> RowCursor
  /// Open runs as a binary heap, the one with the lowest row first.
  private var heap: [RowCursor] = []

  init(_ runs: [Run], open: @escaping (Run) throws(StoreError) -> RowCursor) {
    waiting = runs.sorted { $0.firstStart < $1.firstStart }[...]
    self.open = open
  }

  /// The next rows of the export, which must be used before the call after it.
  ///
  /// - Complexity: O(log *k*) for *k* open runs, plus the rows
  mutating func next() throws -> Piece? {
    guard let lowest = try front() else { return nil }
    let rows = lowest.row..<plainEnd(lowest)
    if !rows.isEmpty {
      lowest.move(to: rows.upperBound)
      siftDown()
      return .rows(rows, lowest)
    }
    var row = CandidateRow(lowest)
    try advance()
    while let cursor = try front(), row.key.isCopy(of: cursor.key) {
      try row.absorb(CandidateRow(cursor))
      try advance()
    }
    row.countAsTopLevel()
    return .row(row)
  }

  /// The end of the rows that are below all other runs and unlike their successors, and that do not
  /// just repeat others.
  ///
  /// The last row of a block is never among them: what follows it is not decoded yet.
  private func plainEnd(_ lowest: RowCursor) -> Int {
    let bound = heap.dropFirst().prefix(2).map(\.key).min(by: <)
    let waitingStart = waiting.first?.firstStart ?? .infinity
    var key = lowest.key
    var row = lowest.row
    while row + 1 < lowest.rowCount, key.start < waitingStart, lowest.block.copies[row] > 0 {
      if let bound, !(key < bound) { break }
      let next = lowest.key(row + 1)
      if key.isCopy(of: next) { break }
      key = next
      row += 1
    }
    return row
  }

  private mutating func front() throws(StoreError) -> RowCursor? {
    while let run = waiting.first, heap.first.map({ run.firstStart <= $0.key.start }) ?? true {
      waiting.removeFirst()
      heap.append(try open(run))
      siftUp(heap.count - 1)
    }
    return heap.first
  }

  private mutating func advance() throws(Corruption) {
    try heap[0].advance()
    if heap[0].isAtEnd {
      heap.swapAt(0, heap.count - 1)
      heap.removeLast()
    }
    siftDown()
  }

  private mutating func siftUp(_ index: Int) {
    var index = index
    while index > 0, heap[index].key < heap[(index - 1) / 2].key {
      heap.swapAt(index, (index - 1) / 2)
      index = (index - 1) / 2
    }
  }

  private mutating func siftDown() {
    var index = 0
    while true {
      var lowest = index
      for child in [2 * index + 1, 2 * index + 2]
      where child < heap.count && heap[child].key < heap[lowest].key {
        lowest = child
      }
      if lowest == index { return }
      heap.swapAt(index, lowest)
      index = lowest
    }
  }
}
