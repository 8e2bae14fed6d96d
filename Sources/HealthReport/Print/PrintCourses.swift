import HealthQuery
import HealthSamples

/// The second sheet: where two measures go, when the person slept, days that stand out, heart rates.
struct PrintCourses {
  private let trends: [TrendCard]
  private let nights: ShownNights?
  private let unusual: UnusualDaysCard?
  private let range: HeartRangeCard?

  /// The measures whose courses are drawn.
  private static let measures = ["restingHeartRate", "bodyMass"]
  private static let nights = 28

  /// Asks for what is drawn.
  init(_ answers: [MeasureAnswers], _ reader: ReportReader) throws(ReportError) {
    func answer(_ id: String) -> MeasureAnswers? { answers.first { $0.measure.id == id } }
    var trends: [TrendCard] = []
    for found in Self.measures.compactMap(answer) {
      if let card = try TrendCard(found, reader) { trends.append(card) }
    }
    self.trends = trends
    let days = answer(ReportMeasure.sleep).flatMap { sleep in
      sleep.lastDays(Self.nights).flatMap(sleep.dates)
    }
    if let days {
      let nights = ShownNights(try reader.nights(from: days.first, to: days.end), reader)
      self.nights = nights.isSlept ? nights : nil
    } else {
      nights = nil
    }
    unusual = try UnusualDaysCard(answers.map(\.measure), reader)
    if let rates = answer("heartRate") {
      range = try HeartRangeCard(rates, reader)
    } else {
      range = nil
    }
  }

  func write(to markup: inout Markup, _ page: inout Page) {
    guard !trends.isEmpty || nights != nil || unusual != nil || range != nil else { return }
    markup.element("h2", [:], page.words.print.courses)
    markup.element("div", ["class": "two"]) { markup in
      for trend in trends { trend.write(to: &markup, &page) }
      if let nights { write(nights, to: &markup, &page) }
      unusual?.write(to: &markup, page, isWide: false)
      if let range { write(range, to: &markup, &page) }
    }
  }

  private func write(_ nights: ShownNights, to markup: inout Markup, _ page: inout Page) {
    let words = page.words.print
    let card = NightsCard(nights: nights, table: page.payload.add(nights.table))
    let page = page
    markup.card(
      TextPattern.counted(
        words.asleep, nights.days.count, page.writer.number(nights.days.count)), family: .sleep
    ) { aside in
      guard let (from, to) = card.medians else { return }
      let numbers = [("asleepFromMedian", from), ("asleepToMedian", to)].map { member, minutes in
        nights.mean(member, page.dates.clock(minutes: minutes))
      }
      aside.write(words.medians, numbers.map { number in { number.write(to: &$0, "span") } })
    } _: { markup in
      card.figure(page).write(to: &markup, page)
    }
  }

  private func write(_ range: HeartRangeCard, to markup: inout Markup, _ page: inout Page) {
    let words = page.words.print
    let id = page.table(of: range.answers)
    let page = page
    markup.card(
      TextPattern.filled(words.heartRate, page.writer.number(range.rows.count)),
      family: range.answers.measure.family, isWide: true
    ) {
      $0.write(words.heartRateKey)
    } _: { markup in
      range.figure(id, page).write(to: &markup, page)
    }
  }
}
