/// A table for people: columns aligned by the width that a terminal gives each character.
package struct Table {
  /// The title of a column and the side on which its cells stand.
  package struct Column {
    let title: String
    let isNumber: Bool

    /// A column with a title in English, which is shown in the language of the ``Speech``.
    package init(title: String, isNumber: Bool) {
      (self.title, self.isNumber) = (Speech.current.head(title), isNumber)
    }

    /// A column of words, at the left.
    package static func words(_ title: String) -> Column { Column(title: title, isNumber: false) }
    /// A column of numbers, at the right.
    package static func numbers(_ title: String) -> Column { Column(title: title, isNumber: true) }
  }

  let columns: [Column]
  private(set) var rows: [[String]] = []

  package init(columns: [Column]) { self.columns = columns }

  /// Adds a row with one cell a column; cells at its end may be missing.
  ///
  /// The first cell of a property is its head.
  package mutating func add(_ cells: [String]) {
    let missing = max(0, columns.count - cells.count)
    var cells = cells
    if isSheet, let head = cells.first { cells[0] = Speech.current.head(head) }
    rows.append(Self.shown(cells) + repeatElement("", count: missing))
  }

  /// Cells as they are shown.
  static func shown(_ cells: [String]) -> [String] { cells.map { Marks.cell($0.printable) } }

  /// The width of each column in lines of a style: that of its widest cell or, where a terminal has
  /// less room, as much as there is.
  ///
  /// Numbers and dates are never cut. Words are, the longest first, and titles above numbers. Where
  /// that is too wide still, rows are folded.
  func widths(style: TextStyle) -> [Int] {
    let titles = columns.map(\.title.displayWidth)
    var cells = [Int](repeating: 0, count: columns.count)
    var exact = cells
    for row in rows {
      for (index, cell) in row.enumerated() {
        let width = cell.displayWidth
        cells[index] = max(cells[index], width)
        if isExact(cell, index) { exact[index] = max(exact[index], width) }
      }
    }
    let wanted = zip(titles, cells).map(max)
    guard let width = style.width else { return wanted }
    let room = width - Self.gap * (columns.count - 1)
    var fallback = wanted
    for words in Self.leastWidths {
      let least = zip(exact, wanted).map { max($0, min($1, words)) }
      for limit in stride(from: wanted.max() ?? 0, through: words, by: -1) {
        let widths = zip(least, wanted).map { max($0, min($1, limit)) }
        if widths.reduce(0, +) <= room { return widths }
      }
      if words == Self.leastWidths[0] { fallback = least }
    }
    return fallback
  }

  /// The columns between two cells.
  private static let gap = 2
  /// Words are not cut to fewer columns or, if a table then fits, to fewer than the second.
  private static let leastWidths = [12, 5]

  /// Whether a cell says something else without its end: a number, a date, a share.
  private func isExact(_ cell: String, _ column: Int) -> Bool {
    columns[column].isNumber
      || !isSheet && cell.utf8.contains(where: Self.digits.contains)
        && cell.displayWidth <= Self.longestDate
  }

  private static let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
  /// The width of 2024-03-09 10:00:00.
  private static let longestDate = 19

  /// Whether the table is a list of properties: their texts are broken between words, and not cut.
  private var isSheet: Bool { columns.count == 2 && !columns[1].isNumber }

  /// The lines of the table, the titles first, without blanks at their ends.
  package func lines(style: TextStyle) -> [String] {
    let widths = widths(style: style)
    let titles = lines(of: columns.map(\.title), isTitle: true, widths: widths, style: style)
    return titles.map(style.strong) + rows.flatMap { lines(of: $0, widths: widths, style: style) }
  }

  /// A row of shown cells, or of titles: one line, unless a terminal has less room.
  func lines(
    of cells: [String], isTitle: Bool = false, widths: [Int], style: TextStyle
  ) -> [String] {
    guard let width = style.width else { return [line(cells, columns.indices, widths: widths)] }
    if isSheet, cells[1].displayWidth > widths[1] {
      return cells[1].wrapped(to: widths[1]).enumerated().map { place, text in
        line([place == 0 ? cells[0] : "", text], columns.indices, widths: widths)
      }
    }
    let cells = cells.indices.map {
      columns[$0].isNumber && !isTitle ? cells[$0] : cells[$0].truncated(to: widths[$0])
    }
    return Self.folds(widths, to: width).enumerated().map { place, part in
      (place == 0 ? "" : Self.indentation) + line(cells, part, widths: widths)
    }
  }

  /// What stands before the lines of a row after its first one.
  private static let indentation = "    "

  /// The columns of each line of a row.
  private static func folds(_ widths: [Int], to width: Int) -> [Range<Int>] {
    var folds: [Range<Int>] = []
    var (first, used) = (0, 0)
    for (index, next) in widths.enumerated() {
      if index > first, used + gap + next > width {
        folds.append(first..<index)
        (first, used) = (index, indentation.count)
      }
      used += next + (index > first ? gap : 0)
    }
    return folds + [first..<widths.count]
  }

  /// Some columns of a row as one line.
  private func line(_ cells: [String], _ part: Range<Int>, widths: [Int]) -> String {
    var text: [UInt8] = []
    text.reserveCapacity(widths.reduce(0) { $0 + $1 + Self.gap })
    for index in part {
      let cell = cells[index]
      if index > part.lowerBound {
        text.append(contentsOf: repeatElement(UInt8(ascii: " "), count: Self.gap))
      }
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
