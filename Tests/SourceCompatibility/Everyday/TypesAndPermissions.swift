import HealthKit
import Testing

/// Types as apps list them, before they ask for permission.
@Suite
struct TypesAndPermissions {
  @Test("Types are found by identifier, in both ways that HealthKit has had")
  func lookups() throws {
    let steps = try #require(HKObjectType.quantityType(forIdentifier: .stepCount))
    #expect(steps == HKQuantityType(.stepCount))
    #expect(steps.identifier == HKQuantityTypeIdentifier.stepCount.rawValue)
    #expect(steps.aggregationStyle == .cumulative)
    #expect(HKQuantityType.quantityType(forIdentifier: .heartRate)?.aggregationStyle != .cumulative)
    let sleep = try #require(HKCategoryType.categoryType(forIdentifier: .sleepAnalysis))
    #expect(sleep == HKCategoryType(.sleepAnalysis))
    #expect(HKObjectType.correlationType(forIdentifier: .bloodPressure) != nil)
    #expect(HKObjectType.characteristicType(forIdentifier: .biologicalSex) != nil)
    #expect(HKObjectType.workoutType().identifier == HKWorkoutTypeIdentifier)
    #expect(HKSeriesType.workoutRoute().identifier == HKWorkoutRouteTypeIdentifier)
    #expect(HKSeriesType.heartbeat() == HKSeriesType.heartbeat())
    let unknown = HKQuantityTypeIdentifier(rawValue: "HKQuantityTypeIdentifierNone")
    #expect(HKObjectType.quantityType(forIdentifier: unknown) == nil)
  }

  @Test("Sets of types widen, as requests for authorization take them")
  func sets() {
    let quantities: Set<HKQuantityType> = [HKQuantityType(.stepCount), HKQuantityType(.heartRate)]
    let share: Set<HKSampleType> = quantities
    let read: Set<HKObjectType> = share.union([
      HKObjectType.workoutType(), HKCategoryType(.sleepAnalysis),
    ])
    #expect(read.count == 4)
    #expect(read.isSuperset(of: share as Set<HKObjectType>))
    #expect(read.contains(HKObjectType.workoutType()))
    #expect(!read.contains(HKObjectType.activitySummaryType()))
    let names = read.compactMap { $0 as? HKQuantityType }.map(\.identifier).sorted()
    #expect(names == ["HKQuantityTypeIdentifierHeartRate", "HKQuantityTypeIdentifierStepCount"])
  }

  @Test("Identifiers are keys, and go in switches")
  func identifiers() {
    func title(_ identifier: HKQuantityTypeIdentifier) -> String {
      switch identifier {
      case .stepCount: "Steps"
      case .heartRate, .restingHeartRate: "Heart"
      default: identifier.rawValue
      }
    }
    #expect(title(.restingHeartRate) == "Heart")
    #expect(title(.vo2Max) == "HKQuantityTypeIdentifierVO2Max")
    let units: [HKQuantityTypeIdentifier: HKUnit] = [.stepCount: .count(), .height: .meter()]
    #expect(units[.height] == .meter())
  }

  @Test("Answers about permission are enumerations with room for more")
  func answers() {
    func isWriting(_ status: HKAuthorizationStatus) -> Bool {
      switch status {
      case .sharingAuthorized: true
      case .sharingDenied, .notDetermined: false
      @unknown default: false
      }
    }
    #expect(isWriting(.sharingAuthorized))
    #expect(HKAuthorizationStatus(rawValue: 1) == .sharingDenied)
    #expect(HKUpdateFrequency.immediate != .hourly)
    #expect(HKAuthorizationRequestStatus.unnecessary.rawValue == 2)
  }
}
