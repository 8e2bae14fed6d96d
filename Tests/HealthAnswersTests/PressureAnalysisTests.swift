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

  /// Twice a day, at other hours each day.
  private static func readings(_ count: Int, seed: UInt64) -> [Reading] {
    var random = SplitMix64(seed: seed)
    return (0..<count).map { row in
      (
        time: Double(row) * 43_200 + Double(Int.random(in: 0...700, using: &random)) * 60,
        systolic: Double(Int.random(in: 105...189, using: &random)),
        diastolic: Double(Int.random(in: 55...104, using: &random))
      )
    }
  }

  @Test("Variability is that of the readings in order of time, of parts of days, and of days")
  func variability() throws {
    let readings = Self.readings(60, seed: 91)
    try save(readings.shuffled())
    let answer = try answer(#"{"analysis": "pressure", "timezone": "UTC"}"#)
    #expect(answer.numbers.map(\.name) == [.all, .mornings, .evenings, .days])
    let days = Dictionary(grouping: readings) { Int($0.time / Self.day) }.sorted { $0.key < $1.key }
    for numbers in answer.numbers {
      func hours(_ range: Range<Int>) -> [Reading] {
        readings.filter { range.contains(Int($0.time / 3_600) % 24) }
      }
      let part =
        switch numbers.name {
        case .all: readings
        case .mornings: hours(4..<12)
        case .evenings: hours(18..<24)
        case .days:
          days.map { day, found -> Reading in
            let count = Double(found.count)
            return (
              Double(day) * Self.day, found.reduce(0) { $0 + $1.systolic } / count,
              found.reduce(0) { $0 + $1.diastolic } / count
            )
          }
        }
      let found = try #require(numbers.found)
      #expect(found.count == part.count && part.count > 10)
      func check(_ measure: BloodPressureVariability.Measure, _ value: (Reading) -> Double) {
        let values = part.map(value)
        let mean = values.reduce(0, +) / Double(values.count)
        let squares = values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
        let changes = zip(values, values.dropFirst()).map { ($1 - $0).magnitude }
        let steps = zip(part, part.dropFirst()).map { $1.time - $0.time }
        let weighted = zip(changes, steps).reduce(0) { $0 + $1.0 * $1.1 } / steps.reduce(0, +)
        for (number, known) in [
          (measure.mean, mean),
          (
            measure.standardDeviation ?? 0, (squares / Double(values.count - 1)).squareRoot()
          ),
          (
            measure.averageRealVariability ?? 0, changes.reduce(0, +) / Double(changes.count)
          ),
          (measure.weightedAverageRealVariability ?? 0, weighted),
        ] {
          #expect((number - known).magnitude < 1e-9)
        }
      }
      check(found.systolic, \.systolic)
      check(found.diastolic, \.diastolic)
      check(found.pulsePressure) { $0.systolic - $0.diastolic }
      check(found.meanArterialPressure) { ($0.systolic + 2 * $0.diastolic) / 3 }
    }
    // In another zone mornings are others, and all readings are the same.
    let away = try self.answer(#"{"analysis": "pressure", "timezone": "Asia/Tokyo"}"#)
    let (here, there) = (answer.numbers[0].found, away.numbers[0].found)
    #expect(here?.systolic.averageRealVariability == there?.systolic.averageRealVariability)
    #expect(here?.count == there?.count && answer.numbers[1] != away.numbers[1])
  }

  @Test("One reading has pressures and no variability; without evenings they have no numbers")
  func oneReading() throws {
    try save([(time: 25_200, systolic: 130, diastolic: 85)])
    let answer = try answer(#"{"analysis": "pressure", "timezone": "UTC"}"#)
    #expect(answer.numbers.map { $0.found?.count } == [1, 1, nil, 1])
    let found = try #require(answer.numbers[0].found)
    #expect(found.pulsePressure.mean == 45 && found.meanArterialPressure.mean == 100)
    #expect(found.systolic.standardDeviation == nil)
    #expect(found.systolic.averageRealVariability == nil)
  }

  @Test(
    "Isolated hypertension is counted by the edges of ESH 2023, and not by other guidelines",
    arguments: BloodPressureGuideline.Place.allCases)
  func isolated(place: BloodPressureGuideline.Place) throws {
    let readings = Self.readings(200, seed: 92)
    try save(readings)
    func answer(_ guideline: String) throws -> PressureAnswer {
      try self.answer(
        """
        {"analysis": "pressure", "guideline": "\(guideline)", "place": "\(place.rawValue)",
        "timezone": "UTC"}
        """)
    }
    let (upper, lower) = place == .home ? (135.0, 85.0) : (140, 90)
    let found = try answer("esh2023").classes
    let systolic = readings.count { $0.systolic >= upper && $0.diastolic < lower }
    let diastolic = readings.count { $0.systolic < upper && $0.diastolic >= lower }
    #expect(found.compactMap(\.isolatedSystolic).reduce(0, +) == systolic && systolic > 20)
    #expect(found.compactMap(\.isolatedDiastolic).reduce(0, +) == diastolic && diastolic > 10)
    #expect(
      found.allSatisfy { ($0.isolatedSystolic ?? 0) + ($0.isolatedDiastolic ?? 0) <= $0.count })
    for other in ["esc2024", "ahaAcc2025"] {
      #expect(
        try answer(other).classes.allSatisfy {
          $0.isolatedSystolic == nil && $0.isolatedDiastolic == nil
        })
    }
  }
}
