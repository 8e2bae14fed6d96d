import HealthExchange
internal import _HealthNumerics

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
      Marks.drawn(Self.text(cells[row * columns..<(row + 1) * columns]))
    }
  }

  /// The lines of both canvases, which have one size: cells with dots of the other one stand out.
  func lines(below other: DotCanvas, style: TextStyle) -> [String] {
    (0..<rows).map { row in
      let places = row * columns..<(row + 1) * columns
      let end = places.last { cells[$0] | other.cells[$0] != 0 }.map { $0 + 1 } ?? row * columns
      return (row * columns..<end).chunked { (other.cells[$0] == 0) == (other.cells[$1] == 0) }
        .map { run in
          let text = Marks.drawn(Self.text(run.map { cells[$0] | other.cells[$0] }, isWhole: true))
          return other.cells[run.lowerBound] == 0 ? style.faint(text) : style.accent(text)
        }.joined()
    }
  }

  private static func text(_ cells: some Sequence<UInt8>, isWhole: Bool = false) -> String {
    var text = ""
    for cell in cells {
      let dots = cell == 0 ? nil : Unicode.Scalar(UInt32(0x2800) + UInt32(cell))
      text.unicodeScalars.append(dots ?? " ")
    }
    while !isWhole, text.last == " " { text.removeLast() }
    return text
  }
}
