import Benchmark
import HealthMerge
import HealthSamples
import HealthStatistics
import Samples

let benchmarks: @Sendable () -> Void = {
  Benchmark.defaultConfiguration = .init(
    metrics: [.wallClock], timeUnits: .nanoseconds, warmupIterations: 1,
    maxDuration: .milliseconds(300), maxIterations: 200)

  for style in [AggregationStyle.cumulative, .discreteArithmetic] {
    let name = style == .cumulative ? "daily sums" : "daily mean, min and max"

    Benchmark("\(name) / ours") { benchmark, problem in
      benchmark.startMeasurement()
      blackHole(try problem.segments.statistics(over: problem.days))
    } setup: {
      try StatisticsProblem.checked(style)
    }

    Benchmark("\(name) / naive") { benchmark, problem in
      benchmark.startMeasurement()
      blackHole(problem.naive())
    } setup: {
      try StatisticsProblem.checked(style)
    }

    Benchmark("\(name) / floor") { benchmark, problem in
      benchmark.startMeasurement()
      blackHole(problem.onePass())
    } setup: {
      try StatisticsProblem.checked(style)
    }
  }
}
