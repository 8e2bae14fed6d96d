import Foundation
import HealthAnalysis
import HealthAnswers
import HealthQuery
import HealthSamples
import HealthStore
import Testing
import _HealthTestSupport

@Suite("Glucose of a store")
struct GlucoseAnalysisTests {
  private static let day = 86_400.0
  private let store: SampleStore
  private let sensor = Source(name: "Sensor")
  private let meter = Source(name: "Meter")

  init() throws { store = try SampleStore.temporary() }

  private func save(
    _ readings: [(time: Double, value: Double)], of source: Source, unit: String = "mg/dL"
  ) throws {
    try store.save(
      readings.map { reading in
        NewSample(
          type: SampleType(.bloodGlucose), source: source, start: reading.time, end: reading.time,
          value: reading.value, label: unit)
      })
  }

  /// Readings every five minutes, and a meter's once a day.
  private func save(days: Int) throws -> [(time: Double, value: Double)] {
    var random = SplitMix64(seed: 3)
    let readings = (0..<days * 288).map { row in
      (time: Double(row) * 300, value: Double(Int.random(in: 45...300, using: &random)))
    }
    try save(readings, of: sensor)
    try save((0..<days).map { (time: (Double($0) + 0.5) * Self.day, value: 111) }, of: meter)
    return readings
  }

  private func answer(_ json: String) throws -> GlucoseAnswer {
    let answer = try store.analysis(try AnalysisPlan(json: Data(json.utf8)))
    guard case .glucose(let glucose) = answer.results else { throw QueryError(.notJSON) }
    return glucose
  }

