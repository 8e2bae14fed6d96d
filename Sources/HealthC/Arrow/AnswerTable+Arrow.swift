import HealthAnswers
import HealthExchange
import HealthQuery

/// An answer, with what only other languages are told in its head.
struct FoundTable {
  let answer: AnswerTable
  /// Members before the head.
  let leading: [JSON.Member]
  /// Members behind the head.
  let trailing: [JSON.Member]

  init(_ answer: AnswerTable, leading: [JSON.Member] = [], trailing: [JSON.Member] = []) {
    (self.answer, self.leading, self.trailing) = (answer, leading, trailing)
  }
}

extension Table {
  /// The version of the names and forms of columns.
  ///
  /// It changes when a reader of the columns must.
  static let schemaVersion = "2"

  /// Makes the columns of an answer, those of csv and lists where json has them.
  convenience init(_ found: FoundTable) {
    let answer = found.answer.joined
    let rows = ArrowRows(count: answer.count, zones: answer.zones)
    self.init(
      answer.name, answer.columns.flatMap { rows.columns(of: $0) }, count: answer.count,
      head: JSON.object(found.leading + answer.head.map(\.json) + found.trailing).text)
  }
}

/// Makes columns of Arrow for a number of rows.
private struct ArrowRows {
  let count: Int
  let zones: ZoneTimeline

  /// The columns of a column, which are several where it is a group.
  ///
  /// - Parameters:
  ///   - column: the column
  ///   - group: the name of the group it is in
  ///   - path: the keys of json that lead to its values; its own by default
  /// - Returns: columns without groups
  func columns(
    of column: AnswerColumn, under group: String? = nil, at path: String? = nil
  ) -> [Column] {
    let field = column.field
    let path = path ?? field.key
    guard case .group(let children, _) = column.values else {
      let name = field.name(under: group)
      return [Column(Field(field, named: name, at: path, in: zones), values(of: column))]
    }
    let isArray = if case .group(_, .array) = field.form { true } else { false }
    let name = field.prefix(under: group)
    return children.enumerated().flatMap { place, child in
      columns(of: child, under: name, at: "\(path).\(isArray ? "\(place)" : child.field.key)")
    }
  }

  private func values(of column: AnswerColumn) -> ColumnValues {
    switch (column.values, column.field.form) {
    case (.numbers(let cells), .instant):
      cells.values(count, empty: 0) { .instants($0, known: $1) }
    case (.numbers(let cells), .clock):
      .texts(cells.optionals(count).map { $0.map(SleepAverages.clockText) })
    case (.numbers(let cells), _):
      cells.values(count, empty: 0) { .reals($0, known: $1) }
    case (.counts(let cells), .date): cells.values(count, empty: 0) { .days($0, known: $1) }
    case (.counts(let cells), _):
      cells.values(count, empty: 0) { .integers($0, known: $1) }
    case (.truths(let cells), _): cells.values(count, empty: false) { .truths($0, known: $1) }
    case (.texts(let cells), .word): .words(cells.optionals(count))
    case (.texts(let cells), _): .texts(cells.optionals(count))
    case (.json(let cells), _): .texts(cells.optionals(count).map { $0?.text })
    case (.list(let ends, let columns), _):
      .lists(
        offsets: [0] + ends.map { Int32(clamping: $0) },
        columns.map(ArrowRows(count: ends.last ?? 0, zones: zones).values))
    case (.group, _): .texts([])
    }
  }
}

extension Cells {
  /// The value of each of the first `count` rows.
  fileprivate func optionals(_ count: Int) -> [Value?] {
    if case .optional(let values) = self { values } else { (0..<count).map { self[$0] } }
  }

  /// The values of the first `count` rows in the layout of Arrow, which shares arrays without a copy.
  ///
  /// - Parameters:
  ///   - count: how many rows
  ///   - empty: what stands in a row without a value
  ///   - column: makes the column of values, and which rows have one where some have none
  /// - Returns: the column
  fileprivate func values(
    _ count: Int, empty: Value, _ column: ([Value], [Bool]?) -> ColumnValues
  ) -> ColumnValues {
    switch self {
    case .all(let values): return column(values, nil)
    case .known(let values, let known): return column(values, known.contains(false) ? known : nil)
    case .optional, .read:
      var values: [Value] = []
      var known: [Bool] = []
      values.reserveCapacity(count)
      known.reserveCapacity(count)
      for row in 0..<count {
        let value = self[row]
        values.append(value ?? empty)
        known.append(value != nil)
      }
      return column(values, known.contains(false) ? known : nil)
    }
  }
}

extension Field {
  /// The field of a column, with its unit, its key in json and its meaning.
  ///
  /// - Parameters:
  ///   - field: the column
  ///   - name: its name
  ///   - path: the keys of json that lead to its values; its own by default
  ///   - zones: the zones of instants
  init(
    _ field: AnswerField, named name: String, at path: String? = nil, in zones: ZoneTimeline
  ) {
    var facts = field.facts
    if let unit = field.unit { facts.insert(Fact("unit", unit), at: 0) }
    facts.append(Fact("key", path ?? field.key))
    if !field.about.isEmpty { facts.append(Fact("about", field.about)) }
    let form: Form =
      switch field.form {
      case .number, .duration: .real
      case .count: .integer
      case .truth: .truth
      case .instant: .instant(zone: zones.arrowZone)
      case .date: .day
      case .word: .word
      case .clock, .text, .json: .text
      case .group(let fields, _):
        .structure(fields.map { Field($0, named: $0.name(), in: zones) })
      case .list(let fields, _): .list(fields.map { Field($0, named: $0.name(), in: zones) })
      }
    self.init(name, form, facts)
  }
}
