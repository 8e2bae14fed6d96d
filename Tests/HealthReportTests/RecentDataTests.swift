import Foundation
import HealthSamples
import HealthStore
import Testing
import _HealthTestSupport

@testable import HealthReport

@Suite("What a report says of old and few data")
struct RecentDataTests {
  private static let day = 86_400.0
  /// The first of January 2001 is day 0.
  private static let now = Date(timeIntervalSinceReferenceDate: 701 * day)

  /// A store of weights and steps on some days.
  private func store(
    weights: [Int], steps: [Int], rings: [Int] = [], energy: Double = 500
  ) throws -> SampleStore {
    let store = try SampleStore.temporary()
    let session = try store.beginImport()
    let weight = DailySamples(type: SampleType(.bodyMass), unit: "kg", source: "Scale") { day in
      70 + Double(day % 7) / 10 + Double(day) / 100
    }
    try session.add(weight.records(on: weights))
    let walked = DailySamples(type: SampleType(.stepCount), unit: "count", duration: 50_000) {
      Double(8000 + $0 % 7 * 300)
    }
    try session.add(walked.records(on: steps))
    let summaries = rings.map { day in
      var row = ActivitySummaries.Row()
      (row.day, row.activeEnergy, row.activeEnergyGoal) = (day, energy, 400)
      (row.exerciseMinutes, row.exerciseMinutesGoal) = (40, 30)
      (row.standHours, row.standHoursGoal) = (12, 12)
      return row
    }
    try session.add(.activitySummaries(ActivitySummaries(summaries)))
    _ = try session.finish()
    return store
  }

  /// The text of a report that is made on the 3rd of December 2002.
  private func text(
    _ store: SampleStore, _ form: ReportForm = .page, from: String? = nil, to: String? = nil,
    sections: Set<ReportSection> = [.overview, .glance]
  ) throws -> String {
    var plan = ReportPlan()
    (plan.timeZone, plan.form, plan.from, plan.to) = ("UTC", form, from, to)
    plan.sections = sections
    return try store.report(plan, now: Self.now).textOfPage
  }

  @Test("A year is compared with another that has about as many days")
  func years() throws {
    let days = Array(365..<700)
    let whole = try text(try store(weights: Array(0..<700), steps: Array(0..<700)))
    #expect(whole.contains("2002 against 2001") && whole.contains("Year on year"))
    // One day of the year before, as a new watch has.
    let new = try text(try store(weights: [300] + days, steps: [300] + days))
    #expect(!new.contains("Against 2001") && !new.contains("Year on year"))
  }

  @Test("A measure that ended long ago is not judged as if it were of the last week")
  func ended() throws {
    let fresh = try text(try store(weights: Array(0..<700), steps: Array(0..<700)))
    #expect(fresh.contains("A higher weight"))
    let old = try text(try store(weights: Array(0..<500), steps: Array(0..<700)))
    #expect(!old.contains("A higher weight") && old.contains("Weight"))
  }

  @Test("What has no number in the last seven days has its last one with its day")
  func last() throws {
    let old = try text(try store(weights: [499], steps: Array(0..<700)))
    #expect(old.contains("Weight 15 May75.2 kg") && !old.contains("0 of 7 days"))
  }

  @Test("Gaps begin with the longest, and say of how many measures they are")
  func gaps() throws {
    // The weight has more days without data, but not at a stretch.
    let empty = [600, 601, 602, 610, 611, 612, 620, 621, 622, 630, 631, 632]
    let weights = (0..<700).filter { !empty.contains($0) }
    let steps = (0..<700).filter { !(500..<510).contains($0) }
    let text = try self.text(try store(weights: weights, steps: steps), sections: [.sources])
    let places = try ["Steps10 of 365 days", "Weight12 of 365 days"].map {
      try #require(text.range(of: $0)?.lowerBound)
    }
    #expect(places[0] < places[1])
    #expect(text.contains("Gaps of the last 12 months") && text.contains("first: 2 of 2;"))
    let whole = try self.text(
      try store(weights: [650], steps: Array(0..<700)), sections: [.sources])
    #expect(whole.contains("No gaps.") && whole.contains("first: 1 of 2;"))
    let few = try self.text(
      try store(weights: [698], steps: [697, 698, 699]), sections: [.sources])
    #expect(few.contains("Too little was measured") && !few.contains("No gaps."))
  }

