/// Samples of one type as columns, in the order of source, start, end, value.
///
/// Times are seconds since 2001-01-01 UTC, values are in the type's canonical unit. The order is
/// canonical, so results do not depend on the order in which samples were read.
///
/// ```swift
/// let steps = try store.samples(of: SampleType(.stepCount))
/// let merged = steps.merged(by: priority)
/// ```
public struct SampleColumns: Sendable, Hashable {
  /// The type of every sample.
  public let type: SampleType
  /// The sources, in the order of their rows.
  public let sources: [Source]
  /// The rows of `sources[i]` are `offsets[i]..<offsets[i + 1]`.
  public let offsets: [Int]
  /// Start instants; ascending within a source.
  public let starts: [Double]
  /// End instants; never before the start.
  public let ends: [Double]
  /// Values in the canonical unit, or raw values of a category; finite.
  public let values: [Double]
  /// The recorded numbers of ``values``, where those are rounded and exact sums are requested.
  package let recorded: RecordedValues?

  /// The number of samples. - Complexity: O(1)
  public var count: Int { starts.count }
  /// Whether there is no sample. - Complexity: O(1)
  public var isEmpty: Bool { starts.isEmpty }

  /// The rows of the source at `index` of ``sources``.
  public func rows(ofSource index: Int) -> Range<Int> { offsets[index]..<offsets[index + 1] }

  /// Makes columns from rows that are already in canonical order.
  ///
  /// - Precondition: the columns have equal lengths, `offsets` cuts them into `sources.count`
  ///   ranges, each range ascends by start, end and value, and every end is at or after its start.
  package init(
    type: SampleType, sources: [Source], offsets: [Int],
    starts: [Double], ends: [Double], values: [Double], recorded: RecordedValues? = nil
  ) {
    self.type = type
    self.sources = sources
    self.offsets = offsets
    self.starts = starts
    self.ends = ends
    self.values = values
    self.recorded = recorded
    assert(offsets.count == sources.count + 1 && offsets.last == starts.count)
    assert(starts.count == ends.count && starts.count == values.count)
    assert(recorded.map { $0.values.count == values.count } ?? true)
    assert(zip(starts, ends).allSatisfy { $0 <= $1 })
  }

  /// No samples of a type.
  public init(type: SampleType) {
    self.init(type: type, sources: [], offsets: [0], starts: [], ends: [], values: [])
  }
}
