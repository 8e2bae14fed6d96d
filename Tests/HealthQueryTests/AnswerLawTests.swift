import Foundation
import HealthMerge
import HealthSamples
import HealthStatistics
import Testing
import _HealthNumerics
import _HealthTestSupport

@testable import HealthQuery

/// Some days of a zone, most around a change of its clocks, with the edges that Foundation's
/// calendar gives them.
struct ZonePlace: Sendable {
  let zone: TimeZone
  let from: QueryDate
  let to: QueryDate
  /// The midnights from ``from`` on, as many as any question needs; equal where a day was skipped.
  let midnights: [Double]

  init(_ identifier: String, from: String, to: String) throws {
    zone = try TimeZone.named(identifier)
    self.from = try QueryDate(from, in: zone, now: 0)
    self.to = try QueryDate(to, in: zone, now: 0)
    let calendar = try #require(ReferenceCalendar(zone: identifier))
    let anchor = Date(timeIntervalSinceReferenceDate: self.from.instant)
    midnights = try (0...6).map {
      try #require(calendar.edge($0, anchor: anchor, months: 0, days: 1))
        .timeIntervalSinceReferenceDate
    }
  }

  /// Three days each: an hour less, an hour more, half an hour more, no midnight, no day at all.
  static func all() throws -> [ZonePlace] {
    try [
      ("Europe/Paris", "2024-03-30", "2024-04-02"), ("Europe/Paris", "2024-10-26", "2024-10-29"),
      ("America/New_York", "2024-03-09", "2024-03-12"),
      ("America/New_York", "2024-11-02", "2024-11-05"),
      ("Australia/Lord_Howe", "2024-04-06", "2024-04-09"),
      ("Australia/Lord_Howe", "2024-10-05", "2024-10-08"),
      ("America/Sao_Paulo", "2018-11-03", "2018-11-06"),
      ("America/Havana", "2024-03-09", "2024-03-12"),
      ("America/Havana", "2024-11-02", "2024-11-05"), ("Africa/Cairo", "2024-04-25", "2024-04-28"),
      ("Pacific/Apia", "2011-12-28", "2012-01-01"), ("Asia/Kathmandu", "2024-03-09", "2024-03-12"),
      ("UTC", "2024-02-28", "2024-03-02"),
    ].map { try ZonePlace($0.0, from: $0.1, to: $0.2) }
  }
}

@Suite("Answers of the whole engine beside the slow twin, for every policy")
struct AnswerLawTests {
  /// A question about three days, and the edges of its intervals; `nil` for one row.
  private struct Question {
    let place: ZonePlace
    let interval: CalendarInterval?
    let edges: [Double]?
    let origin: Double

    init(_ place: ZonePlace, policy: MergePolicy, using generator: inout SplitMix64) throws {
      self.place = place
      let (from, to) = (place.from.instant, place.to.instant)
      // Samples lie around one of the midnights, or anywhere.
      let midnight = place.midnights[Int.random(in: 0...3, using: &generator)]
      origin = midnight - Double(Int.random(in: 0...40, using: &generator)) * LawCase.step
      var edges: [Double]
      switch Int.random(in: 0..<5, using: &generator) {
      case 0:
        (interval, self.edges) = (nil, nil)
        return
      case 1:
        interval = CalendarInterval("2d")
        edges = stride(from: 0, through: 6, by: 2).map { place.midnights[$0] }
      case 2:
        interval = CalendarInterval("9h")
        edges = Array(stride(from: from, through: to + 32_400, by: 32_400))
      default:
        interval = CalendarInterval(.day)
        edges = place.midnights
      }
      edges = Set(edges).sorted()
      let last = try #require(edges.firstIndex { $0 >= to })
      edges.removeSubrange((last + 1)...)
      // Health Connect ends its last interval where the period ends.
      if policy == .healthConnect { edges[last] = to }
      self.edges = edges
    }

    func plan(_ policy: MergePolicy, type: SampleType, order: [Source]) -> StatisticsPlan {
      var plan = StatisticsPlan(type: type, timeZone: place.zone)
      plan.interval = interval
      (plan.from, plan.to) = (place.from, place.to)
      plan.policy = policy
      plan.preferredSources = order.map(\.name)
      return plan
    }

    func steps(_ instant: Double) -> Double { (instant - origin) / LawCase.step }
  }

  private func answer(
    _ plan: StatisticsPlan, _ law: LawCase, origin: Double
  ) throws -> StatisticsAnswer {
    let dated = DatedSampleColumns(
      type: plan.type,
      rows: zip(LawCase.inTime(law.rows, from: origin), law.lastModified).map {
        .init(sample: $0, lastModified: $1)
      })
    let facts = law.order.map { SourceFacts(source: $0, deviceKind: .other, firstStart: origin) }
    return try plan.answer(
      samples: dated.samples, facts: facts, lastModified: dated.lastModified)
  }

