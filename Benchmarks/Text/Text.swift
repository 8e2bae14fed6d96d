import Benchmark
import Samples

let benchmarks: @Sendable () -> Void = {
  Benchmark.defaultConfiguration = .init(
    metrics: [.wallClock], timeUnits: .nanoseconds, warmupIterations: 1,
    maxDuration: .milliseconds(900), maxIterations: 20)

  Benchmark("csv of 50k samples / ours") { benchmark, problem in
    benchmark.startMeasurement()
    try problem.export(to: "/dev/null")
  } setup: {
    try TextProblem.checked.get()
  }

  Benchmark("csv of 50k samples / naive") { benchmark, problem in
    benchmark.startMeasurement()
    try problem.interpolate(to: "/dev/null")
  } setup: {
    try TextProblem.checked.get()
  }

  Benchmark("csv of 50k samples / floor") { benchmark, problem in
    benchmark.startMeasurement()
    blackHole(problem.print(to: "/dev/null"))
  } setup: {
    try TextProblem.checked.get()
  }
}
