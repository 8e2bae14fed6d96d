import Foundation
import HealthKit
import SampleExport
import Synchronization
import Testing

@testable import Diary

@MainActor
@Suite("Blood pressure")
struct BloodPressureTests {
  private final class Requests: Sendable {
    let count = Mutex(0)
  }

  private func content(_ model: BloodPressureModel) -> [BloodPressureModel.Reading] {
    guard case .content(let readings) = model.readings else { return [] }
    return readings
  }

  @Test("Logged readings are read back, newest first, after one request for permission")
  func logging() async throws {
    let trial = try Trial.onEmptyStore()
    let requests = Requests()
    let model = BloodPressureModel(
      store: trial.store { request in
        requests.count.withLock { $0 += 1 }
        return request.allowed
      })
    #expect(model.readings == .empty)
    let (morning, noon) = (try trial.date("2026-10-25", hour: 8), try trial.date("2026-10-25"))
    try await model.log(systolic: 118, diastolic: 76, at: noon)
    try await model.log(systolic: 131, diastolic: 84, at: morning)
    #expect(requests.count.withLock { $0 } == 1)
    let readings = content(model)
    #expect(readings.map(\.systolic) == [118, 131])
    #expect(readings.map(\.diastolic) == [76, 84])
    #expect(readings.map(\.date) == [noon, morning])
    #expect(Set(readings.map(\.id)).count == 2)

    let again = BloodPressureModel(store: trial.store(), most: 1)
    await again.refresh()
    #expect(content(again) == Array(readings.prefix(1)))
  }

  @Test("Imported readings are read back as logged ones are")
  func sample() async throws {
    let trial = try Trial.onSample()
    let wanted = try SampleExport.shared.get().correlations.reversed().filter {
      $0.type == HKCorrelationTypeIdentifier.bloodPressure.rawValue
    }
    let model = BloodPressureModel(store: try await trial.askedStore(), most: 100)
    await model.refresh()
    let readings = content(model)
    #expect(wanted.count > 3)
    #expect(readings.map { $0.date.timeIntervalSince1970 } == wanted.map(\.start))
    for (reading, correlation) in zip(readings, wanted) {
      let values = Dictionary(
        uniqueKeysWithValues: correlation.members.map { ($0.type, $0.value) })
      #expect(reading.systolic == values[HealthAccess.systolic.identifier])
      #expect(reading.diastolic == values[HealthAccess.diastolic.identifier])
    }
  }

  @Test("A reading is two samples, which any app that may read them finds")
  func parts() async throws {
    let trial = try Trial.onEmptyStore()
    let noon = try trial.date("2026-10-25")
    try await BloodPressureModel(store: trial.store()).log(systolic: 120, diastolic: 80, at: noon)
    let other = trial.store("com.example.other")
    try await other.requestAuthorization(toShare: [], read: [HealthAccess.systolic])
    let query = HKSampleQueryDescriptor(
      predicates: [.quantitySample(type: HealthAccess.systolic)], sortDescriptors: [])
    let samples = try await query.result(for: other)
    #expect(samples.map { $0.quantity.doubleValue(for: .millimeterOfMercury()) } == [120])
    #expect(samples.first?.sourceRevision.source.bundleIdentifier == "com.example.diary")
  }

  @Test(
    "Implausible pressures are not saved",
    arguments: [(80.0, 120.0), (120, 120), (500, 80), (120, 0), (-1, -2), (.nan, 80), (120, .nan)])
  func unlikely(systolic: Double, diastolic: Double) async throws {
    let trial = try Trial.onEmptyStore()
    let model = BloodPressureModel(store: try await trial.askedStore())
    await #expect(throws: BloodPressureModel.Problem.unlikely) {
      try await model.log(systolic: systolic, diastolic: diastolic, at: .now)
    }
    await model.refresh()
    #expect(model.readings == .noData)
  }

  @Test("After a denial logging fails, and there is no reading")
  func denied() async throws {
    let trial = try Trial.onEmptyStore()
    let model = BloodPressureModel(store: trial.store { $0.denied })
    await #expect(throws: BloodPressureModel.Problem.notAllowed) {
      try await model.log(systolic: 120, diastolic: 80, at: .now)
    }
    await model.refresh()
    #expect(model.readings == .noData)
  }
}
