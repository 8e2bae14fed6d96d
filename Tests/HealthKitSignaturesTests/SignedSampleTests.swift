import Foundation
import HealthKit
import HealthKitSignatures
import HealthSignatures
import Testing
import _HealthTestSupport

@Suite struct SignedSampleTests {
  private let key = SigningKey()

  private static func date(_ seconds: Double) -> Date {
    Date(timeIntervalSinceReferenceDate: seconds)
  }

  private static func steps(
    _ count: Double, from start: Double = 0, to end: Double = 0, metadata: [String: Any] = [:]
  ) -> HKSample {
    HKQuantitySample(
      type: HKQuantityType(.stepCount), quantity: HKQuantity(unit: .count(), doubleValue: count),
      start: date(start), end: date(end), metadata: metadata)
  }

  private func steps(_ metadata: [String: Any]) -> HKSample {
    Self.steps(12.5, from: 5, to: 9, metadata: metadata)
  }

  /// Saves a sample with the signature of another one, and reads it back.
  private func saved(
    _ make: ([String: Any]) -> HKSample, signedAs other: HKSample
  ) async throws -> HKSample {
    let folder = try TemporaryFolder()
    var host = HealthHost(environment: [:])
    host.path = folder.path + "/health.sqlite"
    host.bundleIdentifier = "com.example.diary"
    host.now = { Self.date(1000) }
    host.answer = { $0.allowed }
    let store = HKHealthStore(host: host)
    try await store.requestAuthorization(toShare: [other.sampleType], read: [other.sampleType])
    let signed = try #require(try SignedSample(other))
    let sample = make([HKMetadataKeyDigitalSignature: try key.sign(signed).base64])
    try await store.save(sample)
    return try #require(
      try await HKSampleQueryDescriptor(
        predicates: [.sample(type: sample.sampleType)], sortDescriptors: []
      ).result(for: store).first)
  }

  private func refusal(of sample: HKSample) throws -> SignatureError? {
    let signature = try #require(try sample.digitalSignature)
    let signed = try #require(try SignedSample(sample))
    do throws(SignatureError) {
      try signature.verify(signed, with: key.verificationKey)
      return nil
    } catch {
      return error
    }
  }

  @Test("The signature of a sample verifies after it went through the store")
  func signed() async throws {
    #expect(try refusal(of: await saved(steps, signedAs: steps([:]))) == nil)
    let sleep = { (metadata: [String: Any]) in
      HKCategorySample(
        type: HKCategoryType(.sleepAnalysis), value: HKCategoryValueSleepAnalysis.inBed.rawValue,
        start: Self.date(5), end: Self.date(9), metadata: metadata)
    }
    #expect(try refusal(of: await saved(sleep, signedAs: sleep([:]))) == nil)
  }

  @Test("A sample that is not the signed one is refused, and the refusal names the field")
  func changed() async throws {
    for (other, place) in [
      (Self.steps(12, from: 5, to: 9), SignatureError.Place.value),
      (Self.steps(12.5, from: 6, to: 9), .start), (Self.steps(12.5, from: 5, to: 8), .end),
    ] {
      let error = try refusal(of: await saved(steps, signedAs: other))
      #expect(error?.reason == .changed && error?.place == place)
    }
  }

  @Test("An invalid signature throws, a sample without one has none, and workouts cannot be signed")
  func others() throws {
    #expect(throws: SignatureError.self) {
      try Self.steps(1, metadata: [HKMetadataKeyDigitalSignature: "!"]).digitalSignature
    }
    #expect(try Self.steps(1).digitalSignature == nil)
    let workout = HKWorkout(activityType: .running, start: Self.date(0), end: Self.date(9))
    #expect(try SignedSample(workout) == nil)
  }
}
