import Foundation
import HealthSamples
import HealthStore
import Testing
import _HealthTestSupport

@testable import HealthReport

@Suite("Words of a page where it is narrow or on paper")
struct LayoutTests {
  private static let day = 86_400.0
  /// The 3rd of December 2002.
  private static let now = Date(timeIntervalSinceReferenceDate: 701 * day)

  /// A year of three measures, two of which go together.
  private func store() throws -> SampleStore {
    let store = try SampleStore.temporary()
    let session = try store.beginImport()
    var random = SplitMix64(seed: 7)
    let noises = (300..<700).map { _ in Double.random(in: -1...1, using: &random) }
    let measures: [(type: SampleType, label: String, value: (Double) -> Double)] = [
      (SampleType(.stepCount), "count", { 8000 + ($0 * 2000).rounded() }),
      (SampleType(.bodyMass), "kg", { 70 + $0 }),
      (
        SampleType(.restingHeartRate), "count/min",
        { _ in 60 + Double.random(in: -5...5, using: &random) }
      ),
    ]
    for (type, label, value) in measures {
      let samples = DailySamples(type: type, unit: label, duration: 60) { value(noises[$0 - 300]) }
      try session.add(samples.records(on: 300..<700))
    }
    _ = try session.finish()
    return store
  }

  private func page(_ form: ReportForm, _ section: ReportSection? = nil) throws -> String {
    var plan = ReportPlan()
    (plan.timeZone, plan.form) = ("UTC", form)
    plan.sections = Set([section].compactMap { $0 })
    return try store().report(plan, now: Self.now)
  }

  @Test("Numbers of related measures have names where their table has no head")
  func relations() throws {
    let page = try page(.page, .relations)
    #expect(page.contains("class=\"data pairs\""))
    for name in ["On days with…", "you tend to have", "when", "ρ", "days", "q"] {
      #expect(page.contains("data-head=\"\(name)\""))
    }
  }

  @Test("The day on which a visit's sheets were made does not break")
  func paper() throws {
    #expect(try page(.print).contains("made on 3\u{A0}Dec\u{A0}2002"))
  }
}
