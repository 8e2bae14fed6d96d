import HealthAnalysis
import HealthAnswers
import HealthSamples

/// The sentence at the top of the page, from the answers of its measures.
struct ReportSentence {
  private let answers: [MeasureAnswers]
  private let reader: ReportReader
  /// Whether a doctor reads it, and not the person.
  private let isOnPaper: Bool

  init(_ answers: [MeasureAnswers], _ reader: ReportReader, isOnPaper: Bool = false) {
    (self.answers, self.reader, self.isOnPaper) = (answers, reader, isOnPaper)
  }

  /// The measures whose years are compared.
  private static let comparedByYear = [
    "restingHeartRate", "bodyMass", "stepCount", "sleep", "heartRateVariabilitySDNN",
  ]
  /// How far the years must lie apart, in widths of the typical range.
  private static let leastYearDifference = 0.15
  /// From how many measures on the count of those outside is compared with other weeks.
  private static let leastMeasures = 5
  /// The days after which data are old.
  private static let recent = 28

  /// The sentence as runs, bold on numbers; empty without measures.
  var runs: [TextPattern.Run] {
    answers.isEmpty ? [] : Sentence(reader.plan.language, isOnPaper: isOnPaper).runs(facts)
  }

  private var facts: SentenceFacts {
    var facts = SentenceFacts()
    let judged = answers.compactMap { answer in answer.typical.map { (answer, $0) } }
    let summary = TypicalSummary(of: judged.map(\.1))
    facts.measureCount = summary.measureCount
    facts.outsideCount = summary.outsideCount
    if summary.measureCount >= Self.leastMeasures, let usual = summary.usualOutside {
      facts.mostWeeks = summary.outsideCount <= usual ? .asInMost : .fewerThanInMost
    }
    facts.outside = judged.filter { $0.1.position != .inside }
      .sorted { $0.1.distance > $1.1.distance }.prefix(3)
      .compactMap { answer, typical in
        amount(typical.mean, answer.measure, inSentence: true).map {
          SentenceFacts.Outside(
            measure: answer.measure.measure, isAbove: typical.position == .above, amount: $0)
        }
      }
    facts.year = reader.period.lastWhole.year - 1
    facts.yearAgainst = yearDifferences(judged)
    // A measure is judged from weeks with data on; days far apart make few.
    let dayCount = answers.map { $0.values.count { $0 != nil } }.max() ?? 0
    let weeks = max(1, min(dayCount, reader.period.dayCount) / 7)
    if judged.isEmpty, weeks < facts.weeksNeeded { facts.weeksSoFar = weeks }
    if reader.period.isToEndOfData,
      reader.period.today.dayNumber - reader.period.last.dayNumber > Self.recent
    {
      facts.lastDataDay = reader.dates.dayMonthAndYear(reader.period.last)
    }
    if answers.count == 1, let (answer, typical) = judged.first,
      let amount = amount(typical.mean, answer.measure, inSentence: false)
    {
      facts.single = SentenceFacts.Single(measure: answer.measure.measure, amount: amount)
    }
    return facts
  }

  private func yearDifferences(
    _ judged: [(MeasureAnswers, TypicalAnswer)]
  ) -> [SentenceFacts.YearDifference] {
    var found: [(width: Double, difference: SentenceFacts.YearDifference)] = []
    for (answer, typical) in judged where Self.comparedByYear.contains(answer.measure.id) {
      guard let (now, before) = answer.years, typical.range.high > typical.range.low else {
        continue
      }
      let width = abs(now - before) / (typical.range.high - typical.range.low)
      let form = answer.measure.form
      guard width > Self.leastYearDifference, let new = form.shown(now),
        let old = form.shown(before), new != old
      else { continue }
      let shown = ScaledNumber.difference(max(new, old), from: min(new, old))
      found.append(
        (
          width,
          SentenceFacts.YearDifference(
            measure: answer.measure.measure,
            amount: reader.writer.amountInSentence(
              shown, of: answer.measure.measure, in: answer.measure.unitName),
            isLower: new < old)
        ))
    }
    return found.sorted { $0.width > $1.width }.prefix(2).map(\.difference)
  }

  private func amount(
    _ value: Double, _ measure: ReportMeasure, inSentence: Bool
  ) -> String? {
    measure.form.shown(value).map { shown in
      inSentence
        ? reader.writer.amountInSentence(shown, of: measure.measure, in: measure.unitName)
        : reader.writer.amount(shown, of: measure.measure, in: measure.unitName)
    }
  }
}

extension TypicalAnswer {
  /// How far the last mean lies from the median, in widths of the typical range.
  fileprivate var distance: Double {
    let width = range.high - range.low
    return width > 0 ? abs(mean - range.median) / width : 0
  }
}
