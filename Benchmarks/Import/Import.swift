import Benchmark
import HealthExport
import HealthStore
import Samples

let benchmarks: @Sendable () -> Void = {
  Benchmark.defaultConfiguration = .init(
    metrics: [.wallClock], timeUnits: .nanoseconds, warmupIterations: 1,
    maxDuration: .milliseconds(900), maxIterations: 20)

  for (name, archive) in [("columns of xml", false), ("columns of zip", true)] {
    Benchmark("\(name) / ours") { benchmark, problem in
      benchmark.startMeasurement()
      blackHole(try problem.countByReader(archive: archive))
    } setup: {
      try ImportProblem.checked.get()
    }
  }

  Benchmark("store of xml / ours") { benchmark, problem in
    benchmark.startMeasurement()
    blackHole(try problem.countByStore())
  } setup: {
    try ImportProblem.checked.get()
  }

  for name in ["columns of xml", "columns of zip", "store of xml"] {
    Benchmark("\(name) / naive") { benchmark, problem in
      benchmark.startMeasurement()
      blackHole(problem.countByExpat())
    } setup: {
      try ImportProblem.checked.get()
    }

    Benchmark("\(name) / floor") { benchmark, problem in
      benchmark.startMeasurement()
      blackHole(problem.countBytes())
    } setup: {
      try ImportProblem.checked.get()
    }
  }
}
