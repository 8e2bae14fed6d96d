import ArgumentParser
import Diary
import Foundation
import HealthKit

/// The diary in a terminal: its three screens, one after the other.
///
/// Only the host differs from the app on a phone.
@main
struct ShowDiary: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "show-diary",
    abstract: "Shows the example app on a store of hkstats.",
    discussion: """
      The store is $HKSTATS_STORE. It asks for permission on the terminal; HKSTATS_REQUESTS=allow \
      answers for you.
      """)

  @Option(help: "The day to show, such as 2026-10-31 (default: today).")
  var day: String?

  @Option(help: "A blood pressure to log first, in mmHg, such as 122/79.")
  var log: String?

  @MainActor
  func run() async throws {
    var host = HealthHost.current
    host.bundleIdentifier = "com.example.diary"
    host.name = "Diary"
    host.readUsage = "The diary shows your steps and your blood pressures."
    host.shareUsage = "The diary keeps the blood pressures that you type in."
    if host.answer == nil { host.answer = { await TerminalSheet().answer($0) } }
    HealthHost.current = host

    let store = HKHealthStore()
    let calendar = Calendar.current
    let now = try day.map { try date($0, in: calendar) } ?? Date()
    try await HealthAccess.request(of: store)

    let today = TodayModel(store: store, calendar: calendar) { now }
    let week = WeekModel(store: store, calendar: calendar)
    await today.refresh()
    await withCheckedContinuation { (first: CheckedContinuation<Void, Never>) in
      week.didChange = {
        week.didChange = nil
        first.resume()
      }
      week.show(weekOf: now)
    }
    week.stop()
    let pressure = BloodPressureModel(store: store, most: 5)
    if let log { try await pressure.log(log, at: now) } else { await pressure.refresh() }
    let screens = TextScreens(calendar: calendar)
    print(
      screens.today(today.steps, on: now), screens.week(week.bars),
      screens.pressures(pressure.readings), separator: "\n\n")
  }

  /// Noon of a day, which exists when the clocks change, too.
  private func date(_ text: String, in calendar: Calendar) throws -> Date {
    let parts = text.split(separator: "-").compactMap { Int($0) }
    let noon = DateComponents(
      calendar: calendar, year: parts.first, month: parts.dropFirst().first, day: parts.last,
      hour: 12)
    guard parts.count == 3, noon.isValidDate, let date = noon.date else {
      throw ValidationError("--day takes a day such as 2026-10-31, not “\(text)”.")
    }
    return date
  }
}

extension BloodPressureModel {
  /// Parses and logs a reading.
  fileprivate func log(_ text: String, at date: Date) async throws {
    let parts = text.split(separator: "/").map { Double($0) }
    guard parts.count == 2, let systolic = parts[0], let diastolic = parts[1] else {
      throw ValidationError("--log takes a pressure such as 122/79.")
    }
    do {
      try await log(systolic: systolic, diastolic: diastolic, at: date)
    } catch Problem.unlikely {
      throw ValidationError("--log takes a plausible pressure, such as 122/79.")
    } catch Problem.notAllowed {
      throw ValidationError("The diary may not save that; hkstats permissions allows it.")
    }
  }
}
