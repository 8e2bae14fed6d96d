import Foundation
import HealthKit
import SampleExport
import Testing

@testable import Diary

@MainActor
@Suite("Week")
struct WeekTests {
  private func bars(_ model: WeekModel) async throws -> [WeekModel.Bar] {
    #expect(try await waits { model.bars != .empty })
    guard case .content(let bars) = model.bars else { return [] }
    return bars
  }

  @Test("Every bar is the total from midnight to midnight, also on the day of 25 hours")
  func sample() async throws {
    let trial = try Trial.onSample()
    let sums = try #require(
      try SampleExport.shared.get().sums["HKQuantityTypeIdentifierStepCount"])
    let model = WeekModel(store: try await trial.askedStore(), calendar: trial.calendar)
    model.show(weekOf: try trial.date("2026-10-21"))
    let bars = try await bars(model)
    #expect(bars.map { trial.day(of: $0.day.start) } == (19...25).map { "2026-10-\($0)" })
    #expect(bars.map { $0.day.duration / 3600 } == [24, 24, 24, 24, 24, 24, 25])
    for (bar, next) in zip(bars, bars.dropFirst()) { #expect(bar.day.end == next.day.start) }
    for bar in bars {
      let sum = try #require(sums[trial.day(of: bar.day.start)])
      let steps = try #require(bar.steps)
      #expect(abs(steps - sum.merged) < 1e-6 * max(1, sum.merged))
    }
  }

  @Test("A week in which the clocks go forward has a day of 23 hours")
  func spring() async throws {
    let trial = try Trial.onEmptyStore()
    let store = try await trial.askedStore()
    let phone = trial.store("com.example.phone")
    try await phone.requestAuthorization(toShare: [HealthAccess.steps], read: [])
    // The last minute of the short day, and the first of the next.
    let midnight = try trial.date("2026-03-30", hour: 0)
    try await phone.save([
      trial.steps(7, from: midnight.addingTimeInterval(-60), minutes: 1),
      trial.steps(11, from: midnight, minutes: 1),
    ])
    let model = WeekModel(store: store, calendar: trial.calendar)
    model.show(weekOf: try trial.date("2026-03-29"))
    let short = try await bars(model)
    #expect(short.map { $0.day.duration / 3600 } == [24, 24, 24, 24, 24, 24, 23])
    #expect(short.map(\.steps) == [nil, nil, nil, nil, nil, nil, 7])
    let next = WeekModel(store: store, calendar: trial.calendar)
    next.show(weekOf: midnight)
    #expect(try await bars(next).map(\.steps) == [11, nil, nil, nil, nil, nil, nil])
  }

  @Test("A change updates its bar until the screen is stopped")
  func changes() async throws {
    let trial = try Trial.onEmptyStore()
    let noon = try trial.date("2026-10-21")
    let model = WeekModel(store: try await trial.askedStore(), calendar: trial.calendar)
    model.show(weekOf: noon)
    #expect(try await bars(model).allSatisfy { $0.steps == nil })
    let phone = trial.store("com.example.phone")
    try await phone.requestAuthorization(toShare: [HealthAccess.steps], read: [])
    try await phone.save(trial.steps(300, from: noon, minutes: 10))
    #expect(
      try await waits {
        guard case .content(let bars) = model.bars else { return false }
        return bars.map(\.steps) == [nil, nil, 300, nil, nil, nil, nil]
      })
    model.stop()
    let before = model.bars
    try await phone.save(trial.steps(50, from: noon.addingTimeInterval(3600), minutes: 5))
    try await Task.sleep(for: .milliseconds(200))
    #expect(model.bars == before)
  }
}
