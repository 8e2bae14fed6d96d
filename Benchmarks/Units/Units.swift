import Benchmark
import HealthUnits
import Samples

// One column there and back, so that repeating it leaves the numbers in their range.
let benchmarks: @Sendable () -> Void = {
  Benchmark.defaultConfiguration = .init(
    metrics: [.wallClock], timeUnits: .nanoseconds, warmupIterations: 3,
    maxDuration: .milliseconds(250), maxIterations: 10_000)

  for count in [2_048, 1_000_000] {
    Benchmark("column of \(count) / ours") { benchmark in
      let (there, back) = try conversions()
      var column = try checkedColumn(count)
      benchmark.startMeasurement()
      there.apply(to: &column)
      back.apply(to: &column)
      benchmark.stopMeasurement()
      blackHole(column)
    }

    Benchmark("column of \(count) / naive") { benchmark in
      let (there, back) = try conversions()
      var column = try checkedColumn(count)
      benchmark.startMeasurement()
      for index in column.indices { column[index] = there(column[index]) }
      for index in column.indices { column[index] = back(column[index]) }
      benchmark.stopMeasurement()
      blackHole(column)
    }

    Benchmark("column of \(count) / floor") { benchmark in
      var column = try checkedColumn(count)
      benchmark.startMeasurement()
      multiply(&column, by: metresOfMile)
      multiply(&column, by: 1 / metresOfMile)
      benchmark.stopMeasurement()
      blackHole(column)
    }
  }
}

private let metresOfMile = 1_609.344

private func conversions() throws -> (there: UnitConversion, back: UnitConversion) {
  let mile = try UnitExpression("mi")
  let metre = try UnitExpression("m")
  return (try UnitConversion(from: mile, to: metre), try UnitConversion(from: metre, to: mile))
}

private func multiply(_ column: inout [Double], by factor: Double) {
  for index in column.indices { column[index] *= factor }
}

/// A column, after all three implementations have agreed on it.
private func checkedColumn(_ count: Int) throws -> [Double] {
  let column = (0..<count).map { Double($0 % 9_973) / 64 }
  let (there, _) = try conversions()
  var ours = column
  there.apply(to: &ours)
  var floor = column
  multiply(&floor, by: metresOfMile)
  for index in column.indices {
    guard ours[index] == there(column[index]) else {
      throw ProblemError("A column and a single value convert to different bits.")
    }
    guard abs(ours[index] - floor[index]) <= ours[index].ulp else {
      throw ProblemError("The plain product is not what a conversion gives.")
    }
  }
  return column
}
