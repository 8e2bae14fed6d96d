import Foundation
import HealthAnswers
import HealthQuery
import HealthSamples

extension ReportReader {
  /// Asks a question about elements, such as `stats medications`, from a day, or the first element, to
  /// another, by default the end of the report; without an interval one row is over all days.
  func elements<Answer>(
    _ command: [String], by interval: CalendarInterval? = nil, from: CivilDate?,
    to: CivilDate? = nil,
    _ body: (ElementPeriod) throws(QueryError) -> Answer
  ) throws(ReportError) -> (ask: Ask, answer: Answer) {
    let end = (to ?? period.end).text
    let ask = Ask(command, ["by": interval?.text, "from": from?.text, "to": end])
    let answer = try read { () throws(QueryError) in
      let instant = now.timeIntervalSinceReferenceDate
      return try body(
        ElementPeriod(
          timeZone: zones, interval: interval,
          from: try from.map { from throws(QueryError) in
            try QueryDate(from.text, in: zones, now: instant, boundsPeriod: true)
          },
          to: try QueryDate(end, in: zones, now: instant, boundsPeriod: true)))
    }
    return (ask, answer)
  }

  /// What the library answers; `nil` where it refuses, since the data are too few or say nothing.
  func unlessRefused<Value>(
    _ body: () throws(ReportError) -> Value
  ) throws(ReportError) -> Value? {
    do throws(ReportError) {
      return try body()
    } catch {
      guard case .query(let query) = error.reason, case .analysis = query.reason else {
        throw error
      }
      return nil
    }
  }

  /// Whether the report is about a type of samples, by its Swift name; it is about all when the plan
  /// names none.
  func isAbout(_ type: HKCategoryTypeIdentifier) -> Bool {
    plan.types.isEmpty
      || plan.types.contains { text in
        guard let question = try? TypeQuestion(text) else { return false }
        return (try? Catalogue.type(named: question.name))?.identifier == type.rawValue
      }
  }
}

extension ElementColumns {
  /// The table of the page of some columns, a row for each interval or element.
  func table(
    _ ask: Ask, row: PageTable.Row, _ reader: ReportReader,
    columns: [(stat: String, name: String, unit: String, form: PageTable.Form)]
  ) -> PageTable {
    PageTable(
      ask: ask, row: row, head: reader.words.table.name(of: row),
      starts: starts.map { reader.date($0).text },
      columns: columns.map { column in
        PageTable.Column(
          stat: column.stat, name: column.name, unit: column.unit, form: column.form,
          values: (self[column.stat] ?? []).map(column.form.shown))
      })
  }
}
