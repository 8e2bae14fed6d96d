#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// Fitness and fatigue by the training load of each day, and the difference between them.
///
/// They are CTL, ATL and TSB of the performance manager chart: the chronic training load, the acute one and
/// the training stress balance, also called form (H. Allen, A. Coggan, *Training and Racing with a Power
/// Meter*, 2006), after the model of Banister and others (Australian Journal of Sports Medicine 7: 57,
/// 1975).
public struct TrainingBalance: Sendable, Hashable {
  /// How a day's load moves an average.
  public enum Form: String, Sendable, Hashable, CaseIterable {
    /// By (load − average)/*N*, the form of most training software.
    case reciprocal
    /// By (load − average)·(1 − e^(−1/*N*)), with which an average without load falls to 1/e of itself
    /// in *N* days.
    case exponential
  }

  /// CTL: the average over the long time, at the end of each day.
  public let fitness: [Double]
  /// ATL: the average over the short time, at the end of each day.
  public let fatigue: [Double]
  /// TSB: fitness minus fatigue at the end of the day before, how each day begins.
  public let balance: [Double]
  /// How a day's load moves the averages.
  public let form: Form
  /// The *N* of fitness, in days.
  public let fitnessDays: Double
  /// The *N* of fatigue, in days.
  public let fatigueDays: Double
  /// The number of rows without a load, which count as 0.
  public let restDayCount: Int
}

extension RegularSeries {
  /// Fitness and fatigue, when the rows are the training loads of days.
  ///
  /// A missing row is a day without a workout, so its load is 0. Both averages begin at `start`, by
  /// default 0: then the first six weeks show less fitness than there is.
  ///
  /// ```swift
  /// let loads = try RegularSeries([100, nil, 50])
  /// try loads.trainingBalance().fitness  // 2.38…, 2.32…, 3.45…
  /// ```
  ///
  /// - Parameters:
  ///   - fitnessDays: the *N* of fitness, at least 1
  ///   - fatigueDays: the *N* of fatigue, at least 1
  ///   - form: how a day's load moves an average
  ///   - start: both averages before the first day
  /// - Returns: one row for each day
  /// - Throws: `AnalysisError` when there is no row, for a load below 0 with its row, or for a parameter
  ///   outside of its range
  /// - Complexity: O(*n*)
  public func trainingBalance(
    fitnessDays: Double = 42, fatigueDays: Double = 7, form: TrainingBalance.Form = .reciprocal,
    start: (fitness: Double, fatigue: Double) = (0, 0)
  ) throws(AnalysisError) -> TrainingBalance {
    for days in [fitnessDays, fatigueDays] where !(days >= 1 && days.isFinite) {
      throw AnalysisError(.parameter(name: "number of days", range: "1 or more"))
    }
    for average in [start.fitness, start.fatigue] where !(average >= 0 && average.isFinite) {
      throw AnalysisError(.parameter(name: "start", range: "0 or more"))
    }
    guard count > 0 else { throw AnalysisError(.tooFewPoints(count: 0, needed: 1)) }
    if let row = presentRows.first(where: { values[$0] < 0 }) {
      throw AnalysisError(.outOfRange, row: row)
    }
    let loads = (0..<count).map { self[$0] ?? 0 }
    func averages(days: Double, start: Double) -> [Double] {
      var average = start
      return loads.map { load in
        average +=
          form == .reciprocal ? (load - average) / days : (load - average) * -expm1(-1 / days)
        return average
      }
    }
    let fitness = averages(days: fitnessDays, start: start.fitness)
    let fatigue = averages(days: fatigueDays, start: start.fatigue)
    let before = zip([start.fitness] + fitness, [start.fatigue] + fatigue).dropLast()
    return TrainingBalance(
      fitness: fitness, fatigue: fatigue, balance: before.map { $0 - $1 }, form: form,
      fitnessDays: fitnessDays, fatigueDays: fatigueDays, restDayCount: count - presentCount)
  }
}
