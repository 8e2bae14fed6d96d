import Foundation
import HealthMerge
import HealthQuery
import HealthSamples
import HealthStatistics
import HealthUnits
import Testing
import _HealthTestSupport

@testable import HealthKit

/// The statistics of an interval, from a plain list of samples that do not overlap.
private struct SlowStatistics {
  let samples: [SampleColumns.Row]

  init(_ samples: [SampleColumns.Row], from start: Date, to end: Date, of source: HKSource? = nil) {
    self.samples = samples.filter { sample in
      Date(timeIntervalSinceReferenceDate: sample.start) >= start
        && Date(timeIntervalSinceReferenceDate: sample.start) < end
        && source.map { $0 == HKSource(sample.source) } ?? true
    }
  }

  var values: [Double] { samples.map(\.value) }
  var sum: Double? { samples.isEmpty ? nil : values.reduce(0, +) }
  var mean: Double? { sum.map { $0 / Double(samples.count) } }
  var duration: Double? {
    samples.isEmpty ? nil : samples.reduce(0) { $0 + $1.end - $1.start }
  }
  var recent: SampleColumns.Row? { samples.max { ($0.end, $0.start) < ($1.end, $1.start) } }
}

@Suite struct StatisticsTests {
  private let hour = 3600.0
  private let sources = [
    Source(name: "Watch", bundleIdentifier: "w"), Source(name: "Phone", bundleIdentifier: "p"),
    Source(name: "Phone", bundleIdentifier: "p", isUserEntered: true),
  ]

  /// Samples of some hours that do not overlap, and lie inside the hours.
  private func samples(seed: UInt64) -> [SampleColumns.Row] {
    var random = SplitMix64(seed: seed)
    return (0..<12).flatMap { index -> [SampleColumns.Row] in
      guard Int.random(in: 0..<3, using: &random) > 0 else { return [] }
      return (0..<Int.random(in: 1...5, using: &random)).map { part in
        let start = (Double(index) + 100) * hour + Double(part) * 600
        return SampleColumns.Row(
          source: sources[Int.random(in: 0..<sources.count, using: &random)], start: start,
          end: start + Double(Int.random(in: 1...500, using: &random)),
          value: Double(Int.random(in: 1...900, using: &random)))
      }
    }
  }

  private func collection(
    _ identifier: HKQuantityTypeIdentifier, _ samples: [SampleColumns.Row],
    _ options: HKStatisticsOptions
  ) throws -> HKStatisticsCollection {
    let type = HKQuantityType(identifier)
    _ = try options.validated(for: type)
    var plan = StatisticsPlan(type: type.core, timeZone: .gmt)
    plan.statistics = options.statistics
    let components = DateComponents(hour: 1)
    let interval = try #require(CalendarInterval(components))
    plan.interval = interval
    plan.anchor = QueryDate(Date(timeIntervalSinceReferenceDate: 0))
    plan.separatesSources = options.contains(.separateBySource)
    plan.unit = type.core.canonicalUnit
    let answer = try plan.answer(
      samples: SampleColumns(type: type.core, rows: samples), facts: [])
    return HKStatisticsCollection(
      StatisticsTable(answer, type: type, separatesSources: plan.separatesSources),
      interval: interval, anchor: Date(timeIntervalSinceReferenceDate: 0),
      zones: ZoneTimeline(.gmt))
  }

  private func date(_ hours: Double) -> Date { Date(timeIntervalSinceReferenceDate: hours * hour) }

