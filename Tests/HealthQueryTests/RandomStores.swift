import Foundation
import HealthMerge
import HealthQuery
import HealthSamples
import HealthStore
import Testing
import _HealthTestSupport

/// Stores of random samples, and questions to them.
struct RandomStores {
  let sources = [
    Source(name: "Anna’s Apple Watch"), Source(name: "Anna’s iPhone"),
    Source(name: "Anna’s iPhone", isUserEntered: true),
  ]

  /// What a random store is filled with.
  enum Kind: Int, CaseIterable {
    /// Sources one after the other, with some time between.
    case turns
    /// One source.
    case alone
    /// All sources all the time.
    case together
  }

  func rows(_ kind: Kind, using random: inout SplitMix64) -> [SampleColumns.Row] {
    let count = 2_600
    let origin = 7e8 + Double(Int.random(in: 0...86_400, using: &random))
    let isDecimal = Bool.random(using: &random)
    let step = Int.random(in: 1...2_400, using: &random)
    var clocks = Array(repeating: origin, count: sources.count)
    return (0..<count).map { index in
      let source =
        switch kind {
        case .turns: index * 5 / count % 2
        case .alone: 0
        case .together: Int.random(in: 0..<3, using: &random)
        }
      var start = clocks[source] + Double(Int.random(in: 0...step, using: &random))
      if kind == .turns, index * 5 % count < 5 { start = (clocks.max() ?? start) + 90_000 }
      let hasLength = Int.random(in: 0...3, using: &random) > 0
      let length = hasLength ? Double(Int.random(in: 0...step, using: &random)) : 0
      // Now and then samples of one source overlap, and some last for days.
      let isLong = Int.random(in: 0...700, using: &random) == 0
      let end = start + (isLong ? 200_000 : length)
      clocks[source] = Int.random(in: 0...9, using: &random) == 0 ? start : start + length
      let number = Double(Int.random(in: -20...4_000, using: &random))
      return SampleColumns.Row(
        source: sources[source], start: start, end: end,
        value: isDecimal ? number / 1_000 : number)
    }
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
    for (source, rows) in Dictionary(grouping: rows, by: \.row.source) {
      for (label, rows) in Dictionary(grouping: rows, by: \.label) {
        var batch = RecordColumns(type: type, source: source)
        batch.labelTable = [label]
        batch.originTable = [Origin(sourceVersion: "", device: "")]
        batch.starts = rows.map(\.row.start)
        batch.ends = rows.map(\.row.end)
        batch.values = rows.map(\.row.value)
        batch.created = rows.map { _ in RecordColumns.notRecorded }
        batch.labels = rows.map { _ in 0 }
        batch.origins = rows.map { _ in 0 }
        batch.metadata = rows.map { _ in 0 }
        batch.copies = rows.map { _ in 1 }
        try session.add(batch)
      }
    }
    _ = try session.finish()
    return store
  }
}
