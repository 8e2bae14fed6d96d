import HealthAnswers

/// When a person slept: a bar for each night, the clock downward.
struct NightsCard {
  let nights: ShownNights
  /// The id of the table of the nights.
  let table: String

  /// How many nights medians need.
  private static let leastNights = 5

  private func title(_ page: Page) -> String {
    let count = nights.days.count
    return TextPattern.counted(page.words.sleep.when, count, page.writer.number(count))
  }

  func write(to markup: inout Markup, _ page: Page) {
    let words = page.words.sleep
    let title = title(page)
    markup.card(title, family: .sleep, isWide: true) { aside in
      guard let (from, to) = medians else { return }
      let numbers = [("asleepFromMedian", from), ("asleepToMedian", to)].map { member, minutes in
        nights.mean(member, page.dates.clock(minutes: minutes))
      }
      aside.write(words.halfOfNights, numbers.map { number in { number.write(to: &$0, "span") } })
    } _: { markup in
      let figure = figure(page)
      figure.write(to: &markup, page)
      markup.key(
        [
          ({ $0.line("med", from: (0, 7), to: (1, 7)) }, page.words.glucose.keyMedian),
          (Plot.gapOfKey, page.words.figure.noData),
        ], of: figure.plot)
      markup.caption(words.captionWhen)
      markup.table(table, page.words.table.nights, of: title, page)
    }
  }

  /// When half of the nights have begun and ended, in minutes after midnight; `nil` with too few.
  var medians: (from: Int, to: Int)? {
    let averages = nights.averages
    guard averages.count > 0, averages.asleepCounts[0] >= Self.leastNights,
      let from = PageTable.Form.clock.shown(averages.medianSleepStarts[0]),
      let to = PageTable.Form.clock.shown(averages.medianSleepEnds[0])
    else { return nil }
    return (from, to)
  }

  func figure(_ page: Page) -> Figure {
    // A sleep of more than a day is cut at the midnight before.
    func shown(_ minutes: Int) -> Double { Double(min(max(minutes, -1440), 2880)) }
    let naps = nights.naps.joined()
    let all =
      (nights.from + nights.to).compactMap { $0.map(shown) }
      + naps.flatMap { [shown($0.from), shown($0.to)] }
    let ends = (all.min() ?? 0)...(all.max() ?? 0)
    // The axis ends at full hours.
    let range =
      (ends.lowerBound / 60).rounded(.down) * 60...((ends.upperBound / 60).rounded(.down) + 1) * 60
    var plot = Plot(height: page.height(220), range: -range.upperBound...(-range.lowerBound))
    let ticks = Axis.hours(range)
    for tick in ticks { plot.level("grid", -tick) }
    let step = 1 / Double(max(1, nights.days.count))
    let width = Plot.barWidth(of: nights.days.count, share: 0.56)
    let napWidth = Plot.barWidth(of: nights.days.count, share: 0.26)
    for row in nights.days.indices {
      let x = (Double(row) + 0.5) * step
      if let from = nights.from[row], let to = nights.to[row] {
        plot.bar(
          "m", x: x - width / 2, width: width, from: -shown(from), to: -shown(to), radius: 2)
      } else {
        plot.gap(x: x)
      }
      for nap in nights.naps[row] {
        plot.bar(
          "m", x: x - napWidth / 2, width: napWidth, from: -shown(nap.from), to: -shown(nap.to),
          radius: 2)
      }
    }
    if let (from, to) = medians {
      for (median, last) in [(from, nights.from), (to, nights.to)] {
        plot.level("med", -Self.near(median, last.compactMap { $0.map(shown) }.last ?? 0))
      }
    }
    plot.weeks(nights.days, page.dates)
    var figure = Figure(
      name: title(page), description: description(page), plot: plot)
    figure.axis = ticks.map { (plot.y(-$0), page.dates.clock(minutes: Int($0)), false) }
    figure.rows = Figure.Rows(
      table: table, range: 0..<nights.days.count, columns: [0, 1, 2])
    return figure
  }

  /// A time of day as minutes after midnight, of the day before or after where that is nearer to others.
  private static func near(_ minutes: Int, _ other: Double) -> Double {
    other + (Double(minutes) - other).remainder(dividingBy: 1440)
  }

  private func description(_ page: Page) -> String {
    guard let (from, to) = medians else { return page.words.sleep.captionWhen }
    return TextPattern.filled(
      page.words.sleep.halfOfNights.replacing("*", with: ""), page.dates.clock(minutes: from),
      page.dates.clock(minutes: to))
  }
}

/// How long a person slept in which stage: a stack for each night.
struct StagesCard {
  let nights: ShownNights
  /// The id of the table of the nights.
  let table: String

