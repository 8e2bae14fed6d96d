/// Sums, minimums, maximums and counts of groups of samples of one type, as columns.
///
/// They complement the ``SampleColumns`` of one question: each group lies inside one of its
/// intervals and is not masked. Both must be used together.
///
/// Times are seconds since 2001-01-01 UTC, values in the canonical unit of the type.
package struct AggregateColumns: Sendable, Hashable {
  /// The sources, in the order of their groups.
  package private(set) var sources: [Source] = []
  /// The groups of `sources[i]` are `offsets[i]..<offsets[i + 1]`.
  package private(set) var offsets = [0]
  /// The earliest starts.
  package private(set) var firstStarts: [Double] = []
  /// The latest ends.
  package private(set) var lastEnds: [Double] = []
  /// How many samples a group has; at least one.
  package private(set) var counts: [Int] = []
  /// The sums of the values.
  package private(set) var sums: [Double] = []
  /// The rounding errors of the sums.
  package private(set) var sumErrors: [Double] = []
  /// The smallest values.
  package private(set) var minimums: [Double] = []
  /// The largest values.
  package private(set) var maximums: [Double] = []

  /// Makes no groups.
  package init() {}

  /// The number of groups. - Complexity: O(1)
  package var count: Int { counts.count }

  /// The groups of a source; none when it has none.
  ///
  /// - Complexity: O(sources)
  package func groups(of source: Source) -> Range<Int> {
    guard let index = sources.firstIndex(of: source) else { return 0..<0 }
    return offsets[index]..<offsets[index + 1]
  }

  /// Appends a group of the source that ``endSource(_:)`` ends.
  package mutating func append(
    count: Int, from firstStart: Double, to lastEnd: Double, sum: Double, sumError: Double,
    minimum: Double, maximum: Double
  ) {
    counts.append(count)
    firstStarts.append(firstStart)
    lastEnds.append(lastEnd)
    sums.append(sum)
    sumErrors.append(sumError)
    minimums.append(minimum)
    maximums.append(maximum)
  }

  /// Ends the groups of a source.
  package mutating func endSource(_ source: Source) {
    sources.append(source)
    offsets.append(count)
  }
}
