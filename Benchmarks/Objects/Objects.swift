import Benchmark
import HealthKit
import HealthSamples
import HealthUnits
import Samples

let benchmarks: @Sendable () -> Void = {
  Benchmark.defaultConfiguration = .init(
    metrics: [.wallClock], timeUnits: .nanoseconds, warmupIterations: 3,
    maxDuration: .milliseconds(500), maxIterations: 1_000)
  making()
  reading()
  lookup()
  conversion()
}

// The floor of both makes or reads one plain object a sample, with two dates and a number.
private func making() {
  let name = "100k samples made into objects"

  Benchmark("\(name) / ours") { benchmark in
    let rows = try ObjectsProblem.checked()
    benchmark.startMeasurement()
    blackHole(rows.samples())
    benchmark.stopMeasurement()
  }

  // As a program does that has only Apple's initializers.
  Benchmark("\(name) / naive") { benchmark in
    let rows = try ObjectsProblem.checked()
    benchmark.startMeasurement()
    blackHole(ObjectsProblem.naive(rows))
    benchmark.stopMeasurement()
  }

  Benchmark("\(name) / floor") { benchmark in
    let rows = try ObjectsProblem.checked()
    benchmark.startMeasurement()
    blackHole(PlainSample.made(of: rows))
    benchmark.stopMeasurement()
  }
}

private func reading() {
  let name = "100k objects read into columns"

  Benchmark("\(name) / ours") { benchmark in
    let samples = try ObjectsProblem.checked().samples()
    benchmark.startMeasurement()
    blackHole(try SampleRows.rows(of: samples))
    benchmark.stopMeasurement()
  }

  Benchmark("\(name) / naive") { benchmark in
    let samples = try ObjectsProblem.checked().samples()
    benchmark.startMeasurement()
    blackHole(try ObjectsProblem.naiveRows(samples))
    benchmark.stopMeasurement()
  }

  Benchmark("\(name) / floor") { benchmark in
    let samples = PlainSample.made(of: try ObjectsProblem.checked())
    benchmark.startMeasurement()
    blackHole((samples.map(\.start), samples.map(\.end), samples.map(\.value)))
    benchmark.stopMeasurement()
  }
}

// A thousand each: one takes less than the clock can tell. The floor is our core.
private func lookup() {
  let name = "1000 unit lookups"

  Benchmark("\(name) / ours") { benchmark in
    benchmark.startMeasurement()
    for _ in 0..<1_000 { blackHole(HKUnit.gramUnit(with: .kilo)) }
    benchmark.stopMeasurement()
  }

  Benchmark("\(name) / naive") { benchmark in
    benchmark.startMeasurement()
    for _ in 0..<1_000 { blackHole(HKUnit(from: "kg")) }
    benchmark.stopMeasurement()
  }

  Benchmark("\(name) / floor") { benchmark in
    benchmark.startMeasurement()
    for _ in 0..<1_000 { blackHole(try UnitExpression("kg")) }
    benchmark.stopMeasurement()
  }
}

private func conversion() {
  let name = "1000 quantities converted"
  let values = (0..<1_000).map { 60 + Double($0) / 16 }

  Benchmark("\(name) / ours") { benchmark in
    let (pound, kilogram) = (HKUnit.pound(), HKUnit.gramUnit(with: .kilo))
    let quantities = values.map { HKQuantity(unit: pound, doubleValue: $0) }
    benchmark.startMeasurement()
    blackHole(quantities.reduce(0) { $0 + $1.doubleValue(for: kilogram) })
    benchmark.stopMeasurement()
  }

  // Foundation's objects.
  Benchmark("\(name) / naive") { benchmark in
    let quantities = values.map { Measurement(value: $0, unit: UnitMass.pounds) }
    benchmark.startMeasurement()
    blackHole(quantities.reduce(0) { $0 + $1.converted(to: .kilograms).value })
    benchmark.stopMeasurement()
  }

  // The core: no objects, and each result the nearest double.
  Benchmark("\(name) / floor") { benchmark in
    let conversion = try UnitConversion(from: UnitExpression("lb"), to: UnitExpression("kg"))
    benchmark.startMeasurement()
    blackHole(values.reduce(0) { $0 + conversion($1) })
    benchmark.stopMeasurement()
  }
}
