/// The body: weight and what it is made of, blood pressure, glucose.
struct BodySection: PageSection {
  static let section = ReportSection.body

  private let trends: [TrendCard]
  private let pressure: PressureCard?
  private let glucose: GlucoseCard?

  /// The measures whose courses are drawn.
  private static let measures = [
    "bodyMass", "bodyFatPercentage", "leanBodyMass", "bodyMassIndex", "waistCircumference",
  ]

  /// Reads what there is of the body; `nil` where there is nothing.
  init?(_ answers: [MeasureAnswers], _ reader: ReportReader) throws(ReportError) {
    var trends: [TrendCard] = []
    for id in Self.measures {
      guard let found = answers.first(where: { $0.measure.id == id }),
        let card = try TrendCard(found, reader)
      else { continue }
      trends.append(card)
    }
    self.trends = trends
    pressure = try PressureCard(reader)
    glucose = try GlucoseCard(answers, reader)
    if trends.isEmpty, pressure == nil, glucose == nil { return nil }
  }

  func write(to markup: inout Markup, _ page: inout Page) {
    markup.element("div", ["class": "two"]) { markup in
      for trend in trends { trend.write(to: &markup, &page) }
      pressure?.write(to: &markup, &page)
      glucose?.write(to: &markup, &page)
    }
  }
}
