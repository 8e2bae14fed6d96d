import Foundation
import HealthMerge
import HealthQuery
import HealthSamples
import HealthStatistics
import HealthStore
import Samples

/// Statistics straight from the store beside one pass over the unpacked numbers in memory.
struct Floors {
  let path: String

  func compare() throws {
    guard let energy = ScaledStore.energy, let zone = TimeZone(identifier: "Europe/Paris") else {
      return
    }
    let store = try SampleStore(path: path, mode: .readOnly)
    let samples = try store.samples(of: energy)
    let facts = try store.sources(of: energy).map {
      SourceFacts(source: $0.source, deviceKind: $0.deviceKind, firstStart: $0.firstStart)
    }
    var sink = 0.0
    var fastest: [String: Double] = [:]
    func measure(_ name: String, _ body: () throws -> Void) rethrows {
      let measured = try Measurement(rounds: 1, body)
      fastest[name] = min(fastest[name] ?? .infinity, measured.milliseconds)
    }
    let intervals = [CalendarInterval.Alignment.month, .week, .day, .hour]
    for _ in 0..<15 {
      measure("read values once") { sink += OnePass.sum(of: samples.values) }
      measure("read starts and values once") {
        sink += OnePass.sum(of: samples.starts) + OnePass.sum(of: samples.values)
      }
      for interval in intervals {
        var plan = StatisticsPlan(type: energy, timeZone: zone)
        plan.interval = CalendarInterval(interval)
        try measure("from columns, by \(interval)") {
          sink += try plan.answer(samples: samples, facts: facts).intervals[.sum]?.last ?? 0
        }
        try measure("from the store, by \(interval)") {
          sink += try store.statistics(plan).intervals[.sum]?.last ?? 0
        }
      }
    }
    for (name, milliseconds) in fastest.sorted(by: { $0.key < $1.key }) {
      print(
        Questions.padded(name, to: 48), Questions.number(milliseconds, "ms"),
        Questions.number(milliseconds * 1e6 / Double(samples.count), "ns a sample"))
    }
    guard sink.isFinite else { throw CocoaError(.featureUnsupported) }
  }
}
