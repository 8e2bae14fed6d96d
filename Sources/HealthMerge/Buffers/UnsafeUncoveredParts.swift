import HealthSamples
import _HealthNumerics

/// The uncovered parts of some samples, in raw columns that grow and are reused.
///
/// Raw memory, because a sweep writes a candidate part before it knows whether it is one, see
/// ``UncoveredSweep``.
final class UnsafeUncoveredParts {
  /// Where each part starts and ends.
  private(set) var starts: UnsafeMutablePointer<Double>
  private(set) var ends: UnsafeMutablePointer<Double>
  /// The sample of each part, relative to the first sample of the piece.
  private(set) var rows: UnsafeMutablePointer<UInt32>
  /// The number of written parts, and the capacity.
  var count = 0
  private(set) var capacity: Int
  /// Samples, relative to the first of the piece, that count whole, with the number of parts before
  /// them; no part is written for them.
  private var whole: [(partsBefore: Int, samples: Range<Int>)] = []
  private var wholeCount = 0
  /// The indices of parts that are masked instants.
  var masked: [Int] = []
  /// The parts that have a share of their sample.
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

  /// Adds samples that count whole, each as an unwritten part.
  func append(whole samples: Range<Int>) {
    whole.append((count, samples))
    wholeCount += samples.count
  }

  /// The number of parts, written or not.
  var totalCount: Int { count + wholeCount }

  /// Consecutive parts: written ones, or samples that count whole, relative to the first of the
  /// piece.
  enum Stretch {
    case parts(Range<Int>)
    case samples(Range<Int>)
  }

  /// Calls `body` with all parts in their order.
  func forEachStretch(_ body: (Stretch) -> Void) {
    var next = 0
    for (partsBefore, samples) in whole {
      if next < partsBefore { body(.parts(next..<partsBefore)) }
      next = partsBefore
      body(.samples(samples))
    }
    if next < count { body(.parts(next..<count)) }
  }

  /// Removes all parts and keeps the memory.
  func removeAll() {
    (count, wholeCount) = (0, 0)
    masked = []
    whole.removeAll(keepingCapacity: true)
  }

  /// Doubles the capacity.
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

  /// Adds the time that the parts of `samples` cover; parts that do not continue it in ascending
  /// order are added to `others`.
  ///
  /// A masked instant is already covered by a higher source and adds nothing.
  func add(
    of samples: UnsafeSampleRows, to covered: inout CoveredTime?,
    others: inout [(start: Double, end: Double)]
  ) {
    guard covered != nil else { return }
    forEachStretch { stretch in
      let starts: UnsafeBufferPointer<Double>
      let ends: UnsafeBufferPointer<Double>
      var isAscending = true
      switch stretch {
      case .samples(let range):
        starts = .init(start: samples.starts + range.lowerBound, count: range.count)
        ends = .init(start: samples.ends + range.lowerBound, count: range.count)
      case .parts(let range):
        starts = .init(start: self.starts + range.lowerBound, count: range.count)
        ends = .init(start: self.ends + range.lowerBound, count: range.count)
        for part in stride(from: 1, to: starts.count, by: 1) {
          isAscending = (starts[part - 1] <= starts[part]) && isAscending
        }
      }
      if !isAscending || covered?.append(starts: starts, ends: ends) != true {
        others += zip(starts, ends).map { ($0, $1) }
      }
    }
  }

  /// Writes the written parts as segments, each with its share of the value of its sample.
  ///
  /// - Parameters:
  ///   - room: the memory to write to, with room for all parts
  ///   - samples: the samples of the piece
  ///   - number: the number of the first of them
  func write(to room: UnsafeSegmentRoom, of samples: UnsafeSampleRows, firstNumber number: UInt32) {
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
