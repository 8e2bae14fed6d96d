import Foundation
import HealthKit
import SampleExport
import Testing

@testable import Diary

@MainActor
@Suite("Today")
struct TodayTests {
  private let steps = "HKQuantityTypeIdentifierStepCount"

  @Test("Steps that phone and watch both count are summed once, on every day of the sample")
  func sample() async throws {
    let trial = try Trial.onSample()
    let store = try await trial.askedStore()
    let sums = try #require(try SampleExport.shared.get().sums[steps])
    var (compared, counted) = (0, 0)
    for (day, sum) in sums.sorted(by: { $0.key < $1.key }) {
      let noon = try trial.date(day)
      // The query counts a whole sample on the day of its start; the generator splits it at midnight.
      guard try await !isCut(trial.calendar.dateInterval(of: .day, for: noon), store) else {
        continue
      }
      let model = TodayModel(store: store, calendar: trial.calendar) { noon }
      await model.refresh()
      #expect(model.steps == .content(Int(sum.merged.rounded())), "\(day)")
      compared += 1
      if sum.merged < sum.raw - 1 { counted += 1 }
    }
    #expect(compared > 20 && counted > 20)
  }

  /// Whether a sample begins on one day and ends on another.
  private func isCut(_ day: DateInterval?, _ store: HKHealthStore) async throws -> Bool {
    let day = try #require(day)
    for midnight in [day.start, day.end] {
      let query = HKSampleQueryDescriptor(
        predicates: [
          .quantitySample(
            type: HKQuantityType(.stepCount),
            predicate: NSPredicate(
              format: "%K < %@ AND %K > %@", HKPredicateKeyPathStartDate, midnight as NSDate,
              HKPredicateKeyPathEndDate, midnight as NSDate))
        ], sortDescriptors: [], limit: 1)
      if try await !query.result(for: store).isEmpty { return true }
    }
    return false
  }

  @Test("Where two devices overlap, the overlap is summed once")
  func overlap() async throws {
    let trial = try Trial.onEmptyStore()
    let start = try trial.date("2026-10-25", hour: 9)
    let walks = [("com.example.phone", 1000.0, 60.0), ("com.example.watch", 400, 30)]
    for (app, count, minutes) in walks {
      let device = trial.store(app)
      try await device.requestAuthorization(toShare: [HealthAccess.steps], read: [])
      try await device.save(trial.steps(count, from: start, minutes: minutes))
    }
    let model = TodayModel(store: try await trial.askedStore(), calendar: trial.calendar) { start }
    await model.refresh()
    // Either device may rank first: 1,000 steps, or 400 and half of the 1,000.
    #expect([.content(1000), .content(900)].contains(model.steps))
  }

  @Test("A day without samples, and a day that the diary may not read, look the same")
  func nothing() async throws {
    let trial = try Trial.onSample()
    let early = try trial.date("2020-01-01")
    let allowed = TodayModel(store: try await trial.askedStore(), calendar: trial.calendar) {
      early
    }
    await allowed.refresh()
    #expect(allowed.steps == .noData)

    let last = try trial.date("2026-10-31")
    let denied = trial.store("com.example.denied") { $0.denied }
    try await HealthAccess.request(of: denied)
    let model = TodayModel(store: denied, calendar: trial.calendar) { last }
    await model.refresh()
    #expect(model.steps == .noData)
  }

  @Test("Without a request for permission the screen says what to do")
  func problems() async throws {
    let trial = try Trial.onEmptyStore()
    let model = TodayModel(store: trial.store(), calendar: trial.calendar)
    #expect(model.steps == .empty)
    await model.refresh()
    #expect(model.steps == .problem("Allow the diary to use health data in the settings."))
  }

  @Test("The screen follows the changes of any app until it is stopped")
  func changes() async throws {
    let trial = try Trial.onEmptyStore()
    let noon = try trial.date("2026-10-25")
    let model = TodayModel(store: try await trial.askedStore(), calendar: trial.calendar) { noon }
    var changes = 0
    model.didChange = { changes += 1 }
    model.start()
    #expect(try await waits { model.steps == .noData })
    let phone = trial.store("com.example.phone")
    try await phone.requestAuthorization(toShare: [HealthAccess.steps], read: [])
    let walk = trial.steps(120, from: noon, minutes: 5)
    try await phone.save(walk)
    #expect(try await waits { model.steps == .content(120) })
    try await phone.delete(walk)
    #expect(try await waits { model.steps == .noData })
    #expect(changes == 3)
    model.stop()
    try await phone.save(trial.steps(50, from: noon, minutes: 5))
    try await Task.sleep(for: .milliseconds(200))
    #expect(model.steps == .noData && changes == 3)
  }
}
