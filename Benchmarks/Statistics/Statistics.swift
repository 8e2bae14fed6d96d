import Benchmark
import Samples

let benchmarks: @Sendable () -> Void = {
  Benchmark.defaultConfiguration = .init(
    metrics: [.wallClock], timeUnits: .nanoseconds, warmupIterations: 1,
    maxDuration: .milliseconds(300), maxIterations: 200)

  let count = 10_000_000
  for question in StatisticsProblem.Question.allCases {
    // The floor runs on one thread, and so do we; two threads have a line of their own.
    for (name, threads) in [(question.rawValue, 1), (question.rawValue + " on 2 threads", 2)] {
      Benchmark("\(name) / ours") { benchmark, problem in
        benchmark.startMeasurement()
        blackHole(try problem.ours(threads: threads))
      } setup: {
        try StatisticsProblem.checked(question, count: count)
      }

      Benchmark("\(name) / naive") { benchmark, problem in
        benchmark.startMeasurement()
        blackHole(problem.naive())
      } setup: {
        try StatisticsProblem.checked(question, count: count)
      }

      Benchmark("\(name) / floor") { benchmark, problem in
        benchmark.startMeasurement()
        blackHole(problem.onePass())
      } setup: {
        try StatisticsProblem.checked(question, count: count)
      }
    }
  }
}
