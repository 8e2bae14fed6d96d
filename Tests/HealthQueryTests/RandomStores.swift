import Foundation
import HealthMerge
import HealthQuery
import HealthSamples
import HealthStore
import Testing
import _HealthTestSupport

/// Stores of random samples, and questions to them.
struct RandomStores {
  let sources = RandomRows.sources

  typealias Kind = RandomRows.Kind

  func rows(_ kind: Kind, using random: inout SplitMix64) -> [SampleColumns.Row] {
    RandomRows.rows(kind, using: &random)
  }

  func store(
    _ rows: [SampleColumns.Row], of type: SampleType, label: String
  ) throws -> SampleStore {
    try SampleStore.holding(rows.map { (label, $0) }, of: type)
  }

  /// A question with everything that may be asked of a store.
  func plan(
    _ type: SampleType, from origin: Double, using random: inout SplitMix64
  ) throws -> StatisticsPlan {
    let zones = ["Europe/Paris", "America/St_Johns", "Australia/Lord_Howe", "UTC"]
    let zone = try TimeZone.named(try #require(zones.randomElement(using: &random)))
    var plan = StatisticsPlan(type: type, timeZone: zone)
    let intervals: [CalendarInterval?] = [
      nil, CalendarInterval(.hour), CalendarInterval(.day), CalendarInterval(.week),
      CalendarInterval(.month), CalendarInterval(.year), CalendarInterval(days: 3, seconds: 1_800),
    ]
    plan.interval = try #require(intervals.randomElement(using: &random))
    plan.policy = try #require(MergePolicy.allCases.randomElement(using: &random))
    func date() -> QueryDate? {
      guard Bool.random(using: &random) else { return nil }
      return QueryDate(instant: origin + Double(Int.random(in: 0...6_000_000, using: &random)))
    }
    let dates = [date(), date()].compactMap(\.self).sorted { $0.instant < $1.instant }
    if dates.count == 2, dates[0].instant < dates[1].instant {
      (plan.from, plan.to) = (dates[0], dates[1])
    } else if let date = dates.first {
      if Bool.random(using: &random) { plan.from = date } else { plan.to = date }
    }
    return plan
  }

  func facts(_ store: SampleStore, _ type: SampleType) throws -> [SourceFacts] {
    try store.sources(of: type).map {
      SourceFacts(source: $0.source, deviceKind: $0.deviceKind, firstStart: $0.firstStart)
    }
  }
}

extension SampleStore {
  /// A store of samples of a type, each as it was recorded in a unit.
  static func holding(
    _ rows: [(label: String, row: SampleColumns.Row)], of type: SampleType
  ) throws -> SampleStore {
    let store = try SampleStore.temporary()
    let session = try store.beginImport()
    for batch in RecordColumns.batches(of: rows, of: type) { try session.add(batch) }
    _ = try session.finish()
    return store
  }
}
