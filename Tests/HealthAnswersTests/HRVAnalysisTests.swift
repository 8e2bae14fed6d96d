import Foundation
import HealthAnalysis
import HealthAnswers
import HealthQuery
import HealthSamples
import HealthStore
import Testing
import _HealthTestSupport

@Suite("Heart rate variability of a store")
struct HRVAnalysisTests {
  private static let day = 86_400.0
  private let store: SampleStore

  init() throws { store = try SampleStore.temporary() }

  /// Saves beats as an export has them.
  private func list(_ offsets: [Double], rates: [Double], at start: Double) -> BeatLists.Row {
    var row = BeatLists.Row(
      record: RecordLink(
        type: "HKQuantityTypeIdentifierHeartRateVariabilitySDNN", source: Source(name: "Watch"),
        start: start, end: start + 60, value: 40, label: "ms"))
    (row.offsets, row.rates) = (offsets, rates)
    return row
  }

  private func add(_ batches: ImportBatch...) throws {
    let session = try store.beginImport()
    for batch in batches { try session.add(batch) }
    _ = try session.finish()
  }

  private func answer(_ json: String) throws -> HRVAnswer {
    let answer = try store.analysis(try AnalysisPlan(json: Data(json.utf8)))
    guard case .hrv(let variability) = answer.results else {
      throw QueryError(.notJSON)
    }
    return variability
  }

  /// Offsets and rates of beats that follow each other.
  private func beats(_ intervals: [Double]) -> (offsets: [Double], rates: [Double]) {
    var offsets = [0.25]
    for interval in intervals { offsets.append((offsets.last ?? 0) + interval) }
    return (offsets, [60 / intervals[0]] + intervals.map { 60 / $0 })
  }

  @Test("Each series has the variability of its beats, also one that an app saved")
  func series() throws {
    let (offsets, rates) = beats([0.8, 0.81, 0.87, 0.8, 0.82])
    var saved = SavedObjects.Row()
    saved.type = "HKDataTypeIdentifierHeartbeatSeries"
    saved.facts.source = Source(name: "App")
    (saved.facts.start, saved.facts.end) = (Self.day, Self.day + 10)
    saved.columns = [[0, 1, 2.05, 4, 5, 6.02], [0, 0, 0, 1, 0, 0]]
    try add(
      .beatLists(BeatLists([list(offsets, rates: rates, at: 100)])),
      .savedObjects(SavedObjects([saved])))
    let answer = try answer(#"{"analysis": "hrv", "timezone": "UTC"}"#)
    #expect(answer.series.map(\.start) == [100, Self.day] && answer.intervals == nil)
    #expect(answer.series.map(\.source.name) == ["Watch", "App"])
    #expect(answer.series.map(\.isOfExport) == [true, false])
    #expect(answer.series.map(\.recordedDeviation) == [40, nil])
    #expect(answer.series.map(\.beatCount) == [6, 6] && answer.series.map(\.gapCount) == [0, 1])
    #expect(
      try answer.series[0].variability.get()
        == BeatIntervals(beats: offsets).variability())
    let gapped = try answer.series[1].variability.get()
    #expect(gapped.count == 4 && gapped.differenceCount == 2)
    let mean = (1000 + 1050 + 1000 + 1020) / 4.0
    let squares = [1000.0, 1050, 1000, 1020].map { ($0 - mean) * ($0 - mean) }.reduce(0, +)
    #expect((gapped.standardDeviation - (squares / 3).squareRoot()).magnitude < 1e-9)
  }

