import HealthAnswers
import HealthExchange
import HealthQuery
import HealthReport

/// Nights as a picture: a line a night on one clock, or a curve of the time asleep for many.
struct SleepChart {
  let answer: SleepAnswer

  /// More nights than fit on a screen become a curve.
  private static let longestList = 40

  func lines(width: Int, style: TextStyle) -> [String] {
    let title = SleepCaptions.title(of: answer).wrapped(to: width).map(style.strong)
    let nights = answer.nights
    guard nights.count <= Self.longestList else {
      return (SleepCaptions.title(of: answer) + ", " + Vocabulary.current.word("hours asleep"))
        .wrapped(to: width)
        .map(style.strong) + [""]
        + curve(nights.asleep, nights.days, width: width, style: style)
        + SleepCaptions.order(of: answer, width: width).map(style.faint).afterBlank
    }
    let picture = ClockChart(
      lines: (0..<nights.count).map(line), marks: Self.marks(of: nights.stretches.joined()))
    return title + [""] + picture.lines(width: width, style: style)
      + SleepCaptions.order(of: answer, width: width).map(style.faint).afterBlank
  }

  private func line(_ row: Int) -> ClockChart.Line {
    let nights = answer.nights
    let day = LocalTime(nights.days[row], in: answer.timeZone)
    func wall(_ instant: Double) -> Double {
      let offset = LocalTime(instant, in: answer.timeZone).offset
      return instant - nights.days[row] + Double(offset - day.offset)
    }
    return ClockChart.Line(
      label: day.dayText,
      text: nights.asleep[row].map(SleepCaptions.time) ?? "–",
      spans: nights.stretches[row].map { stretch in
        let start = wall(stretch.span.lowerBound)
        return .init(
          start: start, end: start + (stretch.span.upperBound - stretch.span.lowerBound),
          mark: Self.order.firstIndex(of: stretch.stage) ?? 0)
      })
  }

  /// The stages, the one that shows where several share a column first.
  private static let order: [SleepStage] = [.deep, .core, .rem, .unspecified, .awake, .inBed]

  private static func marks(
    of stretches: some Sequence<NightColumns.Stretch>
  ) -> [ClockChart.Mark] {
    let used = Set(stretches.map(\.stage))
    return order.map { stage in
      ClockChart.Mark(
        mark: .stage(stage), isUsed: used.contains(stage), isBackground: stage == .inBed)
    }
  }

  private func curve(
    _ seconds: [Double?], _ days: [Double], width: Int, style: TextStyle
  ) -> [String] {
    LineChart(
      values: seconds.map { $0.map { $0 / 3600 } }, startsAtZero: false,
      ends: (
        LocalTime(days.first ?? 0, in: answer.timeZone).dateText,
        LocalTime(days.last ?? 0, in: answer.timeZone).dateText
      )
    ).lines(width: width, style: style)
  }
}

/// The means of weeks or months as bars of stages.
struct SleepAverageChart {
  let answer: SleepAnswer
  let period: SleepAverages.Period

  func lines(width: Int, style: TextStyle) -> [String] {
    let title = SleepCaptions.title(of: answer, by: period).wrapped(to: width).map(style.strong)
    let means = answer.averages(by: period)
    let stages: [SleepStage] = [.deep, .core, .rem, .unspecified, .awake]
    let bars = (0..<means.count).map { row in
      // Where no night knows a stage all of the sleep is without one.
      let known = means.stages[row]
      let parts = stages.map { stage -> Double in
        known.isEmpty ? (stage == .unspecified ? means.asleep[row] ?? 0 : 0) : known[stage] ?? 0
      }
      return StackedChart.Bar(
        label: means.label(row, period, in: answer.timeZone),
        text: means.asleep[row].map(SleepCaptions.time) ?? "–", parts: parts)
    }
    let chart = StackedChart(marks: stages.map(ChartMark.stage), bars: bars)
    return title + [""] + chart.lines(width: width, style: style)
      + SleepCaptions.order(of: answer, width: width).map(style.faint).afterBlank
  }
}
