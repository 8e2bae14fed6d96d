import Benchmark
import Foundation
import HealthUnits
import Samples

let benchmarks: @Sendable () -> Void = {
  Benchmark.defaultConfiguration = .init(
    metrics: [.wallClock], timeUnits: .nanoseconds, warmupIterations: 3,
    maxDuration: .milliseconds(250), maxIterations: 10_000)
  parsing()
  values()
  for count in [2_048, 10_000_000] { column(of: count) }
}

// Texts by the thousand: one takes less than the clock can tell.
private func parsing() {
  let name = "1000 new compounds"

  Benchmark("\(name) / ours") { benchmark in
    let texts = try UnitTexts.checked()
    benchmark.startMeasurement()
    for text in texts { blackHole(try UnitExpression(text)) }
    benchmark.stopMeasurement()
  }

  Benchmark("\(name) / naive") { benchmark in
    let texts = try UnitTexts.checked()
    let reader = NaiveReader(texts: texts)
    benchmark.startMeasurement()
    for text in texts { blackHole(reader.unit(text)) }
    benchmark.stopMeasurement()
  }

  Benchmark("\(name) / floor") { benchmark in
    let texts = try UnitTexts.checked()
    benchmark.startMeasurement()
    for text in texts { blackHole(readBytes(text)) }
    benchmark.stopMeasurement()
  }
}

private func values() {
  let name = "1000 values one by one"

  Benchmark("\(name) / ours") { benchmark in
    let conversion = try Mile.toMetre()
    let column = try Mile.checkedColumn(1_000)
    benchmark.startMeasurement()
    blackHole(column.reduce(0) { $0 + conversion($1) })
    benchmark.stopMeasurement()
  }

  // Foundation is the naive way here: each value with its unit, converted as an object.
  Benchmark("\(name) / naive") { benchmark in
    let column = try Mile.checkedColumn(1_000)
    benchmark.startMeasurement()
    blackHole(
      column.reduce(0) {
        $0 + Measurement(value: $1, unit: UnitLength.miles).converted(to: .meters).value
      })
    benchmark.stopMeasurement()
  }

  Benchmark("\(name) / floor") { benchmark in
    let column = try Mile.checkedColumn(1_000)
    benchmark.startMeasurement()
    blackHole(column.reduce(0) { $0 + $1 * Mile.metres })
    benchmark.stopMeasurement()
  }
}

// One column there and back, so that repeating it leaves the numbers in their range.
private func column(of count: Int) {
  Benchmark("column of \(count) / ours") { benchmark in
    let (there, back) = (try Mile.toMetre(), try Mile.fromMetre())
    var column = try Mile.checkedColumn(count)
    benchmark.startMeasurement()
    there.apply(to: &column)
    back.apply(to: &column)
    benchmark.stopMeasurement()
    blackHole(column)
  }

  Benchmark("column of \(count) / naive") { benchmark in
    let (there, back) = (try Mile.toMetre(), try Mile.fromMetre())
    var column = try Mile.checkedColumn(count)
    benchmark.startMeasurement()
    for index in column.indices { column[index] = there(column[index]) }
    for index in column.indices { column[index] = back(column[index]) }
    benchmark.stopMeasurement()
    blackHole(column)
  }

  Benchmark("column of \(count) / floor") { benchmark in
    var column = try Mile.checkedColumn(count)
    benchmark.startMeasurement()
    multiply(&column, by: Mile.metres)
    multiply(&column, by: 1 / Mile.metres)
    benchmark.stopMeasurement()
    blackHole(column)
  }
}
