import HealthSamples

/// Segments of samples, gathered source by source from the highest rank down.
struct SegmentBuilder {
  private let samples: SampleColumns
  let limit: Int
  private var sources: [Source] = []
  private var offsets = [0]
  private var starts: [Double] = []
  private var ends: [Double] = []
  private var values: [Double] = []
  private var numbers: [UInt32] = []

  init(samples: SampleColumns) {
    self.samples = samples
    // Samples that do not overlap their own source give about one segment each; the limit leaves
    // room for deep overlaps, not for quadratic ones.
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

  /// Appends all samples of a source, whole.
  mutating func append(source: Int) {
    let rows = samples.rows(ofSource: source)
    starts += samples.starts[rows]
    ends += samples.ends[rows]
    values += samples.values[rows]
    numbers += rows.lazy.map { SegmentColumns.number(ofRow: $0 - rows.lowerBound) }
    endSource(source)
  }

  /// Appends the parts of a source's samples that `covered` leaves open.
  mutating func append(source: Int, uncoveredBy covered: CoveredTime) throws(MergeError) {
    let samples = samples
    let rows = samples.rows(ofSource: source)
    var sweep = UncoveredSweep(rows: rows)
    var room = min(Self.room, rows.count + covered.starts.count + 1)
    while !sweep.isDone {
      try checkLimit(of: source)
      let before = starts.count
      write(atMost: room) { sweep.write(samples, uncoveredBy: covered, to: &$0) }
      // All parts of one sample are written together.
      if starts.count == before, !sweep.isDone { room *= 2 }
    }
    endSource(source)
  }

  /// Appends a part of one sample that carries its share by time, or what is said.
  mutating func append(
    row: Int, of source: Int, start: Double, end: Double, value: Double? = nil
  ) {
    append(
      start: start, end: end,
      value: value ?? samples.share(ofRow: row, from: start, to: end),
      number: SegmentColumns.number(ofRow: row - samples.offsets[source]))
  }

  /// Appends a segment that counts nothing for a sample.
  mutating func appendMasked(row: Int) {
    append(
      start: samples.starts[row], end: samples.ends[row], value: 0, number: SegmentColumns.masked)
  }

  private mutating func append(start: Double, end: Double, value: Double, number: UInt32) {
    starts.append(start)
    ends.append(end)
    values.append(value)
    numbers.append(number)
  }

  /// The segments of the last source that was ended, as a range of ``columns``.
  var lastRows: Range<Int> { offsets[offsets.count - 2]..<offsets[offsets.count - 1] }

  /// - Throws: ``MergeError`` when there are more segments, and other steps, than make sense
  func checkLimit(of source: Int, besides steps: Int = 0) throws(MergeError) {
    guard starts.count + steps <= limit else {
      throw MergeError(source: samples.sources[source], reason: .tooManySegments(limit: limit))
    }
  }

  /// Segments are written some thousands at a time, so that no page is touched for nothing.
  private static let room = 1 << 13

  /// Ends the segments of a source.
  mutating func endSource(_ source: Int) {
    sources.append(samples.sources[source])
    offsets.append(starts.count)
  }

  /// Appends what `body` writes into room for some segments.
  private mutating func write(atMost room: Int, _ body: (inout SegmentWriter) -> Void) {
    let count = starts.count
    // An array, not a repetition: it is appended as one block of memory.
    let zeros = [Double](repeating: 0, count: room)
    starts += zeros
    ends += zeros
    values += zeros
    numbers += [UInt32](repeating: 0, count: room)
    let unused = starts.withUnsafeMutableBufferPointer { starts in
      ends.withUnsafeMutableBufferPointer { ends in
        values.withUnsafeMutableBufferPointer { values in
          numbers.withUnsafeMutableBufferPointer { numbers in
            var writer = SegmentWriter(
              starts: .init(rebasing: starts[count...]), ends: .init(rebasing: ends[count...]),
              values: .init(rebasing: values[count...]),
              numbers: .init(rebasing: numbers[count...]))
            body(&writer)
            return room - writer.count
          }
        }
      }
    }
    starts.removeLast(unused)
    ends.removeLast(unused)
    values.removeLast(unused)
    numbers.removeLast(unused)
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

/// Room for segments and how much of it is taken.
struct SegmentWriter {
  let starts: UnsafeMutableBufferPointer<Double>
  let ends: UnsafeMutableBufferPointer<Double>
  let values: UnsafeMutableBufferPointer<Double>
  let numbers: UnsafeMutableBufferPointer<UInt32>
  private(set) var count = 0

  init(
    starts: UnsafeMutableBufferPointer<Double>, ends: UnsafeMutableBufferPointer<Double>,
    values: UnsafeMutableBufferPointer<Double>, numbers: UnsafeMutableBufferPointer<UInt32>
  ) {
    (self.starts, self.ends, self.values, self.numbers) = (starts, ends, values, numbers)
  }

  /// How many more segments there is room for.
  var room: Int { starts.count - count }

  /// Writes a segment.
  ///
  /// - Precondition: `room > 0`.
  mutating func write(start: Double, end: Double, value: Double, number: UInt32) {
    precondition(count < starts.count)
    starts[count] = start
    ends[count] = end
    values[count] = value
    numbers[count] = number
    count += 1
  }

  /// Takes back the last segments.
  mutating func removeLast(_ removed: Int) { count -= removed }
}
