import HealthSamples

/// Some neighbouring samples as raw columns: one bounds check for all of them.
struct SampleRows: @unchecked Sendable {
  let starts: UnsafePointer<Double>
  let ends: UnsafePointer<Double>
  let values: UnsafePointer<Double>
  let count: Int

  /// The samples of a range of rows.
  subscript(rows: Range<Int>) -> SampleRows {
    precondition(0 <= rows.lowerBound && rows.upperBound <= count)
    return SampleRows(
      starts: starts + rows.lowerBound, ends: ends + rows.lowerBound,
      values: values + rows.lowerBound, count: rows.count)
  }
}

extension SampleColumns {
  /// Calls `body` with raw columns of the samples of a source.
  func withUnsafeRows<Result, Failure: Error>(
    ofSource source: Int, _ body: (SampleRows) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try starts.withUnsafeBufferPointer { (starts) throws(Failure) in
      try ends.withUnsafeBufferPointer { (ends) throws(Failure) in
        try values.withUnsafeBufferPointer { (values) throws(Failure) in
          guard let starts = starts.baseAddress, let ends = ends.baseAddress,
            let values = values.baseAddress
          else { preconditionFailure("A column of an array has an address.") }
          return try body(
            SampleRows(starts: starts, ends: ends, values: values, count: count)[
              rows(ofSource: source)])
        }
      }
    }
  }
}
