import HealthAnalysis
import HealthAnswers
import HealthSamples

/// Glucose by the hour of the clock: the median, the middle half and nine of ten readings, with the
/// edges of the range.
struct GlucoseChart {
  let measure: ReportMeasure
  let answer: GlucoseAnswer

  private var form: PageTable.Form { measure.form }
  private static let height = 230.0

  private static let percentiles:
    [(stat: String, value: @Sendable (GlucoseProfile.Hour) -> Double)] = [
      ("p5", { $0.fifthPercentile }), ("p25", { $0.lowerQuartile }), ("median", { $0.median }),
      ("p75", { $0.upperQuartile }), ("p95", { $0.ninetyFifthPercentile }),
    ]

  /// The hours as a table.
  func table(_ ask: Ask, _ page: Page) -> PageTable {
    let hours = answer.profile.hours
    var ask = ask
    ask.add(flag: "profile")
    let names = page.words.table
    let heads = [
      page.writer.percent(5), names.lowerQuarter, names.median, names.upperQuarter,
      page.writer.percent(95),
    ]
    var table = PageTable(
      ask: ask, row: .row, head: names.hour,
      starts: hours.map { page.dates.clock(minutes: $0.hour * 60) },
      columns: zip(Self.percentiles, heads).map { percentile, head in
        PageTable.Column(
          stat: percentile.stat, name: head, unit: answer.unit.name, form: form,
          values: hours.map { form.shown(answer.shown(percentile.value($0))) })
      })
    table.places = hours.map { ($0.hour * 1000 + 500) / 24 }
    return table
  }

  /// Writes the chart, whose table stands in the payload.
  func write(_ table: String, to markup: inout Markup, _ page: Page) {
    let words = page.words
    let hours = answer.profile.hours
    let courses = Self.percentiles.map { percentile in
      hours.map { form.shown(answer.shown(percentile.value($0))).map(Double.init) ?? 0 }
    }
    let edges = [1, 2].map { place in
      form.shown(answer.edges[place]).map(Double.init) ?? 0
    }
    let all = courses.flatMap { $0 } + edges
    let axis = Axis(
      (all.min() ?? 0)...(all.max() ?? 1), includesZero: false, endsAtTicks: false)
    var plot = Plot(height: page.height(Self.height), top: Plot.unitRoom, range: axis.range)
    plot.bar("rangetint", x: 0, width: 1, from: edges[0], to: edges[1])
    for tick in axis.ticks { plot.level("grid", tick) }
    for run in runs {
      func course(_ place: Int) -> [(x: Double, value: Double)] {
        Self.course(courses[place], of: run, hours: hours.map(\.hour))
      }
      for (name, low, high) in [("band", 0, 4), ("pale", 1, 3)] {
        plot.ribbon(name, zip(course(low), course(high)).map { ($0.x, $0.value, $1.value) })
      }
      plot.path("ml", course(2).map { ($0.x, plot.y($0.value)) })
    }
    for edge in edges { plot.level("guide", edge) }
    for hour in [0, 6, 12, 18, 24] {
      let style = hour == 0 ? "t" : hour == 24 ? "t end" : hour == 12 ? "t mid" : "t mid t2"
      plot.label(
        style, x: Double(hour) / 24, y: plot.height - 6, page.dates.clock(minutes: hour * 60))
    }
    func text(_ shown: Double, unit: String = "") -> String {
      Int(exactly: shown).map { page.writer.text($0, form, unit: unit) } ?? ""
    }
    let medians = courses[2]
    var figure = Figure(
      name: words.glucose.title,
      description: TextPattern.filled(
        words.figure.median,
        TextPattern.filled(
          words.figure.from, text(medians.min() ?? 0),
          text(medians.max() ?? 0, unit: answer.unit.name))), plot: plot)
    figure.label(
      axis, marks: edges.compactMap { Int(exactly: $0) }, form, unit: answer.unit.name, page)
    figure.rows = Figure.Rows(table: table, range: 0..<hours.count, columns: [2, 1, 3, 0, 4])
    figure.write(to: &markup, page)
  }

  /// The places of hours that follow one another.
  private var runs: [Range<Int>] {
    let hours = answer.profile.hours.map(\.hour)
    var runs: [Range<Int>] = []
    for place in hours.indices {
      if let last = runs.last, place > 0, hours[place] == hours[place - 1] + 1 {
        runs[runs.count - 1] = last.lowerBound..<place + 1
      } else {
        runs.append(place..<place + 1)
      }
    }
    return runs
  }

  /// The points of a run: in the middle of each hour, and level to the ends of the first and the last.
  private static func course(
    _ values: [Double], of run: Range<Int>, hours: [Int]
  ) -> [(x: Double, value: Double)] {
    let middles = run.map { (x: (Double(hours[$0]) + 0.5) / 24, value: values[$0]) }
    guard let first = middles.first, let last = middles.last else { return [] }
    return [(first.x - 0.5 / 24, first.value)] + middles + [(last.x + 0.5 / 24, last.value)]
  }

  /// Writes what the marks mean.
  func key(to markup: inout Markup, _ words: Words.Glucose) {
    markup.key([
      ({ $0.rectangle("band", x: 0, width: 1, y: 2, height: 10, radius: 2) }, words.keyNineOfTen),
      ({ $0.rectangle("pale", x: 0, width: 1, y: 2, height: 10, radius: 2) }, words.keyMiddleHalf),
      ({ $0.line("ml", from: (0, 7), to: (1, 7)) }, words.keyMedian),
      (
        { plot in
          plot.rectangle("rangetint", x: 0, width: 1, y: 1, height: 12)
          for y in [1.0, 13] { plot.line("guide", from: (0, y), to: (1, y)) }
        }, words.keyRange
      ),
    ])
  }
}
