import HealthMerge
public import HealthSamples
public import HealthStatistics
import HealthUnits

/// Segments to sum up by interval, and what to compare that with.
public struct StatisticsProblem {
  /// What is asked of the segments.
  public enum Question: String, CaseIterable, Sendable {
    case dailySums = "daily sums"
    case dailyMeans = "daily mean, min, max, count"
    case hourlySums = "hourly sums"
    case hourlyMeans = "hourly mean, min, max, count"

    var isCumulative: Bool { self == .dailySums || self == .hourlySums }

    /// The length of an interval in seconds.
    var length: Double { self == .dailySums || self == .dailyMeans ? 86_400 : 3600 }
  }

  public let segments: SegmentColumns
  private let boundaries: Boundaries
  private let isCumulative: Bool

  /// What a naive loop knows of an interval.
  public struct Interval {
    var sum = 0.0
    var minimum = Double.infinity
    var maximum = -Double.infinity
    var count = 0
  }

  /// The problem, after the naive way and ours have agreed on it.
  public static func checked(_ question: Question, count: Int) throws -> Self {
    let type = SampleType(
      identifier: "HKQuantityTypeIdentifierBenchmark",
      kind: .quantity(
        canonicalUnit: try UnitExpression("count"),
        style: question.isCumulative ? .cumulative : .discreteArithmetic))
    let samples = try SeededSamples.consecutive(type: type, count: count)
    let problem = StatisticsProblem(
      segments: try samples.merged(by: SourcePriority(order: samples.sources)),
      boundaries: try SeededSamples.intervals(of: question.length, over: samples),
      isCumulative: question.isCumulative)
    let ours = try problem.ours()
    guard try problem.ours(threads: 1) == ours else {
      throw ProblemError("The statistics of one thread are others.")
    }
    for (index, interval) in problem.naive().enumerated() where interval.count > 0 {
      let expected =
        question.isCumulative ? interval.sum : interval.sum / Double(interval.count)
      let actual = (question.isCumulative ? ours.sums : ours.means)?[index] ?? .nan
      guard abs(actual - expected) <= 1e-9 * expected, ours.counts[index] == interval.count,
        question.isCumulative
          || ours.minimums?[index] == interval.minimum
            && ours.maximums?[index] == interval.maximum
      else { throw ProblemError("The naive statistics of an interval are others.") }
    }
    return problem
  }

  /// Our statistics, on as many threads as there are processors or as many as are said.
  public func ours(threads: Int? = nil) throws -> StatisticsColumns {
    try segments.statistics(over: boundaries, threads: threads)
  }

  /// The intervals of every segment by search, as one would write it first.
  public func naive() -> [Interval] {
    let edges = boundaries.edges
    var table = [Interval](repeating: Interval(), count: boundaries.count)
    for row in 0..<segments.count {
      let (start, end, value) = (segments.starts[row], segments.ends[row], segments.values[row])
      guard var index = boundaries.index(of: start) else { continue }
      repeat {
        let inside = min(end, edges[index + 1]) - max(start, edges[index])
        table[index].sum += isCumulative ? value * inside / (end - start) : value
        table[index].minimum = min(table[index].minimum, value)
        table[index].maximum = max(table[index].maximum, value)
        table[index].count += 1
        index += 1
      } while index < boundaries.count && edges[index] < end
    }
    return table
  }

  /// One pass over each column: no statistics can read them faster.
  public func onePass() -> Double {
    [segments.starts, segments.ends, segments.values].reduce(0) { $0 + OnePass.sum(of: $1) }
      + Double(Self.sum(of: segments.samples))
  }

  private static func sum(of column: [UInt32]) -> UInt32 {
    column.withUnsafeBytes { bytes in
      let vectors = bytes.bindMemory(to: SIMD16<UInt32>.self)
      var sum = SIMD16<UInt32>()
      for vector in vectors { sum &+= vector }
      return sum.wrappedSum()
    }
  }
}