  @Test("A beat that comes more than half a beat late by its rate is after a gap")
  func gaps() throws {
    try add(
      .beatLists(
        BeatLists([
          list([0, 1, 2, 3.8, 4.8], rates: [60, 60, 60, 60, 60], at: 0),
          list([0, 1, 2, 3.4, 4.4], rates: [60, 60, 60, 60, 60], at: 500),
        ])))
    let answer = try answer(#"{"analysis": "hrv"}"#)
    #expect(answer.series.map(\.gapCount) == [1, 0])
    // The late beat without a gap differs by 40 %, and so does the one after it.
    #expect(try answer.series.map { try $0.variability.get().count } == [3, 2])
    let all = try self.answer(#"{"analysis": "hrv", "largestChange": 1}"#)
    #expect(try all.series.map { try $0.variability.get().count } == [3, 4])
  }

  @Test("Intervals have the medians of their series; empty ones have none")
  func medians() throws {
    var random = SplitMix64(seed: 12)
    var rows: [BeatLists.Row] = []
    for day in [0, 0, 0, 2, 2] {
      let (offsets, rates) = beats(
        (0..<40).map { _ in Double.random(in: 0.75...0.85, using: &random) })
      rows.append(
        list(offsets, rates: rates, at: Double(day) * Self.day + Double(rows.count) * 600))
    }
    rows.append(list([0, 1], rates: [60, 60], at: 2.5 * Self.day))
    try add(.beatLists(BeatLists(rows)))
    let answer = try answer(#"{"analysis": "hrv", "by": "day", "timezone": "UTC"}"#)
    let intervals = try #require(answer.intervals)
    #expect(intervals.map(\.start) == [0, Self.day, 2 * Self.day])
    #expect(intervals.map { $0.medians?.count } == [3, nil, 2])
    #expect(intervals.map(\.refusedCount) == [0, 0, 1])
    let known = try answer.series.prefix(5).map { try $0.variability.get() }
    let first = known.prefix(3).map(\.standardDeviation).sorted()
    #expect(intervals[0].medians?.standardDeviation == first[1])
    let last = known.suffix(2).compactMap(\.rootMeanSquareOfDifferences)
    let middle = (last[0] + last[1]) / 2
    #expect(
      ((intervals[2].medians?.rootMeanSquareOfDifferences ?? 0) - middle).magnitude < 1e-9)
  }

  // MARK: - Poincaré's plot, lnRMSSD and α1

  /// Beats as an app saves them, with a gap before some; the times are no hundredths of a second.
  private func saved(
    _ intervals: [Double], gapsBefore gaps: Set<Int> = [], at start: Double
  ) -> SavedObjects.Row {
    var row = SavedObjects.Row()
    row.type = "HKDataTypeIdentifierHeartbeatSeries"
    row.facts.source = Source(name: "App")
    var offsets = [0.0]
    for interval in intervals { offsets.append((offsets.last ?? 0) + interval) }
    (row.facts.start, row.facts.end) = (start, start + (offsets.last ?? 0))
    row.columns = [offsets, offsets.indices.map { gaps.contains($0) ? 1 : 0 }]
    return row
  }

  private static func milliseconds(_ count: Int, seed: UInt64) -> [Double] {
    var random = SplitMix64(seed: seed)
    return (0..<count).map { _ in Double.random(in: 750...850, using: &random) }
  }

  /// The standard deviation of some numbers, with *n* − 1.
  private static func deviation(_ values: [Double]) -> Double {
    let mean = values.reduce(0, +) / Double(values.count)
    let squares = values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
    return (squares / Double(values.count - 1)).squareRoot()
  }

  private static func agree(_ found: Double?, _ expected: Double) -> Bool {
    ((found ?? .nan) - expected).magnitude < 1e-7 * max(1, expected.magnitude)
  }

  @Test("SD1 and SD2 are the axes of the plot of successive intervals; gaps part its points")
  func poincare() throws {
    let values = Self.milliseconds(60, seed: 3)
    // The interval of number 20 is one of 2.5 s over a gap.
    let (first, last) = (Array(values[..<20]), Array(values[20...]))
    try add(
      .savedObjects(
        SavedObjects([
          saved((first + [2500] + last).map { $0 / 1000 }, gapsBefore: [21], at: 100)
        ])))
    let found = try #require(
      try answer(#"{"analysis": "hrv", "timezone": "UTC"}"#).series.first?.variability.get())
    let points = [first, last].flatMap { part in zip(part, part.dropFirst()).map { ($0, $1) } }
    #expect(found.count == 60 && points.count == 58)
    let axis = 2.0.squareRoot()
    let width = Self.deviation(points.map { ($0 - $1) / axis })
    let length = Self.deviation(points.map { ($0 + $1) / axis })
    #expect(Self.agree(found.poincareWidth, width) && Self.agree(found.poincareLength, length))
    #expect(Self.agree(found.poincareRatio, width / length))
    let squares = points.reduce(0) { $0 + ($1.0 - $1.1) * ($1.0 - $1.1) }
    let logarithm = log((squares / Double(points.count)).squareRoot())
    #expect(Self.agree(found.logarithmOfRootMeanSquare, logarithm))
  }

  @Test("α1 is that of the sums of lines, over gaps as well; below 160 intervals there is none")
  func shortTermExponent() throws {
    let values = Self.milliseconds(161, seed: 4)
    func row(_ count: Int, at start: Double) -> SavedObjects.Row {
      // A gap of 2.5 s before the last 40.
      let seconds = values[..<count].map { $0 / 1000 }
      return saved(
        Array(seconds[..<(count - 40)] + [2.5] + seconds[(count - 40)...]),
        gapsBefore: [count - 39], at: start)
    }
    try add(
      .savedObjects(
        SavedObjects([
          row(159, at: 0), row(160, at: 500), row(161, at: Self.day),
          saved(Array(repeating: 0.8, count: 70), at: 2 * Self.day),
        ])))
    let answer = try answer(#"{"analysis": "hrv", "by": "day", "timezone": "UTC"}"#)
    #expect(answer.series.map { try? $0.variability.get().count } == [159, 160, 161, 70])
    for (series, count) in [(answer.series[0], 159), (answer.series[3], 70)] {
      #expect(throws: AnalysisError(.tooFewPoints(count: count, needed: 160))) {
        try series.fluctuation.get()
      }
    }
    var exponents: [Double] = []
    for (place, count) in [(1, 160), (2, 161)] {
      let profile = SlowFluctuation.profile(Array(values[..<count]))
      let logarithms = (4...16).map { size in
        (x: log(Double(size)), y: log(SlowFluctuation.meanSquare(profile, size: size)) / 2)
      }
      let (x, y) = (
        logarithms.reduce(0) { $0 + $1.x } / 13, logarithms.reduce(0) { $0 + $1.y } / 13
      )
      let slope =
        logarithms.reduce(0) { $0 + ($1.x - x) * ($1.y - y) }
        / logarithms.reduce(0) { $0 + ($1.x - x) * ($1.x - x) }
      let exponent = try answer.series[place].fluctuation.get().exponent
      #expect(Self.agree(exponent, slope))
      exponents.append(exponent)
    }
    let intervals = try #require(answer.intervals)
    // The median is of the series that have one, and there is none of a day without.
    #expect(intervals.map(\.medianShortTermExponent) == [exponents[0], exponents[1], nil])
    #expect(intervals.map(\.fluctuationCount) == [1, 1, 0])
    #expect(intervals.map { $0.medians?.count } == [2, 1, 1])
  }

  @Test("What has too few differences is missing, and never 0")
  func minima() throws {
    let rows = [
      // No difference: the gap is between the two intervals.
      saved([0.8, 3, 0.82], gapsBefore: [2], at: 0), saved([0.8, 0.82], at: 100),
      saved([0.8, 0.82, 0.81], at: 200), saved([0.75, 0.75, 0.75, 0.75], at: 300),
    ]
    try add(.savedObjects(SavedObjects(rows)))
    let found = try answer(#"{"analysis": "hrv", "timezone": "UTC"}"#).series
      .map { try $0.variability.get() }
    #expect(found.map { $0.logarithmOfRootMeanSquare != nil } == [false, true, true, false])
    #expect(found.map { $0.poincareWidth != nil } == [false, false, true, true])
    #expect(found.map { $0.poincareLength != nil } == [false, false, true, true])
    #expect(found.map { $0.poincareRatio != nil } == [false, false, true, false])
    let medians = try #require(
      try answer(#"{"analysis": "hrv", "by": "day", "timezone": "UTC"}"#).intervals?.first?.medians)
    let logarithms = found.compactMap(\.logarithmOfRootMeanSquare)
    #expect(Self.agree(medians.logarithmOfRootMeanSquare, logarithms.reduce(0, +) / 2))
    #expect(medians.poincareRatio == found[2].poincareRatio)
  }

  @Test("Numbers do not depend on the zone, nor on the order in which series were imported")
  func invariance() throws {
    let other = try SampleStore.temporary()
    // From 27 October 2001 on, before the night in which clocks of Paris go back.
    let rows = (0..<6).map { place in
      saved(
        Self.milliseconds(170, seed: UInt64(place)).map { $0 / 1000 },
        at: 299.5 * Self.day + Double(place) * 30_000)
    }
    for (store, rows) in [(store, rows), (other, rows.reversed())] {
      for row in rows {
        let session = try store.beginImport()
        try session.add(.savedObjects(SavedObjects([row])))
        _ = try session.finish()
      }
    }
    func asked(_ store: SampleStore, _ zone: String) throws -> HRVAnswer {
      let json = #"{"analysis": "hrv", "by": "day", "timezone": "\#(zone)"}"#
      let answer = try store.analysis(try AnalysisPlan(json: Data(json.utf8)))
      guard case .hrv(let found) = answer.results else { throw QueryError(.notJSON) }
      return found
    }
    let paris = try asked(store, "Europe/Paris")
    #expect(try asked(other, "Europe/Paris") == paris)
    let utc = try asked(store, "UTC")
    #expect(utc.series == paris.series && utc.series.count == 6)
    // The day on which clocks go back has 25 hours.
    let days = try #require(paris.intervals)
    #expect(days.map { $0.end - $0.start } == [24, 25, 24].map { $0 * 3600 })
    for day in days {
      let exponents = paris.series.filter { (day.start..<day.end).contains($0.start) }
        .compactMap { try? $0.fluctuation.get().exponent }.sorted()
      #expect(day.fluctuationCount == exponents.count && !exponents.isEmpty)
      let (low, high) = (exponents[(exponents.count - 1) / 2], exponents[exponents.count / 2])
      #expect(Self.agree(day.medianShortTermExponent, (low + high) / 2))
    }
  }

  @Test("Without a beginning it is about the last 28 days of the data, or all by intervals")
  func defaultDays() throws {
    let (offsets, rates) = beats([0.8, 0.81, 0.87, 0.8, 0.82])
    try add(
      .beatLists(
        BeatLists(
          [0, 39, 40, 67].map { list(offsets, rates: rates, at: ($0 + 0.5) * Self.day) })))
    func days(_ members: String) throws -> [Double] {
      try answer(#"{"analysis": "hrv", "timezone": "UTC"\#(members)}"#).series
        .map { ($0.start / Self.day).rounded(.down) }
    }
    #expect(try days("") == [40, 67])
    #expect(try days(#", "from": "2001-01-02""#) == [39, 40, 67])
    // Up to and with 9 February, the day of number 39.
    #expect(try days(#", "to": "2001-02-10""#) == [39])
    #expect(try days(#", "by": "week""#) == [0, 39, 40, 67])
  }

  @Test("Without series, and for limits out of order, it is refused")
  func refusals() throws {
    #expect(throws: QueryError(.analysis(AnalysisError(.tooFewPoints(count: 0, needed: 1))))) {
      _ = try answer(#"{"analysis": "hrv"}"#)
    }
    for json in [
      #"{"analysis": "hrv", "shortest": 3}"#, #"{"analysis": "hrv", "largestChange": -1}"#,
      #"{"analysis": "hrv", "clip": true, "from": "2001"}"#,
    ] {
      #expect(throws: QueryError.self) { _ = try answer(json) }
    }
  }
}
