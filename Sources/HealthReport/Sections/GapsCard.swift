import HealthAnswers
import HealthQuery
import HealthSamples

/// Days without data in the last year, of measures that have data on enough.
struct GapsCard {
  /// A measure with gaps.
  private struct Gaps {
    let measure: ReportMeasure
    let ask: Ask
    /// Days, and those without data.
    let count: Int
    let emptyCount: Int
    /// The longest run of days without data.
    let longest: Range<Int>
    let dates: (first: CivilDate, last: CivilDate)
  }

  private let gaps: [Gaps]
  /// Of how many measures gaps can be told, and how many measures there are.
  private let judgedCount: Int
  private let measureCount: Int

  private static let mostRows = 8
  /// The least share of days with data that a measure of every day has is one in this number.
  private static let leastShare = 4
  /// From how many days after its first on a measure is judged.
  private static let leastDays = 14

  /// Looks for gaps; `nil` without measures.
  init?(_ answers: [MeasureAnswers], _ reader: ReportReader) throws(ReportError) {
    guard !answers.isEmpty else { return nil }
    let year = reader.period.first(ofLast: ReportPeriod.year)
    // A day that is not over is no gap yet.
    let end = reader.period.isOpen ? reader.period.last : reader.period.end
    var regular: [(answers: MeasureAnswers, from: CivilDate, longest: Int)] = []
    var judgedCount = 0
    for answer in answers {
      guard
        let first = answer.values.firstIndex(where: { $0 != nil }),
        let date = CivilDate(text: answer.days.starts[first])
      else { continue }
      // What began within the year has no gap before.
      let from = CivilDate(dayNumber: max(year.dayNumber, date.dayNumber))
      let days = answer.values.prefix(answer.days.row(from: end))
        .dropFirst(answer.days.row(from: from))
      guard days.count >= Self.leastDays,
        Self.leastShare * days.count(where: { $0 != nil }) >= days.count
      else { continue }
      judgedCount += 1
      let longest = days.split(omittingEmptySubsequences: true) { $0 != nil }.map(\.count).max()
      if let longest { regular.append((answer, from, longest)) }
    }
    let sorted = regular.enumerated().sorted {
      ($1.element.longest, $0.offset) < ($0.element.longest, $1.offset)
    }.map(\.element)
    var gaps: [Gaps] = []
    for (answer, from, _) in sorted {
      if let found = try Self.gaps(of: answer.measure, from: from, to: end, reader) {
        gaps.append(found)
      }
    }
    self.gaps = gaps
    (self.judgedCount, measureCount) = (judgedCount, answers.count)
  }

  private static func gaps(
    of measure: ReportMeasure, from: CivilDate, to end: CivilDate, _ reader: ReportReader
  ) throws(ReportError) -> Gaps? {
    let answer = try reader.ask(measure, by: .day, from: from, to: end) { $0.derivation = .gaps }
    let series = answer.series
    guard case .gaps(let runs)? = answer.column.derived, let longest = runs.first else {
      return nil
    }
    return Gaps(
      measure: measure, ask: answer.ask, count: series.count,
      emptyCount: answer.column.emptyCount, longest: longest,
      dates: (
        reader.date(series.starts[longest.lowerBound]),
        reader.date(series.starts[longest.upperBound - 1])
      ))
  }

  func write(to markup: inout Markup, _ page: Page, isWide: Bool = false) {
    let words = page.words.sources
    let title = TextPattern.filled(words.gaps, page.reader.ofLastYear)
    markup.card(title, family: .walk, isWide: isWide) { markup in
      if gaps.isEmpty {
        markup.element("p", [:], judgedCount > 0 ? words.noGaps : words.noneJudged)
      } else {
        list(gaps.prefix(Self.mostRows), to: &markup, page)
        let rest = gaps.dropFirst(Self.mostRows)
        if !rest.isEmpty {
          markup.element("details", ["class": "folded"]) { markup in
            markup.element(
              "summary", [:], TextPattern.filled(words.more, page.writer.number(rest.count)))
            list(rest, to: &markup, page)
          }
        }
      }
      markup.caption(
        TextPattern.filled(
          words.gapsRule, page.writer.number(judgedCount), page.writer.number(measureCount),
          page.writer.number(Self.leastDays)))
    }
  }

  private func list(_ gaps: ArraySlice<Gaps>, to markup: inout Markup, _ page: Page) {
    markup.element("ul", ["class": "list"]) { markup in
      for gap in gaps { row(gap, to: &markup, page) }
    }
  }

  private func row(_ gap: Gaps, to markup: inout Markup, _ page: Page) {
    let words = page.words.sources
    func number(_ place: String, _ count: Int) -> (inout Markup) -> Void {
      {
        AskedNumber(ask: gap.ask, place: place, text: page.writer.number(count))
          .write(to: &$0, "span")
      }
    }
    markup.item(
      { $0.element("b", [:], gap.measure.name) },
      {
        $0.write(
          words.daysWithout,
          [number("empty", gap.emptyCount), number("intervals", gap.count)])
      },
      line: gap.longest.count < 2
        ? nil
        : { markup in
          markup.write(words.longestGap, [number("gaps[0].intervals", gap.longest.count)])
          markup.write(
            page.words.page.separator + page.dates.range(gap.dates.first, gap.dates.last))
        })
  }
}
