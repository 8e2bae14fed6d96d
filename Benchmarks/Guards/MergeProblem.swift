import Algorithms
import HealthMerge
import HealthSamples
import HealthUnits
import Samples

/// Samples to merge, and what to compare the merge with.
struct MergeProblem {
  let samples: SampleColumns
  let priority: SourcePriority

  /// The problem, after the naive way and ours have agreed on it.
  static func checked(count: Int, sources: Int, hasGaps: Bool) throws -> Self {
    let type = SampleType(
      identifier: "HKQuantityTypeIdentifierStepCount",
      kind: .quantity(canonicalUnit: try UnitExpression("count"), style: .cumulative))
    let samples = SeededSamples.overlapping(
      type: type, sources: sources, count: count, hasGaps: hasGaps)
    let problem = MergeProblem(samples: samples, priority: SourcePriority(order: samples.sources))
    let ours = try samples.merged(by: problem.priority).values.reduce(0, +)
    let naive = problem.naiveSum()
    guard abs(ours - naive) <= 1e-9 * naive else {
      throw ProblemError("The naive merge has another sum.")
    }
    return problem
  }

  /// A plain copy of the columns into new ones, whose memory is new to the process as that of a
  /// merge is when it is large.
  func copy() -> [[Double]] {
    [samples.starts, samples.ends, samples.values].map { column in
      [Double](unsafeUninitializedCapacity: column.count) { copy, count in
        count = copy.initialize(fromContentsOf: column)
      }
    }
  }

  /// The sum of what counts, sample by sample with a search each, as one would write it first.
  func naiveSum() -> Double {
    var covered: [(start: Double, end: Double)] = []
    var sum = 0.0
    for source in samples.sources.indices {
      let rows = samples.rows(ofSource: source)
      for row in rows {
        let (start, end) = (samples.starts[row], samples.ends[row])
        var uncovered = end - start
        var place = firstSpan(of: covered, endingAfter: start)
        while place < covered.count, covered[place].start < end {
          uncovered -= min(end, covered[place].end) - max(start, covered[place].start)
          place += 1
        }
        sum += samples.values[row] * uncovered / (end - start)
      }
      covered = union(covered + rows.map { (samples.starts[$0], samples.ends[$0]) })
    }
    return sum
  }

  private func firstSpan(of spans: [(start: Double, end: Double)], endingAfter time: Double) -> Int
  {
    spans.partitioningIndex { $0.end > time }
  }

  private func union(
    _ spans: [(start: Double, end: Double)]
  ) -> [(start: Double, end: Double)] {
    var union: [(start: Double, end: Double)] = []
    for span in spans.sorted(by: { $0.start < $1.start }) {
      if let last = union.last, span.start <= last.end {
        union[union.count - 1].end = max(last.end, span.end)
      } else {
        union.append(span)
      }
    }
    return union
  }
}
