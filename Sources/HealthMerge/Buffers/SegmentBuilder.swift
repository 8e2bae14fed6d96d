import HealthSamples
import _HealthNumerics

/// Builds the segments of samples, source by source from the highest rank down: shared rows of the
/// samples where a long range of them counts whole, and new rows.
struct SegmentBuilder {
  private let samples: SampleColumns
  let limit: Int
  private var sources: [Source] = []
  private var offsets = [0]
  private var pieces: [SegmentColumns.Piece] = []
  private var own = SegmentColumns.Rows()
  /// Consecutive samples of the current source that count whole and are not yet in a piece.
  private var pending = 0..<0
  private var pendingSource = 0

  /// Whether parts always have their sample's share by time.
  private let sharesByTime: Bool

  /// The shortest range of samples that becomes a shared piece; shorter ones are cheaper to copy.
  static let shortestPiece = 32

  init(samples: SampleColumns, sharesByTime: Bool = true) {
    self.samples = samples
    self.sharesByTime = sharesByTime
    // Samples without overlaps in their own source give about one segment each; the limit allows
    // deep overlaps, but not a quadratic number of parts.
    limit = max(1 << 22, 8 * samples.count)
  }

  /// The number of segments so far.
  var count: Int { (pieces.last?.rows.upperBound ?? 0) + pending.count }

  /// The segments so far.
  ///
  /// - Precondition: the last source has been ended.
  var columns: SegmentColumns {
    SegmentColumns(
      of: samples, sources: sources, offsets: offsets, pieces: pieces, own: own,
      sharesByTime: sharesByTime)
  }

  /// Appends samples of a source unchanged. - Complexity: O(1)
  mutating func append(whole rows: Range<Int>, of source: Int) {
    flush()
    appendShared(rows, of: source)
  }

  /// Appends the segments that `body` writes: those of `parts` in order, with whole samples in
  /// between.
  mutating func append(_ parts: [PartsOfPiece], of source: Int, _ body: (UnsafeSegmentRoom) -> Void)
  {
    flush()
    var next = own.starts.count
    own.append(count: parts.reduce(0) { $0 + $1.parts.count }, reserving: samples.count, body)
    for piece in parts {
      piece.parts.forEachStretch { stretch in
        switch stretch {
        case .parts(let range):
          appendOwn(next..<next + range.count)
          next += range.count
        case .samples(let range):
          let first = piece.firstRow + range.lowerBound
          appendShared(first..<first + range.count, of: source)
        }
      }
    }
  }

  /// Parts of consecutive samples.
  struct PartsOfPiece {
    let parts: UnsafeUncoveredParts
    /// The row of the first of these samples.
    let firstRow: Int
  }

  /// Appends a part of one sample with its share of the value by time, or with `value`.
  mutating func append(
    row: Int, of source: Int, start: Double, end: Double, value: Double? = nil
  ) {
    let value = value ?? samples.share(ofRow: row, from: start, to: end)
    let isWhole =
      start.bitPattern == samples.starts[row].bitPattern
      && end.bitPattern == samples.ends[row].bitPattern
      && value.bitPattern == samples.values[row].bitPattern
    if isWhole, pending.isEmpty || pending.upperBound == row {
      pendingSource = source
      pending = (pending.isEmpty ? row : pending.lowerBound)..<row + 1
      return
    }
    flush()
    if isWhole {
      (pending, pendingSource) = (row..<row + 1, source)
    } else {
      append(
        start: start, end: end, value: value,
        number: SegmentColumns.number(ofRow: row - samples.offsets[source]))
    }
  }

  /// Appends a masked segment: a sample whose value is not counted.
  mutating func appendMasked(row: Int) {
    flush()
    append(
      start: samples.starts[row], end: samples.ends[row], value: 0, number: SegmentColumns.masked)
  }

  private mutating func append(start: Double, end: Double, value: Double, number: UInt32) {
    appendOwn(own.starts.count..<own.starts.count + 1)
    own.append(start: start, end: end, value: value, number: number)
  }

  /// Turns the pending samples into segments.
  private mutating func flush() {
    let rows = pending
    pending = 0..<0
    if rows.count >= Self.shortestPiece { return appendShared(rows, of: pendingSource) }
    for row in rows {
      append(
        start: samples.starts[row], end: samples.ends[row], value: samples.values[row],
        number: SegmentColumns.number(ofRow: row - samples.offsets[pendingSource]))
    }
  }

