import Testing
import _HealthTestSupport

@testable import HealthAnalysis

@Suite
struct BloodPressureVariabilityTests {
  @Test("The measures of sixty readings, in any order, are those of NumPy and SciPy")
  func references() throws {
    let reference = try MeasureReferences.read().pressure
    var random = SplitMix64(seed: 630)
    for rows in [Array(reference.days.indices), reference.days.indices.shuffled(using: &random)] {
      let found = try BloodPressureReadings(
        days: rows.map { reference.days[$0] }, hours: rows.map { reference.hours[$0] },
        systolic: rows.map { reference.systolic[$0] },
        diastolic: rows.map { reference.diastolic[$0] }
      ).variability()
      #expect(found.count == 60)
      for (name, measure) in [
        ("systolic", found.systolic), ("diastolic", found.diastolic),
        ("pulse", found.pulsePressure),
        ("mean", found.meanArterialPressure),
      ] {
        let expected = try #require(reference.measures[name])
        #expect(agrees(measure.mean, expected.mean, 1e-13), "\(name)")
        #expect(agrees(try #require(measure.standardDeviation), expected.sd, 1e-12), "\(name)")
        #expect(agrees(try #require(measure.variationPercent), expected.cv, 1e-12), "\(name)")
        #expect(agrees(try #require(measure.averageRealVariability), expected.arv, 1e-12))
        #expect(
          agrees(try #require(measure.weightedAverageRealVariability), expected.weighted, 1e-11))
      }
    }
  }

  @Test("Random readings have the changes from each to the next, weighted by hours")
  func twin() throws {
    var random = SplitMix64(seed: 631)
    for _ in 0..<60 {
      let count = Int.random(in: 1...12, using: &random)
      let moments = (0..<count).map { _ in Int.random(in: 0..<400, using: &random) }
      let systolic = moments.map { _ in Double(Int.random(in: 100...180, using: &random)) }
      let diastolic = moments.map { _ in Double(Int.random(in: 50...95, using: &random)) }
      let found = try BloodPressureReadings(
        days: moments.map { $0 / 48 }, hours: moments.map { Double($0 % 48) / 2 },
        systolic: systolic, diastolic: diastolic
      ).variability()
      let order = (0..<count).sorted { (moments[$0], $0) < (moments[$1], $1) }
      for (measure, values) in [(found.systolic, systolic), (found.diastolic, diastolic)] {
        var (plain, weighted, hours) = (0.0, 0.0, 0.0)
        for (later, earlier) in zip(order.dropFirst(), order) {
          let change = (values[later] - values[earlier]).magnitude
          let time = Double(moments[later] - moments[earlier]) / 2
          (plain, weighted, hours) = (plain + change, weighted + change * time, hours + time)
        }
        #expect((measure.averageRealVariability == nil) == (count == 1))
        #expect((measure.weightedAverageRealVariability == nil) == (hours == 0))
        if let arv = measure.averageRealVariability {
          #expect(agrees(arv, plain / Double(count - 1), 1e-13))
        }
        if let arv = measure.weightedAverageRealVariability {
          #expect(agrees(arv, weighted / hours, 1e-12))
        }
      }
      #expect(
        agrees(found.pulsePressure.mean, found.systolic.mean - found.diastolic.mean, 1e-12))
      #expect(
        agrees(
          found.meanArterialPressure.mean, (found.systolic.mean + 2 * found.diastolic.mean) / 3,
          1e-12))
    }
  }

  @Test("Evenly spaced readings have one ARV, and a level changes none of the measures of change")
  func laws() throws {
    func variability(_ systolic: [Double], hours: [Double]) throws -> BloodPressureVariability {
      try BloodPressureReadings(
        days: systolic.map { _ in 3 }, hours: hours, systolic: systolic,
        diastolic: systolic.map { _ in 80 }
      ).variability()
    }
    let hours = (0..<6).map { Double($0) * 2 }
    let values: [Double] = [120, 130, 126, 126, 140, 118]
    let plain = try variability(values, hours: hours)
    #expect(plain.systolic.averageRealVariability == 10)
    #expect(plain.systolic.weightedAverageRealVariability == 10)
    #expect(plain.diastolic.averageRealVariability == 0 && plain.diastolic.variationPercent == 0)
    let moved = try variability(values.map { $0 + 16 }, hours: hours)
    let deviation = try #require(plain.systolic.standardDeviation)
    #expect(agrees(try #require(moved.systolic.standardDeviation), deviation, 1e-13))
    #expect(moved.systolic.averageRealVariability == 10)
    let rise = moved.meanArterialPressure.mean - plain.meanArterialPressure.mean
    #expect((rise - 16.0 / 3).magnitude < 1e-12)
    // An hour that is repeated counts twice as much as half of it.
    let uneven = try variability([120, 130, 126], hours: [0, 6, 8])
    #expect(uneven.systolic.weightedAverageRealVariability == 8.5)
  }

  @Test("One reading has means alone, none is refused, and the largest numbers do not trap")
  func refusals() throws {
    let one = try BloodPressureReadings(days: [1], hours: [7], systolic: [120], diastolic: [75])
      .variability()
    #expect(one.pulsePressure.mean == 45 && one.meanArterialPressure.mean == 90)
    #expect(one.systolic.standardDeviation == nil && one.systolic.variationPercent == nil)
    #expect(one.systolic.averageRealVariability == nil)
    #expect(throws: AnalysisError(.tooFewPoints(count: 0, needed: 1))) {
      try BloodPressureReadings(days: [], hours: [], systolic: [], diastolic: []).variability()
    }
    let huge = Double.greatestFiniteMagnitude
    #expect(throws: AnalysisError(.overflow)) {
      try BloodPressureReadings(
        days: [1, 1, -10_000_000], hours: [0, 0, 23], systolic: [huge, 2, huge],
        diastolic: [1, 1, 1]
      ).variability()
    }
  }

  @Test("Hypertension of one pressure alone has a name in ESH 2023, by the table and at home")
  func isolated() throws {
    let cases: [(Double, Double, BloodPressureGuideline.Place, BloodPressureGuideline.Isolated?)] =
      [
        (140, 89.9, .office, .systolic), (180, 60, .office, .systolic),
        (139.9, 90, .office, .diastolic), (120, 110, .office, .diastolic),
        (140, 90, .office, nil), (139, 89, .office, nil), (118, 70, .office, nil),
        (135, 84, .home, .systolic), (134, 85, .home, .diastolic), (135, 85, .home, nil),
        (134, 84, .home, nil),
      ]
    for (systolic, diastolic, place, expected) in cases {
      for guideline in BloodPressureGuideline.allCases {
        let found = try guideline.classified(systolic: systolic, diastolic: diastolic, at: place)
        #expect(found.isolated == (guideline == .esh2023 ? expected : nil))
      }
    }
  }
}