  @Test("A period shorter than a year has no words of a year, and no rings of other days")
  func short() throws {
    let all = Array(0..<700)
    let data = try store(weights: all, steps: all, rings: all)
    let sections: Set<ReportSection> = [.overview, .year, .sources]
    let month = try text(data, from: "2002-11-01", sections: sections)
    for words in ["nine of ten days of", "median of", "Gaps of"] {
      #expect(month.contains("\(words) the last 31 days"), "\(words)")
    }
    #expect(month.contains("The days") && !month.contains("The year"))
    #expect(!month.contains("12 months") && !month.contains("twelve months"))
    #expect(month.contains("Rings, four weeks") && month.contains("7 days before: 7 of 7"))
    let week = try text(data, from: "2002-11-26", sections: sections)
    #expect(week.contains("Rings, 26 Nov 2002 – 1 Dec 2002") && week.contains("of 6 days"))
    #expect(!week.contains("7 days before") && !week.contains("25 Nov"))
    let year = try text(data, sections: sections)
    #expect(year.contains("The year") && year.contains("median of the last 12 months"))
  }

  @Test("A ring that is open is nowhere said to be at its goal")
  func openRing() throws {
    let days = Array(600..<700)
    let data = try store(weights: days, steps: days, rings: days, energy: 398.5)
    var plan = ReportPlan()
    (plan.timeZone, plan.sections) = ("UTC", [.overview, .year])
    let labels = try data.report(plan, now: Self.now).matches(of: /aria-label="([^"]*Move [^"]*)"/)
      .map { String($0.1).replacing("\u{A0}", with: " ") }
    // The card of the last day, and the days of four weeks.
    #expect(labels.count > 20)
    #expect(labels.allSatisfy { $0.contains("Move 99.6%") && $0.contains("Exercise 133%") })
  }

  @Test("Days are counted without the date that a zone left out")
  func skippedDate() throws {
    let skipped = CivilDate(year: 2011, month: 12, day: 30).dayNumber
    let data = try store(weights: [skipped], steps: Array(skipped - 200..<skipped + 50))
    let now = Date(timeIntervalSinceReferenceDate: Double(skipped + 60) * Self.day)
    func period(_ zone: String) throws -> ReportPeriod {
      var plan = ReportPlan()
      plan.timeZone = zone
      return try ReportReader(plan, store: data, now: now) { _ in true }.period
    }
    let apia = try period("Pacific/Apia")
    #expect(apia.skipped == [skipped])
    let first = apia.first(ofLast: 100)
    #expect(first.dayNumber == apia.end.dayNumber - 101)
    #expect(apia.days(from: first, to: apia.end) == 100)
    // Days that end before it are whole.
    #expect(apia.first(ofLast: 20).dayNumber == apia.end.dayNumber - 20)
    for zone in ["UTC", "Europe/Paris", "Pacific/Auckland", "Pacific/Kiritimati"] {
      #expect(try period(zone).skipped == [], "\(zone)")
    }
  }

  /// The page of a store at noon of the 1st of December 2002, which is day 699.
  private func pageOfToday(_ store: SampleStore, _ sections: Set<ReportSection>) throws -> String {
    var plan = ReportPlan()
    (plan.timeZone, plan.sections) = ("UTC", sections)
    return try store.report(plan, now: Date(timeIntervalSinceReferenceDate: 699.5 * Self.day))
  }

  /// A store of steps and weights, each with its value of a day.
  private func store(
    steps: [Int: Double], weights: [Int: Double] = [:], rings: [Int] = []
  ) throws -> SampleStore {
    let store = try store(weights: [], steps: [], rings: rings)
    let session = try store.beginImport()
    for (type, unit, duration, values) in [
      (SampleType(.stepCount), "count", 7_200.0, steps), (SampleType(.bodyMass), "kg", 0, weights),
    ] {
      let samples = DailySamples(type: type, unit: unit, duration: duration) { values[$0] }
      try session.add(samples.records(on: values.keys.sorted()))
    }
    _ = try session.finish(exported: 699.5 * Self.day)
    return store
  }

