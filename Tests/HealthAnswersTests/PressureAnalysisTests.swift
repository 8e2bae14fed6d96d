import Foundation
import HealthAnalysis
import HealthAnswers
import HealthQuery
import HealthSamples
import HealthStore
import Testing
import _HealthTestSupport

@Suite("Classes of blood pressure of a store")
struct PressureAnalysisTests {
  private static let day = 86_400.0
  private let store: SampleStore

  init() throws { store = try SampleStore.temporary() }

  private typealias Reading = (time: Double, systolic: Double, diastolic: Double)

  private func save(_ readings: [Reading]) throws {
    let cuff = Source(name: "Cuff")
    try store.save(
      readings.flatMap { reading in
        [
          (HKQuantityTypeIdentifier.bloodPressureSystolic, reading.systolic),
          (.bloodPressureDiastolic, reading.diastolic),
        ].map { type, value in
          NewSample(
            type: SampleType(type), source: cuff, start: reading.time, end: reading.time,
            value: value, label: "mmHg")
        }
      })
  }

  private func answer(_ json: String) throws -> PressureAnswer {
    let answer = try store.analysis(try AnalysisPlan(json: Data(json.utf8)))
    guard case .pressure(let pressure) = answer.results else { throw QueryError(.notJSON) }
    return pressure
  }

  @Test(
    "Classes count the readings that each guideline puts there",
    arguments: BloodPressureGuideline.allCases, BloodPressureGuideline.Place.allCases)
  func classes(
    guideline: BloodPressureGuideline, place: BloodPressureGuideline.Place
  ) throws {
    var random = SplitMix64(seed: 21)
    let readings = (0..<120).map { row in
      (
        time: Double(row) * 9_000,
        systolic: Double(Int.random(in: 100...190, using: &random)),
        diastolic: Double(Int.random(in: 55...99, using: &random))
      )
    }
    try save(readings)
    let answer = try answer(
      """
      {"analysis": "pressure", "guideline": "\(guideline.rawValue)", "place": "\(place.rawValue)",
      "timezone": "UTC"}
      """)
    #expect(answer.classes.map(\.category) == guideline.categories(at: place))
    #expect(answer.all.count == 120 && answer.implausibleCount == 0)
    #expect(answer.classes.map(\.count).reduce(0, +) == 120)
    for row in answer.classes {
      let known = try readings.filter { reading in
        try guideline.classified(
          systolic: reading.systolic, diastolic: reading.diastolic, at: place
        ).category == row.category
      }
      func hours(_ range: Range<Int>) -> Int {
        known.count { range.contains(Int($0.time / 3_600) % 24) }
      }
      #expect(row.count == known.count)
      #expect(row.mornings == hours(4..<12) && row.evenings == hours(18..<24))
      func category(_ systolic: Double, _ diastolic: Double) throws
        -> BloodPressureGuideline.Category
      {
        try guideline.classified(systolic: systolic, diastolic: diastolic, at: place).category
      }
      if let edge = row.systolicFrom {
        #expect(try category(edge, 1) == row.category && category(edge - 0.1, 1) != row.category)
      }
      if let edge = row.diastolicFrom {
        // Just above it, where the systolic pressure is of a lower class.
        #expect(try category(edge + 0.1, edge) == row.category)
        #expect(try category(edge, edge - 0.1) != row.category)
      }
    }
    #expect(answer.classes.first?.systolicFrom == nil)
    #expect(answer.classes.dropFirst().allSatisfy { $0.systolicFrom != nil })
    let mean = readings.map(\.systolic).reduce(0, +) / 120
    #expect((answer.all.systolic - mean).magnitude < 1e-9)
    #expect((answer.home == nil) == (place == .office))
  }

  @Test("The average at home is that of the last week, without its first day")
  func home() throws {
    try save(
      (0..<10).flatMap { (day: Int) in
        [7.0, 7.1, 20, 20.1].map { (hour: Double) -> Reading in
          let systolic = day < 4 ? 150 : 120 + hour
          return (Double(day) * Self.day + hour * 3_600, systolic, 80)
        }
      })
    let answer = try answer(#"{"analysis": "pressure", "timezone": "UTC"}"#)
    let home = try #require(try answer.home?.get())
    #expect(home.days == 3...9 && home.droppedDay == 3 && home.all.count == 24)
    #expect((home.all.systolic - 133.55).magnitude < 1e-9)
    #expect(((home.mornings?.systolic ?? 0) - 127.05).magnitude < 1e-9)
    #expect(answer.homeClass?.category == .elevated && answer.homeClass?.guideline == .esc2024)
    #expect(answer.mornings?.count == 20 && answer.evenings?.count == 20)
    #expect(answer.sources == [SourceCount(source: Source(name: "Cuff"), count: 40)])
  }

  @Test("Too few readings have no average at home, and what is no pressure does not count")
  func few() throws {
    try save([
      (time: 25_200, systolic: 130, diastolic: 85), (time: 30_000, systolic: 80, diastolic: 120),
    ])
    let answer = try answer(#"{"analysis": "pressure", "timezone": "UTC"}"#)
    #expect(answer.all.count == 1 && answer.implausibleCount == 1)
    #expect(answer.home == .failure(AnalysisError(.spanTooShort(rows: 1, needed: 3))))
    #expect(answer.evenings == nil && answer.homeClass == nil)
  }

  @Test("Readings of which none can be are counted in the refusal")
  func allLeftOut() throws {
    try save((0..<40).map { (time: Double($0) * 9_000, systolic: 80, diastolic: 80) })
    #expect(throws: QueryError(.analysis(AnalysisError(.allLeftOut(count: 40))))) {
      _ = try answer(#"{"analysis": "pressure", "timezone": "UTC"}"#)
    }
    #expect(throws: QueryError(.analysis(AnalysisError(.tooFewPoints(count: 0, needed: 1))))) {
      _ = try answer(#"{"analysis": "pressure", "timezone": "UTC", "from": "2002"}"#)
    }
  }

  @Test("Mornings and evenings are those of the question about blood pressure")
  func hours() {
    let plan = BloodPressurePlan(ElementPeriod(timeZone: ZoneTimeline(.gmt)))
    #expect(plan.morning == 4..<12 && plan.evening == 18..<24)
  }

  @Test("Without readings, and for another guideline, it is refused")
  func refusals() throws {
    #expect(throws: QueryError(.analysis(AnalysisError(.tooFewPoints(count: 0, needed: 1))))) {
      _ = try answer(#"{"analysis": "pressure"}"#)
    }
    let error = #expect(throws: QueryError.self) {
      _ = try answer(#"{"analysis": "pressure", "guideline": "esc"}"#)
    }
    #expect(error?.reasonCode == "unknownWord")
  }
}
