extension SegmentColumns {
  /// The number in ``samples`` of the sample at index `row` within its source.
  @inlinable
  package static func number(ofRow row: Int) -> UInt32 {
    // A remainder, so that no number equals ``masked``; consecutive samples still have different
    // ones.
    UInt32(truncatingIfNeeded: row % Int(masked))
  }

  /// The number of the sample `rows` rows after the one with the number `first`.
  @inlinable
  package static func number(_ first: UInt32, plus rows: UInt32) -> UInt32 {
    let sum = UInt64(first) + UInt64(rows)
    return UInt32(truncatingIfNeeded: sum < UInt64(masked) ? sum : sum - UInt64(masked))
  }
}
