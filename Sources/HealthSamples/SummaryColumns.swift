/// Runs of samples of one type that are known by what they add up to, as columns.
///
/// Beside ``SampleColumns`` they are the samples of one question, for which they were made: the
/// samples of a run lie inside of one of its intervals, and nothing takes from them. Who takes the
/// one must take the other.
///
/// Times are seconds since 2001-01-01 UTC, values stand in the canonical unit of the type.
package struct SummaryColumns: Sendable, Hashable {
  /// The sources, in the order of their runs.
  package private(set) var sources: [Source] = []
  /// The runs of `sources[i]` are `offsets[i]..<offsets[i + 1]`.
  package private(set) var offsets = [0]
  /// The earliest starts.
  package private(set) var firstStarts: [Double] = []
  /// The latest ends.
  package private(set) var lastEnds: [Double] = []
  /// How many samples a run has; at least one.
  package private(set) var counts: [Int] = []
  /// The sums of the values.
  package private(set) var sums: [Double] = []
  /// What rounding took from the sums.
  package private(set) var lost: [Double] = []
  /// The smallest values.
  package private(set) var minimums: [Double] = []
  /// The largest values.
  package private(set) var maximums: [Double] = []

  /// Makes no runs.
  package init() {}

  /// The number of runs. - Complexity: O(1)
  package var count: Int { counts.count }

  /// The runs of a source; none when it has none.
  ///
  /// - Complexity: O(sources)
  package func runs(of source: Source) -> Range<Int> {
    guard let index = sources.firstIndex(of: source) else { return 0..<0 }
    return offsets[index]..<offsets[index + 1]
  }

  /// Appends a run of the source that ``endSource(_:)`` ends.
  package mutating func append(
    count: Int, from firstStart: Double, to lastEnd: Double, sum: Double, lost: Double,
    minimum: Double, maximum: Double
  ) {
    counts.append(count)
    firstStarts.append(firstStart)
    lastEnds.append(lastEnd)
    sums.append(sum)
    self.lost.append(lost)
    minimums.append(minimum)
    maximums.append(maximum)
  }

  /// Ends the runs of a source.
  package mutating func endSource(_ source: Source) {
    sources.append(source)
    offsets.append(count)
  }
}
