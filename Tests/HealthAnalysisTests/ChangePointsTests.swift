import Foundation
import HealthAnalysis
import Testing
import _HealthTestSupport

@Suite("Change points")
struct ChangePointsTests {
  private struct File: Decodable {
    struct Case: Decodable {
      let name: String
      let values: [Double]
      let leastLength: Int
      let penalty: Double
      let pelt: [Int]
      let exact: [Int]
      let cost: Double
      let peltCost: Double
    }

    let cases: [Case]
  }

  private func file() throws -> File {
    try JSONDecoder().decode(File.self, from: References.contents("analysis/changes.json"))
  }

  @Test("Partitions are those of ruptures, and never cost more")
  func references() throws {
    let cases = try file().cases
    #expect(cases.count == 61)
    for row in cases {
      let changes = try plain(row.values, penalty: row.penalty, leastLength: row.leastLength)
      let cost = SlowPartition.cost(row.values, changes: changes, penalty: row.penalty)
      #expect(cost <= row.peltCost + 1e-9)
      // Dynp cuts as often as PELT of ruptures did, which is not always as often as is best.
      if row.pelt == row.exact {
        #expect(changes + [row.values.count] == row.exact)
        #expect(isNear(cost, row.cost, 1e-12))
      }
    }
    #expect(cases.count { $0.pelt == $0.exact } == 59)
    #expect(cases[0].exact == [50, 100, 160] && cases[0].name == "spec")
  }

  @Test("The partition of the specification is found, with its means and sizes")
  func specification() throws {
    let wiggle = (0..<160).map { $0.isMultiple(of: 2) ? 0.1 : -0.1 }
    let values = wiggle.enumerated().map { $1 + ($0 < 50 ? 0 : $0 < 100 ? 5 : -2) }
    let series = try RegularSeries(values)
    for clip in [nil, 3.0] {
      let found = try series.changePoints(penalty: .value(3), leastLength: 2, clippedAt: clip)
      #expect(found.rows == [50, 100])
      #expect(found.segments.map(\.rows) == [0..<50, 50..<100, 100..<160])
      #expect(found.segments.map(\.count) == [50, 50, 60])
      for (mean, expected) in zip(found.segments.map(\.mean), [0.0, 5, -2]) {
        #expect(abs(mean - expected) < 1e-14)
      }
      for (size, expected) in zip(found.sizes, [5.0, -7]) { #expect(abs(size - expected) < 1e-14) }
      #expect(found.longRunDeviation == nil && found.autocorrelation == nil)
    }
    #expect(try series.changePoints().rows == [50, 100])
  }

  @Test("All short series of three numbers cost as little as every partition that there is")
  func exhaustive() throws {
    for count in 2...7 {
      let tuples = (0..<count).reduce([[]] as [[Double]]) { tuples, _ in
        tuples.flatMap { tuple in [0.0, 1, 5].map { tuple + [$0] } }
      }
      for (place, values) in tuples.enumerated() {
        let least = 1 + place % 3
        let penalty = [0.25, 1.5, 6][place / 3 % 3]
        guard count >= 2 * least else { continue }
        let changes = try plain(values, penalty: penalty, leastLength: least)
        let cost = SlowPartition.cost(values, changes: changes, penalty: penalty)
        let best = SlowPartition.exhaustive(values, penalty: penalty, leastLength: least)
        #expect(abs(cost - best) < 1e-12)
      }
    }
  }

  @Test("Random series give the partition of the recursion without pruning")
  func slowTwin() throws {
    var random = SplitMix64(seed: 41)
    for _ in 0..<150 {
      let count = Int.random(in: 30...90, using: &random)
      let least = Int.random(in: 1...15, using: &random)
      let penalty = pow(10, Double.random(in: -1...1.5, using: &random))
      var level = 0.0
      let values = (0..<count).map { _ -> Double in
        if Int.random(in: 0..<12, using: &random) == 0 {
          level = .random(in: -3...3, using: &random)
        }
        return level + random.normal()
      }
      let changes = try plain(values, penalty: penalty, leastLength: least)
      let slow = SlowPartition.optimal(values, penalty: penalty, leastLength: least)
      #expect(changes == slow.changes)
      let edges = [0] + changes + [count]
      #expect(zip(edges, edges.dropFirst()).allSatisfy { $1 - $0 >= least })
    }
  }

  @Test("Scaling by powers of two, shifting, mirroring and gaps move the changes with them")
  func laws() throws {
    var random = SplitMix64(seed: 42)
    for _ in 0..<20 {
      var level = 0.0
      let values = (0..<120).map { row -> Double in
        if row % 30 == 0 { level = .random(in: -4...4, using: &random) }
        return (1024 * (level + random.normal())).rounded() / 1024
      }
      let found = try RegularSeries(values).changePoints()
      for exponent in [-700, -3, 20, 900] {
        let factor = Double(sign: .plus, exponent: exponent, significand: 1)
        let scaled = try RegularSeries(values.map { $0 * factor }).changePoints()
        #expect(scaled.rows == found.rows)
        #expect(scaled.segments.map(\.mean) == found.segments.map { $0.mean * factor })
        #expect(scaled.longRunDeviation == found.longRunDeviation.map { $0 * factor })
        #expect(scaled.autocorrelation == found.autocorrelation)
      }
      let shifted = try RegularSeries(values.map { $0 + 4096 }).changePoints()
      #expect(shifted.rows == found.rows)
      let mirrored = try RegularSeries(values.map { -$0 }).changePoints()
      #expect(mirrored.rows == found.rows)
      let turned = try RegularSeries(Array(values.reversed())).changePoints()
      #expect(turned.rows == found.rows.map { 120 - $0 }.reversed())
      // Every value twice as far apart, with empty rows between.
      let gaps = try RegularSeries(values.flatMap { [nil, $0] as [Double?] }).changePoints()
      #expect(gaps.rows == found.rows.map { 2 * $0 + 1 })
      #expect(gaps.segments.map(\.count) == found.segments.map(\.count))
      #expect(gaps.segments.map(\.mean) == found.segments.map(\.mean))
      #expect(
        gaps.segments.first?.rows.lowerBound == 1 && gaps.segments.last?.rows.upperBound == 240)
    }
  }

