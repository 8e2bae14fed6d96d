import Foundation
import Harness
import HealthMerge
import HealthQuery
import HealthSamples
import HealthStatistics
import HealthStore

/// The questions that are asked of each store.
struct Questions {
  let path: String
  let count: Int

  private struct Question {
    var name: String
    var interval: CalendarInterval?
    /// Days from the middle of the store; everything when `nil`.
    var days: Double?
    var rounds: Int
  }

  func ask() async throws {
    guard let energy = ScaledStore.energy, let steps = ScaledStore.steps else { return }
    let long = count > 20_000_000 ? 1 : 3
    let questions = [
      Question(name: "one day", interval: CalendarInterval(.day), days: 1, rounds: 20),
      Question(name: "one day by hour", interval: CalendarInterval(.hour), days: 1, rounds: 20),
      Question(name: "one year by day", interval: CalendarInterval(.day), days: 365, rounds: long),
      Question(name: "all by day", interval: CalendarInterval(.day), days: nil, rounds: long),
      Question(name: "all by month", interval: CalendarInterval(.month), days: nil, rounds: long),
      Question(name: "all in one", interval: nil, days: nil, rounds: long),
    ]
    for type in [energy, steps] {
      for policy in type == energy ? [MergePolicy.healthKit] : [.healthKit, .unmerged] {
        for question in questions {
          try await ask(question, of: type, policy: policy)
        }
      }
    }
  }

  private func ask(_ question: Question, of type: SampleType, policy: MergePolicy) async throws {
    guard let zone = TimeZone(identifier: "Europe/Paris") else { return }
    var plan = StatisticsPlan(type: type, timeZone: zone)
    plan.policy = policy
    plan.interval = question.interval
    if let days = question.days {
      let length = Double(count) / ScaledStore.samplesOfDay
      let day = (ScaledStore.origin / 86_400 + (length - days).rounded(.down) / 2).rounded(.down)
      let first = max(day, ScaledStore.origin / 86_400)
      plan.from = try QueryDate(Self.date(first), in: zone, now: 0)
      plan.to = try QueryDate(Self.date(first + days), in: zone, now: 0)
    }
    let measured = try await Measurement(rounds: question.rounds) {
      let store = try SampleStore(path: path, mode: .readOnly)
      guard try store.statistics(plan).intervals.count > 0 else {
        throw CocoaError(.featureUnsupported)
      }
    }
    let name = type == ScaledStore.energy ? "energy, one source" : "steps, two sources"
    print(
      Line.of(
        [
          "\(name), \(policy): \(question.name)", Line.number(measured.milliseconds, "ms"),
          Line.number(measured.megabytesRead, "MB read"),
          Line.number(measured.megabytesHeld, "MB held"),
        ], widths: [-48, 13, 18, 18]))
  }

  /// The date of a number of days since 2001.
  private static func date(_ day: Double) -> String {
    let date = Date(timeIntervalSinceReferenceDate: day * 86_400 + 43_200)
    return date.formatted(.iso8601.year().month().day())
  }
}
