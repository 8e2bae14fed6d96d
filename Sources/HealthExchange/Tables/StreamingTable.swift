/// A table that is written while its rows come: its first rows decide the widths of columns, so
/// memory stays flat.
package struct StreamingTable {
  private var table: Table
  private var widths: [Int]?
  private let style: TextStyle
  private let output: TextOutput

  /// So many rows wait for one another.
  private static let firstRows = 1000

  package init(columns: [Table.Column], style: TextStyle, to output: TextOutput) {
    table = Table(columns: columns)
    self.style = style
    self.output = output
  }

  /// Whether no row has come.
  package var isEmpty: Bool { widths == nil && table.rows.isEmpty }

  /// Adds a row with one cell a column.
  package mutating func add(_ cells: [String]) throws(OutputError) {
    if let widths {
      let lines = table.lines(of: Table.shown(cells), widths: widths, style: style)
      for line in lines { try output.line(line) }
      return
    }
    table.add(cells)
    if table.rows.count == Self.firstRows { try begin() }
  }

  /// Writes what still waits.
  package mutating func end() throws(OutputError) {
    if widths == nil { try begin() }
  }

  private mutating func begin() throws(OutputError) {
    for line in table.lines(style: style) { try output.line(line) }
    widths = table.widths(style: style)
  }
}
