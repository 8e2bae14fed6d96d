import ArgumentParser
import Foundation
import HealthAnalysis
import HealthAnswers
import HealthExchange
import HealthQuery
import HealthReport
import HealthSamples

/// `hkstats hrv`: the variability of heartbeats.
struct HRVCommand: AnalysisCommand {
  static let configuration = CommandConfiguration(
    commandName: "hrv",
    abstract: HRVParameters.about,
    discussion: """
      SDNN, RMSSD and pNN50 of each series of heartbeats, computed from the beats themselves, by \
      the definitions of the Task Force of 1996. Exports have such series beside the records of \
      heart rate variability, mostly of a minute each. --by gives the medians of the series of \
      each interval.

      Without --from it lists the series of the last 28 days before the end of the data; --by is \
      about all data.

      An interval counts that is from 0.3 to 2 s and within 20 % of the one before; the others are \
      left out, and counted. Over a gap in the beats no interval is formed. Exports have times to \
      a hundredth of a second, which adds up to 7 ms to a small RMSSD and 4 ms to a small SDNN; of \
      differences of exactly 50 ms between such times half count for pNN50.

      csv and json also have lnRMSSD, SD1 and SD2 (the width and length of Poincaré's plot), their \
      ratio, and α1 of detrended fluctuation analysis, which the table shows where there is one: it \
      needs 160 intervals that count, more than the minute of beats that a watch records.

      EXAMPLES:
        hkstats hrv
        hkstats hrv --from -1y --format csv
        hkstats hrv --by week --from -1y --format chart
        hkstats hrv --by month --format csv
        hkstats hrv --from -30d --largest-change 0.3 --format json
      """)

  @Option(
    help: IntervalArgument.help, completion: .intervals, transform: QuestionWords.interval)
  var by: CalendarInterval?

  @Option(help: .of(\HRVParameters.shortest))
  var shortest = HRVParameters().shortest

  @Option(help: .of(\HRVParameters.longest))
  var longest = HRVParameters().longest

  @Option(help: .of(\HRVParameters.largestChange))
  var largestChange = HRVParameters().largestChange

  @OptionGroup var asking: FixedTypeOptions
  @OptionGroup var form: FormatOptions<ChartFormat>

  typealias View = HRVView

  func ask(_ show: (AnalysisAnswer, AnswerNotes) throws -> Void) throws {
    var parameters = HRVParameters()
    (parameters.shortest, parameters.longest) = (shortest, longest)
    parameters.largestChange = largestChange
    try asking.ask(.hrv(parameters), by: by, show: show)
  }
}

/// The variability of series, or medians of intervals, as a table and as curves.
struct HRVView: AnalysisView {
  private let answer: HRVAnswer
  private let parameters: HRVParameters
  private let zones: ZoneTimeline
  private let interval: CalendarInterval?

  init?(_ answer: AnalysisAnswer, _: String?, notes _: AnswerNotes) {
    guard case .hrv(let variability) = answer.results,
      case .hrv(let parameters) = answer.plan.method
    else { return nil }
    (self.answer, self.parameters) = (variability, parameters)
    zones = answer.numbers.timeZone
    interval = answer.plan.question.interval
  }

  var page: AnswerView.Page {
    AnswerView.Page(table: answer.intervals.map(intervalTable) ?? seriesTable, notes: captions)
  }

  var title: String {
    let name = Vocabulary.current.word("heart rate variability")
    return StatisticsCaptions.by(interval, name) + ", " + StatisticsCaptions.zones(zones)
  }

  /// Whether any series has α1; none of a minute has.
  private var hasExponents: Bool {
    answer.series.contains { (try? $0.fluctuation.get()) != nil }
  }

  /// The heads of the numbers.
  private var columns: [Table.Column] {
    (Self.titles + (hasExponents ? [Marks.drawn("DFA α1")] : [])).map { .numbers($0) }
  }

  private func exponent(_ value: Double?) -> [String] {
    hasExponents ? [value.map { NumberText.rounded($0, decimals: 2) } ?? "–"] : []
  }

  private static let titles = ["SDNN (ms)", "RMSSD (ms)", "pNN50 (%)", "heart rate (bpm)"]

  private func texts(_ values: [Double?]) -> [String] {
    values.map { value in value.map { NumberText.rounded($0, decimals: 1) } ?? "–" }
  }

