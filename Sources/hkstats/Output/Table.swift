import HealthExchange

/// A table for people: columns aligned by the width that a terminal gives each character.
struct Table {
  /// The title of a column and the side on which its cells stand.
  struct Column {
    let title: String
    let isNumber: Bool

    /// A column of words, at the left.
    static func words(_ title: String) -> Column { Column(title: title, isNumber: false) }
    /// A column of numbers, at the right.
    static func numbers(_ title: String) -> Column { Column(title: title, isNumber: true) }
  }

  let columns: [Column]
  private(set) var rows: [[String]] = []

  init(columns: [Column]) { self.columns = columns }

  /// Adds a row with one cell a column.
  mutating func add(_ cells: [String]) { rows.append(cells.map(\.printable)) }

  /// The widest cell of each column.
  var widths: [Int] {
    var widths = columns.map(\.title.displayWidth)
    for row in rows {
      for (index, cell) in row.enumerated() {
        widths[index] = max(widths[index], cell.displayWidth)
      }
    }
    return widths
  }

  /// The lines of the table, the titles first, without blanks at their ends.
  func lines(style: TextStyle) -> [String] {
    let widths = widths
    let titles = line(columns.map(\.title), widths: widths)
    return [style.strong(titles)] + rows.map { line($0, widths: widths) }
  }

  /// One line of printable cells.
  func line(_ cells: [String], widths: [Int]) -> String {
    var text: [UInt8] = []
    text.reserveCapacity(widths.reduce(0) { $0 + $1 + 2 })
    for (index, cell) in cells.enumerated() {
      if index > 0 { text.append(text: "  ") }
      let blanks = repeatElement(
        UInt8(ascii: " "), count: max(0, widths[index] - cell.displayWidth))
      if columns[index].isNumber { text.append(contentsOf: blanks) }
      text.append(text: cell)
      if !columns[index].isNumber { text.append(contentsOf: blanks) }
    }
    while text.last == UInt8(ascii: " ") { text.removeLast() }
    return String(decoding: text, as: UTF8.self)
  }
}
