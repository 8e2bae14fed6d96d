import Foundation
import Testing
import _HealthTestSupport

@testable import HealthAnalysis

@Suite
struct TrainingBalanceTests {
  private let loads: [Double] = Array(repeating: [50, 0, 80, 0, 0, 120, 60], count: 8).flatMap(
    \.self)

  @Test("Eight weeks of loads have the averages of pandas, R and the specification")
  func reference() throws {
    let reference = try TrainingReference.read()
    for form in TrainingBalance.Form.allCases {
      let balance = try RegularSeries(loads).trainingBalance(form: form)
      #expect(balance.form == form && balance.fitnessDays == 42 && balance.fatigueDays == 7)
      for numbers in [reference.pandas, reference.r] {
        for day in [20, 56] {
          #expect(agrees(balance.fitness[day - 1], numbers["\(form.rawValue)_42_\(day)"]))
          #expect(agrees(balance.fatigue[day - 1], numbers["\(form.rawValue)_7_\(day)"]))
        }
      }
      #expect(agrees(balance.fitness[55], reference.spec["\(form.rawValue)_42_56"]))
      #expect(agrees(balance.fatigue[55], reference.spec["\(form.rawValue)_7_56"]))
    }
  }

  @Test("Random loads have the averages of the sum over all days before")
  func twin() throws {
    var random = SplitMix64(seed: 74)
    for _ in 0..<60 {
      let rows = (0..<Int.random(in: 1...60, using: &random)).map { _ in
        Bool.random(using: &random) ? Double.random(in: 0...300, using: &random) : nil
      }
      let days = Double.random(in: 1...60, using: &random)
      let start = Double.random(in: 0...50, using: &random)
      let series = try RegularSeries(rows)
      for form in TrainingBalance.Form.allCases {
        let balance = try series.trainingBalance(
          fitnessDays: days, form: form, start: (start, 2 * start))
        func slow(_ days: Double, _ start: Double) -> [Double] {
          SlowTrainingAverage.averages(
            of: rows.map { $0 ?? 0 },
            share: form == .reciprocal ? 1 / days : 1 - exp(-1 / days), start: start)
        }
        let (fitness, fatigue) = (slow(days, start), slow(7, 2 * start))
        for day in rows.indices {
          #expect((balance.fitness[day] - fitness[day]).magnitude < 1e-10)
          #expect((balance.fatigue[day] - fatigue[day]).magnitude < 1e-10)
          let before = day == 0 ? -start : fitness[day - 1] - fatigue[day - 1]
          #expect((balance.balance[day] - before).magnitude < 1e-10)
        }
      }
    }
  }

  @Test("A missing day is a day of rest")
  func missingDays() throws {
    let gaps = try RegularSeries([100, nil, 50, nil]).trainingBalance()
    let zeros = try RegularSeries([100, 0, 50, 0.0]).trainingBalance()
    #expect(gaps.fitness == zeros.fitness && gaps.balance == zeros.balance)
    #expect(gaps.restDayCount == 2 && zeros.restDayCount == 0)
    let none = try RegularSeries([nil, nil]).trainingBalance()
    #expect(none.fitness == [0, 0] && none.balance == [0, 0])
  }

  @Test("A steady load is the level of both averages, and doubling loads doubles them exactly")
  func laws() throws {
    for form in TrainingBalance.Form.allCases {
      let steady = try RegularSeries(Array(repeating: 70.0, count: 1000)).trainingBalance(
        form: form)
      #expect(agrees(steady.fitness[999], 70, 1e-9) && agrees(steady.fatigue[999], 70, 1e-9))
      let level = try RegularSeries(Array(repeating: 70.0, count: 20))
        .trainingBalance(form: form, start: (70, 70))
      #expect(level.balance == Array(repeating: 0, count: 20))
      let plain = try RegularSeries(loads).trainingBalance(form: form)
      let double = try RegularSeries(loads.map { 2 * $0 }).trainingBalance(form: form)
      #expect(double.balance == plain.balance.map { 2 * $0 })
      // A series continues from where its first half ends.
      let half = try RegularSeries(Array(loads[..<30])).trainingBalance(form: form)
      let rest = try RegularSeries(Array(loads[30...])).trainingBalance(
        form: form, start: (half.fitness[29], half.fatigue[29]))
      #expect(half.balance + rest.balance == plain.balance)
      // An average of N = 1 day in the reciprocal form is the load itself.
      if form == .reciprocal {
        #expect(try RegularSeries(loads).trainingBalance(fatigueDays: 1).fatigue == loads)
      }
    }
    // After N days without load the exponential form is at 1/e.
    let rest = try RegularSeries(Array(repeating: 0.0, count: 42))
      .trainingBalance(form: .exponential, start: (100, 100))
    #expect(agrees(rest.fitness[41], 100 / M_E, 1e-12))
  }

  @Test("Broken loads and parameters are refused, and the largest loads stay finite")
  func refusals() throws {
    #expect(throws: AnalysisError(.outOfRange, row: 2)) {
      try RegularSeries([1, nil, -1]).trainingBalance()
    }
    #expect(throws: AnalysisError(.tooFewPoints(count: 0, needed: 1))) {
      try RegularSeries([Double]()).trainingBalance()
    }
    let series = try RegularSeries([1.0, 2])
    for days in [0, 0.5, -7, Double.nan, .infinity] {
      #expect(throws: AnalysisError.self) { try series.trainingBalance(fitnessDays: days) }
      #expect(throws: AnalysisError.self) { try series.trainingBalance(fatigueDays: days) }
    }
    for start in [-1, Double.nan, .infinity] {
      #expect(throws: AnalysisError.self) { try series.trainingBalance(start: (start, 0)) }
      #expect(throws: AnalysisError.self) { try series.trainingBalance(start: (0, start)) }
    }
    let huge = Double.greatestFiniteMagnitude
    for form in TrainingBalance.Form.allCases {
      for days in [1, 7, 1e300] {
        let balance = try RegularSeries([huge, 0, Double.leastNonzeroMagnitude, huge, huge])
          .trainingBalance(fitnessDays: days, form: form, start: (huge, 0))
        let all = balance.fitness + balance.fatigue + balance.balance
        #expect(all.count { $0.isFinite } == 15)
      }
    }
  }
}
