import Foundation
import HealthAnalysis
import HealthQuery
import HealthSamples
import HealthStatistics
import Testing
import _HealthTestSupport

@testable import HealthAnswers

@Suite("Types that measure one thing")
struct RelationFamiliesTests {
  private static let movement: [SampleType] =
    [
      .stepCount, .distanceWalkingRunning, .activeEnergyBurned, .appleExerciseTime,
      .appleStandTime, .flightsClimbed, .physicalEffort, .runningSpeed, .cyclingPower,
    ].map(SampleType.init(_:)) + [
      SampleType(identifier: "HKCategoryTypeIdentifierAppleStandHour", kind: .category)
    ]

  @Test("whatever comes from moving is one family, and nothing else is in it")
  func movement() {
    for type in Self.movement {
      #expect(RelationFamilies.families(of: type) == [0], "\(type.identifier)")
    }
    for type in [
      SampleType(.restingHeartRate), SampleType(.walkingSpeed), SampleType(.dietaryWater),
      SampleType(identifier: "StepCount", kind: .category),
    ] {
      #expect(!RelationFamilies.families(of: type).contains(0), "\(type.identifier)")
    }
  }

  @Test("energy at rest follows from the mass of the body, and is energy")
  func energyAtRest() {
    let families = RelationFamilies.families(of: SampleType(.basalEnergyBurned))
    #expect(!families.isDisjoint(with: RelationFamilies.families(of: SampleType(.bodyMass))))
    #expect(families.contains(0))
  }

  @Test("two types of one family that go with a third are one thing, and all pairs are counted")
  func distinct() throws {
    var random = SplitMix64(seed: 31)
    let first = UnchangedSeries.white.values(count: 300, using: &random)
    func following(_ share: Double) -> [Double] {
      zip(first, UnchangedSeries.white.values(count: 300, using: &random)).map {
        share * $0 + $1
      }
    }
    let subjects = [
      subject(first, of: .stepCount), subject(following(3), of: .distanceWalkingRunning),
      subject(following(2), of: .restingHeartRate), subject(following(2), of: .timeInDaylight),
    ]
    let found = try CorrelateAnswer(CorrelateParameters(), of: subjects)
    #expect(found.excludedCount == 1 && found.pairCount == 5)
    #expect(found.relations.held.count == 5)
    let pairs = found.distinct.map { Relations.Pair($0.first, $0.second) }
    #expect(
      pairs.count == 3 && pairs.contains(Relations.Pair(2, 3))
        && pairs.count { $0.first < 2 && $0.second == 2 } == 1
        && pairs.count { $0.first < 2 && $0.second == 3 } == 1)
    #expect(found.distinct.first == found.relations.held.first)
  }

  private func subject(_ values: [Double], of type: HKQuantityTypeIdentifier) -> AnalysedSeries {
    let starts = values.indices.map { Double($0) * 86_400 }
    return AnalysedSeries(
      series: IntervalSeries(
        name: type.rawValue, type: SampleType(type), statistic: "mean", unit: .count,
        timeZone: ZoneTimeline(.gmt), starts: starts, ends: starts.map { $0 + 86_400 },
        values: values), partialCount: 0, isOfDays: true, isOfAmounts: false)
  }
}
