import HealthAnswers
import HealthQuery

/// The stages of one night, from single samples.
struct HypnogramCard {
  let nights: ShownNights
  /// The row of the night.
  let row: Int
  /// The stages in order of time.
  let stretches: [NightColumns.Stretch]
  let span: Range<Double>
  /// The stages as a table.
  let table: PageTable

  /// The rows from the top.
  private static let stages: [SleepStage] = [.awake, .rem, .core, .deep]
  /// A night that falls into more pieces is drawn in part.
  private static let most = 500

  /// The last night whose stages are known; `nil` without any.
  init?(_ nights: ShownNights, _ reader: ReportReader) {
    let columns = nights.answer.nights
    let row = columns.stages.indices.last { row in
      columns.stages[row].keys.contains { $0 != .awake && $0 != .unspecified }
    }
    guard let row, let span = columns.sleepSpans[row] else { return nil }
    let stretches = columns.stretches[row].filter {
      $0.stage != .inBed && $0.span.lowerBound < span.upperBound
        && $0.span.upperBound > span.lowerBound
    }.prefix(Self.most)
    (self.nights, self.row, self.stretches, self.span) = (nights, row, Array(stretches), span)
    let (words, day) = (reader.words, nights.days[row])
    func column(
      _ stat: String, _ name: String, _ form: PageTable.Form, _ values: [Double]
    ) -> PageTable.Column {
      PageTable.Column(stat: stat, name: name, form: form, values: values.map(form.shown))
    }
    var table = PageTable(
      ask: Ask(
        ["sleep", "--stretches"], ["from": day.text, "to": day.adding(days: 1).text]),
      row: .row, head: words.table.hour,
      starts: stretches.map { LocalTime($0.span.lowerBound, in: reader.zones).isoText },
      columns: [
        PageTable.Column(
          stat: "stage", name: words.sleep.stages,
          texts: stretches.map { words.sleep.name(of: $0.stage) }),
        column(
          "end", words.sleep.until, .clock,
          stretches.map { reader.clock($0.span.upperBound, of: day) }),
      ])
    table.places = stretches.map { stretch in
      let middle = stretch.span.lowerBound + (stretch.span.upperBound - stretch.span.lowerBound) / 2
      return Int((Self.x(middle, in: span) * 1000).rounded())
    }
    self.table = table
  }

  /// Where an instant stands, as a share of the width.
  private static func x(_ instant: Double, in span: Range<Double>) -> Double {
    min(max((instant - span.lowerBound) / (span.upperBound - span.lowerBound), 0), 1)
  }

  func write(to markup: inout Markup, _ page: inout Page) {
    let words = page.words.sleep
    let day = nights.days[row]
    let id = page.payload.add(table)
    let shown = page
    let title = TextPattern.filled(words.night, page.dates.day(day))
    markup.card(title, family: .sleep, isWide: true) { aside in
      summary(to: &aside, shown)
    } _: { markup in
      figure(id, page).write(to: &markup, page)
      markup.caption(TextPattern.filled(words.fromSamples, "--with-samples"))
      markup.table(id, page.words.table.numbers, of: title, page)
    }
  }

  /// How long each stage was.
  private func summary(to markup: inout Markup, _ page: Page) {
    let words = page.words.sleep
    let day = nights.days[row].text
    let stages = nights.answer.nights.stages[row]
    var isFirst = true
    for stage in ShownNights.stages {
      guard let shown = PageTable.Form.duration.shown(stages[stage]) else { continue }
      let number = AskedNumber(
        ask: nights.ask, place: "nights[night=\(day)].\(stage.key)",
        text: page.writer.duration(minutes: shown))
      let name = words.name(of: stage)
      if !isFirst { markup.write(page.words.page.separator) }
      isFirst = false
      markup.write(words.stage, [{ $0.write(name) }, { number.write(to: &$0, "span") }])
    }
  }

  private func figure(_ id: String, _ page: Page) -> Figure {
    var plot = Plot(height: 132, range: 0...1)
    func y(_ stage: SleepStage) -> Double {
      20 + 24 * Double(Self.stages.firstIndex(of: stage) ?? 2)
    }
    for stage in Self.stages { plot.line("grid", from: (0, y(stage)), to: (1, y(stage))) }
    var last: NightColumns.Stretch?
    for stretch in stretches {
      let (left, right) = (
        Self.x(stretch.span.lowerBound, in: span), Self.x(stretch.span.upperBound, in: span)
      )
      // Only what follows at once is joined.
      if let last, stretch.span.lowerBound - last.span.upperBound < 60 {
        plot.line("hair", from: (left, y(last.stage)), to: (left, y(stretch.stage)))
      }
      last = stretch
      plot.rectangle(
        stretch.stage == .unspecified ? "q" : "s-\(stretch.stage.key)", x: left,
        width: max(right - left, 0.001), y: y(stretch.stage) - 8, height: 16, radius: 2)
    }
    hours(in: &plot, page)
    let day = page.dates.day(nights.days[row])
    let clocks = [nights.from[row], nights.to[row]].map { minutes in
      minutes.map { page.dates.clock(minutes: $0) } ?? ""
    }
    var figure = Figure(
      name: TextPattern.filled(page.words.sleep.night, day),
      description: TextPattern.filled(page.words.figure.from, clocks[0], clocks[1]), plot: plot)
    figure.axis = Self.stages.map { (y($0), page.words.sleep.name(of: $0), false) }
    figure.rows = Figure.Rows(table: id, range: 0..<stretches.count, columns: [0, 1])
    return figure
  }

  /// Writes full hours, at most nine.
  private func hours(in plot: inout Plot, _ page: Page) {
    let length = span.upperBound - span.lowerBound
    let step = max(1, (length / 3600 / 9).rounded(.up)) * 3600
    let start = LocalTime(span.lowerBound, in: page.reader.zones)
    let begun = Double(start.minute * 60 + start.second)
    let first = span.lowerBound + (begun > 0 ? 3600 - begun : 0)
    for (place, instant) in stride(from: first, to: span.upperBound, by: step).enumerated() {
      let (x, time) = (Self.x(instant, in: span), LocalTime(instant, in: page.reader.zones))
      guard (0.04...0.96).contains(x) else { continue }
      plot.label(
        place.isMultiple(of: 2) ? "t mid" : "t t2 mid", x: x, y: plot.height - 6,
        page.dates.clock(minutes: time.hour * 60 + time.minute))
    }
  }
}
