import Synchronization
internal import _HealthNumerics

/// The parts of samples that count, as columns: the result of merging and the input of statistics.
///
/// A sample that no other source covers is one segment; a partly covered one is one segment for
/// each uncovered part, with the value divided by time. Rows are ordered by source in rank order,
/// and within a source by sample; the segments of one sample are adjacent.
///
/// Where nothing is removed from samples their segments share the columns of the samples without a
/// copy. ``starts``, ``ends``, ``values`` and `samples` are contiguous columns, built on first
/// use. Get them once before a loop over rows.
public struct SegmentColumns: Sendable {
  /// The type of every segment.
  public let type: SampleType
  /// The sources from the highest rank down.
  public let sources: [Source]
  /// The rows of `sources[i]` are `offsets[i]..<offsets[i + 1]`.
  public let offsets: [Int]
  /// All rows, piece after piece.
  package let pieces: [Piece]
  /// The samples that pieces share.
  package let shared: SampleColumns
  /// The other rows.
  package let own: Rows
  /// Whether each row has the share by time of a row of ``shared``, so that exact sums can use
  /// those.
  package let sharesByTime: Bool
  private let whole = WholeColumns()

  /// Rows with their own columns.
  package struct Rows: Sendable, Hashable {
    package var starts: [Double] = []
    package var ends: [Double] = []
    package var values: [Double] = []
    /// The number of each row's sample, or ``masked``.
    package var samples: [UInt32] = []

    package init() {}
  }

  /// Consecutive rows of segments that are contiguous in memory.
  package struct Piece: Sendable, Hashable {
    /// The first of the rows.
    package let first: Int
    /// Their rows in ``shared``, or in ``own``.
    package let range: Range<Int>
    /// For rows of ``shared`` the number of the first of these samples.
    package let number: UInt32?

    package init(first: Int, range: Range<Int>, number: UInt32?) {
      (self.first, self.range, self.number) = (first, range, number)
    }

    /// The rows of the segments.
    package var rows: Range<Int> { first..<first + range.count }
  }

  /// The number of a masked instant in ``samples``.
  @usableFromInline package static let masked = UInt32.max

  /// Whether a row is a masked instant: it has value 0, but its interval is not empty.
  public func isMasked(row: Int) -> Bool { samples[row] == Self.masked }

  /// The sample of a row, as index within its source; `nil` for a masked instant.
  ///
  /// - Complexity: O(1), the first time O(*n*)
  public func sample(ofRow row: Int) -> Int? { isMasked(row: row) ? nil : Int(samples[row]) }

  /// Start instants; ascending by sample within a source.
  ///
  /// - Complexity: O(1), the first time O(*n*) unless all samples count whole
  public var starts: [Double] { column(0, shared.starts, own.starts) }
  /// End instants; never before the start. - Complexity: as ``starts``
  public var ends: [Double] { column(1, shared.ends, own.ends) }
  /// The part of the sample's value in the segment, in the canonical unit.
  ///
  /// - Complexity: as ``starts``
  public var values: [Double] { column(2, shared.values, own.values) }
  /// The sample of each segment, as a number that is unique within the source, or ``masked``. -
  /// Complexity: O(1), the first time O(*n*)
  package var samples: [UInt32] {
    if own.samples.count == count { return own.samples }
    return whole.samples.withLock { column in
      if let column { return column }
      var numbers: [UInt32] = []
      numbers.reserveCapacity(count)
      for piece in pieces {
        if let first = piece.number {
          numbers += (0..<piece.range.count).lazy.map {
            Self.number(first, plus: UInt32(truncatingIfNeeded: $0))
          }
        } else {
          numbers += own.samples[piece.range]
        }
      }
      column = numbers
      return numbers
    }
  }

  /// The number of segments. - Complexity: O(1)
  public var count: Int { offsets[sources.count] }

  /// The rows of the source at `index` of ``sources``.
  public func rows(ofSource index: Int) -> Range<Int> { offsets[index]..<offsets[index + 1] }

  /// Makes columns from rows that are already in order.
  package init(
    type: SampleType, sources: [Source], offsets: [Int],
    starts: [Double], ends: [Double], values: [Double], samples: [UInt32]
  ) {
    var rows = Rows()
    (rows.starts, rows.ends, rows.values, rows.samples) = (starts, ends, values, samples)
    let piece = Piece(first: 0, range: 0..<starts.count, number: nil)
    self.init(
      of: SampleColumns(type: type), sources: sources, offsets: offsets,
      pieces: starts.isEmpty ? [] : [piece], own: rows, sharesByTime: false)
  }

