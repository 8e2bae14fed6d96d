import Foundation
import HealthMerge
import HealthSamples
import HealthStatistics
import HealthUnits
import Testing
import _HealthTestSupport

@testable import HealthQuery

@Suite("Published vectors of merging and intervals")
struct PublishedVectorTests {
  let steps = SampleType(.stepCount)

  @Test("every vector of every engine holds, and none is left out")
  func all() throws {
    let vectors = try PublishedVector.all()
    #expect(!vectors.isEmpty)
    #expect(Set(vectors.map(\.id)).count == vectors.count)
    for vector in vectors {
      switch (vector.engine, vector.op) {
      case (_, "cumulative_sum"), ("hc", "value_sum"): try sums(vector)
      case ("hc", "plain_sum"): try plainSum(vector)
      case ("hc", "session_duration"), ("hc", "activity_intensity_minutes"): try sessions(vector)
      case ("hc", "discrete"): try discrete(vector)
      case ("hk", "temporally_weighted_mean"): try weightedMean(vector)
      case ("hk", "equivalent_continuous_level"): try level(vector)
      case ("hk", "buckets"), ("hc", "buckets"): try intervals(vector)
      default: Issue.record("nothing runs \(vector.id), a \(vector.op) of \(vector.engine)")
      }
    }
  }

