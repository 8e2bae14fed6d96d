import Foundation
import Testing
import _HealthTestSupport

@testable import HealthKit

@Suite struct HeartbeatSeriesBuilderTests {
  private func store(_ file: HealthFile) async throws -> HKHealthStore {
    try await file.allowedStore("com.example.diary", [HKSeriesType.heartbeat()])
  }

  private func beats(
    _ series: HKHeartbeatSeriesSample, in store: HKHealthStore
  ) async throws -> [HKHeartbeatSeriesQueryDescriptor.Heartbeat] {
    var beats: [HKHeartbeatSeriesQueryDescriptor.Heartbeat] = []
    for try await beat in HKHeartbeatSeriesQueryDescriptor(series).results(for: store) {
      beats.append(beat)
    }
    return beats
  }

  @Test(
    "A finished series gives the heartbeats that were added, gaps included",
    arguments: [1, 2] as [UInt64])
  func law(seed: UInt64) async throws {
    var random = SplitMix64(seed: seed)
    let file = try HealthFile()
    let store = try await store(file)
    let builder = HKHeartbeatSeriesBuilder(
      healthStore: store, device: Trial.watch, start: Trial.date(100))
    var expected: [HKHeartbeatSeriesQueryDescriptor.Heartbeat] = []
    var offset = 0.0
    for _ in 0..<40 {
      let gap = Int.random(in: 0..<5, using: &random) == 0
      try await builder.addHeartbeat(at: offset, precededByGap: gap)
      expected.append(.init(precededByGap: gap, timeIntervalSinceStart: offset))
      offset += Double(Int.random(in: 400..<1600, using: &random)) / 1024
    }
    try await builder.addMetadata(["a": 1])
    try await builder.addMetadata(["a": 2, "b": "c"])
    let series = try await builder.finishSeries()
    #expect(series.count == 40 && series.startDate == Trial.date(100))
    #expect(series.endDate == Trial.date(100 + (expected.last?.timeIntervalSinceStart ?? 0)))
    #expect(series.device == Trial.watch)
    #expect(series.metadata?["a"] as? Int == 2 && series.metadata?["b"] as? String == "c")
    #expect(try await beats(series, in: store) == expected)

    let received = Received<String>()
    store.execute(
      HKHeartbeatSeriesQuery(heartbeatSeries: series) { _, offset, gap, isDone, error in
        received.add("\(offset) \(gap) \(error == nil)", isLast: isDone)
      })
    #expect(
      await received.all()
        == expected.map { "\($0.timeIntervalSinceStart) \($0.precededByGap) true" })
    try await store.delete(series)
    #expect(await healthError { _ = try await beats(series, in: store) } == .errorNoData)
  }

  @Test("Heartbeats before the start and out of order are refused, and the others are kept")
  func order() async throws {
    let file = try HealthFile()
    let store = try await store(file)
    let builder = HKHeartbeatSeriesBuilder(healthStore: store, device: nil, start: Trial.date(0))
    try await builder.addHeartbeat(at: 1, precededByGap: false)
    for offset in [-1, .nan, 1, 0.5] {
      #expect(
        await healthError { try await builder.addHeartbeat(at: offset, precededByGap: false) }
          == .errorInvalidArgument)
    }
    try await builder.addHeartbeat(at: 2, precededByGap: true)
    #expect(
      try await beats(builder.finishSeries(), in: store).map(\.timeIntervalSinceStart) == [1, 2])
  }

  private final class SmallBuilder: HKHeartbeatSeriesBuilder, @unchecked Sendable {
    override class var maximumCount: Int { 3 }
  }

  @Test("Once the maximum is reached, adding fails")
  func maximum() async throws {
    let file = try HealthFile()
    let store = try await store(file)
    #expect(HKHeartbeatSeriesBuilder.maximumCount > 24 * 3600)
    let builder = SmallBuilder(healthStore: store, device: nil, start: Trial.date(0))
    for offset in 0..<3 { try await builder.addHeartbeat(at: Double(offset), precededByGap: false) }
    #expect(
      await healthError { try await builder.addHeartbeat(at: 3, precededByGap: false) }
        == .errorInvalidArgument)
    #expect(try await builder.finishSeries().count == 3)
  }

  @Test(
    "A finished or discarded builder refuses every call, and an empty one cannot be finished"
  )
  func ended() async throws {
    let file = try HealthFile()
    let store = try await store(file)
    func make() -> HKHeartbeatSeriesBuilder {
      HKHeartbeatSeriesBuilder(healthStore: store, device: nil, start: Trial.date(0))
    }
    let (empty, finished, discarded) = (make(), make(), make())
    #expect(await healthError { _ = try await empty.finishSeries() } == .errorInvalidArgument)
    try await finished.addHeartbeat(at: 1, precededByGap: false)
    _ = try await finished.finishSeries()
    try await discarded.addHeartbeat(at: 1, precededByGap: false)
    discarded.discard()
    for ended in [empty, finished, discarded] {
      #expect(
        await healthError { try await ended.addHeartbeat(at: 2, precededByGap: false) }
          == .errorInvalidArgument)
      #expect(
        await healthError { try await ended.addMetadata(["a": 1]) } == .errorInvalidArgument)
      #expect(await healthError { _ = try await ended.finishSeries() } == .errorInvalidArgument)
    }
    let saved = try await HKSampleQueryDescriptor(
      predicates: [.heartbeatSeries()], sortDescriptors: []
    )
    .result(for: store)
    #expect(saved.count == 1)
  }

  @Test("Metadata of a wrong kind is refused")
  func metadata() async throws {
    let file = try HealthFile()
    let builder = HKHeartbeatSeriesBuilder(
      healthStore: try await store(file), device: nil, start: Trial.date(0))
    #expect(
      await healthError { try await builder.addMetadata(["a": [1]]) } == .errorInvalidArgument)
  }
}
