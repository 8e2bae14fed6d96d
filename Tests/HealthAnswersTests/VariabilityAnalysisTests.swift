import Foundation
import HealthAnalysis
import HealthAnswers
import HealthQuery
import HealthSamples
import HealthStore
import Testing
import _HealthTestSupport

@Suite("Heart rate variability of a store")
struct VariabilityAnalysisTests {
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

  private func add(_ batches: ExportBatch...) throws {
    let session = try store.beginImport()
    for batch in batches { try session.add(batch) }
    _ = try session.finish()
  }

  private func answer(_ json: String) throws -> VariabilityAnswer {
    let answer = try store.analysis(try AnalysisPlan(json: Data(json.utf8)))
    guard case .variability(let variability) = answer.findings else {
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
