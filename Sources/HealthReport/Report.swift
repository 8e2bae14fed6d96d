public import Foundation
import HealthQuery
public import HealthStore

extension SampleStore {
  /// Writes a report of the store as one HTML file that needs nothing else, in one snapshot of the
  /// store.
  ///
  /// ```swift
  /// let page = try store.report(ReportPlan())
  /// try page.write(toFile: "report.html", atomically: true, encoding: .utf8)
  /// ```
  ///
  /// The text is clear, even that of a sealed store: whoever has the file reads it. It holds sums and
  /// means of days and longer times, of hours for a month, and no single sample unless the plan asks
  /// for them. Two sheets for a visit (`ReportForm.print`) also have what a doctor needs: the last
  /// height and weight, the finding and the day of electrocardiograms, the last result of each
  /// laboratory test.
  ///
  /// - Parameters:
  ///   - plan: what the report shows
  ///   - now: the moment of `today`; that of the store when `nil`
  ///   - progress: called before each question with about which share of them is done, from 0 to 1; the
  ///     report stops where it returns false
  /// - Returns: the document
  /// - Throws: `ReportError`
  /// - Complexity: that of the questions that the page asks, about ten for each measure
  public func report(
    _ plan: ReportPlan, now: Date? = nil, progress: @escaping (Double) -> Bool = { _ in true }
  ) throws(ReportError) -> String {
    var result: Result<String, ReportError> = .failure(ReportError(.cancelled))
    do {
      try snapshot {
        do throws(ReportError) {
          result = .success(try written(plan, now: now ?? self.now.date, progress: progress))
        } catch {
          result = .failure(error)
        }
      }
    } catch let error as StoreError {
      throw ReportError(.query(QueryError(.store(error))))
    } catch {
      throw ReportError(.cancelled)
    }
    return try result.get()
  }

  private func written(
    _ plan: ReportPlan, now: Date, progress: @escaping (Double) -> Bool
  ) throws(ReportError) -> String {
    let reader = try ReportReader(plan, store: self, now: now, progress: progress)
    return switch plan.form {
    case .page: try ReportPage(reader).text()
    case .print: try PrintDocument(reader).text
    }
  }
}

/// The page of a report.
struct ReportPage {
  let reader: ReportReader
  private let sections: [any PageSection]
  private let sentence: [TextPattern.Run]
  private let measureCount: Int
  private let reasons: [(measure: String, reasons: DayReasons)]

  init(_ reader: ReportReader) throws(ReportError) {
    self.reader = reader
    let answers = try reader.answers()
    measureCount = answers.count
    let wanted = reader.plan.sections
    func isWanted(_ section: ReportSection) -> Bool { wanted.isEmpty || wanted.contains(section) }
    var reasons: [(measure: String, reasons: DayReasons)] = []
    for answer in answers {
      guard let found = try reader.reasons(of: answer.measure) else { continue }
      reasons.append((answer.measure.id, found))
    }
    var sections: [any PageSection] = []
    let rings = reader.plan.types.isEmpty ? try reader.rings() : nil
    if isWanted(.overview), !answers.isEmpty || rings != nil {
      sections.append(OverviewSection(answers, rings: rings?.card, reader.period))
    }
    if isWanted(.glance), let section = GlanceSection(answers) { sections.append(section) }
    if isWanted(.year), let section = try YearSection(answers, rings: rings?.calendar, reader) {
      sections.append(section)
    }
    if isWanted(.sleep), let section = try SleepSection(answers, reader) {
      sections.append(section)
    }
    if isWanted(.heart), let section = try HeartSection(answers, reader) {
      sections.append(section)
    }
    if isWanted(.body), let section = try BodySection(answers, reader) {
      sections.append(section)
    }
    if isWanted(.diary), let section = try DiarySection(reader) { sections.append(section) }
    if isWanted(.workouts), let section = try WorkoutSection(reader) { sections.append(section) }
    if isWanted(.relations), let section = try RelationsSection(answers, reader) {
      sections.append(section)
    }
    if isWanted(.sources), let section = try SourcesSection(answers, reasons: reasons, reader) {
      sections.append(section)
    }
    (self.sections, self.reasons) = (sections, reasons)
    sentence = ReportSentence(answers, reader).runs
  }

  /// The document.
  func text() throws(ReportError) -> String {
    var page = Page(reader, reasons: reasons)
    var content = Markup()
    for section in sections {
      let kind = type(of: section).section
      let words = reader.section(kind)
      let head = "\(kind.rawValue)-head"
      content.element(
        "section", ["id": kind.rawValue, "class": "section", "aria-labelledby": head]
      ) { markup in
        if kind == .overview {
          markup.element("h2", ["id": head, "class": "hidden"], words.head)
        } else {
          markup.element("div", ["class": "section-head"]) { markup in
            markup.element("h2", ["id": head], words.head)
            markup.element("p", [:], words.question)
          }
        }
        section.write(to: &markup, &page)
      }
    }
    var body = Markup()
    body.element("a", ["class": "skip", "href": "#main"], reader.words.page.skip)
    navigation(to: &body)
    body.element("main", ["id": "main"]) { markup in
      head(to: &markup)
      markup.append(content)
    }
    foot(to: &body)
    guard let payload = page.payload.block(reader.payloadHead) else {
      throw ReportError(.tooLarge)
    }
    return PageDocument(
      title: reader.title, language: reader.plan.language, body: body, payload: payload,
      oldBrowser: reader.words.page.needsNewerBrowser, paper: reader.plan.paper
    ).text
  }

  private func navigation(to markup: inout Markup) {
    markup.element("nav", ["class": "nav", "aria-label": reader.words.page.navigation]) { markup in
      markup.element("ul") { markup in
        for section in sections {
          let kind = type(of: section).section
          markup.element("li") { markup in
            markup.element("a", ["href": "#\(kind.rawValue)"], reader.section(kind).name)
          }
        }
      }
    }
  }

  private func head(to markup: inout Markup) {
    let words = reader.words.page
    let period = reader.period
    markup.element("header", ["class": "head"]) { markup in
      markup.element("p", ["class": "title"]) { $0.element("bdi", [:], reader.title) }
      markup.element("h1", ["class": "sentence"]) { markup in
        if sections.isEmpty {
          markup.write(reader.nothing)
        } else {
          markup.write(sentence)
        }
      }
      var facts = [reader.dates.range(period.first, period.last)]
      if measureCount > 0 {
        facts.append(
          TextPattern.counted(
            words.measures, measureCount, reader.writer.number(measureCount)))
      }
      facts.append(TextPattern.filled(words.zone, reader.zonesText))
      if period.isOpen { facts.append(words.lastDayOpen) }
      guard !sections.isEmpty else {
        if let asked = reader.askedPeriod { markup.element("p", ["class": "period"], asked) }
        markup.whatToDo(reader)
        return
      }
      markup.element("p", ["class": "period"], facts.joined(separator: words.separator))
    }
  }

  private func foot(to markup: inout Markup) {
    let words = reader.words.page
    markup.element("footer", ["class": "foot"]) { markup in
      markup.element(
        "p", [:],
        [
          TextPattern.filled(
            words.made, reader.dates.dayMonthAndYear(reader.period.today), "hkstats"),
          words.clearText, words.noConnection, words.noDiagnosis,
        ].joined(separator: reader.words.phrases.space))
    }
  }
}
