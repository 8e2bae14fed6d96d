extension SampleColumns {
  /// Makes the columns of one source from columns that already stand in canonical order.
  ///
  /// - Returns: `nil` unless the columns are equally long, every number is finite, no end lies before
  ///   its start, and the rows ascend by start, end and value
  /// - Complexity: O(*n*)
  public init?(
    type: SampleType, source: Source, starts: [Double], ends: [Double], values: [Double]
  ) {
    guard starts.count == ends.count, starts.count == values.count else { return nil }
    for row in starts.indices {
      guard starts[row].isFinite, ends[row].isFinite, values[row].isFinite,
        starts[row] <= ends[row]
      else { return nil }
      guard row > 0 else { continue }
      let before = (starts[row - 1], ends[row - 1], values[row - 1])
      guard before <= (starts[row], ends[row], values[row]) else { return nil }
    }
    self.init(
      type: type, sources: starts.isEmpty ? [] : [source],
      offsets: starts.isEmpty ? [0] : [0, starts.count], starts: starts, ends: ends,
      values: values)
  }
}
