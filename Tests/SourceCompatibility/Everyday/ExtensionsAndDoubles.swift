import HealthKit
import Testing

// What apps add to HealthKit's types, and the doubles that their tests make of its classes.

extension HKQuantityTypeIdentifier {
  static let favourites: [HKQuantityTypeIdentifier] = [.stepCount, .heartRate]
}

extension HKUnit {
  static let beatsPerMinute = HKUnit.count().unitDivided(by: .minute())
}

extension HKQuantitySample {
  var beats: Double { quantity.doubleValue(for: .beatsPerMinute) }
}

extension HKWorkoutActivityType {
  var title: String {
    switch self {
    case .running: "Run"
    case .cycling: "Ride"
    case .swimming: "Swim"
    default: "Workout"
    }
  }
}

extension HKBiologicalSex: @retroactive CustomStringConvertible {
  public var description: String {
    switch self {
    case .notSet: "not set"
    case .female: "female"
    case .male: "male"
    case .other: "other"
    @unknown default: "unknown"
    }
  }
}

extension HKQuantityTypeIdentifier: @retroactive Codable {}

extension HKCategoryValueSleepAnalysis: @retroactive CaseIterable {
  public static var allCases: [Self] {
    [.inBed, .asleepUnspecified, .awake, .asleepCore, .asleepDeep, .asleepREM]
  }
}

/// A protocol of an app, which a class of HealthKit meets.
protocol Dated {
  var startDate: Date { get }
  var endDate: Date { get }
}

extension HKSample: Dated {}

extension Dated {
  var seconds: TimeInterval { endDate.timeIntervalSince(startDate) }
}

/// Doubles: what a store would answer.
final class FemaleObject: HKBiologicalSexObject, @unchecked Sendable {
  override var biologicalSex: HKBiologicalSex { .female }
}

final class RareBloodObject: HKBloodTypeObject, @unchecked Sendable {
  override var bloodType: HKBloodType { .abNegative }
}

final class PaleSkinObject: HKFitzpatrickSkinTypeObject, @unchecked Sendable {
  override var skinType: HKFitzpatrickSkinType { .I }
}

final class LongRun: HKWorkout, @unchecked Sendable {
  override var duration: TimeInterval { 7200 }
}

final class Nap: HKCategorySample, @unchecked Sendable {
  override var sourceRevision: HKSourceRevision {
    HKSourceRevision(source: .default(), version: "nap")
  }
}

@Suite
struct ExtensionsAndDoubles {
  @Test("Extensions of an app work on HealthKit's values")
  func extensions() throws {
    let start = Date(timeIntervalSinceReferenceDate: 0)
    let sample = HKQuantitySample(
      type: HKQuantityType(.heartRate),
      quantity: HKQuantity(unit: .beatsPerMinute, doubleValue: 61), start: start,
      end: start.addingTimeInterval(5))
    #expect(sample.beats == 61)
    #expect(sample.seconds == 5)
    #expect(HKWorkoutActivityType.cycling.title == "Ride")
    #expect("\(HKBiologicalSex.other)" == "other")
    #expect(HKCategoryValueSleepAnalysis.allCases.count == 6)
    #expect(HKQuantityTypeIdentifier.favourites.map { HKQuantityType($0) }.count == 2)
    let data = try JSONEncoder().encode([HKQuantityTypeIdentifier.stepCount])
    #expect(
      try JSONDecoder().decode([HKQuantityTypeIdentifier].self, from: data) == [.stepCount])
  }

  @Test("Subclasses stand in for what a store answers")
  func doubles() {
    let objects: (HKBiologicalSexObject, HKBloodTypeObject, HKFitzpatrickSkinTypeObject) = (
      FemaleObject(), RareBloodObject(), PaleSkinObject()
    )
    #expect(objects.0.biologicalSex == .female)
    #expect(objects.1.bloodType == .abNegative)
    #expect(objects.2.skinType == .I)
    #expect(HKBloodTypeObject().bloodType == .notSet)
    let now = Date(timeIntervalSinceReferenceDate: 700_000_000)
    let run = LongRun(activityType: .running, start: now, end: now)
    #expect(run.duration == 7200 && run.workoutActivityType == .running)
    let nap = Nap(
      type: HKCategoryType(.sleepAnalysis),
      value: HKCategoryValueSleepAnalysis.asleepCore.rawValue, start: now, end: now)
    #expect(nap.sourceRevision.version == "nap" && nap.value == 3)
  }

  @Test("Values of HealthKit cross from one task to another")
  func tasks() async {
    let type = HKQuantityType(.stepCount)
    let quantity = HKQuantity(unit: .count(), doubleValue: 7)
    let sample = HKQuantitySample(type: type, quantity: quantity, start: Date(), end: Date())
    let count = await Task.detached { sample.quantity.doubleValue(for: .count()) }.value
    #expect(count == 7)
  }

  @Test("A change of preferences is a notification by name")
  func notifications() {
    let center = NotificationCenter()
    nonisolated(unsafe) var seen = 0
    let token = center.addObserver(
      forName: .HKUserPreferencesDidChange, object: nil, queue: nil
    ) { _ in seen += 1 }
    center.post(name: .HKUserPreferencesDidChange, object: nil)
    center.removeObserver(token)
    #expect(seen == 1)
  }
}
