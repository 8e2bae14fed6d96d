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
}
