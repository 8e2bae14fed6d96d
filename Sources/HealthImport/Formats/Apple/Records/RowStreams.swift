/// Rows collected for batches, one stream for each type, source and form of entry.
///
/// All streams share one pool of small chunks. So the memory is limited by the number of pending
/// rows, not by the number of streams, and adding a row is one store.
struct RowStreams: ~Copyable {
  /// One record; texts are indices into the tables in ``RecordTexts``.
  struct Row {
    var start: Double
    var end: Double
    var created: Double
    var value: Double
    var label: UInt32
    var origin: UInt32
    var metadata: UInt32
  }

  /// The pending rows of one type and source.
  struct Stream {
    let type: Int
    let source: Int
    let isUserEntered: Bool
    /// Whether the records are inside other elements.
    let isNested: Bool
    fileprivate(set) var count = 0
    fileprivate var firstChunk: Int32 = -1
    fileprivate var lastChunk: Int32 = -1

    init(type: Int, source: Int, isUserEntered: Bool, isNested: Bool) {
      self.type = type
      self.source = source
      self.isUserEntered = isUserEntered
      self.isNested = isNested
    }
  }

  /// The most rows of a batch; the index of a label fits into 16 bits.
  static let batchRows = 1 << 16
  private static let chunkRows = 1 << 7

  private(set) var streams: [Stream] = []
  /// The streams whose rows must be taken before the next row is added.
  private var full: [Int] = []
  private let rows: UnsafeMutablePointer<Row>
  private let nextChunk: UnsafeMutablePointer<Int32>
  private let chunkCount: Int
  private var firstFree: Int32 = 0

  /// Allocates room for about `rowCount` rows.
  init(rowCount: Int) {
    chunkCount = max(2, rowCount / Self.chunkRows)
    rows = .allocate(capacity: chunkCount * Self.chunkRows)
    nextChunk = .allocate(capacity: chunkCount)
    for chunk in 0..<chunkCount {
      (nextChunk + chunk).initialize(to: chunk + 1 < chunkCount ? Int32(chunk + 1) : -1)
    }
  }

  deinit {
    rows.deallocate()
    nextChunk.deallocate()
  }

  /// Adds a stream without rows.
  mutating func add(_ stream: Stream) -> Int {
    streams.append(stream)
    return streams.count - 1
  }

  /// Whether rows must be taken before the next one is added.
  @inline(__always)
  var hasFull: Bool { !full.isEmpty }

  /// Adds a row.
  ///
  /// - Precondition: no stream is full.
  @inline(__always)
  mutating func append(_ row: Row, to stream: Int) {
    let count = streams[stream].count
    let place = count & (Self.chunkRows - 1)
    if place == 0 { addChunk(to: stream) }
    (rows + Int(streams[stream].lastChunk) * Self.chunkRows + place).initialize(to: row)
    streams[stream].count = count + 1
    if count + 1 == Self.batchRows { full.append(stream) }
  }

  /// Marks every stream to be taken.
  mutating func markAllFull() {
    full = streams.indices.filter { streams[$0].count > 0 }
  }

  /// A stream that must be taken and has rows.
  mutating func nextFull() -> Int? {
    while let stream = full.popLast() {
      if streams[stream].count > 0 { return stream }
    }
    return nil
  }

  /// One value of each row of a stream, in order.
  @inline(__always)
  func column<Value>(of stream: Int, _ value: (Row) -> Value) -> [Value] {
    let count = streams[stream].count
    return Array(unsafeUninitializedCapacity: count) { column, filled in
      var chunk = Int(streams[stream].firstChunk)
      while filled < count {
        let length = min(count - filled, Self.chunkRows)
        let rows = UnsafeBufferPointer(start: rows + chunk * Self.chunkRows, count: length)
        for row in rows {
          column.initializeElement(at: filled, to: value(row))
          filled += 1
        }
        chunk = Int(nextChunk[chunk])
      }
    }
  }

  /// Empties a stream.
  mutating func empty(_ stream: Int) {
    let last = streams[stream].lastChunk
    guard last >= 0 else { return }
    nextChunk[Int(last)] = firstFree
    firstFree = streams[stream].firstChunk
    streams[stream].count = 0
    streams[stream].firstChunk = -1
    streams[stream].lastChunk = -1
  }

  /// Removes all streams.
  ///
  /// - Precondition: no stream has rows.
  mutating func removeAll() {
    streams.removeAll()
    full.removeAll()
  }

  private mutating func addChunk(to stream: Int) {
    let chunk = firstFree
    firstFree = nextChunk[Int(chunk)]
    nextChunk[Int(chunk)] = -1
    if streams[stream].firstChunk < 0 {
      streams[stream].firstChunk = chunk
    } else {
      nextChunk[Int(streams[stream].lastChunk)] = chunk
    }
    streams[stream].lastChunk = chunk
    if firstFree < 0 { markLargestFull() }
  }

  /// Chooses the streams with at least half the average size: together they have half of all rows,
  /// so the search is cheap however many streams there are.
  private mutating func markLargestFull() {
    let total = streams.reduce(0) { $0 + $1.count }
    let least = max(1, total / (2 * streams.count))
    full += streams.indices.filter { streams[$0].count >= least }
  }
}
