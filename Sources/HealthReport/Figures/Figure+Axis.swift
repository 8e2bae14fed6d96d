extension Figure {
  /// Labels the ticks of an axis in a unit, and in bold some numbers among them, for which near ticks
  /// make room.
  mutating func label(
    _ axis: Axis, marks: [Int] = [], _ form: PageTable.Form, unit: String, _ page: Page
  ) {
    switch form {
    case .number: self.unit = unit
    case .percent: self.unit = "%"
    case .duration, .clock: break
    }
    let bold = marks.map {
      (y: plot.y(Double($0)), text: page.writer.text($0, form), isMarked: true)
    }
    let ticks = axis.ticks.map {
      (y: plot.y($0), text: page.writer.label($0, axis, form), isMarked: false)
    }
    self.axis =
      bold
      + ticks.filter { tick in
        !bold.contains { abs($0.y - tick.y) < Self.lineHeight }
      }
  }

  /// How far labels of an axis stand apart at least.
  private static let lineHeight = 13.0
}
