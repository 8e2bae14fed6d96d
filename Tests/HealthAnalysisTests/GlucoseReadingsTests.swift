import Foundation
import Testing
import _HealthTestSupport

@testable import HealthAnalysis

@Suite
struct GlucoseReadingsTests {
  private struct Reference: Decodable {
    let spec: Specification
    let small: [String: [String: Double]]
    let made: Made

    struct Specification: Decodable {
      let readings: [Double]
      let mean: Double
      let sd1: Double
      let cv: Double
      let gmi: Double
      let veryLow: Double
      let low: Double
      let inRange: Double
      let high: Double
      let veryHigh: Double
      let gri: Double
      let grade: Double
      let jIndex: Double
      let lbgi: Double
      let hbgi: Double

      enum CodingKeys: String, CodingKey {
        case readings = "mg/dL"
        case mean
        case sd1
        case cv = "cv%"
        case gmi = "GMI"
        case veryLow = "TBR2<54"
        case low = "TBR1 54-69"
        case inRange = "TIR 70-180"
        case high = "TAR1 181-250"
        case veryHigh = "TAR2>250"
        case gri = "GRI"
        case grade = "GRADE_mean"
        case jIndex = "J_mgdl"
        case lbgi = "LBGI"
        case hbgi = "HBGI"
      }
    }

    struct Made: Decodable {
      let iglu: [String: Double]
      let r: [String: Double]
      let hold900: [String: Double]
      let hold350: [String: Double]

      enum CodingKeys: String, CodingKey {
        case iglu
        case r
        case hold900 = "seconds_hold_900"
        case hold350 = "seconds_hold_350"
      }
    }
  }

  private func reference() throws -> Reference {
    try JSONDecoder().decode(Reference.self, from: try References.contents("analysis/glucose.json"))
  }

  /// The measures by the names of the references.
  private func measures(_ readings: GlucoseReadings) throws -> [String: Double] {
    let statistics = try readings.statistics()
    var named = [
      "mean": statistics.mean, "gmi": statistics.managementIndicator, "grade": statistics.grade,
      "lbgi": statistics.lowRiskIndex, "hbgi": statistics.highRiskIndex,
    ]
    named["sd"] = statistics.standardDeviation
    named["cv"] = statistics.variationPercent
    named["j"] = statistics.jIndex
    return named.merging(shares(try readings.rangesBySamples())) { $1 }
  }

  private func shares(_ ranges: GlucoseRanges) -> [String: Double] {
    [
      "very_low": ranges.veryLow, "low": ranges.low, "in_range": ranges.inRange,
      "high": ranges.high, "very_high": ranges.veryHigh, "gri": ranges.riskIndex,
    ]
  }

  /// The readings of the reference's formula.
  private func madeReadings() throws -> GlucoseReadings {
    let rows = (0..<3000).filter { 7 * $0 % 50 < 44 }
    return try GlucoseReadings(
      times: rows.map { Double(300 * $0 + 37 * $0 % 211) },
      values: rows.map { Double(40 + (7 * $0 * $0 + 13 * $0) % 331) })
  }