  @Test("The estimates behind the penalty are those of the process that made the series")
  func longRun() throws {
    var random = SplitMix64(seed: 43)
    let expected: [UnchangedSeries: (deviation: Double, autocorrelation: Double)] = [
      .white: (1, 0), .autoregressive: (3.0.squareRoot(), 0.5),
    ]
    for (process, truth) in expected {
      let values = process.values(count: 1500, using: &random)
      let steps = values.enumerated().map { $1 + Double($0 / 365 % 2) * 3 }
      for series in [values, steps] {
        let found = try RegularSeries(series).changePoints()
        #expect(abs(try #require(found.longRunDeviation) / truth.deviation - 1) < 0.25)
        #expect(abs(try #require(found.autocorrelation) - truth.autocorrelation) < 0.1)
      }
    }
  }

  @Test("Many large steps close together are all found")
  func manySteps() throws {
    var random = SplitMix64(seed: 47)
    for size in [4.0, 10, 1000] {
      let values = UnchangedSeries.white.values(count: 360, using: &random).enumerated()
        .map { $1 + size * Double($0 / 30 * 7 % 5) }
      let rows = try RegularSeries(values).changePoints().rows
      #expect(rows.count == 11)
      for (row, step) in zip(rows, stride(from: 30, to: 360, by: 30)) {
        #expect(abs(row - step) <= 2)
      }
    }
  }

  @Test("A few wild values make no segment, and hide none")
  func outliers() throws {
    var random = SplitMix64(seed: 44)
    var falsePlain = 0
    for _ in 0..<20 {
      var values = UnchangedSeries.white.values(count: 120, using: &random)
      for row in [20, 22, 25, 60, 61] { values[row] += 60 }
      #expect(try RegularSeries(values).changePoints().rows.isEmpty)
      if try !plain(values, penalty: 2 * log(120), leastLength: 14).isEmpty { falsePlain += 1 }
      for row in 70..<120 { values[row] += 4 }
      let rows = try RegularSeries(values).changePoints().rows
      #expect(rows.count == 1 && rows.allSatisfy { abs($0 - 70) <= 3 })
    }
    #expect(falsePlain == 20)
  }

  @Test(
    "Series without a change have one in 5 % or less", arguments: UnchangedSeries.allCases,
    [90, 365, 730, 3650])
  func falseAlarms(process: UnchangedSeries, count: Int) throws {
    var random = SplitMix64(seed: UInt64(count))
    let shortRuns = [90: 200, 365: 100, 730: 40, 3650: 3][count] ?? 1
    let runs = Soak.isLong ? 5 * shortRuns : shortRuns
    var alarms = 0
    for _ in 0..<runs {
      let series = try RegularSeries(process.values(count: count, using: &random))
      if try !series.changePoints().rows.isEmpty { alarms += 1 }
    }
    // Two standard errors.
    let expected: Double = 0.05 * Double(runs)
    let error: Double = (expected * 0.95).squareRoot()
    #expect(Double(alarms) <= expected + 2 * error)
  }

  @Test("A shift of a standard deviation in the middle of a year is found as often as is stated")
  func power() throws {
    let runs = Soak.isLong ? 200 : 40
    // The stated shares, less three standard errors.
    for (process, stated) in [(UnchangedSeries.white, 1.0), (.autoregressive, 0.98)] {
      var random = SplitMix64(seed: 45)
      var found = 0
      for _ in 0..<runs {
        let values = process.values(count: 365, using: &random).enumerated()
          .map { $1 + ($0 < 182 ? 0 : 1) }
        if try !RegularSeries(values).changePoints().rows.isEmpty { found += 1 }
      }
      let error = (max(stated * (1 - stated), 0.001) / Double(runs)).squareRoot()
      #expect(Double(found) / Double(runs) >= stated - 3 * error)
    }
  }

