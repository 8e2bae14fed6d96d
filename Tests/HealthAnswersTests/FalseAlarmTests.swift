import Foundation
import HealthAnalysis
import HealthSamples
import HealthStatistics
import Testing
import _HealthTestSupport

@testable import HealthAnswers

/// How often an analysis reports what is not there, over people of whom nothing is: the short form
/// here, as many as wanted with `HKSTATS_SOAK`.
@Suite("False alarms")
struct FalseAlarmTests {
  #if DEBUG
  /// Decompositions that are not optimised take fifty times as long.
  private static let people = Soak.isLong ? 1_000 : 10
  #else
  private static let people = Soak.isLong ? 10_000 : 100
  #endif

  private static let types: [HKQuantityTypeIdentifier] = [
    .stepCount, .restingHeartRate, .heartRateVariabilitySDNN, .bodyMass, .walkingSpeed,
    .respiratoryRate, .oxygenSaturation, .environmentalAudioExposure, .dietaryWater,
    .appleSleepingWristTemperature, .vo2Max, .timeInDaylight, .bloodGlucose,
    .appleSleepingBreathingDisturbances, .uvExposure, .peakExpiratoryFlowRate,
    .bloodPressureSystolic, .inhalerUsage, .numberOfTimesFallen, .insulinDelivery,
  ]

  /// The most that a binomial count exceeds its mean by two standard errors.
  private func limit(_ share: Double, of count: Int) -> Double {
    let mean = share * Double(count)
    return mean + 2 * (mean * (1 - share)).squareRoot()
  }

  @Test(
    "of people without relations some one in twenty gets to see one",
    arguments: UnchangedSeries.allCases)
  func relations(null: UnchangedSeries) throws {
    var alarmed = 0
    for person in 0..<Self.people {
      var random = SplitMix64(seed: UInt64(person) &* 1_000 &+ 17)
      let subjects = Self.types.map {
        AnalysedSeries(ofDays: null.values(count: 365, using: &random), type: $0)
      }
      let found = try CorrelateAnswer(CorrelateParameters(), of: subjects)
      #expect(found.refusals.isEmpty && found.relations.tested.count > 1_000)
      if !found.relations.held.isEmpty { alarmed += 1 }
    }
    // The long form has 5.5 of 100: how many independent rows 365 days are worth is itself estimated.
    #expect(Double(alarmed) <= limit(0.055, of: Self.people), "\(alarmed) of \(Self.people)")
  }

  @Test(
    "of people whose types only one other moves as few get to see a relation once it is given",
    arguments: UnchangedSeries.allCases, CorrelateParameters.Comparison.allCases)
  func relationsGiven(null: UnchangedSeries, comparison: CorrelateParameters.Comparison) throws {
    var parameters = CorrelateParameters()
    parameters.comparison = comparison
    var stricter = parameters
    stricter.adjustment = .benjaminiYekutieli
    // The cause, and a type that has nothing to do with the others.
    let given: [HKQuantityTypeIdentifier] = [.basalBodyTemperature, .electrodermalActivity]
    var (alarmed, stricterAlarmed, plain) = (0, 0, 0)
    let people = Soak.isLong ? 1_000 : Self.people / 2
    for person in 0..<people {
      var random = SplitMix64(seed: UInt64(person) &* 1_000 &+ 21)
      let causes = given.map { _ in null.values(count: 365, using: &random) }
      let subjects = Self.types.prefix(12).map { type in
        AnalysedSeries(
          ofDays: zip(causes[0], null.values(count: 365, using: &random)).map { 0.5 * $0 + $1 },
          type: type)
      }
      let taken = zip(causes, given).map { AnalysedSeries(ofDays: $0, type: $1) }
      let found = try CorrelateAnswer(parameters, of: subjects, given: taken)
      #expect(found.refusals.isEmpty && found.relations.tested.count > 300)
      if !found.relations.held.isEmpty { alarmed += 1 }
      if person < 10, try !CorrelateAnswer(parameters, of: subjects).relations.held.isEmpty {
        plain += 1
      }
      let fewer = try CorrelateAnswer(stricter, of: subjects, given: taken)
      if !fewer.relations.held.isEmpty { stricterAlarmed += 1 }
    }
    if Soak.isLong {
      print("given | \(null) | \(comparison) | \(alarmed), \(stricterAlarmed) of \(people)")
    }
    #expect(stricterAlarmed <= alarmed)
    // Ranks do not follow a cause with far values in a line: something of it is left.
    let share = null == .heavyTailed && comparison == .spearman ? 0.08 : 0.055
    #expect(Double(alarmed) <= limit(share, of: people), "\(alarmed) of \(people)")
    #expect(Double(stricterAlarmed) <= limit(0.055, of: people), "\(stricterAlarmed) of \(people)")
    // Without it nearly everyone sees one.
    #expect(plain >= min(10, people) - 1, "\(plain)")
  }

