import HealthSamples

/// Segments of samples, gathered source by source from the highest rank down.
struct SegmentBuilder {
  private let samples: SampleColumns
  private let limit: Int
  private var sources: [Source] = []
  private var offsets = [0]
  private var starts: [Double] = []
  private var ends: [Double] = []
  private var values: [Double] = []
  private var numbers: [UInt32] = []

  init(samples: SampleColumns) {
    self.samples = samples
    // Samples that do not overlap their own source give at most one segment more than there are
    // samples; the limit leaves room for deep overlaps, not for quadratic ones.
    limit = max(1 << 22, 8 * samples.count)
    starts.reserveCapacity(samples.count)
    ends.reserveCapacity(samples.count)
    values.reserveCapacity(samples.count)
    numbers.reserveCapacity(samples.count)
  }

  /// The segments gathered so far.
  var columns: SegmentColumns {
    SegmentColumns(
      type: samples.type, sources: sources, offsets: offsets, starts: starts, ends: ends,
      values: values, samples: numbers)
  }

  /// Ends the segments of a source.
  mutating func endSource(_ source: Int) {
    sources.append(samples.sources[source])
    offsets.append(starts.count)
  }

  /// Appends rows of a source whole.
  mutating func append(rows: Range<Int>, ofSource source: Int) {
    starts += samples.starts[rows]
    ends += samples.ends[rows]
    values += samples.values[rows]
    let first = samples.offsets[source]
    numbers += rows.lazy.map { SegmentColumns.number(ofRow: $0 - first) }
  }

  /// Appends the parts of a source's rows that `covered` leaves open.
  ///
  /// One sweep over two sorted lists; a long stretch that lacks either is passed in one step.
  mutating func appendUncovered(
    rows: Range<Int>, ofSource source: Int, by covered: CoveredTime
  ) throws(MergeError) {
    let first = samples.offsets[source]
    var span = 0
    var instant = 0
    var row = rows.lowerBound
    while row < rows.upperBound {
      let start = samples.starts[row]
      let end = samples.ends[row]
      span = covered.ends.firstIndex(notBefore: start, from: span)
      instant = covered.instants.firstIndex(notBefore: start, from: instant)
      let nextStart = span < covered.starts.count ? covered.starts[span] : .infinity
      let nextInstant = instant < covered.instants.count ? covered.instants[instant] : .infinity
      let runEnd = openRun(from: row, in: rows, before: min(nextStart, nextInstant))
      if runEnd > row {
        append(rows: row..<runEnd, ofSource: source)
        row = runEnd
        continue
      }
      let number = SegmentColumns.number(ofRow: row - first)
      if start == end {
        let isMasked = nextStart <= start || nextInstant == start
        append(
          start: start, end: end, value: isMasked ? 0 : samples.values[row],
          number: isMasked ? SegmentColumns.masked : number)
      } else {
        appendUncoveredParts(ofRow: row, number: number, by: covered, from: span)
        guard starts.count <= limit else {
          throw MergeError(
            source: samples.sources[source], reason: .tooManySegments(limit: limit))
        }
      }
      row += 1
    }
  }

  /// The end of the run of rows from `row` on that end before `instant`, where cover starts again.
  private func openRun(from row: Int, in rows: Range<Int>, before instant: Double) -> Int {
    var row = row
    while row < rows.upperBound, samples.ends[row] < instant { row += 1 }
    return row
  }

  private mutating func appendUncoveredParts(
    ofRow row: Int, number: UInt32, by covered: CoveredTime, from firstSpan: Int
  ) {
    let start = samples.starts[row]
    let end = samples.ends[row]
    var span = firstSpan
    var open = start
    while span < covered.starts.count, covered.starts[span] < end, open < end {
      if open < covered.starts[span] {
        appendPart(ofRow: row, number: number, start: open, end: covered.starts[span])
      }
      open = max(open, covered.ends[span])
      span += 1
    }
    if open < end { appendPart(ofRow: row, number: number, start: open, end: end) }
  }

  private mutating func appendPart(ofRow row: Int, number: UInt32, start: Double, end: Double) {
    let (sampleStart, sampleEnd) = (samples.starts[row], samples.ends[row])
    let value = samples.values[row]
    let isWhole = start == sampleStart && end == sampleEnd
    append(
      start: start, end: end,
      value: isWhole
        ? value
        : ProRata.share(
          of: value, start: sampleStart, end: sampleEnd, partStart: start, partEnd: end),
      number: number)
  }

  private mutating func append(start: Double, end: Double, value: Double, number: UInt32) {
    starts.append(start)
    ends.append(end)
    values.append(value)
    numbers.append(number)
  }
}

extension [Double] {
  /// The first index at or after `index` whose element is not before `instant`, found by steps
  /// that double; `count` when there is none.
  ///
  /// - Precondition: the elements from `index` on ascend.
  /// - Complexity: O(log *d*) in the distance
  fileprivate func firstIndex(notBefore instant: Double, from index: Int) -> Int {
    guard index < count, self[index] < instant else { return index }
    var low = index
    var step = 1
    while low + step < count, self[low + step] < instant {
      low += step
      step *= 2
    }
    var high = Swift.min(low + step, count)
    low += 1
    while low < high {
      let middle = (low + high) / 2
      if self[middle] < instant { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
