import Foundation
import HealthQuery
import HealthSamples
import HealthStatistics
import HealthStore

/// Statistics straight from the store beside one pass over the unpacked numbers in memory.
struct Floors {
  let path: String

  func compare() throws {
    guard let energy = ScaledStore.energy, let zone = TimeZone(identifier: "Europe/Paris") else {
      return
    }
    let store = try SampleStore(path: path, mode: .readOnly)
    let samples = try store.samples(of: energy)
    var sink = 0.0
    var fastest = [String: Double]()
    func measure(_ name: String, _ body: () throws -> Void) rethrows {
      let measured = try Measurement(rounds: 1, body)
      fastest[name] = min(fastest[name] ?? .infinity, measured.milliseconds)
    }
    let intervals = [CalendarInterval.Alignment.month, .week, .day, .hour]
    for _ in 0..<15 {
      measure("read values once") { sink += Self.sum(of: samples.values) }
      measure("read starts and values once") {
        sink += Self.sum(of: samples.starts) + Self.sum(of: samples.values)
      }
      for interval in intervals {
        try measure("by \(interval)") {
          var plan = StatisticsPlan(type: energy, timeZone: zone)
          plan.interval = CalendarInterval(interval)
          sink += try store.statistics(plan).intervals.sums?.last ?? 0
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

  /// Eight numbers at a time: no statistics can read them faster.
  private static func sum(of column: [Double]) -> Double {
    column.withUnsafeBytes { bytes in
      let vectors = bytes.bindMemory(to: SIMD8<Double>.self)
      var first = SIMD8<Double>()
      var second = SIMD8<Double>()
      for index in stride(from: 0, to: vectors.count - 1, by: 2) {
        first += vectors[index]
        second += vectors[index + 1]
      }
      return (first + second).sum()
    }
  }
}
