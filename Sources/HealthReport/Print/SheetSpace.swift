/// The place that is left on a sheet, in pixels: what does not fit is left out before it is written.
///
/// Heights are those of the style, whose lines are as high in any font. How many lines a text takes is
/// estimated, rather too high: fonts are those of the machine that prints.
struct SheetSpace {
  /// The place that is left.
  private(set) var left = SheetSpace.height

  /// The width of a sheet without its margins, that of A4, which is narrower than Letter.
  static let width = 688.0
  /// The height of Letter without its margins, which is lower than A4.
  static let height = 950.0
  /// The height of a line.
  static let line = 14.0
  /// What stands above and below the line of a row.
  static let padding = 4.0

  /// Takes a place, whether or not it is there.
  mutating func take(_ height: Double) { left -= height }

  /// Takes a place if it is there; whether it was.
  mutating func takes(_ height: Double) -> Bool {
    guard height <= left else { return false }
    take(height)
    return true
  }

  /// How many of some rows fit a height.
  static func count(of heights: [Double], in height: Double) -> Int {
    var left = height
    return heights.prefix { row in
      left -= row
      return left >= 0
    }.count
  }

  /// The height of a row whose cells have texts.
  static func row(_ cells: (text: String, width: Double)...) -> Double {
    let lines = cells.map { Self.lines($0.text, in: $0.width) }.max() ?? 1
    return Double(lines) * line + padding
  }

  /// How many lines a text takes at most.
  static func lines(_ text: String, in width: Double, size: Double = 10.5) -> Int {
    let length = text.unicodeScalars.reduce(0) { $0 + Self.width(of: $1) } * size
    guard length > width else { return 1 }
    // The end of a line is not filled to the last letter.
    return Int((length / (width - 3 * size)).rounded(.up))
  }

  /// The width of a character as a share of the size of the font, in which a digit is at most 0.57 wide.
  private static func width(of scalar: Unicode.Scalar) -> Double {
    switch scalar.value {
    case 0xAD, 0x200B, 0x300...0x36F: 0
    case 0x2E80...: 0.95
    case UInt32(UInt8(ascii: "A"))...UInt32(UInt8(ascii: "Z")): 0.68
    case 0x6D, 0x77, 0x4D, 0x57: 0.85
    case 0x20, 0xA0, 0x2E, 0x2C, 0x3A, 0x3B, 0x69, 0x6A, 0x6C, 0x66, 0x72, 0x74, 0x28, 0x29: 0.33
    default: 0.57
    }
  }
}

extension ShownName {
  /// The name in a narrow column, where it also breaks after a slash: long names of tests differ at
  /// their ends, and much longer ones are cut.
  var onPaper: String {
    (whole.count <= 2 * Self.longest ? whole : short).replacing("/", with: "/\u{200B}")
  }
}
