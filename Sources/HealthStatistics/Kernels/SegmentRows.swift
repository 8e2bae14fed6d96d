import HealthSamples

/// The columns of segments as bare memory, for kernels that read eight rows at a time.
struct SegmentRows {
  let starts: UnsafeBufferPointer<Double>
  let ends: UnsafeBufferPointer<Double>
  let values: UnsafeBufferPointer<Double>
  let samples: UnsafeBufferPointer<UInt32>

  /// How many rows kernels take at once.
  static let blockSize = 8
}