  @Test(
    "of series without changes at most one in twenty is said to have one",
    arguments: UnchangedSeries.allCases)
  func changes(null: UnchangedSeries) throws {
    var alarmed = 0
    for person in 0..<Self.people {
      var random = SplitMix64(seed: UInt64(person) &* 1_000 &+ 18)
      // A week of its own, as people have.
      let values = null.values(count: 365, using: &random).enumerated().map { row, value in
        value + (row % 7 == 5 ? 1 : 0)
      }
      let found = try AnalysedSeries(ofDays: values).changes(ChangesParameters())
      if !found.changes.rows.isEmpty { alarmed += 1 }
    }
    let share = Double(ChangesParameters.FalseAlarms.percent) / 100
    #expect(Double(alarmed) <= limit(share, of: Self.people), "\(alarmed) of \(Self.people)")
  }

  @Test(
    "weeks outside of what is typical are as rare as help says", arguments: TrendlessSeries.promised
  )
  func typical(kind: TrendlessSeries) throws {
    let bounds = [
      (372, TypicalParameters.FalseAlarms.ofAYear), (112, TypicalParameters.FalseAlarms.ofAQuarter),
    ]
    for (rows, percent) in bounds {
      var rate = VerdictRate("week outside of what is typical", kind.rawValue, rows: rows)
      for person in 0..<10 * Self.people {
        var random = SplitMix64(seed: UInt64(person) &* 1_000 &+ 20)
        let values = kind.values(count: rows, using: &random)
        let found = try AnalysedSeries(ofDays: values).typical(TypicalParameters())
        rate.addNull(found.position != .inside, before: found.position != .inside)
        let shifted = values.enumerated().map { row, value in
          value + (row < rows - 7 ? 0 : kind.deviation)
        }
        rate.addEffect(
          isFound: try AnalysedSeries(ofDays: shifted).typical(TypicalParameters()).position
            == .above)
      }
      rate.report()
      #expect(rate.keeps(percent: percent), "\(rate.line)")
    }
  }

  /// The rate per 1,000 days that the help of `hkstats anomalies` names.
  private func perThousand(_ null: UnchangedSeries) -> Int {
    switch null {
    case .white: AnomaliesParameters.FalseAlarms.normal
    case .autoregressive: AnomaliesParameters.FalseAlarms.dependent
    case .heavyTailed: AnomaliesParameters.FalseAlarms.farOut
    }
  }

  @Test("unusual days are as rare as help says", arguments: UnchangedSeries.allCases)
  func unusual(null: UnchangedSeries) throws {
    var (unusual, judged) = (0, 0)
    for person in 0..<Self.people {
      var random = SplitMix64(seed: UInt64(person) &* 1_000 &+ 19)
      let values = null.values(count: 365, using: &random)
      let found = try AnalysedSeries(ofDays: values).unusual(
        AnomaliesParameters(), in: 0..<365, sources: nil)
      unusual += found.findings.count
      judged += found.judgedCount
    }
    #expect(
      Double(unusual) <= limit(Double(perThousand(null)) / 1_000, of: judged),
      "\(Double(unusual) / Double(judged) * 1_000) per 1,000")
  }
}
