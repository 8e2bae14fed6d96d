import Testing
import _HealthTestSupport

@testable import HealthAnalysis

@Suite
struct GlucoseProfileTests {
  @Test("Each hour has the percentiles of its readings, and their shares by time")
  func hours() throws {
    var random = SplitMix64(seed: 71)
    var times: [Double] = []
    var time = 0.0
    while time < 5 * 86_400 {
      times.append(time)
      time += Double.random(in: 60...3_000, using: &random)
    }
    let values = times.map { _ in Double.random(in: 40...300, using: &random) }
    let hours = times.map { Int($0 / 3_600) % 24 }
    let readings = try GlucoseReadings(times: times, values: values)
    let profile = try readings.profile(hours: hours, end: 5 * 86_400)
    #expect(profile.hours.map(\.hour) == Set(hours).sorted())
    for hour in profile.hours {
      let rows = hours.indices.filter { hours[$0] == hour.hour }
      let sorted = rows.map { values[$0] }.sorted()
      func quantile(_ share: Double) -> Double {
        let place = share * Double(sorted.count - 1)
        let low = Int(place)
        let high = min(low + 1, sorted.count - 1)
        return sorted[low] + (place - Double(low)) * (sorted[high] - sorted[low])
      }
      #expect(hour.count == rows.count)
      for (found, share) in [
        (hour.fifthPercentile, 0.05), (hour.lowerQuartile, 0.25), (hour.median, 0.5),
        (hour.upperQuartile, 0.75), (hour.ninetyFifthPercentile, 0.95),
      ] {
        #expect((found - quantile(share)).magnitude < 1e-9)
      }
      func held(_ row: Int) -> Double {
        min(900, (row + 1 < times.count ? times[row + 1] : 5 * 86_400) - times[row])
      }
      let all = rows.map(held).reduce(0, +)
      let inRange = rows.filter { values[$0] >= 70 && values[$0] <= 180 }.map(held).reduce(0, +)
      #expect(((hour.ranges?.inRange ?? -1) - inRange / all).magnitude < 1e-12)
    }
  }

  @Test("What is no profile is refused")
  func refusals() throws {
    let readings = try GlucoseReadings(times: [0, 300], values: [100, 110])
    #expect(throws: AnalysisError(.lengthsDiffer(x: 2, y: 1))) { try readings.profile(hours: [0]) }
    #expect(throws: AnalysisError(.outOfRange, row: 1)) { try readings.profile(hours: [0, 24]) }
    #expect(throws: AnalysisError(.outOfRange, row: 0)) { try readings.profile(hours: [-1, 0]) }
    #expect(throws: AnalysisError.self) { try readings.profile(hours: [0, 0], hold: 0) }
    let none = try GlucoseReadings(times: [], values: [])
    #expect(throws: AnalysisError(.tooFewPoints(count: 0, needed: 1))) {
      try none.profile(hours: [])
    }
    let ended = try readings.profile(hours: [5, 5], end: 0)
    #expect(ended.hours.map(\.hour) == [5] && ended.hours[0].ranges == nil)
  }

  @Test("A period of local days with a change of the clock has as many days")
  func periods() throws {
    let times = (0..<14 * 288).map { 300 * Double($0) }
    let readings = try GlucoseReadings(times: times, values: times.map { _ in 120 })
    let whole = 14 * 86_400.0
    let cases: [(end: Double, days: Int)] = [
      (whole, 14), (whole - 3_600, 14), (whole - 3_601, 13), (whole + 3_600, 14), (600, 0),
    ]
    for (end, days) in cases {
      let summary = try readings.summary(over: 0..<end)
      #expect(summary.days == days && (summary.targets != nil) == (days >= 14))
      #expect(summary.coverage <= 1)
    }
    let one = try readings.summary(over: 0..<whole)
    let other = try readings.summary(endingAt: whole)
    #expect(one == other)
    #expect(throws: AnalysisError.self) { try readings.summary(over: 5..<5) }
    #expect(throws: AnalysisError.self) { try readings.summary(over: -1e300..<1e300) }
  }

  @Test("Medians of several series are those of their numbers")
  func medians() throws {
    let series = try [[0.8, 0.81, 0.87, 0.8], [1, 1.02, 0.99], [0.7, 0.72, 0.71, 0.75]].map {
      try BeatIntervals($0).variability()
    }
    let medians = try #require(HeartRateVariabilityMedians(series))
    #expect(medians.count == 3)
    #expect(medians.standardDeviation == series.map(\.standardDeviation).sorted()[1])
    #expect(medians.meanHeartRate == series.map(\.meanHeartRate).sorted()[1])
    #expect(
      medians.rootMeanSquareOfDifferences
        == series.compactMap(\.rootMeanSquareOfDifferences).sorted()[1])
    #expect(HeartRateVariabilityMedians([]) == nil)
  }

  @Test("Cycles that are kept have the lengths that they had")
  func keeping() throws {
    let cycles = try MenstrualCycles(flowDays: [0, 28, 57, 84, 113])
    let later = cycles.keeping { $0.firstDay >= 28 }
    #expect(later.cycles == Array(cycles.cycles.dropFirst()))
    #expect(try later.statistics().length.count == 3)
    #expect(later.bridging == cycles.bridging)
  }
}
