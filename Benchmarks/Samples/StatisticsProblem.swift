import Algorithms
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
    case dailyWeightedMeans = "daily weighted mean, min, max, count"
    case hourlyWeightedMeans = "hourly weighted mean, min, max, count"
    case pooledWeightedMeans = "daily weighted mean, min, max, count of 2 sources"

    var style: AggregationStyle {
      switch self {
      case .dailySums, .hourlySums: .cumulative
      case .dailyMeans, .hourlyMeans: .discreteArithmetic
      case .dailyWeightedMeans, .hourlyWeightedMeans, .pooledWeightedMeans:
        .discreteTemporallyWeighted
      }
    }

    /// The length of an interval in seconds.
    var length: Double {
      switch self {
      case .dailySums, .dailyMeans, .dailyWeightedMeans, .pooledWeightedMeans: 86_400
      case .hourlySums, .hourlyMeans, .hourlyWeightedMeans: 3600
      }
    }
  }

  public let segments: SegmentColumns
  private let boundaries: Boundaries
  private let style: AggregationStyle

  /// What a naive loop knows of an interval.
  public struct Interval {
    var sum = 0.0
    var minimum = Double.infinity
    var maximum = -Double.infinity
    var count = 0
    var mean = 0.0
  }

  /// The problem, after the naive way and ours have agreed on it.
  public static func checked(_ question: Question, count: Int) throws -> Self {
    let type = SampleType(
      identifier: "HKQuantityTypeIdentifierBenchmark",
      kind: .quantity(canonicalUnit: try UnitExpression("count"), style: question.style))
    let samples =
      question.style == .discreteTemporallyWeighted
      ? SeededSamples.instants(
        type: type, sources: question == .pooledWeightedMeans ? 2 : 1, count: count)
      : try SeededSamples.consecutive(type: type, count: count)
    let problem = StatisticsProblem(
      segments: try samples.merged(by: SourcePriority(order: samples.sources)),
      boundaries: try SeededSamples.intervals(of: question.length, over: samples),
      style: question.style)
    let ours = try problem.ours()
    guard try problem.ours(threads: 1) == ours else {
      throw ProblemError("The statistics of one thread are others.")
    }
    for (index, interval) in problem.naive().enumerated() where interval.count > 0 {
      let isCumulative = question.style.isCumulative
      let expected = isCumulative ? interval.sum : interval.mean
      let actual = (isCumulative ? ours[raw: .sum] : ours[raw: .mean])?[index] ?? .nan
      guard abs(actual - expected) <= 1e-9 * expected, ours.counts[index] == interval.count,
        isCumulative
          || ours[raw: .min]?[index] == interval.minimum
            && ours[raw: .max]?[index] == interval.maximum
      else { throw ProblemError("The naive statistics of an interval are others.") }
    }
    return problem
  }

  /// Our statistics, on as many threads as there are processors or as many as are said.
  public func ours(threads: Int? = nil) throws -> StatisticsColumns {
    try segments.statistics(over: boundaries, threads: threads)
  }

  /// The statistics as one would write them first.
  public func naive() -> [Interval] {
    style == .discreteTemporallyWeighted ? naiveCurves() : naiveSums()
  }

  /// The instants of all sources in one order, and a curve through those of each interval.
  private func naiveCurves() -> [Interval] {
    let hold = MeanMethod.standardHold
    let rows = zip(segments.starts, segments.values).sorted { $0 < $1 }
    var table = [Interval](repeating: Interval(), count: boundaries.count)
    var next = 0
    for index in table.indices {
      let (lower, upper) = (boundaries.edges[index], boundaries.edges[index + 1])
      var first = next
      while first < rows.count, rows[first].0 < lower { first += 1 }
      next = first
      while next < rows.count, rows[next].0 < upper { next += 1 }
      guard first < next else { continue }
      let ends = (min(rows[first].0 - lower, hold), min(upper - rows[next - 1].0, hold))
      var area = rows[first].1 * ends.0 + rows[next - 1].1 * ends.1
      var length = ends.0 + ends.1
      for row in first..<next {
        let value = rows[row].1
        table[index].minimum = min(table[index].minimum, value)
        table[index].maximum = max(table[index].maximum, value)
        table[index].count += 1
        guard row + 1 < next else { continue }
        let gap = min(rows[row + 1].0 - rows[row].0, 2 * hold)
        area += gap * (value + rows[row + 1].1) / 2
        length += gap
      }
      table[index].mean = area / length
    }
    return table
  }

  /// The intervals of every segment by search.
  private func naiveSums() -> [Interval] {
    let edges = boundaries.edges
    var table = [Interval](repeating: Interval(), count: boundaries.count)
    let (starts, ends, values) = (segments.starts, segments.ends, segments.values)
    for row in 0..<segments.count {
      let (start, end, value) = (starts[row], ends[row], values[row])
      var index = edges.partitioningIndex { $0 > start } - 1
      guard 0..<boundaries.count ~= index else { continue }
      repeat {
        let inside = min(end, edges[index + 1]) - max(start, edges[index])
        table[index].sum += style.isCumulative ? value * inside / (end - start) : value
        table[index].minimum = min(table[index].minimum, value)
        table[index].maximum = max(table[index].maximum, value)
        table[index].count += 1
        index += 1
      } while index < boundaries.count && edges[index] < end
    }
    for index in table.indices { table[index].mean = table[index].sum / Double(table[index].count) }
    return table
  }

  /// One pass over each column: no statistics can read them faster.
  public func onePass() -> Double {
    [segments.starts, segments.ends, segments.values].reduce(0) { $0 + OnePass.sum(of: $1) }
  }
}
