import HealthSamples

/// Room for some segments in raw columns.
struct SegmentRoom: @unchecked Sendable {
  let starts: UnsafeMutablePointer<Double>
  let ends: UnsafeMutablePointer<Double>
  let values: UnsafeMutablePointer<Double>
  let numbers: UnsafeMutablePointer<UInt32>

  /// The room behind the first segments.
  func dropFirst(_ count: Int) -> SegmentRoom {
    SegmentRoom(
      starts: starts + count, ends: ends + count, values: values + count,
      numbers: numbers + count)
  }

  /// Writes samples as they are.
  func write(_ samples: SampleRows, firstNumber: UInt32) {
    starts.update(from: samples.starts, count: samples.count)
    ends.update(from: samples.ends, count: samples.count)
    values.update(from: samples.values, count: samples.count)
    for row in 0..<samples.count {
      numbers[row] = SegmentColumns.number(firstNumber, plus: UInt32(truncatingIfNeeded: row))
    }
  }
}