  /// Appends a piece, or extends the last one.
  private mutating func appendShared(_ rows: Range<Int>, of source: Int) {
    guard !rows.isEmpty else { return }
    let sourceStart = samples.offsets[source]
    if let last = pieces.last, last.number != nil, last.range.upperBound == rows.lowerBound,
      rows.lowerBound > sourceStart
    {
      extendLast(to: rows.upperBound)
    } else {
      pieces.append(
        .init(
          first: count, range: rows,
          number: SegmentColumns.number(ofRow: rows.lowerBound - sourceStart)))
    }
  }

  private mutating func appendOwn(_ rows: Range<Int>) {
    guard !rows.isEmpty else { return }
    if let last = pieces.last, last.number == nil {
      extendLast(to: rows.upperBound)
    } else {
      pieces.append(.init(first: count, range: rows, number: nil))
    }
  }

  private mutating func extendLast(to upperBound: Int) {
    let last = pieces[pieces.count - 1]
    pieces[pieces.count - 1] = .init(
      first: last.first, range: last.range.lowerBound..<upperBound, number: last.number)
  }

  /// Adds the amounts of the last ended source; returns whether its spans split into at most
  /// `limit` parts.
  func addLastSource(to counted: inout AmountLayers) -> Bool {
    var (starts, ends, values): ([Double], [Double], [Double]) = ([], [], [])
    for piece in pieces.reversed().prefix(while: { $0.rows.upperBound > offsets[offsets.count - 2] }
    )
    .reversed() {
      let range = piece.range.suffix(piece.rows.upperBound - offsets[offsets.count - 2])
      let isOwn = piece.number == nil
      starts += (isOwn ? own.starts : samples.starts)[range]
      ends += (isOwn ? own.ends : samples.ends)[range]
      values += (isOwn ? own.values : samples.values)[range]
    }
    return counted.add(starts: starts[...], ends: ends[...], values: values[...], limit: limit)
  }

  /// - Throws: ``MergeError`` when segments and other steps together exceed the limit
  func checkLimit(of source: Int, besides steps: Int = 0) throws(MergeError) {
    guard count + steps <= limit else {
      throw MergeError(source: samples.sources[source], reason: .tooManySegments(limit: limit))
    }
  }

  /// Ends the segments of a source.
  mutating func endSource(_ source: Int) {
    flush()
    sources.append(samples.sources[source])
    offsets.append(count)
  }
}

extension SampleColumns {
  /// The value of a part of a sample; the whole value of an instant and of the whole span.
  func share(ofRow row: Int, from partStart: Double, to partEnd: Double) -> Double {
    let (start, end) = (starts[row], ends[row])
    if partStart == partEnd || (partStart == start && partEnd == end) { return values[row] }
    return ProRata.share(
      of: values[row], start: start, end: end, partStart: partStart, partEnd: partEnd)
  }
}

extension SegmentColumns.Rows {
  fileprivate mutating func append(start: Double, end: Double, value: Double, number: UInt32) {
    starts.append(start)
    ends.append(end)
    values.append(value)
    samples.append(number)
  }

  /// Appends `count` rows, all of which `body` writes; the first call reserves capacity for many
  /// more, whose pages stay untouched.
  fileprivate mutating func append(
    count: Int, reserving capacity: Int, _ body: (UnsafeSegmentRoom) -> Void
  ) {
    guard count > 0 else { return }
    if starts.isEmpty {
      starts.reserveCapacity(capacity)
      ends.reserveCapacity(capacity)
      values.reserveCapacity(capacity)
      samples.reserveCapacity(capacity)
    }
    starts.append(count: count) { starts in
      ends.append(count: count) { ends in
        values.append(count: count) { values in
          samples.append(count: count) { samples in
            body(UnsafeSegmentRoom(starts: starts, ends: ends, values: values, numbers: samples))
          }
        }
      }
    }
  }
}

extension Array {
  /// Appends `count` elements, all of which `body` writes.
  fileprivate mutating func append(count: Int, _ body: (UnsafeMutablePointer<Element>) -> Void) {
    append(addingCapacity: count) { room in
      room.withUnsafeMutableBufferPointer { buffer, written in
        guard let first = buffer.baseAddress else { return }
        body(first)
        written = count
      }
    }
  }
}
