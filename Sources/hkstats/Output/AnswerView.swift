import HealthExchange
import HealthQuery
import HealthSamples
import HealthStore

/// An answer with what people read of it, from which table, csv, json and ndjson are written.
struct AnswerView {
  /// The table and the notes below it.
  struct Page {
    let table: Table
    var notes: [String] = []
  }

  /// The line above a table.
  var title: String?
  /// What programs read.
  var answer: AnswerTable
  /// What csv has in its place; `nil` for the same.
  var records: AnswerTable?
  var notes = AnswerNotes()
  /// Where the data of a list end that is of a period; `nil` for other answers.
  var dataEnd: DataEnd?
  /// The table and its notes; an empty one by default.
  var page: () -> Page = { Page(table: Table(columns: [])) }
  /// The text instead of a table without rows; `nil` for an empty table.
  var emptySentence: String?
  /// Writes the json object of a row between members of the head; `nil` for that of the columns.
  var object: AnswerTable.ObjectWriter?

  init(_ answer: AnswerTable) { self.answer = answer }

  /// The number of rows.
  var count: Int { answer.count }
}

extension AnswerView {
  /// The same with the period that was asked for, which json has.
  func asking(from: String?, to: String?) throws(QueryError) -> AnswerView {
    var view = self
    view.answer.head.append(try .asked(from: from, to: to, in: answer.zones))
    return view
  }

  /// The same with the period of options.
  func asking(_ period: PeriodOptions) throws(QueryError) -> AnswerView {
    try asking(from: period.from, to: period.to)
  }
}

extension HeadMember {
  /// Where the data end; nothing if there are none.
  static func dataEnd(_ end: DataEnd?) -> [Self] {
    end.map { [.init("dataEnd", .string($0.text), .head)] } ?? []
  }

  /// The period that was asked for: the words, and the moments that they mean.
  ///
  /// - Parameters:
  ///   - from: the beginning
  ///   - to: the end
  ///   - isTyped: whether the words of the beginning were typed; else json has its moment alone
  ///   - zones: the zones of the period
  /// - Returns: the member
  /// - Throws: `QueryError`
  static func asked(
    from: String?, to: String?, isTyped: Bool = true, in zones: ZoneTimeline
  ) throws(QueryError) -> Self {
    let period = try QueryPeriod(from: from, to: to, in: zones, now: ProgramClock.now.instant)
    func moment(_ date: QueryDate?) -> JSON {
      .optional(date.map { LocalTime($0.instant, in: zones).isoText })
    }
    return .init(
      "asked",
      .object([
        .init("from", .optional(isTyped ? from : nil)), .init("to", .optional(to)),
        .init("start", moment(period.from)), .init("end", moment(period.to)),
      ]), .head)
  }

  /// The type, by its identifier.
  static func type(_ type: SampleType) -> Self { .init("type", .string(type.identifier)) }

  /// The unit of all values.
  static func unit(_ unit: String) -> Self { .init("unit", .string(unit)) }
}