  @Test("A day that is not over changes no number of a month and of a year")
  func unfinishedDay() throws {
    func value(_ day: Int) -> Double { 8000 + Double(day % 7) * 300 }
    let whole = Dictionary(uniqueKeysWithValues: (0..<699).map { ($0, value($0)) })
    let page = try pageOfToday(
      try store(steps: whole.merging([699: 100]) { $1 }), [.overview, .year])
    let text = page.textOfPage
    func mean(_ days: some Collection<Int>) -> Double {
      days.reduce(0) { $0 + value($1) } / Double(days.count)
    }
    // 2002 began on day 365; its days up to yesterday, beside as many of 2001 but for the first, which
    // the data begin in.
    let difference = mean(365..<699) - mean(1..<334)
    let sign = difference < 0 ? "−" : "+"
    #expect(text.contains("Year on year\(sign)\(Int(abs(difference).rounded())) from"))
    // November began on day 669, and today is its last day.
    let november = Int(mean(669..<699).rounded())
    #expect(text.contains("November 2002\(november / 1000),\(november % 1000)8,0008,"))
  }

  @Test("A day before the first sample is no missed ring")
  func ringsOfYoungData() throws {
    let days = Dictionary(uniqueKeysWithValues: (695..<700).map { ($0, 9000.0) })
    let text = try pageOfToday(
      try store(steps: days, rings: Array(695..<700)), [.overview, .glance]
    ).textOfPage
    #expect(text.contains("4 of 4days with all rings closed"))
  }

  @Test("All cards have the week that ends with the last day that is over")
  func oneWeek() throws {
    let days = Dictionary(uniqueKeysWithValues: (0..<700).map { ($0, 8000 + Double($0 % 7)) })
    let page = try pageOfToday(
      try store(steps: days, weights: days.mapValues { $0 / 100 }, rings: Array(0..<700)),
      [.overview, .glance])
    #expect(page.contains("data-ask=\"summary --from 2002-11-24 --to 2002-12-01 --unit km,kcal\""))
    #expect(page.contains("data-ask=\"summary --from 2002-11-17 --to 2002-11-24 --unit km,kcal\""))
    let asks = Set(page.matches(of: /data-ask="typical ([^"]*)"/).map { String($0.1) })
    #expect(asks.count == 1 && asks.allSatisfy { $0.hasSuffix("--to 2002-12-01") })
    let text = page.textOfPage
    #expect(text.contains("7 of 7") && text.contains("is not over and is left out of every mean"))
    #expect(text.contains("2002 to 30 November against 2001"))
  }

  @Test("Young data have a mean of the days that are whole")
  func young() throws {
    let steps: [Int: Double] = [695: 900, 696: 8000, 697: 8100, 698: 8200, 699: 50]
    let page = try pageOfToday(try store(steps: steps), [.overview])
    #expect(page.contains("data-at=\"spread.mean\">8,100<"))
    let text = page.textOfPage
    #expect(text.contains("3 of 7") && text.contains("so far"))
  }

  @Test("A measure with too few days in the week is called nothing, as by hkstats typical")
  func fewReadings() throws {
    let steps = Dictionary(uniqueKeysWithValues: (0..<700).map { ($0, 8000 + Double($0 % 7)) })
    func weights(_ last: [Int]) -> [Int: Double] {
      var weights = Dictionary(
        uniqueKeysWithValues: (0..<680).map { ($0, 70 + Double($0 % 5) / 10) })
      for day in last { weights[day] = 60 }
      return weights
    }
    let few = try store(steps: steps, weights: weights([690, 691, 693, 695]))
    #expect(try !pageOfToday(few, [.overview, .glance]).textOfPage.contains("lower weight"))
    let enough = try store(steps: steps, weights: weights([692, 693, 695, 697]))
    #expect(try pageOfToday(enough, [.overview, .glance]).textOfPage.contains("lower weight"))
  }

  @Test("An end that was asked for is not the end of the data")
  func ends() throws {
    let data = try store(weights: Array(0..<500), steps: Array(0..<500))
    #expect(try text(data).contains("The last data are from 15 May 2002."))
    #expect(try !text(data, to: "2002-04-01").contains("The last data are"))
  }
}