  /// What the slow twin finds in each interval.
  private func reference(
    _ law: LawCase, _ question: Question, _ plan: StatisticsPlan
  ) throws -> [ReferenceMerge.Interval] {
    var policy = try #require(ReferenceMerge.Policy(rawValue: plan.policy.rawValue))
    var (rows, dates) = (law.rows, law.lastModified)
    if question.interval == nil {
      let (from, to) = (
        question.steps(question.place.from.instant), question.steps(question.place.to.instant)
      )
      let matching = rows.indices.filter { rows[$0].end >= from && rows[$0].start < to }
      (rows, dates) = (matching.map { rows[$0] }, matching.map { dates[$0] })
    }
    // Health Connect adds up what people drink, each record where it starts.
    if policy == .healthConnect, plan.type == SampleType(.dietaryWater) {
      policy = .unmerged
      rows = rows.map { row in
        var row = row
        row.end = row.start
        return row
      }
    }
    let merge = ReferenceMerge(rows: rows, order: law.order)
    let edges = question.edges?.map(question.steps) ?? [-1, 99]
    return zip(edges, edges.dropFirst()).map {
      merge.interval(from: $0, to: $1, policy: policy, lastModified: dates)
    }
  }

  @Test(
    "sums, counts and emptiness are those of the slow twin, exact sums to the last bit",
    arguments: MergePolicy.allCases, LawCase.Values.allCases)
  func answers(policy: MergePolicy, values: LawCase.Values) throws {
    let places = try ZonePlace.all()
    let types = [SampleType(.distanceWalkingRunning), .init(.stepCount), .init(.dietaryWater)]
    for index in 0..<LawCase.count {
      var generator = SplitMix64(seed: 21 << 32 + UInt64(index))
      let law = LawCase(values, using: &generator)
      let place = places[index % places.count]
      let question = try Question(place, policy: policy, using: &generator)
      let type = types[Int.random(in: 0..<types.count, using: &generator)]
      var plan = question.plan(policy, type: type, order: law.order)
      plan.explains = true
      let answer = try answer(plan, law, origin: question.origin)
      let expected = try reference(law, question, plan)
      let isEmptySingle = question.interval == nil && expected.allSatisfy { !$0.hasData }
      if !isEmptySingle, let edges = question.edges {
        #expect(answer.intervals.starts + answer.intervals.ends.suffix(1) == edges, "\(index)")
      }
      try check(answer, plan, law, expected, index)
      plan.explains = false
      plan.isExact = true
      guard policy != .subtractive else {
        #expect(throws: QueryError(.notExact(.subtractive))) {
          try self.answer(plan, law, origin: question.origin)
        }
        continue
      }
      let sums = try #require(
        try self.answer(plan, law, origin: question.origin).intervals[raw: .sum])
      for (sum, expected) in zip(sums, expected) {
        #expect(sum == (cuts(plan) ? whole(expected.sum) : expected.sum.nearestDouble), "\(index)")
      }
    }
  }

  private func check(
    _ answer: StatisticsAnswer, _ plan: StatisticsPlan, _ law: LawCase,
    _ expected: [ReferenceMerge.Interval], _ index: Int
  ) throws {
    let sums = try #require(answer.intervals[raw: .sum])
    let raw = law.rows.reduce(0) { $0 + abs($1.value) }
    try #require(sums.count == expected.count, "\(index)")
    for interval in sums.indices {
      let expected = expected[interval]
      #expect(answer.intervals.counts[interval] == expected.count, "\(index)")
      #expect(answer.intervals.hasData[interval] == expected.hasData, "\(index)")
      guard !cuts(plan) else {
        #expect(sums[interval] == whole(expected.sum), "\(index)")
        continue
      }
      // What is taken away is a term as well.
      let scale = plan.policy == .subtractive ? raw : expected.magnitude
      #expect(
        expected.sum.isNear(sums[interval], tolerance: MergeLawTests.tolerance, scale: scale),
        "\(index)")
      var total = CompensatedSum()
      for part in answer.contributions { total.add(part.sums[interval]) }
      #expect(total.result == sums[interval], "\(index)")
    }
  }

  /// Whether sums are cut to whole numbers.
  private func cuts(_ plan: StatisticsPlan) -> Bool {
    plan.policy == .healthConnect && plan.type == SampleType(.stepCount)
  }

  /// A fraction cut towards zero.
  private func whole(_ fraction: ReferenceFraction) -> Double {
    Double(fraction.numerator / fraction.denominator)
  }
}