  @Test("A strong week makes no changes", arguments: [1.0, 10])
  func week(amplitude: Double) throws {
    var random = SplitMix64(seed: 46)
    for _ in 0..<20 {
      let noise = UnchangedSeries.white.values(count: 180, using: &random)
      let wave = noise.enumerated().map { $1 + amplitude * sin(2 * .pi * Double($0) / 7) }
      let weekends = noise.enumerated().map { $1 + ($0 % 7 < 2 ? 2 * amplitude : 0) }
      #expect(try RegularSeries(wave).changePoints().rows.isEmpty)
      #expect(try RegularSeries(weekends).changePoints().rows.isEmpty)
    }
  }

  @Test("Constant, tiny and huge series have finite segments or a reason")
  func hostile() throws {
    let huge = Double.greatestFiniteMagnitude
    for value in [0, 7, -0.1, huge, -huge, .leastNonzeroMagnitude] {
      for penalty in [ChangePoints.Penalty.longRun(), .value(1), .value(1e300)] {
        let found = try RegularSeries(Array(repeating: value, count: 60))
          .changePoints(penalty: penalty)
        #expect(found.rows.isEmpty && found.segments.count == 1)
        #expect(found.segments.allSatisfy { $0.mean == value && $0.rows == 0..<60 })
      }
    }
    // Two constants: nothing but the step.
    for (low, high) in [(0.0, 1.0), (1e-307, 3e-307), (-1e300, 1e300), (5, 5.0.nextUp)] {
      let values = (0..<60).map { $0 < 25 ? low : high }
      let found = try RegularSeries(values).changePoints()
      #expect(found.rows == [25])
      #expect(found.segments.map(\.mean) == [low, high])
    }
    let far = (0..<60).map { $0 < 25 ? -huge : huge }
    #expect(refusal(try RegularSeries(far)) == .overflow)
    for factor in [1e-300, 1e300, huge] {
      let found = try RegularSeries((0..<60).map { Double($0 % 7) })
        .changePoints(penalty: .longRun(factor: factor))
      #expect(found.segments.allSatisfy { $0.mean.isFinite })
    }
    let free = try RegularSeries([1, 2, 3, 4]).changePoints(penalty: .value(0), leastLength: 1)
    #expect(free.rows == [1, 2, 3])
  }

  @Test("Parameters outside of their range and short series are refused with a reason")
  func refusals() throws {
    let series = try RegularSeries((0..<60).map { Double($0 % 3) })
    for length in [Int.min, -1, 0, 100_001, Int.max] {
      #expect(
        refusal(series, leastLength: length)
          == .parameter(name: "least length of a segment", range: "from 1 to 100000"))
    }
    for value in [-1, -Double.leastNonzeroMagnitude, .nan, .infinity] {
      #expect(
        refusal(series, .value(value)) == .parameter(name: "penalty", range: "0 or more"))
    }
    for value in [0, -1, Double.nan, .infinity] {
      #expect(
        refusal(series, .longRun(factor: value))
          == .parameter(name: "factor of the penalty", range: "above 0"))
      #expect(refusal(series, clip: value) == .parameter(name: "clipping", range: "above 0"))
    }
    #expect(refusal(series, leastLength: 31) == .tooFewPoints(count: 60, needed: 62))
    #expect(refusal(series, leastLength: 100_000) == .tooFewPoints(count: 60, needed: 200_000))
    #expect(refusal(try RegularSeries([] as [Double])) == .tooFewPoints(count: 0, needed: 56))
    let gaps = try RegularSeries(
      (0..<60).map { (row: Int) -> Double? in row % 3 == 0 ? Double(row) : nil })
    #expect(refusal(gaps) == .tooFewPoints(count: 20, needed: 56))
    #expect(refusal(gaps, .value(1), leastLength: 10) == nil)
    #expect(refusal(gaps, .value(1), leastLength: 11) == .tooFewPoints(count: 20, needed: 22))
    let many = try RegularSeries([Double](repeating: 1, count: 100_001))
    #expect(refusal(many) == .tooManyPoints(count: 100_001, limit: 100_000))
  }

  /// The changes of plain PELT.
  private func plain(_ values: [Double], penalty: Double, leastLength: Int) throws -> [Int] {
    try RegularSeries(values).changePoints(
      penalty: .value(penalty), leastLength: leastLength, clippedAt: nil
    ).rows
  }

  private func refusal(
    _ series: RegularSeries, _ penalty: ChangePoints.Penalty = .longRun(), leastLength: Int = 14,
    clip: Double? = 3
  ) -> AnalysisError.Reason? {
    do {
      _ = try series.changePoints(penalty: penalty, leastLength: leastLength, clippedAt: clip)
      return nil
    } catch { return error.reason }
  }

  private func isNear(_ value: Double, _ expected: Double, _ tolerance: Double) -> Bool {
    (value - expected).magnitude <= tolerance * max(1, expected.magnitude)
  }
}
