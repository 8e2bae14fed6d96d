import Testing
import _HealthTestSupport

@testable import HealthAnalysis

@Suite
struct HomeBloodPressureTests {
  /// Two readings each morning and evening of some days.
  private func week(_ days: ClosedRange<Int>) throws -> BloodPressureReadings {
    var columns: (days: [Int], hours: [Double], upper: [Double], lower: [Double]) = ([], [], [], [])
    for day in days {
      for (hour, upper, lower) in [
        (7, 130.0, 80.0), (7.1, 128, 82), (20, 124, 76), (20.1, 122, 74),
      ] {
        columns.days.append(day)
        columns.hours.append(hour)
        columns.upper.append(upper + (day == days.lowerBound ? 30 : 0))
        columns.lower.append(lower)
      }
    }
    return try BloodPressureReadings(
      days: columns.days, hours: columns.hours, systolic: columns.upper, diastolic: columns.lower)
  }

  @Test("The first day is dropped, mornings and evenings are apart")
  func fullWeek() throws {
    let average = try week(1...7).homeAverage()
    #expect(average.days == 1...7 && average.droppedDay == 1 && average.dayCount == 6)
    #expect(average.all == .init(count: 24, systolic: 126, diastolic: 78))
    #expect(average.mornings == .init(count: 12, systolic: 129, diastolic: 81))
    #expect(average.evenings == .init(count: 12, systolic: 123, diastolic: 75))
    #expect(average.otherCount == 0)
    #expect(average == (try week(1...7).homeAverage(lastDay: 7)))
  }

  @Test("Of a longer time the last seven days are used, and the first of them is dropped")
  func lastWeek() throws {
    let average = try week(-20...10).homeAverage()
    #expect(average.days == 4...10 && average.droppedDay == 4 && average.all.count == 24)
    #expect(try week(1...20).homeAverage(lastDay: 9).days == 3...9)
    // Days without readings at the end of the week count as days of it.
    let late = try week(1...7).homeAverage(lastDay: 9)
    #expect(late.droppedDay == 3 && late.all.count == 16)
  }

