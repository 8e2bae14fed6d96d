import HealthAnalysis
import HealthAnswers
import HealthSamples

/// The overview: rings, and a card for each of the most usual measures.
struct OverviewSection: PageSection {
  static let section = ReportSection.overview

  /// The measures of the cards.
  let cards: [MeasureCard]
  /// The rings of the last day; `nil` without goals.
  let rings: RingCard?
  /// Whether there is one measure, which has the whole width.
  let isOfOne: Bool

  /// How many cards there are at most, rings included.
  private static let most = 8
  /// Data older than these days have no card.
  private static let recent = 28

  /// The measures that a person looks for first.
  private static let order = [
    "stepCount", "sleep", "restingHeartRate", "heartRateVariabilitySDNN", "appleExerciseTime",
    "bodyMass", "activeEnergyBurned", "vo2Max", "bloodPressureSystolic", "bloodGlucose",
    "respiratoryRate", "walkingSpeed",
  ]

  init(_ answers: [MeasureAnswers], rings: RingCard?, _ period: ReportPeriod) {
    let first = period.end.dayNumber - Self.recent
    let place = Dictionary(uniqueKeysWithValues: Self.order.enumerated().map { ($1, $0) })
    let recent = answers.filter { answer in
      let rows = answer.values.suffix(period.end.dayNumber - first)
      return rows.contains { $0 != nil }
    }
    let known = recent.isEmpty ? answers : recent
    let ranked = known.enumerated().sorted { left, right in
      let ranks = (place[left.element.measure.id] ?? .max, place[right.element.measure.id] ?? .max)
      return ranks.0 == ranks.1 ? left.offset < right.offset : ranks.0 < ranks.1
    }.map(\.element)
    self.rings = rings
    isOfOne = answers.count == 1 && rings == nil
    cards = ranked.prefix(Self.most - (rings == nil ? 0 : 1)).map { MeasureCard(answers: $0) }
  }

  func write(to markup: inout Markup, _ page: inout Page) {
    markup.element("div", ["class": "cards"]) { markup in
      rings?.write(to: &markup, page)
      for card in cards { card.write(to: &markup, &page, isWide: isOfOne) }
    }
    let words = page.words.overview
    let last = page.period.lastWhole
    let year = TextPattern.filled(
      words.captionYear, page.dates.year(last.year), page.dates.dayAndLongMonth(last),
      page.dates.year(last.year - 1))
    // Only what the cards show is explained.
    var lines = [words.captionMeans]
    if cards.contains(where: { $0.answers.band != nil }) {
      lines.append(TextPattern.filled(words.captionBand, page.reader.ofLastYear))
    }
    lines.append(words.captionWeek)
    if cards.contains(where: { $0.answers.years != nil }) { lines.append(year) }
    if cards.contains(where: { $0.answers.typical != nil }) { lines.append(words.captionUsual) }
    lines.append(words.captionGap)
    if let leftOut = page.leftOut { lines.append(leftOut) }
    markup.caption(lines.joined(separator: page.words.phrases.space))
  }
}

extension Markup {
  /// On how many of the last seven days a measure has data, where it is not on all.
  mutating func daysOfWeek(_ answers: MeasureAnswers, _ page: Page) {
    guard let count = answers.dayCount, count < 7 else { return }
    write(" ")
    element(
      "small", [:],
      TextPattern.filled(
        page.words.patterns.daysOfDays, page.writer.number(count), page.writer.number(7)))
  }
}

extension Page {
  /// That the last day counts in no mean, and why; `nil` where it counts.
  var leftOut: String? {
    guard period.endOfWholeDays < period.end else { return nil }
    let words = words.overview
    return TextPattern.filled(
      period.isOpen ? words.captionOpenDay : words.captionCutDay, dates.day(period.last))
  }
}

/// A measure at a glance: the mean of its last seven days, beside what is usual.
struct MeasureCard {
  let answers: MeasureAnswers

  private var measure: ReportMeasure { answers.measure }

  /// The longest text of a number that fits on any screen.
  private static let longText = 11

