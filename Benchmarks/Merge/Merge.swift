import Benchmark
import HealthMerge
import HealthSamples
import Samples

let benchmarks: @Sendable () -> Void = {
  Benchmark.defaultConfiguration = .init(
    metrics: [.wallClock], timeUnits: .nanoseconds, warmupIterations: 1,
    maxDuration: .milliseconds(500), maxIterations: 100)

  for size in ProblemSize.measured(ProblemSize("300k", 300_000)) {
    for (sources, hasGaps) in [2, 3, 6].flatMap({ [($0, false), ($0, true)] }) {
      let name = "\(size.name) of \(sources) sources \(hasGaps ? "with" : "without") gaps"
      let problem = {
        try MergeProblem.checked(count: size.count, sources: sources, hasGaps: hasGaps)
      }

      Benchmark("\(name) / ours") { benchmark, problem in
        benchmark.startMeasurement()
        blackHole(try problem.samples.merged(by: problem.priority))
      } setup: {
        try problem()
      }

      Benchmark("\(name) / naive") { benchmark, problem in
        benchmark.startMeasurement()
        blackHole(problem.naiveSum())
      } setup: {
        try problem()
      }

      Benchmark("\(name) / floor") { benchmark, problem in
        benchmark.startMeasurement()
        blackHole(problem.copy())
      } setup: {
        try problem()
      }
    }
  }
}