  @Test(
    "every interval is visited in order, with what a slow twin computes",
    arguments: [UInt64](1...40))
  func discrete(seed: UInt64) throws {
    let samples = samples(seed: seed)
    let collection = try collection(
      .bodyMass, samples, [.discreteAverage, .discreteMin, .discreteMax, .mostRecent, .duration])
    let unit = HKUnit(try #require(HKQuantityType(.bodyMass).core.canonicalUnit))
    nonisolated(unsafe) var visited: [HKStatistics] = []
    collection.enumerateStatistics(from: date(95.5), to: date(115)) { statistics, _ in
      visited.append(statistics)
    }
    #expect(visited.map(\.startDate) == (95...115).map(Double.init).map(date))
    for statistics in visited {
      let (start, end) = (statistics.startDate, statistics.endDate)
      #expect(end == start + hour)
      let slow = SlowStatistics(samples, from: start, to: end)
      #expect(statistics.quantityType == HKQuantityType(.bodyMass))
      #expect(
        statistics.averageQuantity()?.doubleValue(for: unit).rounded(to: slow.mean) == slow.mean)
      #expect(statistics.minimumQuantity()?.doubleValue(for: unit) == slow.values.min())
      #expect(statistics.maximumQuantity()?.doubleValue(for: unit) == slow.values.max())
      #expect(statistics.mostRecentQuantity()?.doubleValue(for: unit) == slow.recent?.value)
      #expect(statistics.duration()?.doubleValue(for: .second()) == slow.duration)
      #expect(
        statistics.mostRecentQuantityDateInterval()
          == slow.recent.map {
            DateInterval(
              start: Date(timeIntervalSinceReferenceDate: $0.start),
              end: Date(timeIntervalSinceReferenceDate: $0.end))
          })
      #expect(statistics.sumQuantity() == nil)
      #expect(statistics.sources == nil)
      #expect(statistics.averageQuantity(for: HKSource(sources[0])) == nil)
      #expect(collection.statistics(for: start + 1) == statistics)
      let copy = try archived(statistics)
      #expect(copy == statistics && copy.hash == statistics.hash)
      #expect(copy.averageQuantity()?.value == statistics.averageQuantity()?.value)
    }
    let populated = visited.filter {
      !SlowStatistics(samples, from: $0.startDate, to: $0.endDate).samples.isEmpty
    }
    #expect(collection.statistics() == populated)
    #expect(collection.sources().isEmpty)
  }

  @Test("sources are apart when they are asked for", arguments: [UInt64](1...40))
  func separate(seed: UInt64) throws {
    let samples = samples(seed: seed)
    let collection = try collection(
      .stepCount, samples, [.cumulativeSum, .mostRecent, .separateBySource])
    let all = Set(samples.map { HKSource($0.source) })
    #expect(collection.sources() == all)
    for hours in 99..<114 {
      let statistics = try #require(collection.statistics(for: date(Double(hours) + 0.5)))
      let (start, end) = (statistics.startDate, statistics.endDate)
      #expect(start == date(Double(hours)))
      let slow = SlowStatistics(samples, from: start, to: end)
      #expect(statistics.sumQuantity()?.doubleValue(for: .count()) == slow.sum)
      #expect(statistics.averageQuantity() == nil && statistics.minimumQuantity() == nil)
      let present = all.filter {
        !SlowStatistics(samples, from: start, to: end, of: $0).samples.isEmpty
      }
      #expect(Set(try #require(statistics.sources)) == present)
      for source in all {
        let part = SlowStatistics(samples, from: start, to: end, of: source)
        #expect(statistics.sumQuantity(for: source)?.doubleValue(for: .count()) == part.sum)
        #expect(
          statistics.mostRecentQuantity(for: source)?.doubleValue(for: .count())
            == part.recent?.value)
        #expect(
          statistics.mostRecentQuantityDateInterval(for: source)?.end
            == part.recent.map { Date(timeIntervalSinceReferenceDate: $0.end) })
      }
      #expect(statistics.sumQuantity(for: HKSource(Source(name: "Other"))) == nil)
      let copy = try archived(statistics)
      #expect(copy == statistics && copy.sources == statistics.sources)
      #expect(copy.copy() as? HKStatistics == statistics)
    }
  }

  @Test("sources that were not asked for are not given out")
  func together() {
    let columns = StatisticsColumns(start: 0, end: hour, count: 1, values: [.sum: 7])
    for isSeparate in [false, true] {
      let table = StatisticsTable(
        type: HKQuantityType(.stepCount), unit: .count(), intervals: columns,
        sources: [(.default(), columns)], separatesSources: isSeparate)
      let statistics = HKStatistics(table, row: 0)
      #expect(statistics.sumQuantity()?.doubleValue(for: .count()) == 7)
      #expect((statistics.sumQuantity(for: .default()) != nil) == isSeparate)
      #expect((statistics.sources != nil) == isSeparate)
      #expect(table.sources.isEmpty == !isSeparate)
    }
  }

  @Test("means and extremes of one source whose samples were partly entered by hand")
  func enteredByHand() throws {
    let samples = samples(seed: 5)
    let collection = try collection(
      .bodyMass, samples,
      [.discreteAverage, .discreteMin, .discreteMax, .duration, .separateBySource])
    let unit = HKUnit(try #require(HKQuantityType(.bodyMass).core.canonicalUnit))
    let phone = HKSource(sources[1])
    var both = 0
    for statistics in collection.statistics() {
      let slow = SlowStatistics(
        samples, from: statistics.startDate, to: statistics.endDate, of: phone)
      if Set(slow.samples.map(\.source)).count == 2 { both += 1 }
      #expect(
        statistics.averageQuantity(for: phone)?.doubleValue(for: unit).rounded(to: slow.mean)
          == slow.mean)
      #expect(statistics.minimumQuantity(for: phone)?.doubleValue(for: unit) == slow.values.min())
      #expect(statistics.maximumQuantity(for: phone)?.doubleValue(for: unit) == slow.values.max())
      #expect(statistics.duration(for: phone)?.doubleValue(for: .second()) == slow.duration)
    }
    #expect(both > 0)
  }

  @Test("the block stops the enumeration")
  func stop() throws {
    let collection = try collection(.stepCount, samples(seed: 1), [.cumulativeSum])
    nonisolated(unsafe) var count = 0
    collection.enumerateStatistics(from: date(90), to: date(200)) { _, stop in
      count += 1
      if count == 7 { stop.pointee = true }
    }
    #expect(count == 7)
    collection.enumerateStatistics(from: date(2), to: date(1)) { _, _ in count += 1 }
    #expect(count == 7)
    #expect(collection.statistics(for: .distantFuture) != nil)
    #expect(collection.statistics(for: Date(timeIntervalSinceReferenceDate: 1e15)) == nil)
  }

  @Test("intervals of days follow the clocks of a zone")
  func days() throws {
    let zone = try #require(TimeZone(identifier: "Europe/Paris"))
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = zone
    let first = try #require(calendar.date(from: DateComponents(year: 2026, month: 3, day: 1)))
    let last = try #require(calendar.date(from: DateComponents(year: 2026, month: 4, day: 1)))
    let type = HKQuantityType(.stepCount)
    let table = StatisticsTable(
      type: type, unit: .count(),
      intervals: StatisticsColumns(start: 0, end: 1, count: 0, hasData: false, values: [:]))
    let collection = HKStatisticsCollection(
      table, interval: try #require(CalendarInterval(DateComponents(day: 1))), anchor: first,
      zones: ZoneTimeline(zone))
    nonisolated(unsafe) var starts: [Date] = []
    collection.enumerateStatistics(from: first, to: last) { statistics, _ in
      starts.append(statistics.startDate)
      if statistics.sumQuantity() != nil { starts.append(.distantPast) }
    }
    let expected = (0...31).compactMap { calendar.date(byAdding: .day, value: $0, to: first) }
    #expect(starts == expected)
    #expect(collection.statistics().isEmpty)
  }

  @Test("date components are a length when they are positive and whole")
  func components() {
    #expect(
      CalendarInterval(DateComponents(year: 1, month: 2, day: 3, hour: 4, minute: 5, second: 6))
        == CalendarInterval(months: 14, days: 3, seconds: 14_706))
    #expect(
      CalendarInterval(DateComponents(weekOfYear: 2)) == CalendarInterval(days: 14))
    for components in [
      DateComponents(), DateComponents(day: 0), DateComponents(day: -1),
      DateComponents(hour: 1, nanosecond: 1), DateComponents(year: .max),
    ] {
      #expect(CalendarInterval(components) == nil)
    }
  }

  @Test("options fit the style of every type of the catalogue, or say why not")
  func options() throws {
    let rows = try References.table("catalogue/enums_all.tsv").filter {
      $0["enum"] == "HKStatisticsOptions"
    }
    #expect(rows.count == 9)
    for name in try References.table("catalogue/quantity_types.tsv") {
      let type = HKQuantityType(
        HKQuantityTypeIdentifier(rawValue: try #require(name["identifier"])))
      let isCumulative = type.aggregationStyle == .cumulative
      for row in rows {
        let raw = try #require(row["raw"].flatMap(UInt.init))
        let constant = try #require(row["objc_case"])
        let options = HKStatisticsOptions(rawValue: raw)
        let isWrong =
          constant.hasPrefix("HKStatisticsOptionDiscreteA")
            || constant.hasPrefix("HKStatisticsOptionDiscreteMi")
            || constant == "HKStatisticsOptionDiscreteMax"
          ? isCumulative
          : constant == "HKStatisticsOptionCumulativeSum" ? !isCumulative : false
        do {
          #expect(try options.validated(for: type) == options)
          #expect(!isWrong)
        } catch {
          #expect(isWrong)
          #expect(
            "\(error)"
              == "Statistics option \(constant) is not compatible with "
              + "\(isCumulative ? "cumulative" : "discrete") data type \(type.identifier)")
        }
      }
    }
    let all: HKStatisticsOptions = [
      .separateBySource, .discreteAverage, .discreteMin, .discreteMax, .cumulativeSum,
      .mostRecent, .duration,
    ]
    #expect(all.statistics == [.mean, .min, .max, .sum, .recent, .duration])
    #expect(HKStatisticsOptions().statistics.isEmpty)
  }

  @Test("options that do not fit a type trap with Apple's words")
  func traps() async {
    let sum = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = HKStatisticsOptions.cumulativeSum.checked(for: HKQuantityType(.heartRate))
    }
    expectWords(
      "Statistics option HKStatisticsOptionCumulativeSum is not compatible with discrete data "
        + "type HKQuantityTypeIdentifierHeartRate", sum)
    let mean = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = HKStatisticsOptions.discreteAverage.checked(for: HKQuantityType(.stepCount))
    }
    expectWords(
      "Statistics option HKStatisticsOptionDiscreteAverage is not compatible with cumulative data "
        + "type HKQuantityTypeIdentifierStepCount", mean)
    let fitting: HKStatisticsOptions = [.cumulativeSum, .separateBySource]
    #expect(fitting.checked(for: HKQuantityType(.stepCount)) == fitting)
  }
}

extension Double {
  /// The other number if this is it but for the last bits, else itself.
  fileprivate func rounded(to other: Double?) -> Double {
    guard let other, (self - other).magnitude <= 4 * other.ulp else { return self }
    return other
  }
}
