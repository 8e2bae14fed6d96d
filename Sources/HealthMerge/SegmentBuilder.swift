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

  /// The number of segments gathered so far.
  var count: Int { starts.count }

  /// The segments gathered so far.
  var columns: SegmentColumns {
    SegmentColumns(
      type: samples.type, sources: sources, offsets: offsets, starts: starts, ends: ends,
      values: values, samples: numbers)
  }

  /// Appends as many segments as `body` writes into the room that it is given.
  mutating func append(count: Int, _ body: (SegmentRoom) -> Void) {
    starts.append(count: count) { starts in
      ends.append(count: count) { ends in
        values.append(count: count) { values in
          numbers.append(count: count) { numbers in
            body(SegmentRoom(starts: starts, ends: ends, values: values, numbers: numbers))
          }
        }
      }
    }
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

  /// Adds what the last source that was ended counts; the answer is whether its spans fall into no
  /// more parts than the limit.
  func addLastSource(to counted: inout AmountLayers) -> Bool {
    let rows = offsets[offsets.count - 2]..<offsets[offsets.count - 1]
    return counted.add(
      starts: starts[rows], ends: ends[rows], values: values[rows], limit: limit)
  }

  /// - Throws: ``MergeError`` when there are more segments, and other steps, than make sense
  func checkLimit(of source: Int, besides steps: Int = 0) throws(MergeError) {
    guard starts.count + steps <= limit else {
      throw MergeError(source: samples.sources[source], reason: .tooManySegments(limit: limit))
    }
  }

  /// Ends the segments of a source.
  mutating func endSource(_ source: Int) {
    sources.append(samples.sources[source])
    offsets.append(starts.count)
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
