import Foundation
import Harness
import HealthMerge
import HealthQuery
import HealthSamples
import HealthStatistics
import HealthStore
import Samples

/// Statistics straight from the store beside one pass over the unpacked numbers in memory.
struct Floors {
  let path: String

  func compare() async throws {
    guard let energy = ScaledStore.energy, let zone = TimeZone(identifier: "Europe/Paris") else {
      return
    }
    let store = try SampleStore(path: path, mode: .readOnly)
    let samples = try store.samples(of: energy)
    let facts = try store.sources(of: energy).map {
      SourceFacts(source: $0.source, deviceKind: $0.deviceKind, firstStart: $0.firstStart)
    }
    var ways: [(name: String, work: () throws -> Void)] = [
      ("read values once", { keep(OnePass.sum(of: samples.values)) }),
      (
        "read starts and values once",
        { keep(OnePass.sum(of: samples.starts) + OnePass.sum(of: samples.values)) }
      ),
    ]
    for interval in [CalendarInterval.Alignment.month, .week, .day, .hour] {
      var plan = StatisticsPlan(type: energy, timeZone: zone)
      plan.interval = CalendarInterval(interval)
      ways += [
        (
          "from columns, by \(interval)",
          { [plan] in keep(try plan.answer(samples: samples, facts: facts)) }
        ),
        ("from the store, by \(interval)", { [plan] in keep(try store.statistics(plan)) }),
      ]
    }
    let times = try await Times.inTurns(15, ways.map(\.work))
    for (way, times) in zip(ways, times) {
      print(
        Line.of(
          [
            way.name, Line.number(times.least * 1e3, "ms"),
            Line.number(times.least * 1e9 / Double(samples.count), "ns a sample"),
          ], widths: [-48, 13, 22]))
    }
  }
}