  func write(to markup: inout Markup, _ page: inout Page, isWide: Bool) {
    markup.element(
      "article",
      [
        "class": "card measure \(measure.family.style)\(isWide ? " wide" : "")",
        "data-measure": measure.id,
      ]
    ) { markup in
      markup.element("p", ["class": "card-head"]) { markup in
        markup.element("span", ["class": "dot"], "")
        markup.write(measure.name)
      }
      if let (mean, shown) = answers.shownMean(page) {
        markup.element("p", ["class": "number"]) { markup in
          // A number of 16 digits has no room in one line.
          mean.write(to: &markup, style: mean.text.count > Self.longText ? "long" : nil)
          // The number has its sign of percent already.
          guard !Measure.isPercent(measure.unitName) else { return }
          markup.element(
            "span", ["class": "unit"],
            page.writer.unitOfMean(shown, of: measure.measure, in: measure.unitName))
        }
      }
      verdict(to: &markup, page)
      figure(to: &markup, &page, isWide: isWide)
      rows(to: &markup, page)
    }
  }

  private func verdict(to markup: inout Markup, _ page: Page) {
    let words = page.words
    guard let typical = answers.typical else {
      markup.element("p", ["class": "verdict"]) { $0.daysOfWeek(answers, page) }
      return
    }
    let isUnusual = typical.position != .inside
    markup.element("p", ["class": isUnusual ? "verdict unusual" : "verdict"]) { markup in
      if isUnusual {
        markup.element("span", ["class": "diamond", "aria-hidden": "true"], "◆")
        markup.write(
          " " + (typical.position == .above ? words.overview.above : words.overview.below))
      } else {
        markup.write(words.overview.usual)
      }
      markup.daysOfWeek(answers, page)
    }
  }

  private func figure(to markup: inout Markup, _ page: inout Page, isWide: Bool) {
    let count = min(isWide ? 92 : 28, answers.days.count)
    let rows = answers.days.count - count..<answers.days.count
    let values = Array(answers.values[rows])
    let band = answers.band
    var axis: Axis?
    if isWide {
      let known = (values + [band?.high]).compactMap { $0.map(Double.init) }
      axis = Axis(
        (known.min() ?? 0)...(known.max() ?? 1), includesZero: measure.isSum,
        endsAtTicks: measure.isSum)
    }
    let marked =
      max(
        0, answers.lastRows.lowerBound - rows.lowerBound)..<max(
        0, answers.lastRows.upperBound - rows.lowerBound)
    let plot = Miniature(measure: measure, values: values, typical: band, marked: marked)
      .plot(height: isWide ? 190 : 62, axis: axis)
    var figure = Figure(
      name: page.name(measure.name, page.words.figure.lastDays, count),
      description: answers.description(of: values, page), plot: plot)
    figure.style = isWide ? nil : "miniature"
    figure.rows = Figure.Rows(
      table: page.table(of: answers), range: rows, measure: page.explained(measure))
    if let axis { figure.label(axis, measure.form, unit: measure.unit, page) }
    figure.write(to: &markup, page)
  }

  private func rows(to markup: inout Markup, _ page: Page) {
    let words = page.words.overview
    markup.element("dl", ["class": "rows"]) { markup in
      if let last = answers.lastDay(page) {
        let isOpen = page.period.isOpen && last.date == page.period.last
        let day = page.dates.day(last.date)
        markup.element("div") { markup in
          markup.element(
            "dt", [:],
            isOpen ? day + page.words.phrases.comma + page.words.states.soFar : day)
          markup.element("dd", ["dir": "ltr"]) { last.number.write(to: &$0) }
        }
      }
      for (term, change) in [
        (words.weekOnWeek, answers.weekOnWeek(page)), (words.yearOnYear, answers.yearOnYear(page)),
      ] {
        guard let change else { continue }
        markup.element("div") { markup in
          markup.element("dt", [:], term)
          markup.element("dd", ["dir": "ltr"]) { markup in
            markup.write(
              words.change,
              [{ $0.write(change.difference) }, { change.before.write(to: &$0, "span") }])
          }
        }
      }
    }
  }
}
