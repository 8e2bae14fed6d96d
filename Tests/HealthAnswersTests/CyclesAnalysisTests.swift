import Foundation
import HealthAnalysis
import HealthAnswers
import HealthQuery
import HealthSamples
import HealthStore
import Testing
import _HealthTestSupport

@Suite("Menstrual cycles of a store")
struct CyclesAnalysisTests {
  private static let day = 86_400.0
  private let store: SampleStore

  init() throws { store = try SampleStore.temporary() }

  /// Flow of a day each, of which no sample says whether a cycle begins.
  private func save(_ days: [Int]) throws {
    try store.save(
      days.map { day in
        NewSample(
          type: SampleType(.menstrualFlow), source: Source(name: "App"),
          start: Double(day) * Self.day, end: Double(day + 1) * Self.day, value: 3,
          label: "HKCategoryValueMenstrualFlowMedium")
      })
  }

  private func answer(_ json: String) throws -> CyclesAnswer {
    let answer = try store.analysis(try AnalysisPlan(json: Data(json.utf8)))
    guard case .cycles(let cycles) = answer.results else { throw QueryError(.notJSON) }
    return cycles
  }

  /// Five days of flow, of which the fourth is missing.
  private func bleeds(_ firsts: [Int]) -> [Int] {
    firsts.flatMap { first in [0, 1, 2, 4].map { first + $0 } }
  }

  @Test("Cycles have their lengths beside the median; a long one is left out")
  func lengths() throws {
    try save(bleeds([0, 28, 58, 85, 220, 249]))
    let answer = try answer(#"{"analysis": "cycles", "timezone": "UTC"}"#)
    #expect(answer.cycles.map(\.cycle.length) == [28, 30, 27, 135, 29, nil])
    #expect(answer.cycles.map(\.isTooLong) == [false, false, false, true, false, false])
    #expect(answer.statistics.length.median == 28.5 && answer.statistics.length.count == 4)
    #expect(answer.cycles.map(\.difference) == [-0.5, 1.5, -1.5, nil, 0.5, nil])
    #expect(answer.statistics.length.least == 27 && answer.statistics.length.greatest == 30)
    #expect(answer.statistics.tooLongCount == 1)
    #expect(answer.statistics.bleedLength.median == 5 && answer.statistics.flowDays.median == 4)
    #expect(answer.cycles.map(\.start) == [0, 28, 58, 85, 220, 249].map { $0 * Self.day })
    #expect(answer.cycles[0].end == 28 * Self.day && answer.cycles[5].end == 254 * Self.day)
  }

  @Test("They are the cycles of the question about cycles")
  func agreement() throws {
    var random = SplitMix64(seed: 9)
    var first = 0
    var firsts: [Int] = []
    for _ in 0..<20 {
      firsts.append(first)
      first += Int.random(in: 22...35, using: &random)
    }
    try save(bleeds(firsts))
    let answer = try answer(#"{"analysis": "cycles", "timezone": "UTC", "from": "2001-06"}"#)
    var plan = CyclePlan(ElementPeriod(timeZone: ZoneTimeline(.gmt)))
    plan.period.from = QueryDate(instant: 151 * Self.day)
    let columns = try store.cycles(plan)
    #expect(columns.count > 5 && answer.cycles.map(\.start) == columns.starts)
    #expect(answer.cycles.map(\.end) == columns.ends)
    #expect(answer.cycles.map { $0.cycle.length.map(Double.init) } == columns["length"])
    #expect(answer.cycles.map { Double($0.cycle.flowDayCount) } == columns["flowDays"])
  }

  @Test("A longer gap joins bleeds; two cycles are too few")
  func refusals() throws {
    try save(bleeds([0, 28, 56]))
    #expect(throws: QueryError(.analysis(AnalysisError(.tooFewPoints(count: 2, needed: 3))))) {
      _ = try answer(#"{"analysis": "cycles"}"#)
    }
    try save(bleeds([84]))
    #expect(try answer(#"{"analysis": "cycles", "timezone": "UTC"}"#).cycles.count == 4)
    #expect(throws: QueryError(.analysis(AnalysisError(.tooFewPoints(count: 0, needed: 3))))) {
      _ = try answer(#"{"analysis": "cycles", "gap": 40}"#)
    }
    for json in [
      #"{"analysis": "cycles", "gap": 0}"#, #"{"analysis": "cycles", "longest": 0}"#,
      #"{"analysis": "cycles", "by": "month"}"#,
    ] {
      #expect(throws: QueryError.self) { _ = try answer(json) }
    }
  }
}
