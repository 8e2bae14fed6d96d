import Foundation
import HealthMerge
import HealthQuery
public import HealthSamples
public import HealthStatistics
import HealthUnits

/// A whole question over columns: merging, the calendar of a zone, and statistics of each hour.
public struct QuestionProblem {
  /// What is asked, and of what.
  public enum Question: String, CaseIterable, Sendable {
    case means = "whole question, mean, min, max, count"
    case sums = "whole question, sum, count"
    case meansOfTwo = "whole question, mean, min, max, count of 2 sources"
    case sumsOfTwo = "whole question, sum, count of 2 sources in turns of hours"
    case sumsOfMany = "whole question, sum, count of 2 sources in turns of samples"

    var isCumulative: Bool { self != .means && self != .meansOfTwo }

    /// How many samples the second source has one after the other; `nil` where there is none.
    var turn: Int? {
      switch self {
      case .means, .sums: nil
      case .meansOfTwo, .sumsOfTwo: 300
      case .sumsOfMany: 1
      }
    }
  }

  /// The samples of the question.
  public let samples: SampleColumns
  private let plan: StatisticsPlan
  private let facts: [SourceFacts]

  /// The problem, after the slow way and ours have agreed on it.
  public static func checked(_ question: Question, count: Int) throws -> Self {
    let problem = try QuestionProblem(question, count: count)
    let ours = try problem.ours()
    let edges = ours.starts + ours.ends.suffix(1)
    let expected = problem.naive(edges: edges)
    for (index, interval) in expected.enumerated() {
      let value = (question.isCumulative ? ours[raw: .sum] : ours[raw: .mean])?[index] ?? .nan
      let sum = question.isCumulative ? value : value * Double(interval.count)
      guard abs(sum - interval.sum) <= 1e-9 * interval.sum, ours.counts[index] == interval.count
      else { throw ProblemError("The naive answer of an interval is another.") }
    }
    return problem
  }

  private init(_ question: Question, count: Int) throws {
    let type = SampleType(
      identifier: "HKQuantityTypeIdentifierBenchmark",
      kind: .quantity(
        canonicalUnit: try UnitExpression("count"),
        style: question.isCumulative ? .cumulative : .discreteArithmetic))
    let samples =
      try question.turn.map {
        try SeededSamples.masked(type: type, count: count, turn: $0)
      } ?? SeededSamples.consecutive(type: type, count: count)
    self.samples = samples
    guard let zone = TimeZone(identifier: "Europe/Paris") else {
      throw ProblemError("This machine does not know the zone Europe/Paris.")
    }
    var plan = StatisticsPlan(type: type, timeZone: zone)
    plan.interval = CalendarInterval(.hour)
    plan.statistics = question.isCumulative ? [.sum, .count] : [.mean, .min, .max, .count]
    // The order of the sources is that in which they are preferred.
    plan.preferredSources = samples.sources.map(\.name)
    self.plan = plan
    facts = samples.sources.indices.map {
      SourceFacts(
        source: samples.sources[$0], deviceKind: .watch,
        firstStart: samples.starts[samples.offsets[$0]])
    }
  }

  /// Our answer: one row an hour.
  public func ours() throws -> StatisticsColumns {
    try plan.answer(samples: samples, facts: facts).intervals
  }

  /// One pass over each column of the samples: no answer can read them faster.
  public func onePass() -> Double {
    [samples.starts, samples.ends, samples.values].reduce(0) { $0 + OnePass.sum(of: $1) }
  }

  /// The sum of every interval, sample by sample, as one would write it first: what the first
  /// source covers is taken from the second.
  public func naive(edges: [Double]) -> [(sum: Double, count: Int)] {
    let isCumulative = plan.type.style?.isCumulative == true
    var table = Array(repeating: (sum: 0.0, count: 0), count: edges.count - 1)
    let higher = samples.rows(ofSource: 0)
    for source in samples.sources.indices {
      var next = higher.lowerBound
      var interval = 0
      for row in samples.rows(ofSource: source) {
        let (start, end) = (samples.starts[row], samples.ends[row])
        while edges[interval + 1] <= start { interval += 1 }
        var index = interval
        while index < table.count, edges[index] < end {
          var (lower, inside) = (max(start, edges[index]), 0.0)
          let upper = min(end, edges[index + 1])
          if isCumulative, source > 0 {
            while next < higher.upperBound, samples.ends[next] <= start { next += 1 }
            var other = next
            while other < higher.upperBound, samples.starts[other] < upper {
              inside += max(0, samples.starts[other] - lower)
              lower = max(lower, samples.ends[other])
              other += 1
            }
          }
          inside += max(0, upper - lower)
          table[index].sum +=
            isCumulative ? samples.values[row] * inside / (end - start) : samples.values[row]
          table[index].count += inside > 0 ? 1 : 0
          index += 1
        }
      }
    }
    return table
  }

  /// The edges of our answer, for the naive way.
  public func edges() throws -> [Double] {
    let answer = try ours()
    return answer.starts + answer.ends.suffix(1)
  }
}
