import HealthAnswers
import HealthExchange

/// The mark of a part of a chart: a glyph that distinguishes it without colours, and a colour.
struct ChartMark {
  let glyph: Character
  let color: Color
  let name: String

  /// One of the 256 terminal colours, nearest to those of Okabe and Ito, which are distinguishable
  /// with common kinds of colour blindness (https://jfly.uni-koeln.de/color/).
  enum Color: Int {
    case blue = 25
    case orange = 214
    case skyBlue = 117
    case vermilion = 166
    case green = 35
    case purple = 132
    case yellow = 227
    case grey = 250
  }

  /// Marks by index, for parts without their own.
  static func numbered(_ place: Int, name: String) -> ChartMark {
    let (glyph, color) = all[place % all.count]
    return ChartMark(glyph: Marks.glyph(glyph), color: color, name: name)
  }

  /// The mark of a stage of sleep, in every chart.
  static func stage(_ stage: SleepStage) -> ChartMark {
    let (glyph, color): (Character, Color) =
      switch stage {
      case .deep: ("█", .blue)
      case .core: ("▒", .skyBlue)
      case .rem: ("▞", .orange)
      case .unspecified: ("▄", .green)
      case .awake: ("│", .vermilion)
      case .inBed: ("─", .grey)
      }
    return ChartMark(glyph: Marks.glyph(glyph), color: color, name: SleepCaptions.name(stage))
  }

  private static let all: [(Character, Color)] = [
    ("█", .blue), ("▒", .orange), ("▞", .skyBlue), ("│", .vermilion), ("▄", .green),
    ("░", .purple), ("▀", .yellow), ("─", .grey),
  ]

  /// The legend of marks, with lines no wider than `width` unless a name is.
  static func legend(_ marks: [ChartMark], width: Int, style: TextStyle) -> [String] {
    var lines: [String] = []
    var line = ""
    var used = 0
    for mark in marks {
      let name = mark.name.printable.truncated(to: max(1, width - 2))
      let needed = 2 + name.displayWidth
      if used > 0, used + 2 + needed > width {
        lines.append(line)
        (line, used) = ("", 0)
      }
      line +=
        (used > 0 ? "  " : "") + style.mark(String(mark.glyph), mark.color) + " "
        + style.faint(name)
      used += (used > 0 ? 2 : 0) + needed
    }
    return used > 0 ? lines + [line] : lines
  }
}

/// The labels and numbers before the bars or curves of a chart, a row per line.
struct ChartMargin {
  private let labels: [String]
  private let texts: [String]
  private let labelWidth: Int
  private let textWidth: Int
  /// The number of columns for drawing.
  let room: Int

  /// Fewer columns show nothing; labels are truncated before that.
  private static let leastRoom = 8

  init(labels: [String], texts: [String], width: Int) {
    textWidth = texts.map(\.displayWidth).max() ?? 0
    let wanted = labels.map(\.displayWidth).max() ?? 0
    let labelWidth = min(wanted, max(1, width - textWidth - 4 - Self.leastRoom))
    self.labels = labels.map { $0.truncated(to: labelWidth) }
    self.texts = texts.map(Marks.cell)
    self.labelWidth = labelWidth
    room = max(Self.leastRoom, width - labelWidth - textWidth - 4)
  }

  /// The indentation of a line without a label.
  var indent: String { String(repeating: " ", count: labelWidth + textWidth + 4) }

  /// A row with its drawing.
  func line(_ row: Int, _ picture: String) -> String {
    let start =
      labels[row].padded(to: labelWidth) + "  "
      + texts[row].padded(to: textWidth, isTrailing: true)
    return picture.isEmpty ? start : start + "  " + picture
  }
}
