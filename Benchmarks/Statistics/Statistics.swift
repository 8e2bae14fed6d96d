import Benchmark
import HealthSamples
import HealthStatistics

let benchmarks: @Sendable () -> Void = {
  Benchmark.defaultConfiguration = .init(
    metrics: [.wallClock], timeUnits: .nanoseconds, warmupIterations: 1,
    maxDuration: .milliseconds(300), maxIterations: 200)

  for problem in StatisticsProblem.Question.allCases {
    Benchmark("\(problem.rawValue) / ours") { benchmark, problem in
      benchmark.startMeasurement()
      blackHole(try problem.segments.statistics(over: problem.boundaries))
    } setup: {
      try StatisticsProblem.checked(problem)
    }

    Benchmark("\(problem.rawValue) / naive") { benchmark, problem in
      benchmark.startMeasurement()
      blackHole(problem.naive())
    } setup: {
      try StatisticsProblem.checked(problem)
    }

    Benchmark("\(problem.rawValue) / floor") { benchmark, problem in
      benchmark.startMeasurement()
      blackHole(problem.onePass())
    } setup: {
      try StatisticsProblem.checked(problem)
    }
  }
}
