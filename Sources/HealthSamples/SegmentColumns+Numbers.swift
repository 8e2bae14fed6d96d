extension SegmentColumns {
  /// The number in ``samples`` of the sample that stands `row` rows into its source.
  @inlinable
  package static func number(ofRow row: Int) -> UInt32 {
    // A remainder, so that no row can meet the mark; neighbours stay apart whatever their number.
    UInt32(truncatingIfNeeded: row % Int(masked))
  }
}
