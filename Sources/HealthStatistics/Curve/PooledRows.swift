import HealthSamples

/// The samples of several sources as columns in one order: by start, end and value.
struct PooledRows {
  let starts: [Double]
  let ends: [Double]
  let values: [Double]
  /// The index of each row among the segments; `nil` where they are all segments in order.
  let segments: [Int]?

  var count: Int { starts.count }

  /// Pools whole samples.
  ///
  /// - Complexity: O(1) where one source has all segments, else O(*n* log *k*) for *k* sources
  init(of segments: SegmentColumns, sources: Range<Int>) {
    let columns = (starts: segments.starts, ends: segments.ends, values: segments.values)
    if sources.count == 1, let source = sources.first,
      segments.rows(ofSource: source).count == segments.count
    {
      (starts, ends, values) = columns
      self.segments = nil
    } else {
      let rows = TimeOrder.rows(of: segments, sources: sources)
      starts = rows.map { columns.starts[$0] }
      ends = rows.map { columns.ends[$0] }
      values = rows.map { columns.values[$0] }
      self.segments = rows
    }
  }
}
