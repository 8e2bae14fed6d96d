import Foundation
import HealthAnalysis
import HealthAnswers
import HealthQuery
import HealthSamples
import HealthStore
import Testing
import _HealthTestSupport

@Suite("Courses and components of a store")
struct CourseAnalysisTests {
  private static let day = 86_400.0

  /// A store with a number of each type at noon of each day that has one.
  private func store(_ types: [(HKQuantityTypeIdentifier, String, [Double?])]) throws -> SampleStore
  {
    let store = try SampleStore.temporary()
    for (type, unit, numbers) in types {
      try store.save(
        numbers.enumerated().compactMap { row, number in
          number.map {
            NewSample(
              type: SampleType(type), source: Source(name: "A"),
              start: (Double(row) + 0.5) * Self.day, end: (Double(row) + 0.5) * Self.day,
              value: $0, label: unit)
          }
        })
    }
    return store
  }

  private func courses(_ json: String, in store: SampleStore) throws -> [CourseAnswer] {
    let answer = try store.analysis(try AnalysisPlan(json: Data(json.utf8)))
    guard case .courses(let courses) = answer.results else { return [] }
    return try courses.map { try $0.get() }
  }

  private func components(_ json: String, in store: SampleStore) throws -> ComponentsAnswer {
    let answer = try store.analysis(try AnalysisPlan(json: Data(json.utf8)))
    guard case .components(let found) = answer.results else {
      throw QueryError(.missingMember("components"))
    }
    return found
  }

  /// 200 days with a week, without days 40 to 44 and 100 to 119.
  private func masses(_ seed: UInt64, factor: Double = 1, shift: Double = 0) -> [Double?] {
    var random = SplitMix64(seed: seed)
    return (0..<200).map { (row: Int) -> Double? in
      let noise = Double.random(in: -1...1, using: &random)
      guard !(40..<45).contains(row), !(100..<120).contains(row) else { return nil }
      return shift + factor * (70 + 0.02 * Double(row) + (row % 7 == 2 ? 3 : 0) + noise)
    }
  }

  private let question = #""type": "bodyMass", "timezone": "UTC""#

