import HealthAnswers
import HealthExchange
import HealthQuery

/// A column of the table that people read, beside the one that programs read.
struct ShownColumn {
  let title: String
  let isNumber: Bool
  let text: (Int, inout OffsetCache) -> String?

  /// Words that people read instead of those of programs.
  init(_ title: String, isNumber: Bool = false, _ text: @escaping (Int) -> String?) {
    (self.title, self.isNumber) = (title, isNumber)
    self.text = { row, _ in text(row) }
  }

  init(
    _ title: String, isNumber: Bool,
    _ text: @escaping (Int, inout OffsetCache) -> String?
  ) {
    (self.title, self.isNumber, self.text) = (title, isNumber, text)
  }
}

extension AnswerTable {
  /// A column as people read it: numbers rounded, shares in percent, instants as dates.
  ///
  /// - Parameters:
  ///   - key: the key of the column; one that the answer lacks is empty
  ///   - title: its title; the key by default
  /// - Returns: the column
  func shown(_ key: String, _ title: String? = nil) -> ShownColumn {
    let column = columns.first { $0.field.key == key }
    let title = title ?? key
    switch column?.values {
    case .numbers(let cells):
      let form = column?.field.form
      let isShare = column?.field.unit == "1"
      return ShownColumn(title, isNumber: form == .number || form == .duration) { row, offsets in
        guard let number = cells[row] else { return nil }
        return switch form {
        case .instant: LocalTime(number, in: &offsets).dateText
        case .clock: SleepAverages.clockText(number)
        default:
          isShare
            ? NumberText.rounded(number * 100, decimals: 1) + " %" : NumberText.rounded(number)
        }
      }
    case .counts(let cells):
      let isDate = column?.field.form == .date
      return ShownColumn(title, isNumber: !isDate) {
        cells[$0].map { isDate ? AnswerColumn.text(ofDay: $0) : NumberText.grouped($0) }
      }
    case .truths(let cells):
      return ShownColumn(title) { cells[$0].map { $0 ? Speech.current.head("yes") : "" } }
    case .texts(let cells): return ShownColumn(title) { cells[$0] }
    case .json(let cells): return ShownColumn(title) { cells[$0]?.text }
    case .group, .list, nil: return ShownColumn(title) { _ in nil }
    }
  }
}

extension AnswerView {
  /// An answer with the columns that people read of it.
  init(_ table: AnswerTable, showing columns: [ShownColumn]) {
    self.init(table)
    page = {
      var shown = Table(
        columns: columns.map { Table.Column(title: $0.title, isNumber: $0.isNumber) })
      var offsets = OffsetCache(table.zones)
      for row in 0..<table.count { shown.add(columns.map { $0.text(row, &offsets) ?? "–" }) }
      return Page(table: shown)
    }
  }

  /// An answer of which people read every column.
  ///
  /// - Parameters:
  ///   - table: the answer
  ///   - titles: titles that are not the key
  ///   - names: what people read instead of a text
  init(
    _ table: AnswerTable, titles: [String: String] = [:],
    naming names: [String: (String) -> String]
  ) {
    self.init(
      table,
      showing: table.columns.map(\.field.key).map { key in
        let shown = table.shown(key, titles[key])
        guard let name = names[key] else { return shown }
        return ShownColumn(shown.title, isNumber: shown.isNumber) { row, offsets in
          shown.text(row, &offsets).map(name)
        }
      })
  }
}
