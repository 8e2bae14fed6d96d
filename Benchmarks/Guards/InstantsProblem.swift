import Foundation
import HealthMerge
import HealthQuery
import HealthSamples
import HealthStatistics
import HealthUnits
import Samples

/// Mean, minimum, maximum and count of many instants of one source, as HowFastItIs.md compares them
/// with other tools: from columns and edges, and from merging and the calendar on.
struct InstantsProblem {
  private let samples: SampleColumns
  private let segments: SegmentColumns
  private let boundaries: Boundaries
  private let plan: StatisticsPlan
  private let facts: [SourceFacts]

  /// The problem, after a plain loop and we have agreed on it.
  static func checked(interval: CalendarInterval.Alignment, count: Int) throws -> Self {
    let problem = try InstantsProblem(interval: interval, count: count)
    let ours = try problem.columnsAndEdges()
    guard try problem.wholeQuestion().counts == ours.counts, let means = ours[raw: .mean] else {
      throw ProblemError("Columns and edges have other counts than the whole question.")
    }
    var row = 0
    for (index, end) in problem.boundaries.edges.dropFirst().enumerated() {
      let first = row
      var sum = 0.0
      while row < count, problem.samples.starts[row] < end {
        sum += problem.samples.values[row]
        row += 1
      }
      guard ours.counts[index] == row - first,
        row == first
          || abs(means[index] * Double(row - first) - sum) <= 1e-9 * sum
      else { throw ProblemError("A plain loop has another answer.") }
    }
    return problem
  }

  private init(interval: CalendarInterval.Alignment, count: Int) throws {
    let type = SampleType(
      identifier: "HKQuantityTypeIdentifierBenchmark",
      kind: .quantity(canonicalUnit: try UnitExpression("count"), style: .discreteArithmetic))
    guard let zone = TimeZone(identifier: "Europe/Paris") else {
      throw ProblemError("This machine does not know the zone Europe/Paris.")
    }
    let spans = try SeededSamples.consecutive(type: type, count: count)
    samples = try SampleColumns(
      type: type, source: Source(name: "Watch"), starts: spans.starts, ends: spans.starts,
      values: spans.values)
    segments = try samples.merged(by: SourcePriority(order: samples.sources))
    var plan = StatisticsPlan(type: type, timeZone: zone)
    plan.interval = CalendarInterval(interval)
    plan.statistics = [.mean, .min, .max, .count]
    self.plan = plan
    facts = [
      SourceFacts(
        source: samples.sources[0], deviceKind: .watch, firstStart: samples.starts[0])
    ]
    let answer = try plan.answer(samples: samples, facts: facts).intervals
    boundaries = try Boundaries(edges: answer.starts + answer.ends.suffix(1))
  }

  func columnsAndEdges() throws -> StatisticsColumns {
    try segments.statistics(over: boundaries, of: plan.statistics, threads: 1)
  }

  func wholeQuestion() throws -> StatisticsColumns {
    try plan.answer(samples: samples, facts: facts).intervals
  }

  /// One pass over instants and values.
  func onePass() -> Double {
    OnePass.sum(of: samples.starts) + OnePass.sum(of: samples.values)
  }
}
