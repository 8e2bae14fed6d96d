import Foundation
import Harness
import HealthMerge
import HealthQuery
import HealthSamples
import HealthStatistics
import Samples

/// Times our statistics of the shared samples: the kernel alone, from columns and edges, and the
/// whole question, from merging and the calendar of the zone on.
struct PeerMeasurement {
  private let folder: URL
  private let samples: SampleColumns
  private let segments: SegmentColumns

  private static let rounds = 5
  /// The mean of this style is the sum by the count, so it stands for both.
  private static let statistics: [Statistic] = [.mean, .min, .max, .count]
  private static let zones = ["UTC", "Europe/Paris"]

  init(folder: URL) throws {
    self.folder = folder
    samples = try PeerSamples.read(from: folder)
    segments = try samples.merged(by: SourcePriority(order: samples.sources))
  }

  func run() async throws {
    let floor = try await Times.inTurns(
      Self.rounds,
      [{ keep(OnePass.sum(of: segments.starts) + OnePass.sum(of: segments.values)) }])
    for interval in [CalendarInterval.Alignment.hour, .day] {
      for zone in Self.zones {
        try await measure(interval, zone: zone)
        report(interval, zone, "memory floor", floor[0].least)
      }
    }
  }

  private func measure(_ interval: CalendarInterval.Alignment, zone: String) async throws {
    guard let timeZone = TimeZone(identifier: zone) else {
      throw ProblemError("This machine does not know the zone \(zone).")
    }
    var plan = StatisticsPlan(type: samples.type, timeZone: timeZone)
    plan.interval = CalendarInterval(interval)
    plan.statistics = Self.statistics
    let facts = samples.sources.map {
      SourceFacts(source: $0, deviceKind: .watch, firstStart: samples.starts[0])
    }
    let answer = try plan.answer(samples: samples, facts: facts).intervals
    guard let means = answer[raw: .mean] else { throw ProblemError("The answer lacks means.") }
    let boundaries = try Boundaries(edges: answer.starts + answer.ends.suffix(1))
    let name = "\(interval.rawValue)-\(zone.replacing("/", with: "-"))"
    try write(means, as: "ours-mean-\(name).f64")
    try write(answer.counts.map(Double.init), as: "ours-count-\(name).f64")
    let times = try await Times.inTurns(
      Self.rounds,
      [
        { keep(try segments.statistics(over: boundaries, of: Self.statistics)) },
        { keep(try plan.answer(samples: samples, facts: facts)) },
      ])
    report(interval, zone, "hkstats, columns and edges", times[0].least)
    report(interval, zone, "hkstats, whole question", times[1].least)
  }

  private func report(
    _ interval: CalendarInterval.Alignment, _ zone: String, _ way: String, _ seconds: Double
  ) {
    print(interval.rawValue, zone, way, seconds, separator: "\t")
  }

  private func write(_ column: [Double], as name: String) throws {
    try column.withUnsafeBytes { Data($0) }.write(to: folder.appending(path: name))
  }
}
