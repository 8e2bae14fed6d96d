/// A drawing with its axis, its text for those who do not see it, and the rows that can be read in it.
struct Figure {
  /// What is drawn, for its head and for screen readers: "Steps, last 28 days".
  let name: String
  /// The range, the median and the last number in words.
  let description: String
  /// The drawing.
  let plot: Plot
  /// Labels of the axis at the right: pixels from the top, text, and whether it is marked.
  var axis: [(y: Double, text: String, isMarked: Bool)] = []
  /// The unit of the labels, which stands above them; empty for numbers without one, `nil` where labels
  /// say theirs.
  var unit: String?
  /// The rows that can be read, evenly spaced over the width.
  var rows: Rows?
  /// A further class: `calendar`, `miniature`.
  var style: String?

  /// Rows of a table of the payload.
  struct Rows {
    /// The id of the table.
    let table: String
    /// The first row, and how many.
    let range: Range<Int>
    /// The columns that are read.
    var columns = [0]
    /// The measure whose days have reasons.
    var measure: String?
  }

  /// The width of the axis.
  static let axisWidth = 46
  /// From how many letters on a unit ends at the end of the axis, and begins above the plot.
  private static let longUnit = 7
  private static let unitLine = 10.0

  /// Writes the figure.
  func write(to markup: inout Markup, _ page: Page) {
    let isRead = rows != nil && !page.isOnPaper
    let label = isRead ? page.words.figure.readable(name) : name
    markup.figure(label, rows, style: style) { markup in
      markup.element(
        "svg",
        ["class": "plot", "role": "img", "width": "100%", "height": Plot.pixel(plot.height)]
      ) { markup in
        markup.element("title", [:], name)
        markup.element("desc", [:], description)
        markup.append(plot.drawing)
      }
      guard !axis.isEmpty else { return }
      markup.element(
        "svg",
        [
          "class": unit == "" ? "axis bare" : "axis", "width": "\(Self.axisWidth)",
          "height": Plot.pixel(plot.height), "aria-hidden": "true",
        ]
      ) { markup in
        if let unit, !unit.isEmpty {
          let isLong = unit.count >= Self.longUnit
          markup.element(
            "text",
            [
              "class": isLong ? "t end" : "t", "x": isLong ? "\(Self.axisWidth)" : "8",
              "y": Plot.pixel(Self.unitLine),
            ], unit)
        }
        for (y, text, isMarked) in axis {
          markup.element(
            "text",
            ["class": isMarked ? "t b" : "t", "x": "8", "y": Plot.pixel(y + 4)], text)
        }
      }
    }
  }
}

extension Markup {
  /// Writes the element around a drawing whose rows can be read, but not on paper.
  mutating func figure(
    _ label: String, _ rows: Figure.Rows?, style: String? = nil,
    _ content: (inout Markup) -> Void
  ) {
    let rows = isOnPaper ? nil : rows
    element(
      "div",
      [
        "class": style.map { "fig \($0)" } ?? "fig", "tabindex": rows == nil ? nil : "0",
        "role": "group", "aria-label": label, "data-t": rows?.table,
        "data-from": rows.map { "\($0.range.lowerBound)" },
        "data-count": rows.map { "\($0.range.count)" },
        "data-cols": rows.map { $0.columns.map(String.init).joined(separator: " ") },
        "data-why": rows?.measure,
      ], content)
  }
}