  /// The sums of the vector's intervals, `nil` where there is no data.
  private func sums(
    _ segments: SegmentColumns, _ vector: PublishedVector,
    rounding: Rounding = .compensated
  ) throws -> [Double?] {
    let table = try segments.statistics(
      over: Boundaries(edges: try vector.edges()), of: [.sum], rounding: rounding)
    return zip(try #require(table[raw: .sum]), table.hasData).map { $1 ? $0 : nil }
  }

  private func sums(_ vector: PublishedVector) throws {
    let policy = try #require(vector.policy, "\(vector.id)")
    let isLong = vector.resultType == "long"
    let type = isLong ? steps : SampleType(.distanceWalkingRunning)
    #expect(isLong == policy.truncates(type), "\(vector.id)")
    let dated = try vector.columns(type)
    let segments = try dated.samples.merged(
      by: vector.order, policy: policy, lastModified: dated.lastModified)
    let expected = try vector.intervals()
    let plain = try sums(segments, vector)
    #expect(plain.count == expected.count, "\(vector.id)")
    for (sum, expected) in zip(plain, expected) {
      #expect((sum == nil) == (expected == nil), "\(vector.id)")
      guard let sum, let expected else { continue }
      let tolerance = 4 * MergeLawTests.tolerance * abs(expected)
      #expect(abs(sum - expected) <= (isLong ? 1 : 0) + tolerance, "\(vector.id)")
    }
    guard policy.sharesByTime else { return }
    let exact = try sums(segments, vector, rounding: .exact)
    #expect(exact.map { isLong ? $0?.rounded(.towardZero) : $0 } == expected, "\(vector.id)")
  }

  /// Amounts without a priority list: all apps are added up, each record where it starts.
  private func plainSum(_ vector: PublishedVector) throws {
    let dated = try vector.columns(SampleType(.dietaryWater))
    let segments = try dated.samples.merged(by: vector.order, policy: .healthConnect)
    for rounding in Rounding.allCases {
      let sums = try sums(segments, vector, rounding: rounding)
      #expect(try sums == vector.intervals(), "\(vector.id)")
    }
    let start = try #require(dated.samples.starts.first)
    let table = try segments.statistics(
      over: Boundaries(edges: [start - 300, start, start + 1, start + 600]), of: [.sum])
    #expect(table.hasData == [false, true, false], "\(vector.id)")
  }

  /// The time of the top session, without the parts that it excludes.
  private func sessions(_ vector: PublishedVector) throws {
    let sessions = try vector.sessions()
    let segments = SessionColumns(type: steps, rows: sessions).merged(by: vector.order)
    let sums = try sums(segments, vector)
    let expected = try vector.intervals()
    #expect(sums.count == expected.count, "\(vector.id)")
    for (sum, expected) in zip(sums, expected) {
      #expect((sum == nil) == (expected == nil), "\(vector.id)")
      let (sum, expected) = (sum ?? 0, expected ?? 0)
      #expect(abs(sum - expected) <= 4 * MergeLawTests.tolerance * expected, "\(vector.id)")
    }
    let backwards = SessionColumns(type: steps, rows: sessions.reversed())
    #expect(backwards.merged(by: vector.order) == segments, "\(vector.id)")
  }

  /// Means, extremes and counts by the whole engine: heart rates where a mean is expected, since
  /// their means are whole numbers, else weights.
  private func discrete(_ vector: PublishedVector) throws {
    let expected = try vector.named()
    let isRate = expected["avg"] != nil
    let edges = try vector.edges()
    let type = SampleType(isRate ? .heartRate : .bodyMass)
    let unit = try UnitExpression(isRate ? "count/min" : "kg")
    let factor = try UnitConversion(from: unit, to: try #require(type.canonicalUnit))
    var plan = StatisticsPlan(type: type, timeZone: .gmt)
    plan.policy = try #require(vector.policy)
    plan.unit = unit
    plan.from = QueryDate(instant: edges[0])
    plan.to = QueryDate(instant: edges[1])
    plan.interval = CalendarInterval(seconds: Int(edges[1] - edges[0]))
    let dated = try vector.columns(type, factor: factor(1))
    let table = try plan.answer(
      samples: dated.samples, facts: [], lastModified: dated.lastModified
    ).intervals
    try #require(table.count == 1, "\(vector.id)")
    for (name, number) in expected {
      let found: Double? =
        switch name {
        case "avg": table[raw: .mean]?[0]
        case "min": table[raw: .min]?[0]
        case "max": table[raw: .max]?[0]
        case "count": Double(table.counts[0])
        default: nil
        }
      #expect(abs(try #require(found, "\(vector.id) \(name)") - number) < 1e-12, "\(vector.id)")
    }
  }

  private func means(_ vector: PublishedVector, _ type: SampleType) throws -> [Double] {
    let samples = try vector.columns(type).samples
    let segments = try samples.merged(by: vector.order)
    return try #require(
      try segments.statistics(over: Boundaries(edges: try vector.edges()), of: [.mean])[raw: .mean])
  }

  /// The trapezoid is the curve of temporally weighted types.
  private func weightedMean(_ vector: PublishedVector) throws {
    let trapezoid = try #require(try vector.named()["trapezoid"])
    #expect(try means(vector, SampleType(.heartRate)) == [trapezoid], "\(vector.id)")
  }

  /// Levels agree to the four digits that are given.
  private func level(_ vector: PublishedVector) throws {
    let means = try means(vector, SampleType(.environmentalAudioExposure))
    let expected = try vector.intervals()
    #expect(means.count == expected.count)
    for (mean, level) in zip(means, expected) {
      #expect(abs(mean - (try #require(level))) < 5e-5, "\(vector.id)")
    }
  }

  private func intervals(_ vector: PublishedVector) throws {
    let zone = try TimeZone.named(vector.zone ?? "UTC")
    func instant(_ text: String) throws -> Double {
      try QueryDate(text, in: zone, now: 0).instant
    }
    let anchor = try instant(try #require(vector.anchor))
    let units = try #require(vector.interval)
    let interval = try #require(
      CalendarInterval(months: units["month"] ?? 0, days: units["day"] ?? 0))
    let grid = IntervalGrid(
      interval, anchor: anchor, alignment: nil, zones: ZoneTimeline(zone),
      range: anchor - 4e7...anchor + 4e7,
      walks: try #require(vector.policy).followsHealthConnectIntervals)
    var last = (vector.expectedHours?.count ?? 1) - 1
    var first = 0
    if let range = vector.range {
      first = grid.index(containing: try instant(range[0]))
      last = grid.index(containing: try instant(range[1]))
    } else if let expected = vector.expectedEdges {
      last = expected.count - 2
    }
    let edges = try #require(grid.boundaries(first...last)).edges
    #expect(vector.expectedHours != nil || vector.expectedEdges != nil, "\(vector.id)")
    if let hours = vector.expectedHours {
      #expect(zip(edges.dropFirst(), edges).map { ($0 - $1) / 3600 } == hours, "\(vector.id)")
    }
    if let expected = vector.expectedEdges {
      #expect(try edges == expected.map(instant), "\(vector.id)")
    }
  }
}
