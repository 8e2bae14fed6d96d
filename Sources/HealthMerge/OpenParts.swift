import HealthSamples

/// The parts of some samples that nothing covers, in raw columns that grow and are used again.
///
/// Raw memory: a sweep writes a part before it knows whether it stays, see ``OpenTimeSweep``.
final class OpenParts {
  /// Where each part starts and ends.
  private(set) var starts: UnsafeMutablePointer<Double>
  private(set) var ends: UnsafeMutablePointer<Double>
  /// The sample of each part, counted from the first of the piece.
  private(set) var rows: UnsafeMutablePointer<UInt32>
  /// How many parts there are, and how many there is room for.
  var count = 0
  private(set) var capacity: Int
  /// Places among the parts of instants that are masked.
  var masked: [Int] = []
  /// The parts that carry a share of their sample.
  private var shares: UnsafeMutablePointer<UInt32>

  init(capacity: Int) {
    self.capacity = capacity
    starts = .allocate(capacity: capacity)
    ends = .allocate(capacity: capacity)
    rows = .allocate(capacity: capacity)
    shares = .allocate(capacity: capacity)
  }

  deinit {
    starts.deallocate()
    ends.deallocate()
    rows.deallocate()
    shares.deallocate()
  }

  /// Adds a part.
  ///
  /// - Precondition: there is room.
  func append(start: Double, end: Double, row: Int) {
    precondition(count < capacity)
    starts[count] = start
    ends[count] = end
    rows[count] = UInt32(truncatingIfNeeded: row)
    count += 1
  }

  /// Forgets all parts.
  func removeAll() {
    count = 0
    masked = []
  }

  /// Makes room for twice as many parts.
  func grow() {
    func doubled<Element>(
      _ column: UnsafeMutablePointer<Element>
    ) -> UnsafeMutablePointer<Element> {
      let larger = UnsafeMutablePointer<Element>.allocate(capacity: 2 * capacity)
      larger.update(from: column, count: count)
      column.deallocate()
      return larger
    }
    starts = doubled(starts)
    ends = doubled(ends)
    rows = doubled(rows)
    shares.deallocate()
    capacity *= 2
    shares = .allocate(capacity: capacity)
  }

  /// Adds the time that the parts cover; parts that do not ascend behind it are added to `others`.
  ///
  /// An instant that is masked adds nothing that no higher source covers.
  func add(to covered: inout CoveredTime?, others: inout [(start: Double, end: Double)]) {
    guard covered != nil else { return }
    var isAscending = true
    for part in stride(from: 1, to: count, by: 1) {
      isAscending = (starts[part - 1] <= starts[part]) && isAscending
    }
    let isAdded =
      isAscending
      && covered?.append(
        starts: UnsafeBufferPointer(start: starts, count: count),
        ends: UnsafeBufferPointer(start: ends, count: count)) == true
    if !isAdded { others += (0..<count).map { (starts[$0], ends[$0]) } }
  }

  /// Writes the parts as segments, each with its share of the value of its sample.
  ///
  /// - Parameters:
  ///   - room: where to write; its count is that of the parts
  ///   - samples: the samples of the piece
  ///   - number: the number of the first of them
  func write(to room: SegmentRoom, of samples: SampleRows, firstNumber number: UInt32) {
    let (starts, ends, rows, shares) = (starts, ends, rows, shares)
    room.starts.update(from: starts, count: count)
    room.ends.update(from: ends, count: count)
    var shareCount = 0
    for part in 0..<count {
      let row = rows[part]
      room.values[part] = samples.values[Int(row)]
      room.numbers[part] = SegmentColumns.number(number, plus: row)
      shares[shareCount] = UInt32(truncatingIfNeeded: part)
      let isWhole =
        (starts[part] == samples.starts[Int(row)] ? 1 : 0)
        & (ends[part] == samples.ends[Int(row)] ? 1 : 0)
      shareCount &+= 1 &- isWhole
    }
    for share in 0..<shareCount {
      let part = Int(shares[share])
      let row = Int(rows[part])
      room.values[part] = ProRata.share(
        of: samples.values[row], start: samples.starts[row], end: samples.ends[row],
        partStart: starts[part], partEnd: ends[part])
    }
    for part in masked {
      room.values[part] = 0
      room.numbers[part] = SegmentColumns.masked
    }
  }
}
