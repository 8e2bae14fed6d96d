/// Samples with the instants at which they were last modified, for rules that use them.
///
/// A sample that ends before it starts is left out.
public struct DatedSampleColumns: Sendable, Hashable {
  /// One sample with its date, before it is sorted into columns.
  public struct Row: Sendable, Hashable {
    /// The sample.
    public var sample: SampleColumns.Row
    /// When it was last modified; in an export, when it was created; `nil` when unknown.
    public var lastModified: Double?

    /// Makes a row.
    public init(sample: SampleColumns.Row, lastModified: Double?) {
      self.sample = sample
      self.lastModified = lastModified
    }
  }

  /// The samples.
  public let samples: SampleColumns
  /// One instant for each sample, minus infinity where unknown.
  package let lastModified: [Double]

  /// When a sample was last modified; `nil` when unknown.
  public func lastModified(row: Int) -> Double? {
    lastModified[row] == -.infinity ? nil : lastModified[row]
  }

  /// Makes columns from rows in any order; rows that are not finite, or end before they start, are
  /// left out.
  ///
  /// - Complexity: O(*n* log *n*)
  public init(type: SampleType, rows: some Sequence<Row>) {
    let sorted = rows.filter { row in
      row.sample.start.isFinite && row.sample.end.isFinite && row.sample.value.isFinite
        && row.sample.start <= row.sample.end && row.lastModified?.isNaN != true
    }.sorted { left, right in
      let (a, b) = (left.sample, right.sample)
      return (a.start, a.end, a.value, left.lastModified ?? -.infinity)
        < (b.start, b.end, b.value, right.lastModified ?? -.infinity)
    }
    let groups = Dictionary(grouping: sorted, by: \.sample.source)
    samples = SampleColumns(type: type, rows: sorted.lazy.map(\.sample))
    // Each group is in the order in which the columns sort its samples.
    lastModified = samples.sources.flatMap {
      (groups[$0] ?? []).map { $0.lastModified ?? -.infinity }
    }
  }
}
