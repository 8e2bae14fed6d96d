extension SampleColumns {
  /// One sample, before it is sorted into columns.
  public struct Row: Sendable, Hashable {
    /// The source that wrote it.
    public var source: Source
    /// Start instant, in seconds since 2001-01-01 UTC.
    public var start: Double
    /// End instant; an end before the start is treated as the start.
    public var end: Double
    /// Value in the canonical unit.
    public var value: Double

    /// Makes a row.
    public init(source: Source, start: Double, end: Double, value: Double) {
      self.source = source
      self.start = start
      self.end = end
      self.value = value
    }
  }

  /// Makes columns from rows in any order; rows that are not finite are left out.
  ///
  /// Sources are sorted, whatever the order of rows.
  ///
  /// - Complexity: O(*n* log *n*)
  public init(type: SampleType, rows: some Sequence<Row>) {
    let groups = Dictionary(grouping: rows.lazy.filter(\.isFinite), by: \.source)
    let sources = groups.keys.sorted()
    var offsets = [0]
    var sorted: [Row] = []
    for source in sources {
      sorted += (groups[source] ?? []).map(\.clamped).sorted {
        ($0.start, $0.end, $0.value) < ($1.start, $1.end, $1.value)
      }
      offsets.append(sorted.count)
    }
    self.init(
      type: type, sources: sources, offsets: offsets, starts: sorted.map(\.start),
      ends: sorted.map(\.end), values: sorted.map(\.value))
  }
}

extension SampleColumns.Row {
  fileprivate var isFinite: Bool { start.isFinite && end.isFinite && value.isFinite }
  fileprivate var clamped: Self {
    var row = self
    row.end = SampleTime.end(from: start, to: end)
    return row
  }
}