  /// The stages of nights; `nil` where none is known.
  init?(nights: ShownNights, table: String) {
    guard nights.averages.count > 0, nights.averages.stageCounts[0] > 0 else { return nil }
    (self.nights, self.table) = (nights, table)
  }

  func write(to markup: inout Markup, _ page: Page) {
    let words = page.words.sleep
    markup.card(words.stages, family: .sleep, isWide: true) { aside in
      let count = nights.mean(
        "stageNights", page.writer.number(nights.averages.stageCounts[0]))
      let stages = nights.averages.stages[0]
      let means = ShownNights.stages.compactMap { stage -> (String, AskedNumber)? in
        PageTable.Form.duration.shown(stages[stage]).map {
          (words.name(of: stage), nights.mean(stage.key, page.writer.duration(minutes: $0)))
        }
      }
      let separator = page.words.page.separator
      aside.write(
        TextPattern.form(words.means, of: nights.averages.stageCounts[0]),
        [
          { count.write(to: &$0, "span") },
          { markup in
            for (place, (name, mean)) in means.enumerated() {
              if place > 0 { markup.write(separator) }
              markup.write(
                words.stage, [{ $0.write(name) }, { mean.write(to: &$0, "span") }])
            }
          },
        ])
    } _: { markup in
      let figure = figure(page)
      figure.write(to: &markup, page)
      markup.key(
        ShownNights.stages.map { Self.swatch("s-\($0.key)", words.name(of: $0)) }
          + [Self.swatch("q", words.asleep), (Plot.gapOfKey, page.words.figure.noData)],
        of: figure.plot)
      markup.table(table, page.words.table.nights, of: words.stages, page)
    }
  }

  private static func swatch(
    _ style: String, _ text: String
  ) -> (mark: (inout Plot) -> Void, text: String) {
    ({ $0.rectangle(style, x: 0.1, width: 0.8, y: 1, height: 12, radius: 2) }, text)
  }

  /// The parts of a night from below, what has no stage first.
  private static func stack(_ stages: [SleepStage: Double]) -> [(style: String, hours: Double)] {
    var parts: [(style: String, hours: Double)] = []
    for stage in [.unspecified] + ShownNights.stages {
      guard let seconds = stages[stage] else { continue }
      // What is longer than two days is no night.
      let hours = min(max(seconds / 3600, 0), 48)
      parts.append((stage == .unspecified ? "q" : "s-\(stage.key)", hours))
    }
    return parts
  }

  private func figure(_ page: Page) -> Figure {
    let stacks = nights.answer.nights.stages.map(Self.stack)
    let most = stacks.map { stack in stack.reduce(0) { $0 + $1.hours } }.max() ?? 0
    let axis = Axis(hours: most)
    var plot = Plot(height: 170, range: axis.range)
    for tick in axis.ticks { plot.level(tick == 0 ? "zero" : "grid", tick) }
    let step = 1 / Double(max(1, stacks.count))
    let width = Plot.barWidth(of: stacks.count, share: 0.56)
    for (row, stack) in stacks.enumerated() {
      let x = (Double(row) + 0.5) * step
      if stack.isEmpty { plot.gap(x: x) }
      var low = 0.0
      for (style, hours) in stack {
        let (top, bottom) = (plot.y(low + hours), plot.y(low))
        // Parts are a pixel apart.
        plot.rectangle(
          style, x: x - width / 2, width: width, y: top,
          height: max(bottom - top - (low > 0 ? 1 : 0), 0.5))
        low += hours
      }
    }
    plot.weeks(nights.days, page.dates)
    let writer = page.writer
    let hour = UnitNames.name(of: Measure.of(""), in: "hr", page.writer.language.base).other
    var figure = Figure(
      name: page.name(page.words.sleep.stages, page.words.figure.lastNights, stacks.count),
      description: description(page), plot: plot)
    for tick in axis.ticks {
      let text = writer.withUnit(writer.label(tick, axis, .number(0)), hour)
      figure.axis.append((plot.y(tick), text, false))
    }
    figure.rows = Figure.Rows(
      table: table, range: 0..<stacks.count,
      columns: Array(2...2 + ShownNights.stages.count))
    return figure
  }

  /// The least and the longest sleep.
  private func description(_ page: Page) -> String {
    let asleep = nights.table.columns[2].values.compactMap { $0 }
    guard let least = asleep.min(), let most = asleep.max() else { return page.words.sleep.stages }
    return TextPattern.filled(
      page.words.figure.from, page.writer.duration(minutes: least),
      page.writer.duration(minutes: most))
  }
}
