import Foundation
import HealthSamples
import HealthStore
import Testing
import _HealthTestSupport

@testable import HealthQuery
@testable import HealthReport

@Suite("What a report says of old and few data")
struct RecentDataTests {
  private static let day = 86_400.0
  /// The first of January 2001 is day 0.
  private static let now = Date(timeIntervalSinceReferenceDate: 701 * day)

  /// A store of weights and steps on some days.
  private func store(weights: [Int], steps: [Int]) throws -> SampleStore {
    let store = try SampleStore.temporary()
    let session = try store.beginImport()
    var weight = RecordColumns(type: SampleType(.bodyMass), source: Source(name: "Scale"))
    for day in weights {
      let start = Double(day) * Self.day + 30_000
      try weight.append(
        start: start, end: start, value: 70 + Double(day % 7) / 10 + Double(day) / 100, label: "kg")
    }
    try session.add(weight)
    var walked = RecordColumns(type: SampleType(.stepCount), source: Source(name: "Watch"))
    for day in steps {
      let start = Double(day) * Self.day + 30_000
      try walked.append(
        start: start, end: start + 50_000, value: Double(8000 + day % 7 * 300), label: "count")
    }
    try session.add(walked)
    _ = try session.finish()
    return store
  }

  /// The text of a report that ends on the 3rd of December 2002.
  private func text(
    _ store: SampleStore, _ form: ReportForm = .page, to: String? = nil
  ) throws -> String {
    var plan = ReportPlan()
    (plan.timeZone, plan.form, plan.to) = ("UTC", form, to)
    plan.sections = [.overview, .glance]
    return try store.report(plan, now: Self.now)
      .replacing(/<(script|style)[\s\S]*?<\/(?:script|style)>/, with: "")
      .replacing(/<[^>]*>/, with: "").replacing("\u{A0}", with: " ")
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

  @Test("An end that was asked for is not the end of the data")
  func ends() throws {
    let data = try store(weights: Array(0..<500), steps: Array(0..<500))
    #expect(try text(data).contains("The last data are from 15 May 2002."))
    #expect(try !text(data, to: "2002-04-01").contains("The last data are"))
  }
}