  @Test("The twelve readings of the specification have its measures, and those of iglu and R")
  func specification() throws {
    let reference = try reference()
    let spec = reference.spec
    let readings = try GlucoseReadings(
      times: spec.readings.indices.map { 300 * Double($0) }, values: spec.readings)
    let ours = try measures(readings)
    let theirs = [
      "mean": spec.mean, "sd": spec.sd1, "cv": spec.cv, "gmi": spec.gmi, "gri": spec.gri,
      "grade": spec.grade, "j": spec.jIndex, "lbgi": spec.lbgi, "hbgi": spec.hbgi,
      "very_low": spec.veryLow / 100, "low": spec.low / 100, "in_range": spec.inRange / 100,
      "high": spec.high / 100, "very_high": spec.veryHigh / 100,
    ]
    #expect(reference.small.count == 2)
    for numbers in [theirs] + reference.small.values {
      #expect(numbers.count == ours.count)
      for (name, number) in numbers { #expect(isNear(ours[name], number, 1e-13), "\(name)") }
    }
    // Equally spaced readings have the same weights.
    #expect(try readings.rangesByTime() == readings.rangesBySamples())
  }

  @Test("Readings with gaps have the measures of iglu and R, and the shares of a walk by seconds")
  func madeCurve() throws {
    let made = try reference().made
    let readings = try madeReadings()
    let ours = try measures(readings)
    for numbers in [made.iglu, made.r] {
      #expect(numbers.count == ours.count)
      for (name, number) in numbers { #expect(isNear(ours[name], number, 1e-12), "\(name)") }
    }
    let end = try #require(readings.times.last) + 400
    for (hold, numbers) in [(900.0, made.hold900), (350, made.hold350)] {
      let byTime = shares(try readings.rangesByTime(hold: hold, end: end))
      for name in ["very_low", "low", "in_range", "high", "very_high"] {
        #expect(isNear(byTime[name], numbers[name], 1e-13), "\(name)")
      }
      let held = try readings.readings.holdingTimes(limit: hold, end: end).reduce(0, +)
      #expect(held == numbers["seconds"])
    }
  }

  @Test(
    "Each edge of the ranges is on its side",
    arguments: [
      (10, 0), (53, 0), (53.999, 0), (54, 1), (69, 1), (69.999, 1), (70, 2), (100, 2), (180, 2),
      (180.001, 3), (181, 3), (250, 3), (250.001, 4), (251, 4), (2000, 4),
    ])
  func edges(value: Double, place: Int) throws {
    let readings = try GlucoseReadings(times: [0], values: [value])
    let ranges = try readings.rangesBySamples()
    let shares = [ranges.veryLow, ranges.low, ranges.inRange, ranges.high, ranges.veryHigh]
    #expect(shares == (0..<5).map { $0 == place ? 1 : 0 })
    #expect(try readings.rangesByTime() == ranges)
  }

  /// The edges of Battelino 2019, table 3: below 3.0, 3.0 to 3.8, 3.9 to 10.0, 10.1 to 13.9 and above,
  /// as meters show tenths.
  @Test("A reading recorded in mmol/L is judged by the edges that are printed in mmol/L")
  func tenths() throws {
    for tenth in 6...400 {
      let recorded = try #require(Double("\(tenth / 10).\(tenth % 10)"))
      let readings = try GlucoseReadings(
        times: [0], values: [recorded * 18.015_588], millimoles: [recorded])
      let ranges = try readings.rangesBySamples()
      let place = tenth < 30 ? 0 : tenth < 39 ? 1 : tenth <= 100 ? 2 : tenth <= 139 ? 3 : 4
      let shares = [ranges.veryLow, ranges.low, ranges.inRange, ranges.high, ranges.veryHigh]
      #expect(shares == (0..<5).map { $0 == place ? 1 : 0 }, "\(recorded)")
      #expect(try readings.profile(hours: [3]).hours[0].ranges == ranges)
    }
  }

  @Test("Of both units each reading is judged in its own, and the summary counts both")
  func bothUnits() throws {
    var random = SplitMix64(seed: 73)
    for _ in 0..<50 {
      let count = Int.random(in: 1...40, using: &random)
      let tenths: [Int?] = (0..<count).map { _ in
        Bool.random(using: &random) ? Int.random(in: 20...160, using: &random) : nil
      }
      let milligrams = (0..<count).map { _ in Int.random(in: 30...300, using: &random) }
      let readings = try GlucoseReadings(
        times: tenths.indices.map { 300 * Double($0) },
        values: zip(tenths, milligrams).map { tenth, value in
          tenth.map { Double($0) * 1.801_558_8 } ?? Double(value)
        }, millimoles: tenths.map { $0.map { Double($0) / 10 } })
      let inRange = zip(tenths, milligrams).count { tenth, value in
        tenth.map { $0 >= 39 && $0 <= 100 } ?? (value >= 70 && value <= 180)
      }
      #expect(
        isNear(try readings.rangesBySamples().inRange, Double(inRange) / Double(count), 1e-14))
      let summary = try readings.summary(over: 0..<300 * Double(count))
      let counts = Dictionary(uniqueKeysWithValues: summary.units.map { ($0.unit, $0.count) })
      let moles = tenths.count { $0 != nil }
      #expect(counts[.millimolesPerLitre] ?? 0 == moles)
      #expect(counts[.milligramsPerDecilitre] ?? 0 == count - moles)
      #expect(summary.units.allSatisfy { $0.count > 0 })
      #expect(summary.units.map(\.count) == summary.units.map(\.count).sorted(by: >))
    }
  }

  @Test("The risk index is 0 in range, its weights outside, and at most 100")
  func riskIndex() throws {
    func index(_ values: [Double]) throws -> Double {
      try GlucoseReadings(times: values.indices.map(Double.init), values: values)
        .rangesBySamples().riskIndex
    }
    let inRange = Array(repeating: 100.0, count: 9)
    #expect(try index(inRange) == 0)
    for (value, weight) in [(50.0, 30.0), (60, 24), (200, 8), (300, 16)] {
      #expect(isNear(try index(inRange + [value]), weight, 1e-14))
    }
    #expect(try index([50, 50]) == 100)
  }

  @Test("Random curves have the shares of a walk second by second")
  func twin() throws {
    var random = SplitMix64(seed: 41)
    for _ in 0..<200 {
      var times: [Int] = []
      var time = Int.random(in: -50...50, using: &random)
      for _ in 0..<Int.random(in: 1...20, using: &random) {
        times.append(time)
        time += Int.random(in: 1...40, using: &random)
      }
      let values = times.map { _ in Double(Int.random(in: 30...300, using: &random)) }
      let limit = Int.random(in: 1...30, using: &random)
      let end = time + Int.random(in: -60...30, using: &random)
      let readings = try GlucoseReadings(times: times.map(Double.init), values: values)
      let seconds = SlowHeldCurve.seconds(times: times, values: values, limit: limit, end: end)
      guard !seconds.isEmpty else {
        #expect(throws: AnalysisError(.tooFewPoints(count: 0, needed: 1))) {
          try readings.rangesByTime(hold: Double(limit), end: Double(end))
        }
        continue
      }
      let ranges = try readings.rangesByTime(hold: Double(limit), end: Double(end))
      func share(_ isInside: (Double) -> Bool) -> Double {
        Double(seconds.count(where: isInside)) / Double(seconds.count)
      }
      #expect(isNear(ranges.veryLow, share { $0 < 54 }, 1e-14))
      #expect(isNear(ranges.low, share { $0 >= 54 && $0 < 70 }, 1e-14))
      #expect(isNear(ranges.inRange, share { $0 >= 70 && $0 <= 180 }, 1e-14))
      #expect(isNear(ranges.high, share { $0 > 180 && $0 <= 250 }, 1e-14))
      #expect(isNear(ranges.veryHigh, share { $0 > 250 }, 1e-14))
    }
  }

