import Foundation
import HealthSamples
import HealthStore
import Testing
import _HealthTestSupport

@testable import HealthReport

@Suite("What the cards of a report say")
struct CardTests {
  private static let day = 86_400.0
  private static let days = 700
  /// The first of January 2001 is day 0.
  private static let now = Date(timeIntervalSinceReferenceDate: Double(days) * day + 80_000)

  /// A store with a sample at nine o'clock of each day.
  private func store(
    _ type: SampleType, in unit: String, _ value: @escaping (Int) -> Double?
  ) throws -> SampleStore {
    try store([(type, unit, value)])
  }

  private func store(
    _ types: [(type: SampleType, unit: String, value: (Int) -> Double?)]
  ) throws -> SampleStore {
    let store = try SampleStore.temporary()
    let session = try store.beginImport()
    for (type, unit, value) in types {
      let samples = DailySamples(
        type: type, unit: unit, source: "Scale", start: 32_400, value: value)
      try session.add(samples.records(on: 0...Self.days))
    }
    _ = try session.finish()
    return store
  }

  /// The text of a report without tags, style and script.
  private func text(
    _ store: SampleStore, _ form: ReportForm = .page, _ sections: Set<ReportSection> = [.body],
    language: ReportLanguage.Base = .english, includesSamples: Bool = false,
    units: [String] = []
  ) throws -> String {
    var plan = ReportPlan()
    (plan.timeZone, plan.form, plan.includesSamples) = ("UTC", form, includesSamples)
    plan.language = ReportLanguage(language)
    (plan.sections, plan.units) = (sections, units)
    return try store.report(plan, now: Self.now).textOfPage
  }

  @Test(
    "The trend of a percentage is in points",
    arguments: [
      (.english, "points a year"), (.german, "Punkte im Jahr"), (.french, "points par an"),
      (.spanish, "puntos al año"), (.japanese, "ポイント"),
    ] as [(ReportLanguage.Base, String)])
  func points(language: ReportLanguage.Base, words: String) throws {
    let fat = try store(SampleType(.bodyFatPercentage), in: "%") {
      0.2 + Double($0) / 20_000 + Double($0 % 5) / 2000
    }
    let page = try text(fat, language: language)
    #expect(page.contains(words))
    #expect(page.firstMatch(of: /%\s(?:a year|im Jahr|par an|al año)/) == nil)
    let paper = try text(fat, .print, language: language)
    #expect(paper.contains(words.prefix { !$0.isWhitespace }))
  }

  @Test("Single readings of glucose have a median with its unit, and a reason for no time in range")
  func glucose() throws {
    let page = try text(
      try store(SampleType(.bloodGlucose), in: "mg/dL") { $0 % 4 == 1 ? 100 : nil })
    #expect(page.contains("Readings on 23 of 92 days, median 100 mg/dL"))
    #expect(page.contains("Without a sensor") && page.contains("70% of 14 days"))
    #expect(page.contains("mean of a day") && page.contains("no data"))
  }

  @Test(
    "Ranges of glucose name the edges of the unit in which it was recorded",
    arguments: [
      (.english, "3.0 · 3.9 · 10.0 · 13.9 mmol/L"), (.german, "3,0 · 3,9 · 10,0 · 13,9 mmol/L"),
    ] as [(ReportLanguage.Base, String)])
  func recordedGlucose(language: ReportLanguage.Base, edges: String) throws {
    let store = try SampleStore.temporary()
    let session = try store.beginImport()
    var records = RecordColumns(type: SampleType(.bloodGlucose), source: Source(name: "Sensor"))
    for row in 0..<15 * 288 {
      let time = Double(Self.days - 14) * Self.day + 300 * Double(row)
      try records.append(
        start: time, end: time, value: row % 2 == 0 ? 10 : 9.9, label: "mmol<180.1558800000541>/L")
    }
    try session.add(records)
    _ = try session.finish()
    let page = try text(store, language: language)
    #expect(page.contains("ADA, Battelino 2019: \(edges)"))
  }

  @Test(
    "Unusual days of the heart stand before newer ones of other measures",
    arguments: ReportForm.allCases)
  func unusual(form: ReportForm) throws {
    let both = try store([
      (SampleType(.flightsClimbed), "count", { $0 == 690 ? 200 : 10 + Double($0 % 5) }),
      (SampleType(.restingHeartRate), "count/min", { $0 == 650 ? 120 : 60 + Double($0 % 5) }),
    ])
    let list = try text(both, form, [.heart]).split(separator: "Unusual days of the last 120")
    let found = try #require(list.last)
    let heart = try #require(found.firstRange(of: "Resting heart rate 120 bpm"))
    let flights = try #require(found.firstRange(of: "Flights climbed 200"))
    #expect(heart.lowerBound < flights.lowerBound)
    #expect(found.contains("Heart, sleep and body come first."))
  }

  @Test("Readings of blood pressure belong to the mornings and evenings that the means are of")
  func pressure() throws {
    let store = try SampleStore.temporary()
    let session = try store.beginImport()
    for (type, value) in [
      (SampleType(.bloodPressureSystolic), 130.0), (SampleType(.bloodPressureDiastolic), 80),
    ] {
      var records = RecordColumns(type: type, source: Source(name: "Cuff"))
      // At half past seven, at two in the afternoon and at eight in the evening.
      for start in (600...Self.days).flatMap({ day in
        [27_000.0, 50_400, 72_000].map { Double(day) * Self.day + $0 }
      }) {
        try records.append(start: start, end: start, value: value, label: "mmHg")
      }
      try session.add(records)
    }
    _ = try session.finish()
    for includesSamples in [false, true] {
      let page = try text(store, includesSamples: includesSamples)
      #expect(page.contains("Means of the last 12 months: mornings 130/80 mmHg (101)"))
      #expect(page.contains("04:00–12:00") && page.contains("18:00–00:00"))
      #expect(page.contains("other hours") == includesSamples)
      #expect(!page.contains("before noon"))
    }
  }

  @Test("Small numbers keep three significant digits, and numbers beyond any page are left out")
  func digits() throws {
    let mixed = try store([
      (SampleType(.dietaryVitaminB12), "mg", { _ in 0.003 }),
      (SampleType(.bodyMass), "kg", { _ in 66.9 }),
      (SampleType(.stepCount), "count", { _ in 1e308 }),
    ])
    let page = try text(mixed, .page, [.overview, .glance], units: ["dietaryVitaminB12:mg"])
    #expect(page.contains("0.00300") && page.contains("66.9") && !page.contains("66.90"))
    #expect(page.contains("2 measures") && !page.contains("Steps"))
    let alone = try text(
      try store(SampleType(.stepCount), in: "count") { _ in 1e308 }, .page, [.overview])
    #expect(!alone.contains("usual"))
  }

  @Test(
    "Only a number that is too long for its card may wrap", arguments: [(8000.0, 0), (1e15, 1)])
  func long(steps: Double, count: Int) throws {
    var plan = ReportPlan()
    (plan.timeZone, plan.sections) = ("UTC", [.overview])
    let page = try store(SampleType(.stepCount), in: "count") { _ in steps }
      .report(plan, now: Self.now)
    #expect(page.matches(of: /<b class="long"/).count == count)
  }
}