  /// Makes columns from pieces, each a range of shared or own rows.
  ///
  /// - Precondition: the pieces are not empty, and each starts where the previous one ends.
  package init(
    of samples: SampleColumns, sources: [Source], offsets: [Int], pieces: [Piece], own: Rows,
    sharesByTime: Bool = true
  ) {
    type = samples.type
    (self.sources, self.offsets, self.pieces, self.own) = (sources, offsets, pieces, own)
    shared = samples
    self.sharesByTime = sharesByTime
    assert(offsets.count == sources.count + 1 && offsets.last == pieces.last?.rows.upperBound ?? 0)
    assert(zip(pieces, pieces.dropFirst()).allSatisfy { $0.rows.upperBound == $1.first })
    assert(own.starts.count == own.ends.count && own.starts.count == own.values.count)
    assert(own.starts.count == own.samples.count)
  }

  /// The index in ``pieces`` of the piece of a row. - Complexity: O(log pieces)
  package func piece(ofRow row: Int) -> Int {
    pieces.partitioningIndex { $0.rows.upperBound > row }
  }

  /// The span of a row. - Complexity: O(log pieces)
  package func span(ofRow row: Int) -> (start: Double, end: Double) {
    let piece = pieces[piece(ofRow: row)]
    let place = piece.range.lowerBound + row - piece.first
    return piece.number == nil
      ? (own.starts[place], own.ends[place]) : (shared.starts[place], shared.ends[place])
  }

  /// The earliest start and the latest end; `nil` without segments. - Complexity: O(*n*)
  package var span: (start: Double, end: Double)? {
    var span: (start: Double, end: Double)?
    for piece in pieces {
      let isOwn = piece.number == nil
      let start = (isOwn ? own.starts : shared.starts)[piece.range].min() ?? .infinity
      let end = (isOwn ? own.ends : shared.ends).largest(in: piece.range)
      span = span.map { (min($0.start, start), max($0.end, end)) } ?? (start, end)
    }
    return span
  }

  private func column(_ index: Int, _ shared: [Double], _ own: [Double]) -> [Double] {
    if own.count == count { return own }
    if pieces.count == 1, shared.count == count { return shared }
    return whole.columns.withLock { columns in
      if let column = columns[index] { return column }
      var column: [Double] = []
      column.reserveCapacity(count)
      for piece in pieces { column += (piece.number == nil ? own : shared)[piece.range] }
      columns[index] = column
      return column
    }
  }
}

extension SegmentColumns: Hashable {
  /// Whether two have the same rows, however they are stored.
  public static func == (one: Self, other: Self) -> Bool {
    one.type == other.type && one.sources == other.sources && one.offsets == other.offsets
      && one.starts == other.starts && one.ends == other.ends && one.values == other.values
      && one.samples == other.samples
  }

  /// Hashes the rows.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(type)
    hasher.combine(sources)
    hasher.combine(offsets)
    hasher.combine(starts)
    hasher.combine(ends)
    hasher.combine(values)
    hasher.combine(samples)
  }
}

/// The contiguous columns that have been built so far.
private final class WholeColumns: Sendable {
  let columns = Mutex<[[Double]?]>([nil, nil, nil])
  let samples = Mutex<[UInt32]?>(nil)
}

extension [Double] {
  /// The largest number of a range, -infinity if empty, with eight independent maxima.
  ///
  /// - Complexity: O(*n*)
  package func largest(in range: Range<Int>) -> Double {
    withUnsafeBufferPointer { column in
      let column = UnsafeRawBufferPointer(UnsafeBufferPointer(rebasing: column[range]))
      let stride = MemoryLayout<SIMD8<Double>>.stride
      var largest = SIMD8<Double>(repeating: -.infinity)
      var second = largest
      var offset = 0
      while offset + 2 * stride <= column.count {
        let first = column.loadUnaligned(fromByteOffset: offset, as: SIMD8<Double>.self)
        let next = column.loadUnaligned(fromByteOffset: offset + stride, as: SIMD8<Double>.self)
        largest.replace(with: first, where: first .> largest)
        second.replace(with: next, where: next .> second)
        offset += 2 * stride
      }
      var result = Swift.max(largest.max(), second.max())
      while offset < column.count {
        let number = column.loadUnaligned(fromByteOffset: offset, as: Double.self)
        result = Swift.max(result, number)
        offset += MemoryLayout<Double>.stride
      }
      return result
    }
  }
}