  @Test("course, season and rest add up to the number; the season is that of the week")
  func seasons() throws {
    let numbers = masses(1)
    let store = try store([(.bodyMass, "kg", numbers)])
    for model in ["seasons", "robustSeasons"] {
      let course = try #require(
        try courses(#"{"analysis": "course", "model": "\#(model)", \#(question)}"#, in: store).first
      )
      let season = try #require(course.seasons.first)
      #expect(course.level.count == 200 && season.period == 7 && course.smoothness == nil)
      for row in numbers.indices {
        // Five days are bridged, twenty are not.
        #expect((course.level[row] == nil) == (100..<120).contains(row), "\(row)")
        #expect((course.rest[row] == nil) == (numbers[row] == nil), "\(row)")
        guard let number = numbers[row], let level = course.level[row],
          let rest = course.rest[row], let value = season.values[row]
        else { continue }
        #expect((level + value + rest - number).magnitude < 1e-9)
        // The slow course is near the line that the numbers were made by, with the mean of a week.
        #expect((level - 70 - 0.02 * Double(row) - 3.0 / 7).magnitude < 0.5)
        if row + 7 < 100 {
          #expect((value - (season.values[row + 7] ?? .infinity)).magnitude < 1e-9)
        }
      }
      #expect(
        season.values.indices.max { (season.values[$0] ?? 0) < (season.values[$1] ?? 0) }.map {
          $0 % 7
        } == 2)
      #expect((season.strength ?? 0) > 0.5 && (course.levelStrength ?? 0) > 0.5)
    }
  }

  @Test("a change of unit and a shift change courses alike", arguments: ["seasons", "smooth"])
  func laws(model: String) throws {
    let json = #"{"analysis": "course", "model": "\#(model)", \#(question)}"#
    let plain = try #require(
      try courses(json, in: try store([(.bodyMass, "kg", masses(2))])).first)
    let other = try #require(
      try courses(json, in: try store([(.bodyMass, "kg", masses(2, factor: 2, shift: 5))])).first)
    for row in plain.level.indices {
      #expect((plain.level[row] == nil) == (other.level[row] == nil))
      guard let level = plain.level[row], let changed = other.level[row] else { continue }
      #expect((changed - 5 - 2 * level).magnitude < 1e-6)
    }
    // Pounds by the question are the same course in another unit.
    let pounds = try #require(
      try courses(
        json.replacing(#""bodyMass""#, with: #""bodyMass:lb""#),
        in: try store([(.bodyMass, "kg", masses(2))])
      ).first)
    for (level, pound) in zip(plain.level, pounds.level) {
      #expect(((level ?? 0) - (pound ?? 0) * 0.45359237).magnitude < 1e-6)
    }
  }

  @Test("a smooth curve is Whittaker's, and far numbers pull a robust course less")
  func smooth() throws {
    var numbers = masses(3)
    let series = try RegularSeries(numbers)
    let store = try store([(.bodyMass, "kg", numbers)])
    for (member, penalty) in [
      ("", WhittakerSmooth.Penalty.crossValidated), (#""penalty": 100, "#, .value(100)),
    ] {
      let course = try #require(
        try courses(
          #"{"analysis": "course", "model": "smooth", \#(member)\#(question)}"#, in: store
        )
        .first)
      let curve = try series.smoothed(penalty: penalty)
      #expect(course.smoothness?.penalty == curve.penalty && course.seasons.isEmpty)
      for row in numbers.indices where !(100..<120).contains(row) {
        #expect(course.level[row] == curve.curve[row])
        if let number = numbers[row], let level = course.level[row] {
          #expect(course.rest[row] == number - level)
        }
      }
    }
    numbers[60] = 700
    let far = try self.store([(.bodyMass, "kg", numbers)])
    func level(_ model: String) throws -> Double {
      try #require(
        try courses(#"{"analysis": "course", "model": "\#(model)", \#(question)}"#, in: far)
          .first?.level[60])
    }
    #expect(try level("robustSeasons") < 75 && level("seasons") > 76)
  }

  @Test(
    "what a course cannot be made of is refused",
    arguments: [
      #""model": "seasons", "by": "week""#, #""model": "seasons", "penalty": 3"#,
      #""model": "smooth", "penalty": -1"#, #""model": "smooth", "to": "2001-01-03""#,
      #""model": "seasons", "to": "2001-01-10""#, #""from": "2001-04-12", "to": "2001-04-20""#,
    ])
  func refusals(members: String) throws {
    let store = try store([(.bodyMass, "kg", masses(4))])
    #expect(throws: (any Error).self) {
      _ = try courses(#"{"analysis": "course", \#(question), \#(members)}"#, in: store)
    }
  }

  @Test("components are those of the days with all numbers, and every type has a part of all")
  func principalComponents() throws {
    var random = SplitMix64(seed: 5)
    let common = (0..<120).map { _ in Double.random(in: -1...1, using: &random) }
    func column(_ weight: Double) -> [Double?] {
      common.map { 60 + weight * $0 + Double.random(in: -0.3...0.3, using: &random) }
    }
    var mass = column(1)
    for row in 30..<36 { mass[row] = nil }
    let (rate, temperature) = (column(1), column(-1))
    let store = try store([
      (.bodyMass, "kg", mass), (.restingHeartRate, "count/min", rate),
      (.bodyTemperature, "degC", temperature), (.height, "m", common.map { _ in 1.7 }),
      (.vo2Max, "mL/min·kg", common.indices.map { $0 % 3 == 0 ? Double($0 + 20) : nil }),
    ])
    let found = try components(
      #"{"analysis": "components", "type": "bodyMass,restingHeartRate,bodyTemperature", "from": "2001-01-01", "timezone": "UTC"}"#,
      in: store)
    #expect(found.components.rows == (0..<120).filter { !(30..<36).contains($0) })
    let twin = try PrincipalComponents(
      try [mass, rate, temperature].map { try RegularSeries($0) })
    #expect(found.components.variances == twin.variances)
    #expect(found.components.loadings == twin.loadings && found.components.scores == twin.scores)
    #expect(found.components.shares[0] > 0.8)
    let weights = found.components.loadings[0]
    #expect(weights[0] * weights[1] > 0 && weights[0] * weights[2] < 0)
    // Without types: those with nine of ten days, and no constant ones.
    let all = try components(#"{"analysis": "components", "timezone": "UTC"}"#, in: store)
    #expect(
      Set(all.places.map { all.subjects[$0].series.name })
        == ["bodyMass", "restingHeartRate", "bodyTemperature"])
    // By name a type that does not vary is refused.
    for json in [
      #"{"analysis": "components", "type": "bodyMass,height", "timezone": "UTC"}"#,
      #"{"analysis": "components", "type": "bodyMass", "timezone": "UTC"}"#,
      #"{"analysis": "components", "type": "bodyMass,restingHeartRate", "atLeast": 115, "timezone": "UTC"}"#,
      #"{"analysis": "components", "type": "bodyMass,restingHeartRate", "atLeast": 0, "timezone": "UTC"}"#,
    ] {
      #expect(throws: QueryError.self) { _ = try components(json, in: store) }
    }
  }
}
