import Benchmark
import HealthMerge
import HealthSamples
import Samples

let benchmarks: @Sendable () -> Void = {
  Benchmark.defaultConfiguration = .init(
    metrics: [.wallClock], timeUnits: .nanoseconds, warmupIterations: 1,
    maxDuration: .milliseconds(300), maxIterations: 100)

  for (sources, hasGaps) in [(2, false), (2, true), (3, false), (3, true)] {
    let name = "\(sources) sources \(hasGaps ? "with" : "without") gaps"

    Benchmark("\(name) / ours") { benchmark, problem in
      benchmark.startMeasurement()
      blackHole(try problem.samples.merged(by: problem.priority))
    } setup: {
      try MergeProblem.checked(sources: sources, hasGaps: hasGaps)
    }

    Benchmark("\(name) / naive") { benchmark, problem in
      benchmark.startMeasurement()
      blackHole(problem.naiveSum())
    } setup: {
      try MergeProblem.checked(sources: sources, hasGaps: hasGaps)
    }

    Benchmark("\(name) / floor") { benchmark, problem in
      benchmark.startMeasurement()
      blackHole(problem.copy())
    } setup: {
      try MergeProblem.checked(sources: sources, hasGaps: hasGaps)
    }
  }
}