  @Test("Twelve readings are enough, eleven are not, and neither are two days")
  func neededReadings() throws {
    #expect(try week(1...4).homeAverage().all.count == 12)
    #expect(throws: AnalysisError(.tooFewPoints(count: 8, needed: 12))) {
      try week(1...3).homeAverage()
    }
    #expect(try week(1...3).homeAverage(neededCount: 8).all.count == 8)
    #expect(throws: AnalysisError(.spanTooShort(rows: 2, needed: 3))) {
      try week(1...2).homeAverage(neededCount: 1)
    }
    #expect(throws: AnalysisError(.tooFewPoints(count: 0, needed: 12))) {
      try week(1...7).homeAverage(lastDay: 0)
    }
    let four = try week(1...4)
    let eleven = try BloodPressureReadings(
      days: four.days.dropLast(), hours: four.hours.dropLast(), systolic: four.systolic.dropLast(),
      diastolic: four.diastolic.dropLast())
    #expect(throws: AnalysisError(.tooFewPoints(count: 11, needed: 12))) {
      try eleven.homeAverage()
    }
  }

  @Test("Readings at other hours are left out and counted; each hour is on its side")
  func hours() throws {
    let hours = [3.99, 4, 11.99, 12, 17.99, 18, 23.99, 0]
    let readings = try BloodPressureReadings(
      days: [1] + hours.map { _ in 2 } + [3], hours: [7] + hours + [7],
      systolic: Array(repeating: 120, count: 10), diastolic: Array(repeating: 80, count: 10))
    let average = try readings.homeAverage(neededCount: 1)
    #expect(average.mornings?.count == 3 && average.evenings?.count == 2)
    #expect(average.otherCount == 4 && average.all.count == 5)
    let mornings = try readings.homeAverage(evening: 13..<14, neededCount: 1)
    #expect(mornings.evenings == nil && mornings.all.count == 3)
  }

  @Test("Random readings in any order have the averages of a plain loop")
  func twin() throws {
    var random = SplitMix64(seed: 52)
    for _ in 0..<200 {
      let count = Int.random(in: 1...60, using: &random)
      let days = (0..<count).map { _ in Int.random(in: 0...9, using: &random) }
      let hours = days.map { _ in Double(Int.random(in: 0...23, using: &random)) }
      let upper = days.map { _ in Double(Int.random(in: 100...160, using: &random)) }
      let lower = days.map { _ in Double(Int.random(in: 60...99, using: &random)) }
      let readings = try BloodPressureReadings(
        days: days, hours: hours, systolic: upper, diastolic: lower)
      var sums = (morning: (0, 0.0), evening: (0, 0.0))
      let last = days.reduce(0, max)
      let used = Set(days.filter { $0 > last - 7 })
      let first = used.reduce(Int.max, min)
      for row in 0..<count where days[row] > last - 7 && days[row] != first {
        if hours[row] >= 4, hours[row] <= 11 {
          sums.morning = (sums.morning.0 + 1, sums.morning.1 + upper[row])
        } else if hours[row] >= 18 {
          sums.evening = (sums.evening.0 + 1, sums.evening.1 + upper[row])
        }
      }
      let total = sums.morning.0 + sums.evening.0
      guard used.count >= 3, total >= 12 else {
        #expect(throws: AnalysisError.self) { try readings.homeAverage() }
        continue
      }
      let average = try readings.homeAverage()
      #expect(average.all.count == total)
      #expect(
        (average.all.systolic - (sums.morning.1 + sums.evening.1) / Double(total)).magnitude < 1e-11
      )
      #expect(average.mornings?.count ?? 0 == sums.morning.0)
      #expect(average.evenings?.count ?? 0 == sums.evening.0)
      let order = (0..<count).shuffled(using: &random)
      let shuffled = try BloodPressureReadings(
        days: order.map { days[$0] + 500 }, hours: order.map { hours[$0] },
        systolic: order.map { upper[$0] }, diastolic: order.map { lower[$0] }
      ).homeAverage()
      // Sums of whole numbers are exact in any order.
      #expect(shuffled.all == average.all && shuffled.mornings == average.mornings)
    }
  }

  @Test("Broken columns and parameters are refused")
  func refusals() throws {
    func refusal(_ day: Int, _ hour: Double, _ upper: Double, _ lower: Double) -> AnalysisError? {
      do {
        _ = try BloodPressureReadings(
          days: [1, day], hours: [7, hour], systolic: [120, upper], diastolic: [80, lower])
        return nil
      } catch { return error }
    }
    #expect(refusal(1, 7, 120, 80) == nil)
    #expect(refusal(1, .nan, 120, 80) == AnalysisError(.notFinite, row: 1))
    #expect(refusal(1, 24, 120, 80) == AnalysisError(.outOfRange, row: 1))
    #expect(refusal(1, -0.1, 120, 80) == AnalysisError(.outOfRange, row: 1))
    #expect(refusal(Int.max, 7, 120, 80) == AnalysisError(.outOfRange, row: 1))
    #expect(refusal(Int.min, 7, 120, 80) == AnalysisError(.outOfRange, row: 1))
    #expect(refusal(1, 7, 80, 120) == AnalysisError(.outOfRange, row: 1))
    #expect(refusal(1, 7, .infinity, 80) == AnalysisError(.notFinite, row: 1))
    #expect(throws: AnalysisError(.lengthsDiffer(x: 1, y: 0))) {
      try BloodPressureReadings(days: [1], hours: [], systolic: [120], diastolic: [80])
    }
    let none = try BloodPressureReadings(days: [], hours: [], systolic: [], diastolic: [])
    #expect(throws: AnalysisError(.tooFewPoints(count: 0, needed: 12))) { try none.homeAverage() }
    let readings = try week(1...7)
    #expect(throws: AnalysisError.self) { try readings.homeAverage(evening: 11..<13) }
    #expect(throws: AnalysisError.self) { try readings.homeAverage(neededCount: 0) }
    #expect(throws: AnalysisError.self) { try readings.homeAverage(lastDay: Int.max) }
    #expect(throws: AnalysisError.self) { try readings.homeAverage(lastDay: Int.min) }
    #expect(throws: AnalysisError.self) { try readings.homeAverage(neededCount: Int.max) }
    let huge = Double.greatestFiniteMagnitude
    let large = try BloodPressureReadings(
      days: [1, 2, 3, 4], hours: [7, 7, 7, 7], systolic: Array(repeating: huge, count: 4),
      diastolic: Array(repeating: 80, count: 4))
    #expect(throws: AnalysisError(.overflow)) { try large.homeAverage(neededCount: 3) }
  }
}
