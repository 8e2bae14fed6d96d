import Foundation
import Synchronization
import Testing
import _HealthTestSupport

@testable import HealthKit

@Suite struct QuantitySeriesBuilderTests {
  private let steps = HKQuantityType(.stepCount)

  private func builder(_ store: HKHealthStore, from start: Double = 0)
    -> HKQuantitySeriesSampleBuilder
  {
    HKQuantitySeriesSampleBuilder(
      healthStore: store, quantityType: steps, startDate: Trial.date(start), device: Trial.watch)
  }

  private func count(_ number: Double) -> HKQuantity {
    HKQuantity(unit: .count(), doubleValue: number)
  }

  @Test(
    "A finished series has the inserted quantities, the latest of each start",
    arguments: [1, 2, 3] as [UInt64])
  func law(seed: UInt64) async throws {
    var random = SplitMix64(seed: seed)
    let file = try HealthFile()
    let store = try await file.allowedStore()
    let builder = builder(store)
    #expect(builder.quantityType == steps && builder.startDate == Trial.date(0))
    #expect(builder.device == Trial.watch)
    var expected: [Double: (count: Double, end: Double)] = [:]
    for _ in 0..<80 {
      let start = Double(Int.random(in: 0..<60, using: &random))
      let number = Double(Int.random(in: 0..<9, using: &random))
      if Bool.random(using: &random) {
        try builder.insert(count(number), at: Trial.date(start))
        expected[start] = (number, start)
      } else {
        let end = start + Double(Int.random(in: 0..<30, using: &random))
        try builder.insert(
          count(number), for: DateInterval(start: Trial.date(start), end: Trial.date(end)))
        expected[start] = (number, end)
      }
    }
    let samples = try await builder.finishSeries(metadata: ["a": "b"])
    let sorted = expected.sorted { $0.key < $1.key }
    #expect(samples.map { $0.startDate } == sorted.map { Trial.date($0.key) })
    #expect(samples.map { $0.endDate } == sorted.map { Trial.date($0.value.end) })
    #expect(samples.map(\.value) == sorted.map(\.value.count))
    #expect(samples.allSatisfy { $0.device == Trial.watch && $0.metadata?["a"] as? String == "b" })
    #expect(
      samples.allSatisfy { $0.sourceRevision.source.bundleIdentifier == "com.example.diary" })

