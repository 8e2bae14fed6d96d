import ArgumentParser
import Foundation
import HealthAnalysis
import HealthExchange
import HealthQuery
import HealthSamples
import HealthUnits

/// `hkstats changes`: when the level of a type changed.
struct ChangesCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "changes",
    abstract: "When did it change, from what to what?",
    discussion: """
      Divides the days of a type into stretches with a level each (PELT, least squares). A change \
      must be worth more than the numbers' own slow coming and going: where nothing changes, at most \
      1 in 20 series is said to have changed. Single days far out make no change; a level lasts at \
      least 14 days with data. The course of the week is taken out before.

      EXAMPLES:
        hkstats changes restingHeartRate
        hkstats changes steps,sleep,restingHeartRate --from -2y
        hkstats changes restingHeartRate --least-length 28 --format json
      """)

  @OptionGroup var types: AnalysedTypes

  @Option(
    help: IntervalArgument.help, completion: .intervals, transform: QuestionWords.interval)
  var by = CalendarInterval(.day)

  @Option(
    name: .customLong("least-length"),
    help: ArgumentHelp("How many intervals a level lasts at least.", valueName: "intervals"))
  var leastLength = ChangeParameters().leastLength

  @OptionGroup var asking: AnalysisOptions
  @OptionGroup var form: ReportOptions<ChartFormat>

  func run() throws {
    var parameters = ChangeParameters()
    parameters.leastLength = leastLength
    try asking.ask(.changes(parameters), of: types.names, by: by) { answer, notes in
      guard let report = try ChangesReport(answer, notes: notes) else { return }
      try form.write(report.report) {
        report.chart(width: Terminal.columns(STDOUT_FILENO), style: $0)
      }
    }
  }
}

/// Levels and changes as a report.
struct ChangesReport {
  private let answer: AnalysisAnswer
  private let notes: AnswerNotes
  private let found: [ChangesAnswer]
  private let refusals: [(name: String, error: AnalysisError)]
  private let rows: [(place: Int, segment: Int)]

  /// - Throws: the refusal of a single type
  init?(_ answer: AnalysisAnswer, notes: AnswerNotes) throws(AnalysisError) {
    guard case .changes(let results) = answer.findings else { return nil }
    if results.count == 1 { _ = try results[0].get() }
    (self.answer, self.notes) = (answer, notes)
    let found = results.compactMap { try? $0.get() }
    self.found = found
    refusals = answer.refused(among: results)
    rows = found.indices.flatMap { place in
      found[place].changes.segments.indices.map { (place, $0) }
    }
  }

  var report: Report {
    let (found, rows) = (found, rows)
    func segment(_ row: Int) -> ChangePoints.Segment {
      found[rows[row].place].changes.segments[rows[row].segment]
    }
    func series(_ row: Int) -> IntervalSeries { found[rows[row].place].subject.series }
    var report = Report(
      head: Report.Member.head(of: answer), list: "levels",
      count: rows.count, zones: answer.numbers.timeZone,
      columns: Report.Column.subject(series) + [
        .machine("start") { .instant(series($0).starts[segment($0).rows.lowerBound]) },
        .machine("end") { .instant(series($0).ends[segment($0).rows.upperBound - 1]) },
        .machine("count") { .count(segment($0).count) },
        .machine("level") { .number(segment($0).mean) },
        .machine("change") { row in
          rows[row].segment == 0
            ? .none : .number(found[rows[row].place].changes.sizes[rows[row].segment - 1])
        },
        .machine("seasonAdjusted", field: nil) { .truth(found[rows[$0].place].isSeasonAdjusted) },
      ] + Report.Column.leftOut { found[rows[$0].place].subject })
    report.title = "Levels, \(StatisticsCaptions.zones(answer.numbers.timeZone))"
    report.notes = notes
    report.page = { page }
    return report
  }

  private var page: Report.Page {
    var table = Table(columns: [
      .words("type"), .words("from"), .words("to"), .numbers("level"), .numbers("change"),
      .numbers("with data"),
    ])
    for changes in found {
      let series = changes.subject.series
      let levels = series.texts(changes.changes.segments.map(\.mean))
      let sizes = series.changeTexts(changes.changes.sizes)
      let unit = series.isTime ? "" : " \(series.unit.shortDescription)"
      for (place, segment) in changes.changes.segments.enumerated() {
        let size = place == 0 ? "" : sizes[place - 1]
        table.add([
          series.name.printable, date(series.starts[segment.rows.lowerBound]),
          date(series.ends[segment.rows.upperBound - 1].nextDown), levels[place] + unit,
          (place > 0 && changes.changes.sizes[place - 1] > 0 ? "+" : "") + size,
          NumberText.grouped(segment.count),
        ])
      }
    }
    return Report.Page(table: table, notes: captions)
  }

  private var captions: [String] {
    let count = found.reduce(0) { $0 + $1.changes.rows.count }
    let adjusted = found.count { $0.isSeasonAdjusted }
    var lines = [
      "\(AmountText.count(count, "change")) in \(AmountText.count(found.count, "measure")). Of "
        + "measures whose level never changes at most 1 in 20 is said to."
    ]
    if adjusted > 0 { lines.append("The course of the week was taken out before.") }
    return lines + refusals.map { "\($0.name.printable): \($0.error.description)" }
  }

  private func date(_ instant: Double) -> String {
    LocalTime(instant, in: answer.numbers.timeZone).dateText
  }

  /// The numbers of each type, and below them their levels.
  func chart(width: Int, style: TextStyle) -> [String] {
    found.flatMap { changes -> [String] in
      let series = changes.subject.series
      var levels = [Double?](repeating: nil, count: series.count)
      for segment in changes.changes.segments {
        for row in segment.rows { levels[row] = segment.mean }
      }
      let ends = (
        series.starts.first.map(date) ?? "", series.ends.last.map { date($0.nextDown) } ?? ""
      )
      return series.chart(level: levels, ends: ends, width: width, style: style)
    }
  }
}