  @Test("The last 14 days of the data are those of the source with the most readings")
  func lastDays() throws {
    let readings = try save(days: 20)
    let answer = try answer(#"{"analysis": "glucose", "timezone": "UTC"}"#)
    #expect(answer.source == sensor)
    #expect(answer.period == 6 * Self.day..<20 * Self.day)
    let used = readings.filter { answer.period.contains($0.time) }
    let values = used.map(\.value)
    #expect(answer.summary.statistics.count == 14 * 288 && answer.summary.days == 14)
    #expect(answer.summary.coverage == 1 && answer.summary.targets != nil)
    let mean = values.reduce(0, +) / Double(values.count)
    #expect((answer.summary.statistics.mean - mean).magnitude < 1e-9)
    let share = Double(values.count { $0 >= 70 && $0 <= 180 }) / Double(values.count)
    #expect((answer.summary.rangesByTime.inRange - share).magnitude < 1e-12)
    #expect(answer.others == [SourceCount(source: meter, count: 14)])
    #expect(answer.profile.hours.map(\.hour) == Array(0..<24))
    for hour in answer.profile.hours {
      let known = used.filter { Int($0.time / 3_600) % 24 == hour.hour }.map(\.value).sorted()
      #expect(hour.count == known.count && hour.count == 14 * 12)
      let middle = (known[known.count / 2 - 1] + known[known.count / 2]) / 2
      #expect(hour.median == middle)
    }
  }

  @Test("Hours are those of the local clock")
  func localHours() throws {
    try save([(time: 0, value: 100), (time: 300, value: 120)], of: sensor)
    let answer = try answer(#"{"analysis": "glucose", "timezone": "Asia/Tokyo"}"#)
    #expect(answer.profile.hours.map(\.hour) == [9])
  }

  @Test("A source may be chosen, and dates; the unit is that of the question")
  func choices() throws {
    _ = try save(days: 3)
    let meter = try answer(
      #"{"analysis": "glucose", "source": "Meter", "unit": "mmol/L", "timezone": "UTC"}"#)
    #expect(meter.source == self.meter && meter.summary.statistics.count == 3)
    #expect(meter.others.isEmpty && meter.summary.targets == nil)
    #expect((meter.shown(180.15588) - 10).magnitude < 1e-4)
    let period = try answer(
      #"{"analysis": "glucose", "from": "2001-01-02", "to": "2001-01-03", "timezone": "UTC"}"#)
    #expect(period.period == Self.day..<2 * Self.day && period.summary.days == 1)
    #expect(period.summary.statistics.count == 288 && period.summary.coverage == 1)
    let few = try answer(#"{"analysis": "glucose", "days": 1, "timezone": "UTC", "hold": 60}"#)
    #expect(few.period.upperBound == 3 * Self.day - 300 + 60)
    #expect(few.period.upperBound - few.period.lowerBound == Self.day && few.hold == 60)
    #expect((few.summary.coverage - 0.2).magnitude < 0.001)
  }

  @Test("Readings in mmol/L are converted; what no meter shows, or repeats a time, is left out")
  func leftOut() throws {
    try save(
      [(time: 0, value: 5), (time: 150, value: 0.1), (time: 300, value: 6)], of: sensor,
      unit: "mmol<180.1558800000541>/L")
    try save([(time: 300, value: 200)], of: sensor)
    let answer = try answer(#"{"analysis": "glucose", "timezone": "UTC"}"#)
    #expect(answer.implausibleCount == 1 && answer.repeatedCount == 1)
    #expect(answer.summary.statistics.count == 2)
    #expect((answer.summary.statistics.mean - 5.5 * 18.015588).magnitude < 1e-6)
  }

  @Test(
    "A reading is judged in the unit in which it was recorded, whatever molar mass that names",
    arguments: [
      ("mmol<180.1558800000541>/L", 1.0), ("mmol<180.16>/L", 1),
      ("mol<180.1558800000541>/L", 0.001),
      ("mcmol<180.1558800000541>/L", 1000),
    ])
  func recordedUnit(unit: String, scale: Double) throws {
    // As Battelino 2019 prints the ranges: 3.9 and 10.0 are in range, 13.9 is high.
    for (row, value) in [2.9, 3, 3.8, 3.9, 10, 10.1, 13.9, 14].enumerated() {
      let text = try #require(Double("\(value)e\(scale == 1 ? 0 : scale < 1 ? -3 : 3)"))
      try save([(time: 300 * Double(row), value: text)], of: sensor, unit: unit)
    }
    for shown in ["mmol/L", "mg/dL"] {
      let answer = try answer(#"{"analysis": "glucose", "unit": "\#(shown)", "timezone": "UTC"}"#)
      let ranges = answer.summary.rangesBySamples
      #expect(
        [ranges.veryLow, ranges.low, ranges.inRange, ranges.high, ranges.veryHigh]
          == [0.125, 0.25, 0.25, 0.25, 0.125])
      #expect(answer.summary.units.map(\.unit) == [.millimolesPerLitre])
      let edges = answer.edges
      if shown == "mmol/L" {
        #expect(edges == [3, 3.9, 10, 13.9])
      } else {
        #expect(edges.map { $0.rounded() } == [54, 70, 180, 250] && edges[2] > 180)
      }
    }
  }

  @Test("A store with readings of both units judges each by its own edges")
  func bothUnits() throws {
    let moles = "mmol<180.1558800000541>/L"
    try save([(time: 0, value: 10), (time: 300, value: 13.9)], of: sensor, unit: moles)
    // 180.2 mg/dL is 10.0 mmol/L, and above the edge that is printed in mg/dL.
    try save(
      [(time: 600, value: 180), (time: 900, value: 180.2), (time: 1200, value: 70)], of: sensor)
    try save([(time: 1500, value: 1.8)], of: sensor, unit: "g/L")
    let answer = try answer(#"{"analysis": "glucose", "timezone": "UTC"}"#)
    let ranges = answer.summary.rangesBySamples
    #expect((ranges.inRange - 4.0 / 6).magnitude < 1e-15)
    #expect((ranges.high - 2.0 / 6).magnitude < 1e-15)
    #expect(
      answer.summary.units.map { "\($0.unit.rawValue) \($0.count)" } == ["mg/dL 4", "mmol/L 2"])
    #expect(answer.edges == [54, 70, 180, 250])
  }

  @Test(
    "Readings of which none can be are counted in the refusal",
    arguments: ["", #", "from": "2001-01-01""#])
  func allLeftOut(members: String) throws {
    try save((0..<60).map { (time: Double($0) * 300, value: 0) }, of: sensor)
    #expect(throws: QueryError(.analysis(AnalysisError(.allLeftOut(count: 60))))) {
      _ = try answer(#"{"analysis": "glucose", "timezone": "UTC"\#(members)}"#)
    }
  }

  @Test("A number of days and a beginning exclude each other")
  func daysAndBeginning() throws {
    _ = try save(days: 1)
    #expect(throws: QueryError(.membersExclude("days", "from"))) {
      _ = try answer(#"{"analysis": "glucose", "days": 3, "from": "2001-01-01"}"#)
    }
  }

  @Test("Without readings it is refused, and for what does not fit")
  func refusals() throws {
    func reason(_ json: String) -> QueryError.Reason? {
      do {
        _ = try answer(json)
        return nil
      } catch {
        return (error as? QueryError)?.reason
      }
    }
    let none = QueryError.Reason.analysis(AnalysisError(.tooFewPoints(count: 0, needed: 1)))
    #expect(reason(#"{"analysis": "glucose"}"#) == none)
    _ = try save(days: 1)
    #expect(reason(#"{"analysis": "glucose", "from": "2010"}"#) != nil)
    #expect(
      reason(#"{"analysis": "glucose", "by": "day"}"#)
        == .memberOfAnother("by", analysis: "glucose"))
    #expect(
      reason(#"{"analysis": "glucose", "days": 0}"#)
        == .analysis(AnalysisError(.parameter(name: "days", range: "from 1 to 366"))))
    #expect(reason(#"{"analysis": "glucose", "hold": 0}"#) != nil)
  }

  @Test("A unit without a type is that of glucose")
  func unitAlone() throws {
    let plan = try AnalysisPlan(
      json: Data(#"{"analysis": "glucose", "unit": "mmol/L"}"#.utf8))
    #expect(plan.question.types.map(\.unit) == ["mmol/L"])
    #expect(try AnalysisPlan(json: JSONEncoder().encode(plan)) == plan)
  }
}
