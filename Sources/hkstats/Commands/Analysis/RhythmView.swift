import HealthAnalysis
import HealthAnswers
import HealthExchange
import HealthQuery
import HealthReport
import HealthSamples

/// The course of a day or a week as a table, and as strokes between quartiles.
struct RhythmView: AnalysisView {
  private let rhythm: RhythmAnswer
  let notes: AnswerNotes

  init?(_ answer: AnalysisAnswer, _: String?, notes: AnswerNotes) throws {
    guard case .rhythms(let found) = answer.results else { return nil }
    if let absence = notes.absence { throw Failure("No rhythm: \(absence)", .failed) }
    guard let rhythm = try found.first?.get() else { return nil }
    (self.rhythm, self.notes) = (rhythm, notes)
  }

  private var series: IntervalSeries { rhythm.subject.series }
  private var isOfHours: Bool { rhythm.isOfHours }
  private var zones: ZoneTimeline { series.timeZone }

  var page: AnswerView.Page { AnswerView.Page(table: table, notes: captions) }

  var title: String {
    let course = Vocabulary.current.word(isOfHours ? "the mean day" : "the mean week")
    return "\(series.heading(in: series.isTime ? "" : series.shownUnit)), \(course), "
      + StatisticsCaptions.zones(zones)
  }

  // MARK: - For people

  private var labels: [String] {
    isOfHours
      ? (0..<24).map { SleepCaptions.clock(Double($0) * 3600) }
      : rhythm.profile.map { Vocabulary.current.word($0.label) }
  }

  private var table: Table {
    var table = Table(columns: [
      .words(isOfHours ? "hour" : "day"), .numbers("median"), .numbers("lower quartile"),
      .numbers("upper quartile"), .numbers("mean"), .numbers("count"),
    ])
    let profile = rhythm.profile
    let columns = [\RhythmProfile.median, \.lowerQuartile, \.upperQuartile, \.mean].map { path in
      series.texts(profile.map { $0[keyPath: path] })
    }
    for (row, label) in labels.enumerated() {
      table.add([label] + columns.map { $0[row] } + [NumberText.grouped(profile[row].count)])
    }
    return table
  }

  private var captions: [String] {
    var lines: [String] = []
    switch rhythm.cosinor {
    case .success(let model): lines += model.rhythms.map(sentence) + [whole(model)]
    case .failure(let error): lines.append("No cosine: \(error.description)")
    }
    switch rhythm.periodogram {
    case nil: break
    case .success(let found): lines.append(sentence(found))
    case .failure(let error): lines.append("No search: \(refusal(of: error))")
    }
    var days = "\(AmountText.count(rhythm.dayCount, "day")) with data"
    if rhythm.partialDayCount > 0 {
      days +=
        ", without \(AmountText.count(rhythm.partialDayCount, "day")) not whole"
    }
    return lines + [days + "."]
  }

  /// Why there is no search, and what this command can do about it.
  private func refusal(of error: AnalysisError) -> String {
    guard case .tooManyPoints(let count, _) = error.reason else { return error.description }
    return "\(AmountText.count(count, isOfHours ? "hour" : "day")) are too many for a search of so "
      + "long a period. Give a shorter period (--from)\(isOfHours ? " or --by day" : "")."
  }

  private var unit: String { series.unitSuffix }

  private func sentence(_ one: Cosinor.Rhythm) -> String {
    let interval = rhythm.amplitudeInterval(one)
    let texts = series.changeTexts(
      [one.amplitude] + (interval.map { [$0.lowerBound, $0.upperBound] } ?? []))
    let sure = "\(NumberText.rounded(rhythm.parameters.confidence * 100)) % sure"
    let range = texts.count == 3 ? " (\(sure): between \(texts[1]) and \(texts[2]))" : ""
    return "Period of \(length(one.period)): amplitude \(texts[0])\(unit)\(range), "
      + "\(peak(one)); chance \(chance(rhythm.pValue(one)))."
  }

