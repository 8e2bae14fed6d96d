/// Samples with the instants at which they were last modified, for rules that use them.
///
/// A sample that ends before it starts is left out, because these rules have no such record.
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

  /// A date of modification that has an order: one that is missing or no number is unknown, and
  /// before all others.
  package static func ordered(_ lastModified: Double?) -> Double {
    guard let lastModified, !lastModified.isNaN else { return -.infinity }
    return lastModified
  }

  /// Makes columns from rows in any order; samples that are not finite, or end before they start,
  /// are left out.
  ///
  /// - Complexity: O(*n* log *n*)
  public init(type: SampleType, rows: some Sequence<Row>) {
    let sorted = rows.filter { row in
      row.sample.start.isFinite && row.sample.end.isFinite && row.sample.value.isFinite
        && SampleTime.isInOrder(from: row.sample.start, to: row.sample.end)
    }.sorted { left, right in
      let (a, b) = (left.sample, right.sample)
      return (a.start, a.end, a.value, Self.ordered(left.lastModified))
        < (b.start, b.end, b.value, Self.ordered(right.lastModified))
    }
    let groups = Dictionary(grouping: sorted, by: \.sample.source)
    samples = SampleColumns(type: type, rows: sorted.lazy.map(\.sample))
    // Each group is in the order in which the columns sort its samples.
    lastModified = samples.sources.flatMap {
      (groups[$0] ?? []).map { Self.ordered($0.lastModified) }
    }
  }
}
