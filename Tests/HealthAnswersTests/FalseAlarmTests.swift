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
