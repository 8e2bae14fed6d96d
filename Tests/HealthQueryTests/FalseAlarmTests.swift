import Foundation
import HealthAnalysis
import HealthSamples
import HealthStatistics
import Testing
import _HealthTestSupport

@testable import HealthQuery

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

  private func subject(_ values: [Double], of type: HKQuantityTypeIdentifier) -> AnalysedSeries {
    let starts = values.indices.map { Double($0) * 86_400 }
    return AnalysedSeries(
      series: IntervalSeries(
        name: type.rawValue, type: SampleType(type), statistic: "mean", unit: .count,
        timeZone: ZoneTimeline(.gmt), starts: starts, ends: starts.map { $0 + 86_400 },
        values: values), partialCount: 0, isOfDays: true, isOfAmounts: false)
  }

  /// The most that a binomial count exceeds its mean by two standard errors.
  private func limit(_ share: Double, of count: Int) -> Double {
    let mean = share * Double(count)
    return mean + 2 * (mean * (1 - share)).squareRoot()
  }

  @Test(
    "of people without relations at most one in twenty gets to see one",
    arguments: UnchangedSeries.allCases)
  func relations(null: UnchangedSeries) throws {
    var alarmed = 0
    for person in 0..<Self.people {
      var random = SplitMix64(seed: UInt64(person) &* 1_000 &+ 17)
      let subjects = Self.types.map {
        subject(null.values(count: 365, using: &random), of: $0)
      }
      let found = try RelationsAnswer(RelationParameters(), of: subjects)
      #expect(found.refusals.isEmpty && found.relations.tested.count > 1_000)
      if !found.relations.held.isEmpty { alarmed += 1 }
    }
    #expect(Double(alarmed) <= limit(0.05, of: Self.people), "\(alarmed) of \(Self.people)")
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
      let found = try subject(values, of: .stepCount).changes(ChangeParameters())
      if !found.changes.rows.isEmpty { alarmed += 1 }
    }
    #expect(Double(alarmed) <= limit(0.05, of: Self.people), "\(alarmed) of \(Self.people)")
  }

  /// The rate per 1,000 days that the help of `hkstats anomalies` names.
  private func perThousand(_ null: UnchangedSeries) -> Int {
    switch null {
    case .white: UnusualParameters.FalseAlarms.normal
    case .autoregressive: UnusualParameters.FalseAlarms.dependent
    case .heavyTailed: UnusualParameters.FalseAlarms.farOut
    }
  }

  @Test("unusual days are as rare as help says", arguments: UnchangedSeries.allCases)
  func unusual(null: UnchangedSeries) throws {
    var (unusual, judged) = (0, 0)
    for person in 0..<Self.people {
      var random = SplitMix64(seed: UInt64(person) &* 1_000 &+ 19)
      let values = null.values(count: 365, using: &random)
      let found = try subject(values, of: .stepCount).unusual(
        UnusualParameters(), in: 0..<365, sources: nil)
      unusual += found.findings.count
      judged += found.judgedCount
    }
    #expect(
      Double(unusual) <= limit(Double(perThousand(null)) / 1_000, of: judged),
      "\(Double(unusual) / Double(judged) * 1_000) per 1,000")
  }
}
