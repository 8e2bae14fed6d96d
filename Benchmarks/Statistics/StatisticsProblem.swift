import HealthMerge
import HealthSamples
import HealthStatistics
import HealthUnits
import Samples

/// Segments to sum up by day, and what to compare that with.
struct StatisticsProblem {
  let segments: SegmentColumns
  let days: Boundaries
  private let isCumulative: Bool

  private static let count = 1_000_000

  /// What a naive loop knows of a day.
  struct Day {
    var sum = 0.0
    var minimum = Double.infinity
    var maximum = -Double.infinity
    var count = 0
  }

  /// The problem, after the naive way and ours have agreed on it.
  static func checked(_ style: AggregationStyle) throws -> Self {
    let type = SampleType(
      identifier: "HKQuantityTypeIdentifierBenchmark",
      kind: .quantity(canonicalUnit: try UnitExpression("count"), style: style))
    let samples = SeededSamples.overlapping(type: type, sources: 1, count: count, hasGaps: true)
    let problem = StatisticsProblem(
      segments: try samples.merged(by: SourcePriority(order: samples.sources)),
      days: try SeededSamples.days(of: samples), isCumulative: style.isCumulative)
    let ours = try problem.segments.statistics(over: problem.days)
    for (index, day) in problem.naive().enumerated() where day.count > 0 {
      let expected = style.isCumulative ? day.sum : day.sum / Double(day.count)
      let actual = (style.isCumulative ? ours.sums : ours.means)?[index] ?? .nan
      guard abs(actual - expected) <= 1e-9 * expected, ours.counts[index] == day.count else {
        throw ProblemError("The naive statistics of a day are others.")
      }
    }
    return problem
  }

  /// The days of every segment by search, as one would write it first.
  func naive() -> [Day] {
    var table = [Day](repeating: Day(), count: days.count)
    for row in 0..<segments.count {
      let (start, end, value) = (segments.starts[row], segments.ends[row], segments.values[row])
      guard var day = days.index(of: start) else { continue }
      repeat {
        let inside = min(end, days.edges[day + 1]) - max(start, days.edges[day])
        table[day].sum += isCumulative ? value * inside / (end - start) : value
        table[day].minimum = min(table[day].minimum, value)
        table[day].maximum = max(table[day].maximum, value)
        table[day].count += 1
        day += 1
      } while day < days.count && days.edges[day] < end
    }
    return table
  }

  /// One pass over the columns, eight numbers at a time: no statistics can read them faster.
  func onePass() -> Double {
    [segments.starts, segments.ends, segments.values].reduce(0) { $0 + Self.sum(of: $1) }
  }

  private static func sum(of column: [Double]) -> Double {
    column.withUnsafeBytes { bytes in
      let vectors = bytes.bindMemory(to: SIMD8<Double>.self)
      var first = SIMD8<Double>()
      var second = SIMD8<Double>()
      for index in stride(from: 0, to: vectors.count - 1, by: 2) {
        first += vectors[index]
        second += vectors[index + 1]
      }
      return (first + second).sum()
    }
  }
}
