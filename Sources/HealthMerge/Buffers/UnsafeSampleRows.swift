import HealthSamples

/// Consecutive samples as raw columns, with one bounds check for all of them.
struct UnsafeSampleRows: @unchecked Sendable {
  let starts: UnsafePointer<Double>
  let ends: UnsafePointer<Double>
  let values: UnsafePointer<Double>
  let count: Int

  /// The samples of a range of rows.
  subscript(rows: Range<Int>) -> UnsafeSampleRows {
    precondition(0 <= rows.lowerBound && rows.upperBound <= count)
    return UnsafeSampleRows(
      starts: starts + rows.lowerBound, ends: ends + rows.lowerBound,
      values: values + rows.lowerBound, count: rows.count)
  }
}

extension SampleColumns {
  /// Calls `body` with raw columns of the samples of a source.
  func withUnsafeRows<Result, Failure: Error>(
    ofSource source: Int, _ body: (UnsafeSampleRows) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try starts.withUnsafeBufferPointer { (starts) throws(Failure) in
      try ends.withUnsafeBufferPointer { (ends) throws(Failure) in
        try values.withUnsafeBufferPointer { (values) throws(Failure) in
          guard let starts = starts.baseAddress, let ends = ends.baseAddress,
            let values = values.baseAddress
          else { preconditionFailure("A column of an array has an address.") }
          return try body(
            UnsafeSampleRows(starts: starts, ends: ends, values: values, count: count)[
              rows(ofSource: source)])
        }
      }
    }
  }
}

/// Uninitialised rows of segments, as raw columns that threads of a merge write in parallel.
struct UnsafeSegmentRoom: @unchecked Sendable {
  let starts: UnsafeMutablePointer<Double>
  let ends: UnsafeMutablePointer<Double>
  let values: UnsafeMutablePointer<Double>
  let numbers: UnsafeMutablePointer<UInt32>

  /// The rows after the first `count`.
  func dropFirst(_ count: Int) -> UnsafeSegmentRoom {
    UnsafeSegmentRoom(
      starts: starts + count, ends: ends + count, values: values + count,
      numbers: numbers + count)
  }
}
