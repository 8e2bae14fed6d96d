import Foundation
import HealthExchange
import HealthQuery
import HealthSamples

/// Nights as programs read them: seconds, and instants with their offset.
struct SleepRecords {
  let answer: SleepAnswer

  private var nights: NightColumns { answer.nights }
  private static let stages = SleepStage.asleep + [.awake]

  /// A record a night, the titles first.
  var csv: [[String]] {
    let titles =
      ["night", "start", "end", "asleep_from", "asleep_to", "asleep"]
      + Self.stages.map(SleepWords.key) + ["in_bed", "efficiency", "naps", "nap_asleep", "sources"]
    return [titles]
      + (0..<nights.count).map { row in
        let naps = nights.naps[row]
        let numbers =
          [nights.asleep[row]] + Self.stages.map { nights.stages[row][$0] }
          + [nights.inBed[row], nights.efficiency(row)]
        return [date(row)] + instants(row).map { $0.map(iso) ?? "" }
          + numbers.map { $0.map(NumberText.exact) ?? "" }
          + [
            String(naps.count), NumberText.exact(naps.reduce(0) { $0 + $1.asleep }),
            nights.sources[row].filter { $0.asleep > 0 }.map(\.source.description)
              .joined(separator: "; "),
          ]
      }
  }

  /// An object a night.
  var objects: [JSON] {
    (0..<nights.count).map { row in
      let instants = zip(["start", "end", "asleepFrom", "asleepTo"], instants(row)).map {
        JSON.Member($0, .optional($1.map(iso)))
      }
      let stages = Self.stages.map {
        JSON.Member(SleepWords.key($0), .optional(nights.stages[row][$0]))
      }
      let naps = nights.naps[row].map { nap in
        JSON.object([
          .init("start", .string(iso(nap.span.lowerBound))),
          .init("end", .string(iso(nap.span.upperBound))), .init("asleep", .number(nap.asleep)),
        ])
      }
      let sources = nights.sources[row].map { source in
        JSON.object([
          .init("source", .string(source.source.description)),
          .init("asleep", .number(source.asleep)), .init("inBed", .number(source.inBed)),
          .init("masked", .number(source.masked)),
        ])
      }
      return .object(
        [.init("night", .string(date(row)))] + instants
          + [.init("asleep", .optional(nights.asleep[row]))] + stages
          + [
            .init("inBed", .optional(nights.inBed[row])),
            .init("efficiency", .optional(nights.efficiency(row))), .init("naps", .array(naps)),
            .init("sources", .array(sources)),
          ])
    }
  }

  private func instants(_ row: Int) -> [Double?] {
    let (span, sleep) = (nights.spans[row], nights.sleepSpans[row])
    return [span?.lowerBound, span?.upperBound, sleep?.lowerBound, sleep?.upperBound]
  }

  private func date(_ row: Int) -> String {
    LocalTime(nights.days[row], in: answer.timeZone).dateText
  }

  private func iso(_ instant: Double) -> String { LocalTime(instant, in: answer.timeZone).isoText }
}

/// The means of weeks or months as programs read them.
struct SleepAverageRecords {
  private let period: SleepAverages.Period
  private let means: SleepAverages
  private let labels: [String]

  init(_ answer: SleepAnswer, by period: SleepAverages.Period) {
    self.period = period
    let means = answer.averages(by: period)
    self.means = means
    labels = (0..<means.count).map { means.label($0, period, in: answer.timeZone) }
  }

  /// A record a period, the titles first.
  var csv: [[String]] {
    [[period.rawValue, "nights", "bedtime", "wake"] + columns.map(\.title) + ["naps"]]
      + labels.indices.map { row in
        [labels[row], String(means.nightCounts[row])] + clocks(row).map { $0 ?? "" }
          + columns.map { $0.cells[row].map(NumberText.exact) ?? "" }
          + [String(means.napCounts[row])]
      }
  }

  /// An object a period.
  var objects: [JSON] {
    labels.indices.map { row in
      .object(
        [
          .init(period.rawValue, .string(labels[row])),
          .init("nights", .integer(means.nightCounts[row])),
          .init("bedtime", .optional(clocks(row)[0])), .init("wake", .optional(clocks(row)[1])),
        ] + columns.map { .init($0.key, .optional($0.cells[row])) }
          + [.init("naps", .integer(means.napCounts[row]))])
    }
  }

  /// The mean times of day, to the minute.
  private func clocks(_ row: Int) -> [String?] {
    [means.bedtimes[row], means.wakes[row]].map { $0.map(SleepWords.clock) }
  }

  /// Numbers by their names in csv and in json.
  private var columns: [(title: String, key: String, cells: [Double?])] {
    [("asleep", "asleep", means.asleep)]
      + (SleepStage.asleep + [.awake]).map { stage in
        (SleepWords.key(stage), SleepWords.key(stage), means.stages.map { $0[stage] })
      }
      + [
        ("in_bed", "inBed", means.inBed), ("efficiency", "efficiency", means.efficiencies),
        ("nap_asleep", "napAsleep", means.napAsleep),
      ]
  }
}