  private var seriesTable: Table {
    var table = Table(
      columns: [.words("start")] + columns + [
        .numbers("beats"), .numbers("left out"),
      ])
    for series in answer.series {
      let found = try? series.variability.get()
      table.add(
        [LocalTime(series.start, in: zones).momentText]
          + texts([
            found?.standardDeviation, found?.rootMeanSquareOfDifferences, found?.percentOver50,
            found?.meanHeartRate,
          ]) + exponent(try? series.fluctuation.get().exponent) + [
            NumberText.grouped(series.beatCount),
            found.map { NumberText.grouped($0.implausibleCount + $0.ectopicCount) } ?? "–",
          ])
    }
    return table
  }

  private func intervalTable(_ intervals: [HRVAnswer.Interval]) -> Table {
    let labels = labels(intervals)
    var table = Table(
      columns: [.words(labels.title)] + columns + [.numbers("series")])
    for (label, interval) in zip(labels.texts, intervals) {
      let medians = interval.medians
      table.add(
        [label]
          + texts([
            medians?.standardDeviation, medians?.rootMeanSquareOfDifferences,
            medians?.percentOver50, medians?.meanHeartRate,
          ]) + exponent(interval.medianShortTermExponent)
          + [NumberText.grouped(medians?.count ?? 0)])
    }
    return table
  }

  private func labels(_ intervals: [HRVAnswer.Interval]) -> IntervalLabels {
    IntervalLabels(
      of: interval, starts: intervals.map(\.start), ends: intervals.map(\.end), zone: zones)
  }

  private var captions: [String] {
    var notes: [String] = []
    if answer.intervals != nil { notes.append("Medians of the series of each interval.") }
    let exponents = answer.series.count { (try? $0.fluctuation.get()) != nil }
    if exponents > 0, exponents < answer.series.count {
      notes.append(
        Marks.drawn("DFA α1") + " needs \(BeatIntervals.neededBoxes * 16) intervals that count: "
          + "\(AmountText.count(exponents, "series", plural: "series")) of "
          + "\(NumberText.grouped(answer.series.count)) \(exponents == 1 ? "has" : "have") it.")
    }
    let (implausible, ectopic) = answer.leftOut
    var left: [String] = []
    if implausible > 0 {
      left.append(
        "\(AmountText.count(implausible, "interval")) shorter than "
          + "\(NumberText.rounded(parameters.shortest)) s or longer than "
          + "\(NumberText.rounded(parameters.longest)) s")
    }
    if ectopic > 0 {
      left.append(
        "\(AmountText.count(ectopic, "interval")) that \(ectopic == 1 ? "differs" : "differ") from the one "
          + "before by more than \(NumberText.rounded(parameters.largestChange * 100)) %")
    }
    let refused = answer.series.count - answer.known.count
    if refused > 0 {
      left.append("\(AmountText.count(refused, "series", plural: "series")) with too few beats")
    }
    if !left.isEmpty { notes.append("Left out: \(left.joined(separator: "; ")).") }
    if answer.series.contains(where: \.isOfExport) {
      notes.append(
        "From the beats of an export, whose times are of hundredths of a second: a small RMSSD is "
          + "up to 7 ms too large, a small SDNN up to 4 ms; half of the differences of exactly 50 ms "
          + "count for pNN50.")
    }
    return notes
  }

  /// SDNN of each series or interval, above the RMSSD, as curves.
  func chart(width: Int, style: TextStyle) -> [String] {
    let heading = title.wrapped(to: width).map(style.strong)
    let series = answer.series.map { try? $0.variability.get() }
    let deviations =
      answer.intervals?.map { $0.medians?.standardDeviation }
      ?? series.map { $0?.standardDeviation }
    let differences =
      answer.intervals?.map { $0.medians?.rootMeanSquareOfDifferences }
      ?? series.map { $0?.rootMeanSquareOfDifferences }
    let labels =
      answer.intervals.map { self.labels($0).texts }
      ?? answer.series.map { LocalTime($0.start, in: zones).dateText }
    let ends = (labels.first ?? "", labels.last ?? "")
    func curve(_ name: String, _ values: [Double?]) -> [String] {
      ["", style.strong(name)]
        + LineChart(values: values, startsAtZero: false, ends: ends)
        .lines(width: width, height: 6, style: style)
    }
    return heading + curve(Self.titles[0], deviations) + curve(Self.titles[1], differences)
  }
}
