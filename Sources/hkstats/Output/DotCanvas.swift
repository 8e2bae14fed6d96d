/// A grid of dots that is rendered as Braille patterns.
struct DotCanvas {
  let columns: Int
  let rows: Int
  private var cells: [UInt8]

  init(columns: Int, rows: Int) {
    self.columns = columns
    self.rows = rows
    cells = Array(repeating: 0, count: columns * rows)
  }

  /// Draws a straight line between two dots, both included.
  mutating func draw(from start: (x: Int, y: Int), to end: (x: Int, y: Int)) {
    let steps = max(abs(end.x - start.x), abs(end.y - start.y), 1)
    for step in 0...steps {
      let share = Double(step) / Double(steps)
      set(
        x: start.x + Int((Double(end.x - start.x) * share).rounded()),
        y: start.y + Int((Double(end.y - start.y) * share).rounded()))
    }
  }

  private mutating func set(x: Int, y: Int) {
    guard (0..<columns * 2).contains(x), (0..<rows * 4).contains(y) else { return }
    // The bit of each dot in Unicode's Braille patterns.
    let bits: [[UInt8]] = [[0x01, 0x02, 0x04, 0x40], [0x08, 0x10, 0x20, 0x80]]
    cells[y / 4 * columns + x / 2] |= bits[x % 2][y % 4]
  }

  var lines: [String] {
    (0..<rows).map { row in
      var text = ""
      for cell in cells[row * columns..<(row + 1) * columns] {
        let dots = cell == 0 ? nil : Unicode.Scalar(UInt32(0x2800) + UInt32(cell))
        text.unicodeScalars.append(dots ?? " ")
      }
      while text.last == " " { text.removeLast() }
      return Marks.drawn(text)
    }
  }
}
