import HealthExchange
import HealthQuery
import HealthSamples
import HealthStatistics

/// The answer of `stats --format chart`: bars for amounts, ranges for readings, a curve for many.
struct StatisticsChart {
  let answer: StatisticsAnswer
  let interval: CalendarInterval?

  /// More intervals than fit on a screen become a curve.
  private static let longestList = 40

  func lines(width: Int, style: TextStyle) -> [String] {
    let title = StatisticsCaptions.title(of: answer, isChart: true).wrapped(to: width)
      .map(style.strong)
    let picture =
      answer.intervals.count > Self.longestList
      ? curve(width: width, style: style)
      : answer.style.isCumulative
        ? bars(width: width, style: style) : ranges(width: width, style: style)
    let notes = StatisticsCaptions.notes(of: answer).flatMap { $0.wrapped(to: width) }
    return title + [""] + picture + notes.map(style.faint).afterBlank
  }

  private var scale: Double { StatisticsCaptions.scale(answer.unit) }

  /// The first statistic that was asked for, or the sum by day or hour, for each interval with data.
  private var values: [Double?] {
    let main = answer.mainStatistic
    let cells = answer.averages?.columns.first?.cells ?? answer.intervals.cells(main)
    return cells.enumerated().map { row, cell in
      switch cell {
      case .none: nil
      case .count(let count): answer.intervals.hasData[row] ? Double(count) : nil
      case .number(let value), .reading(let value, _):
        main == .duration ? value : value * (main == .coverage ? 100 : scale)
      }
    }
  }

  private var labels: [String] { answer.labels(of: interval).texts }

  private func bars(width: Int, style: TextStyle) -> [String] {
    let texts = self.texts
    return BarChart(
      bars: zip(labels, values).enumerated().map { row, bar in
        BarChart.Bar(label: bar.0, value: bar.1, text: texts[row])
      }
    ).lines(width: width, style: style)
  }

  private func ranges(width: Int, style: TextStyle) -> [String] {
    let columns = answer.intervals
    let texts = self.texts
    let values = self.values
    func scaled(_ statistic: Statistic, _ row: Int) -> Double? {
      columns.value(statistic, row: row).map { $0 * scale }
    }
    return RangeChart(
      lines: labels.enumerated().map { row, label in
        RangeChart.Line(
          label: label, minimum: scaled(.min, row), mean: values[row],
          maximum: scaled(.max, row), text: texts[row])
      }, statistic: answer.mainStatistic.rawValue
    ).lines(width: width, style: style)
  }

  private func curve(width: Int, style: TextStyle) -> [String] {
    let chart = LineChart(
      values: values, startsAtZero: answer.style.isCumulative, ends: answer.dates)
    let size = chart.intervalsPerDot(width: width)
    let lines = chart.lines(width: width, style: style)
    guard !lines.isEmpty else { return ["No data."] }
    return lines
      + (size > 1 ? ["Each dot is the mean of \(size) intervals."] : [])
      .flatMap { $0.wrapped(to: width) }.map(style.faint).afterBlank
  }

  private var texts: [String] {
    let decimals = NumberText.decimals(for: values.compactMap { $0 })
    return values.map { $0.map { NumberText.rounded($0, decimals: decimals) } ?? "–" }
  }
}

extension StatisticsAnswer {
  /// What the intervals are called.
  func labels(of interval: CalendarInterval?) -> IntervalLabels {
    IntervalLabels(of: interval, starts: intervals.starts, ends: intervals.ends, zone: timeZone)
  }

  /// The dates of the first and the last interval, with times where both are of one day.
  var dates: (first: String, last: String) {
    let start = LocalTime(intervals.starts.first ?? 0, in: timeZone)
    // The end is not included: the last day is the one before it.
    let last = LocalTime((intervals.ends.last ?? 1) - 1, in: timeZone)
    guard start.dateText == last.dateText else { return (start.dateText, last.dateText) }
    let end = LocalTime(intervals.ends.last ?? 1, in: timeZone)
    return (start.momentText, end.isMidnight ? "24:00" : end.clockText)
  }
}
