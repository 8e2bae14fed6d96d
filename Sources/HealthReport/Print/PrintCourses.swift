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

  /// The height of the courses with their head; 0 for none.
  var height: Double { trends.isEmpty && nights == nil ? 0 : 232 }

  /// The height of days that stand out and of heart rates; 0 for neither.
  var heightOfDays: Double { unusual != nil ? 226 : range != nil ? 150 : 0 }

  /// Writes where measures go, and when the person slept.
  func write(to markup: inout Markup, _ page: inout Page) {
    guard !trends.isEmpty || nights != nil else { return }
    markup.element("h2", [:], page.words.print.courses)
    let count = trends.count + (nights == nil ? 0 : 1)
    markup.element("div", ["class": count == 3 ? "two three" : "two"]) { markup in
      for trend in trends { trend.write(to: &markup, &page) }
      if let nights { write(nights, to: &markup, &page) }
    }
  }

  /// Writes which days stand out, and heart rates by day.
  func writeDays(to markup: inout Markup, _ page: inout Page) {
    guard unusual != nil || range != nil else { return }
    markup.element("div", ["class": "two"]) { markup in
      unusual?.write(to: &markup, page, isWide: range == nil)
      if let range { write(range, isWide: unusual == nil, to: &markup, &page) }
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

  private func write(
    _ range: HeartRangeCard, isWide: Bool, to markup: inout Markup, _ page: inout Page
  ) {
    let words = page.words.print
    let id = page.table(of: range.answers)
    let page = page
    markup.card(
      TextPattern.filled(words.heartRate, page.writer.number(range.rows.count)),
      family: range.answers.measure.family, isWide: isWide
    ) {
      $0.write(words.heartRateKey)
    } _: { markup in
      range.figure(id, page).write(to: &markup, page)
    }
  }
}