  @Test("Cutting a reading in two, and moving or stretching time, keep the shares")
  func timeLaws() throws {
    let times = [0, 256, 512, 4096, 4608.0]
    let values = [50, 65, 100, 200, 300.0]
    let plain = try GlucoseReadings(times: times, values: values).rangesByTime(hold: 512)
    let cut = try GlucoseReadings(
      times: [0, 128, 256, 512, 1000, 4096, 4608], values: [50, 50, 65, 100, 100, 200, 300])
    let end = 4608.0 + 512
    #expect(
      try GlucoseReadings(times: times, values: values).rangesByTime(hold: 512, end: end)
        == plain)
    // The second half of a reading would hold for longer than the rest of the first.
    let shares = try cut.rangesByTime(hold: 512, end: end)
    #expect(shares.veryLow < plain.veryLow && shares.inRange > plain.inRange)
    let moved = try GlucoseReadings(times: times.map { $0 + 65_536 }, values: values)
    #expect(try moved.rangesByTime(hold: 512) == plain)
    let stretched = try GlucoseReadings(times: times.map { $0 * 4 }, values: values)
    #expect(try stretched.rangesByTime(hold: 2048) == plain)
  }

  @Test("A mirror of the risk scale: both indices are 0 at its centre and grow away from it")
  func riskScale() throws {
    func indices(_ value: Double) throws -> (low: Double, high: Double) {
      let statistics = try GlucoseReadings(times: [0], values: [value]).statistics()
      return (statistics.lowRiskIndex, statistics.highRiskIndex)
    }
    // Kovatchev (1997): the scale is 0 at 112.5 mg/dL, and its risk 100 at 20 and at 600 mg/dL.
    let centre = try indices(112.5)
    #expect(centre.low + centre.high < 1e-3)
    #expect((try indices(20).low - 100).magnitude < 1.5)
    #expect((try indices(600).high - 100).magnitude < 1.5)
    for value in stride(from: 15.0, to: 110, by: 5) {
      let (here, next) = (try indices(value), try indices(value + 5))
      #expect(here.low > next.low && here.high == 0)
    }
    for value in stride(from: 120.0, to: 600, by: 20) {
      let (here, next) = (try indices(value), try indices(value + 20))
      #expect(here.high < next.high && here.low == 0)
    }
  }

  @Test("The grade is at most 50, also where its logarithm ends")
  func gradeLimit() throws {
    for value in [10, 17.9, 18, 18.000_001, 20, 30, 2000.0] {
      let grade = try GlucoseReadings(times: [0], values: [value]).statistics().grade
      #expect(grade.isFinite && grade <= 50)
      if value < 30 { #expect(grade == 50) }
    }
    // Hill (2007): a reading of 90 mg/dL is nearly without risk.
    #expect(try GlucoseReadings(times: [0], values: [90]).statistics().grade < 0.5)
  }

  @Test("One reading has a mean and no deviation")
  func oneReading() throws {
    let statistics = try GlucoseReadings(times: [0], values: [100]).statistics()
    #expect(statistics.mean == 100 && statistics.standardDeviation == nil)
    #expect(statistics.variationPercent == nil && statistics.jIndex == nil)
    let equal = try GlucoseReadings(times: [0, 1, 2], values: [100.1, 100.1, 100.1]).statistics()
    #expect(equal.standardDeviation == 0 && equal.variationPercent == 0)
  }

  @Test("Broken or foreign columns are refused with a row")
  func refusals() throws {
    func refusal(_ times: [Double], _ values: [Double]) -> AnalysisError? {
      do {
        _ = try GlucoseReadings(times: times, values: values)
        return nil
      } catch { return error }
    }
    #expect(refusal([0], []) == AnalysisError(.lengthsDiffer(x: 1, y: 0)))
    #expect(refusal([0, .nan], [90, 90]) == AnalysisError(.notFinite, row: 1))
    #expect(refusal([0], [.infinity]) == AnalysisError(.notFinite, row: 0))
    #expect(refusal([0, 1], [90, 5.5]) == AnalysisError(.outOfRange, row: 1))
    #expect(refusal([0], [-90]) == AnalysisError(.outOfRange, row: 0))
    #expect(refusal([0], [1e300]) == AnalysisError(.outOfRange, row: 0))
    #expect(refusal([0, 0], [90, 90]) == AnalysisError(.notOrdered, row: 1))
    #expect(refusal([1, 0], [90, 90]) == AnalysisError(.notOrdered, row: 1))
    #expect(throws: AnalysisError(.lengthsDiffer(x: 1, y: 0))) {
      try GlucoseReadings(times: [0], values: [90], millimoles: [])
    }
    #expect(throws: AnalysisError(.notFinite, row: 0)) {
      try GlucoseReadings(times: [0], values: [90], millimoles: [.nan])
    }
    let none = try GlucoseReadings(times: [], values: [])
    #expect(throws: AnalysisError(.tooFewPoints(count: 0, needed: 1))) { try none.statistics() }
    #expect(throws: AnalysisError(.tooFewPoints(count: 0, needed: 1))) {
      try none.rangesBySamples()
    }
    #expect(throws: AnalysisError(.tooFewPoints(count: 0, needed: 1))) { try none.rangesByTime() }
    let one = try GlucoseReadings(times: [0], values: [90])
    for hold in [0, -1, Double.nan, .infinity, 86_401] {
      #expect(throws: AnalysisError.self) { try one.rangesByTime(hold: hold) }
    }
    #expect(throws: AnalysisError.self) { try one.rangesByTime(end: .infinity) }
    let far = try GlucoseReadings(
      times: [-1e308, -Double.leastNonzeroMagnitude, 0, 1e308], values: [50, 90, 90, 300])
    let ranges = try far.rangesByTime()
    #expect(ranges.veryLow + ranges.inRange + ranges.veryHigh == 1)
  }

  private func isNear(_ value: Double?, _ expected: Double?, _ tolerance: Double) -> Bool {
    guard let value, let expected else { return false }
    return (value - expected).magnitude <= tolerance * max(expected.magnitude, 1e-3)
  }
}
