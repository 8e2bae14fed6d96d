import Foundation
import HealthKit
import SampleExport

@testable import Diary

/// The diary on a store, in the time zone of the sample.
struct Trial {
  let folder: TemporaryFolder
  let path: String
  let calendar: Calendar

  /// On the store of the sample, which no test changes.
  static func onSample() throws -> Trial {
    try Trial(path: SampleExport.shared.get().path)
  }

  /// On an empty store.
  static func onEmptyStore() throws -> Trial { try Trial(path: nil) }

  private init(path: String?) throws {
    folder = try TemporaryFolder()
    self.path = path ?? folder.path("store.sqlite")
    var calendar = Calendar(identifier: .iso8601)
    calendar.timeZone = TimeZone(identifier: SampleExport.zone) ?? .gmt
    self.calendar = calendar
  }

  /// A store of an app; its requests are all allowed, unless there is another answer.
  func store(
    _ app: String = "com.example.diary",
    answer: @escaping @Sendable (AuthorisationRequest) -> AuthorisationAnswer? = { $0.allowed }
  ) -> HKHealthStore {
    var host = HealthHost(environment: [:])
    host.path = path
    host.bundleIdentifier = app
    host.name = app
    // The closure keeps the folder as long as the host exists.
    host.answer = { [folder] request in withExtendedLifetime(folder) { answer(request) } }
    return HKHealthStore(host: host)
  }

  /// The store of the diary, after its request for permission.
  func askedStore() async throws -> HKHealthStore {
    let store = store()
    try await HealthAccess.request(of: store)
    return store
  }

  func date(_ day: String, hour: Int = 12) throws -> Date {
    let parts = day.split(separator: "-").compactMap { Int($0) }
    let components = DateComponents(
      calendar: calendar, year: parts[0], month: parts[1], day: parts[2], hour: hour)
    guard let date = components.date else { throw CocoaError(.coderInvalidValue) }
    return date
  }

  func day(of date: Date) -> String {
    let parts = calendar.dateComponents([.year, .month, .day], from: date)
    return String(format: "%04d-%02d-%02d", parts.year ?? 0, parts.month ?? 0, parts.day ?? 0)
  }

  /// Steps as a phone or a watch would save them.
  func steps(_ count: Double, from start: Date, minutes: Double) -> HKQuantitySample {
    HKQuantitySample(
      type: HKQuantityType(.stepCount), quantity: HKQuantity(unit: .count(), doubleValue: count),
      start: start, end: start.addingTimeInterval(minutes * 60))
  }
}

/// Polls a condition, for at most ten seconds.
@MainActor
func waits(until isDone: () -> Bool) async throws -> Bool {
  let limit = ContinuousClock.now + .seconds(10)
  while !isDone() {
    guard ContinuousClock.now < limit else { return false }
    try await Task.sleep(for: .milliseconds(10))
  }
  return true
}
