import Benchmark
import Samples

let benchmarks: @Sendable () -> Void = {
  Benchmark.defaultConfiguration = .init(
    metrics: [.wallClock], timeUnits: .nanoseconds, warmupIterations: 1,
    maxDuration: .milliseconds(300), maxIterations: 200)

  for size in ProblemSize.measured(ProblemSize("2M", 2_000_000)) {
    for question in StatisticsProblem.Question.allCases {
      // The floor runs on one thread, and so do we; two threads have a line of their own.
      for threads in [1, 2] {
        let name = "\(question.rawValue) of \(size.name)\(threads == 1 ? "" : " on 2 threads")"
        let problem = { try StatisticsProblem.checked(question, count: size.count) }

        Benchmark("\(name) / ours") { benchmark, problem in
          benchmark.startMeasurement()
          blackHole(try problem.ours(threads: threads))
        } setup: {
          try problem()
        }

        Benchmark("\(name) / naive") { benchmark, problem in
          benchmark.startMeasurement()
          blackHole(problem.naive())
        } setup: {
          try problem()
        }

        Benchmark("\(name) / floor") { benchmark, problem in
          benchmark.startMeasurement()
          blackHole(problem.onePass())
        } setup: {
          try problem()
        }
      }
    }

    for question in QuestionProblem.Question.allCases {
      let name = "\(question.rawValue) of \(size.name)"
      let problem = { try QuestionProblem.checked(question, count: size.count) }

      Benchmark("\(name) / ours") { benchmark, problem in
        benchmark.startMeasurement()
        blackHole(try problem.ours())
      } setup: {
        try problem()
      }

      Benchmark("\(name) / naive") { benchmark, problem in
        let edges = try problem.edges()
        benchmark.startMeasurement()
        blackHole(problem.naive(edges: edges))
      } setup: {
        try problem()
      }

      Benchmark("\(name) / floor") { benchmark, problem in
        benchmark.startMeasurement()
        blackHole(problem.onePass())
      } setup: {
        try problem()
      }
    }
  }
}