    let descriptor = HKQuantitySeriesSampleQueryDescriptor(predicate: .quantitySample(type: steps))
    var found: [Double] = []
    for try await one in descriptor.results(for: store) {
      found.append(one.quantity.doubleValue(for: .count()))
    }
    #expect(found == sorted.map(\.value.count))
  }

  @Test("Statistics of a series have the extremes of its measurements")
  func statistics() async throws {
    let file = try HealthFile()
    let mass = HKQuantityType(.bodyMass)
    let store = try await file.allowedStore()
    let builder = HKQuantitySeriesSampleBuilder(
      healthStore: store, quantityType: mass, startDate: Trial.date(0), device: nil)
    for (second, number) in [70.0, 75, 60].enumerated() {
      try builder.insert(
        HKQuantity(unit: .gramUnit(with: .kilo), doubleValue: number),
        at: Trial.date(Double(second)))
    }
    _ = try await builder.finishSeries(metadata: nil)
    let statistics = try #require(
      try await HKStatisticsQueryDescriptor(
        predicate: .quantitySample(type: mass), options: [.discreteMin, .discreteMax]
      ).result(for: store))
    #expect(statistics.minimumQuantity()?.doubleValue(for: .gramUnit(with: .kilo)) == 60)
    #expect(statistics.maximumQuantity()?.doubleValue(for: .gramUnit(with: .kilo)) == 75)
  }

  @Test("A quantity before the start, or of a unit that the type does not have, is refused")
  func refused() async throws {
    let file = try HealthFile()
    let store = try await file.allowedStore()
    let builder = builder(store, from: 10)
    await #expect(
      healthError { try builder.insert(count(1), at: Trial.date(9)) } == .errorInvalidArgument)
    await #expect(
      healthError {
        try builder.insert(HKQuantity(unit: .meter(), doubleValue: 1), at: Trial.date(11))
      }
        == .errorInvalidArgument)
    await #expect(
      healthError { try builder.insert(count(.infinity), at: Trial.date(11)) }
        == .errorInvalidArgument)
    try builder.insert(count(1), at: Trial.date(10))
    #expect(try await builder.finishSeries(metadata: nil).count == 1)
  }

  @Test(
    "The end date becomes that of the last sample, and must not precede a quantity or the start")
  func endDate() async throws {
    let file = try HealthFile()
    let store = try await file.allowedStore()
    let late = builder(store)
    try late.insert(count(1), at: Trial.date(1))
    try late.insert(count(2), at: Trial.date(2))
    let samples = try await late.finishSeries(metadata: nil, endDate: Trial.date(9))
    #expect(samples.map(\.endDate) == [Trial.date(1), Trial.date(9)])
    for end in [-1, 1.5] {
      let early = builder(store)
      try early.insert(
        count(1), for: DateInterval(start: Trial.date(1), end: Trial.date(2)))
      #expect(
        await healthError {
          _ = try await early.finishSeries(metadata: nil, endDate: Trial.date(end))
        } == .errorInvalidArgument)
    }
  }

  @Test(
    "A finished or discarded builder refuses every call, and an empty one cannot be finished"
  )
  func ended() async throws {
    let file = try HealthFile()
    let store = try await file.allowedStore()
    let empty = builder(store)
    #expect(
      await healthError { _ = try await empty.finishSeries(metadata: nil) }
        == .errorInvalidArgument)
    let finished = builder(store)
    try finished.insert(count(1), at: Trial.date(1))
    _ = try await finished.finishSeries(metadata: nil)
    let discarded = builder(store)
    try discarded.insert(count(5), at: Trial.date(1))
    discarded.discard()
    for ended in [empty, finished, discarded] {
      #expect(
        await healthError { try ended.insert(count(1), at: Trial.date(2)) }
          == .errorInvalidArgument)
      #expect(
        await healthError { _ = try await ended.finishSeries(metadata: nil) }
          == .errorInvalidArgument)
    }
    #expect(try file.rows(.stepCount).count == 1)
  }

  @Test("Without permission nothing is saved, and samples cannot share a sync identifier")
  func failures() async throws {
    let file = try HealthFile()
    let denied = file.store("com.example.denied") { $0.denied }
    try await denied.requestAuthorization(toShare: [steps], read: [steps])
    let builder = builder(denied)
    try builder.insert(count(1), at: Trial.date(1))
    #expect(
      await healthError { _ = try await builder.finishSeries(metadata: nil) }
        == .errorAuthorizationDenied)
    let synced = self.builder(try await file.allowedStore())
    try synced.insert(count(1), at: Trial.date(1))
    try synced.insert(count(1), at: Trial.date(2))
    #expect(
      await healthError {
        _ = try await synced.finishSeries(
          metadata: [HKMetadataKeySyncIdentifier: "x", HKMetadataKeySyncVersion: 1])
      } == .errorInvalidArgument)
    #expect(try file.rows(.stepCount).isEmpty)
  }

  @Test("The form with a completion handler gives the samples or the error")
  func completion() async throws {
    let file = try HealthFile()
    let store = try await file.allowedStore()
    let builder = builder(store)
    try builder.insert(count(4), at: Trial.date(1))
    let received = Received<String>()
    builder.finishSeries(metadata: nil) { samples, error in
      received.add("\(samples?.count ?? -1) \(error == nil)", isLast: false)
      builder.finishSeries(metadata: nil) { samples, error in
        received.add("\(samples?.count ?? -1) \(error == nil)", isLast: true)
      }
    }
    #expect(await received.all() == ["1 true", "-1 false"])
  }
}
