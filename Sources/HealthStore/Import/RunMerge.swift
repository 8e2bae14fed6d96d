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
  /// - Complexity: O(log *k*) for *k* open runs, beside the rows
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
    row.standForItself()
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

  private mutating func advance() throws(SegmentDamage) {
    try heap[0].advance()
    if heap[0].isAtEnd {
      heap.swapAt(0, heap.count - 1)
      heap.removeLast()
    }
    siftDown()
  }

  private mutating func siftUp(_ place: Int) {
    var place = place
    while place > 0, heap[place].key < heap[(place - 1) / 2].key {
      heap.swapAt(place, (place - 1) / 2)
      place = (place - 1) / 2
    }
  }

  private mutating func siftDown() {
    var place = 0
    while true {
      var lowest = place
      for child in [2 * place + 1, 2 * place + 2]
      where child < heap.count && heap[child].key < heap[lowest].key {
        lowest = child
      }
      if lowest == place { return }
      heap.swapAt(place, lowest)
      place = lowest
    }
  }
}
