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

  // MARK: - Excursions, differences, events, days and nights

  /// Readings some minutes apart that stay for a while where they are.
  private func walk(
    _ count: Int, step: ClosedRange<Int> = 5...5, from start: Double = 0, seed: UInt64
  ) -> [(time: Double, value: Double)] {
    var random = SplitMix64(seed: seed)
    var (time, value) = (start, 100.0)
    return (0..<count).map { _ in
      let reading = (time: time, value: value)
      time += Double(Int.random(in: step, using: &random)) * 60
      if Int.random(in: 0..<4, using: &random) == 0 {
        value = [48, 60, 69, 70, 110, 141, 180, 181, 240, 260].randomElement(using: &random) ?? 100
      }
      return reading
    }
  }

  @Test(
    "MODD and CONGA are those of each reading and the nearest so long before", arguments: [1, 4])
  func differences(hours: Int) throws {
    let readings = walk(900, step: 4...6, seed: 71)
    try save(readings.shuffled(), of: sensor)
    let answer = try answer(
      #"{"analysis": "glucose", "congaHours": \#(hours), "timezone": "Asia/Tokyo"}"#)
    func slow(_ hours: Int) -> [Double] {
      SlowGlucose.differences(
        times: readings.map(\.time), values: readings.map(\.value),
        seconds: Double(hours) * 3_600, nearest: 450)
    }
    let (days, over) = (slow(24), slow(hours))
    let daily = try #require(answer.dailyDifferences)
    #expect(daily.count == days.count && days.count > 500)
    let modd = days.reduce(0) { $0 + $1.magnitude } / Double(days.count)
    #expect((daily.meanMagnitude - modd).magnitude < 1e-9)
    let mean = over.reduce(0, +) / Double(over.count)
    let squares = over.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
    let conga = (squares / Double(over.count - 1)).squareRoot()
    #expect(answer.congaHours == Double(hours) && answer.differences?.count == over.count)
    #expect(((answer.differences?.standardDeviation ?? 0) - conga).magnitude < 1e-9)
  }

  @Test("MAGE is the mean of the excursions of the longest way, in every unit and zone")
  func excursions() throws {
    let values: [Double] = [100, 182, 90, 95, 203, 150, 61, 120, 118, 170, 84, 99]
    try save(values.enumerated().map { (time: Double($0) * 900, value: $1) }.reversed(), of: sensor)
    let mean = values.reduce(0, +) / 12
    let deviation = (values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / 11).squareRoot()
    let slow = SlowGlucose.excursions(values, threshold: deviation)
    for (unit, zone) in [("mg/dL", "UTC"), ("mmol/L", "Pacific/Apia")] {
      let answer = try answer(
        #"{"analysis": "glucose", "unit": "\#(unit)", "timezone": "\#(zone)"}"#)
      let found = try #require(answer.excursions)
      #expect(found.all.map(\.change) == slow && slow.count > 3)
      let rises = slow.filter { $0 > 0 }
      #expect(slow[0] > 0)
      let mage = rises.reduce(0, +) / Double(rises.count)
      #expect(((found.meanAmplitude ?? 0) - mage).magnitude < 1e-12)
    }
  }

  @Test("Events are those of the minutes, and each is of the hour in which it begins")
  func events() throws {
    let readings = walk(2_000, seed: 72)
    try save(readings.shuffled(), of: sensor)
    let answer = try answer(
      #"{"analysis": "glucose", "timezone": "Asia/Kathmandu", "from": "2001-01-01"}"#)
    // 5:45 h after UTC: the question begins at its midnight.
    let used = readings.filter { $0.time >= -20_700 }
    let minutes = used.count * 5
    let curve = (0..<minutes).map { used[$0 / 5].value }
    let edges: [(GlucoseEvent.Level, (Double) -> Bool)] = [
      (.veryLow, { $0 < 54 }), (.low, { $0 < 70 }), (.high, { $0 > 180 }),
      (.veryHigh, { $0 > 250 }),
    ]
    for (level, isBeyond) in edges {
      let slow = SlowGlucose.events(curve.map(isBeyond), needed: 15)
      let found = try #require(answer.events(level))
      #expect(found.map { Int($0.start / 60)..<Int($0.end / 60) } == slow && slow.count > 20)
      for (event, span) in zip(found, slow) {
        let part = curve[span]
        #expect(event.extreme == (level == .low || level == .veryLow ? part.min() : part.max()))
      }
      let nights = slow.count { (($0.lowerBound + 345) / 60) % 24 < 6 }
      #expect(answer.events(level, in: 0..<6)?.count == nights)
      #expect(answer.events(level, in: 6..<24)?.count == slow.count - nights)
    }
    let all = try #require(answer.events)
    #expect(zip(all, all.dropFirst()).allSatisfy { $0.event.start <= $1.event.start })
    // A period that begins or ends within an event cuts it.
    let event = try #require(answer.events(.low)?.first { $0.duration > 2_400 })
    let (from, to) = (event.start + 300, event.end - 300)
    func text(_ instant: Double) -> String {
      Date(timeIntervalSinceReferenceDate: instant).formatted(.iso8601)
    }
    let cut = try self.answer(
      #"{"analysis": "glucose", "from": "\#(text(from))", "to": "\#(text(to))", "timezone": "UTC"}"#
    )
    let first = try #require(cut.events(.low)?.first)
    #expect(first.start >= from && cut.events(.low)?.last?.isCutOff == true)
  }

  @Test(
    "Days and nights are those of the local clock, also where it changes",
    arguments: [
      ("Europe/Paris", "2024-03-30"), ("Europe/Paris", "2024-10-26"),
      ("America/Sao_Paulo", "2018-11-03"), ("UTC", "2024-02-28"),
    ])
  func nights(zone: String, from: String) throws {
    let start = try QueryDate(from, in: TimeZone.named(zone), now: 0).instant
    let readings = walk(3 * 288, from: start, seed: 73)
    try save(readings, of: sensor)
    let answer = try answer(
      #"{"analysis": "glucose", "from": "\#(from)", "timezone": "\#(zone)"}"#)
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = try TimeZone.named(zone)
    let isNight = readings.map {
      calendar.component(.hour, from: Date(timeIntervalSinceReferenceDate: $0.time)) < 6
    }
    #expect(answer.parts.map(\.name) == [.all, .day, .night])
    for part in answer.parts {
      let values = zip(readings, isNight).filter {
        part.name == .all || $1 == (part.name == .night)
      }
      .map(\.0.value)
      let found = try #require(part.found)
      #expect(found.statistics.count == values.count)
      #expect(found.measuredTime == 300 * Double(values.count))
      let mean = values.reduce(0, +) / Double(values.count)
      #expect((found.statistics.mean - mean).magnitude < 1e-9)
      let (ranges, count) = (try #require(found.ranges), Double(values.count))
      let inRange = Double(values.count { $0 >= 70 && $0 <= 180 }) / count
      #expect((ranges.inRange - inRange).magnitude < 1e-12)
      let tight = Double(values.count { $0 >= 70 && $0 <= 140 }) / count
      #expect((ranges.inTightRange - tight).magnitude < 1e-12 && tight < inRange)
    }
    #expect(answer.parts[0].found?.ranges == answer.summary.rangesByTime)
    #expect(answer.parts[0].found?.statistics == answer.summary.statistics)
  }

  @Test("Of one reading, and of a meter's, what needs more is missing")
  func fewReadings() throws {
    try save([(time: 12 * 3_600, value: 60)], of: sensor)
    let one = try answer(#"{"analysis": "glucose", "timezone": "UTC"}"#)
    #expect(one.excursions == nil && one.dailyDifferences == nil && one.differences == nil)
    #expect(one.events == nil && one.events(.low) == nil)
    #expect(one.parts.map { $0.found?.statistics.count } == [1, 1, nil])
    // Once a day at the same time: no sensor, but days can be compared.
    try save((0..<5).map { (time: (Double($0) + 0.25) * Self.day, value: 60) }, of: meter)
    let meter = try answer(#"{"analysis": "glucose", "source": "Meter", "timezone": "UTC"}"#)
    #expect(meter.events == nil && meter.excursions == nil && meter.differences == nil)
    #expect(meter.dailyDifferences?.count == 4 && meter.dailyDifferences?.meanMagnitude == 0)
    // A hold of a day makes the readings of a meter continuous, as the question asks.
    let held = try answer(
      #"{"analysis": "glucose", "source": "Meter", "hold": 86400, "timezone": "UTC"}"#)
    #expect(held.events(.low)?.count == 1)
  }

  @Test("Hours of CONGA outside of their range are refused", arguments: ["0", "0.4", "169", "-1"])
  func congaHours(hours: String) throws {
    #expect(throws: QueryError.self) {
      _ = try AnalysisPlan(
        json: Data(#"{"analysis": "glucose", "congaHours": \#(hours)}"#.utf8))
    }
  }
}