  private func whole(_ model: Cosinor) -> String {
    let text = series.texts([model.mesor])[0]
    let names = model.rhythms.map { NumberText.rounded($0.period) }.joined(separator: " and ")
    return "A cosine of \(names) \(isOfHours ? "hours" : "days") around \(text)\(unit) (cosinor) "
      + "explains \(NumberText.rounded(model.rSquared * 100, decimals: 0)) % of the variation of "
      + "\(AmountText.count(model.count, isOfHours ? "hour" : "day")). Ranges and chance allow for "
      + "\(isOfHours ? "hours" : "days") that go together."
  }

  private func length(_ period: Double) -> String {
    "\(NumberText.rounded(period)) \(isOfHours ? "hours" : "days")"
  }

  private func peak(_ one: Cosinor.Rhythm) -> String {
    guard let time = one.peakTime else { return "no peak" }
    guard let margin = rhythm.margin(one) else { return "at no clear time" }
    let spread =
      isOfHours
      ? SleepCaptions.span(margin * 3600) : "\(NumberText.rounded(margin, decimals: 1)) days"
    var place: String
    var isFirst = false
    if isOfHours, (24 / one.period).rounded() * one.period == 24, one.period >= 6 {
      place = stride(from: time, to: 24, by: one.period)
        .map { SleepCaptions.clock($0 * 3600) }.joined(separator: ", ")
    } else if !isOfHours, one.period == 7 {
      place = rhythm.profile[min(6, Int(time))].label
    } else {
      let moment = LocalTime(firstPeak(time, every: one.period), in: zones)
      place = isOfHours ? moment.momentText : moment.dateText
      isFirst = true
    }
    place = "\(isOfHours ? "at" : "on") \(place)"
    return "highest \(isFirst ? "first " : "")\(place), give or take \(spread)"
  }

  /// The first peak since the data begin, of those that a period is apart.
  private func firstPeak(_ time: Double, every period: Double) -> Double {
    let unit = isOfHours ? 3600.0 : .secondsPerDay
    let peak = rhythm.origin + time * unit
    guard let row = series.values.firstIndex(where: { $0 != nil }), period > 0 else { return peak }
    let missed = ((series.starts[row] - peak) / (period * unit)).rounded(.up)
    return peak + max(0, missed) * period * unit
  }

  private func chance(_ share: Double) -> String {
    let percent = share * 100
    return percent < 0.1 ? "below 0.1 %" : "\(NumberText.rounded(percent, decimals: 1)) %"
  }

  private func sentence(_ found: Periodogram) -> String {
    "Search: of periods from \(length(1 / (found.frequencies.last ?? 1))) to "
      + "\(length(1 / (found.frequencies.first ?? 1))) the one of \(length(found.peak.period)) "
      + "explains most, \(NumberText.rounded(found.peak.power * 100, decimals: 0)) % of what a straight "
      + "line and the \(isOfHours ? "hour" : "day") before leave; the chance of such a peak in noise is "
      + "\(chance(found.peak.falseAlarmProbability)) (Lomb and Scargle, Baluev)."
  }

  /// A line for each hour or weekday, from quartile to quartile.
  func chart(width: Int, style: TextStyle) -> [String] {
    let scale = series.shown.scale
    let texts = series.texts(rhythm.profile.map(\.median))
    let lines = zip(zip(labels, texts), rhythm.profile).map { label, one in
      RangeChart.Line(
        label: label.0, minimum: one.lowerQuartile.map { $0 * scale },
        mean: one.median.map { $0 * scale }, maximum: one.upperQuartile.map { $0 * scale },
        text: label.1)
    }
    let chart = RangeChart(
      lines: lines, statistic: "median", strokes: "half of the days, from quartile to quartile")
    return title.wrapped(to: width).map(style.strong) + [""]
      + chart.lines(width: width, style: style)
      + captions.flatMap { $0.wrapped(to: width) }.map(style.faint).afterBlank
  }
}
