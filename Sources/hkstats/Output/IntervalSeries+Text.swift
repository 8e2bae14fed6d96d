import HealthAnswers
import HealthExchange
import HealthReport
import HealthSamples
import HealthUnits

extension IntervalSeries {
  /// The name for people.
  var shownName: String { TypeName.title(name, of: type) }

  /// How the numbers are shown.
  var shown: DisplayUnit { DisplayUnit(unit) }

  /// The unit of the numbers for people; empty for a plain count.
  var shownUnit: String { TypeName.unit(unit, of: type) }

  /// The unit after a number for people, with its blank; none where numbers are durations, which have
  /// theirs.
  var unitSuffix: String {
    guard !isTime else { return "" }
    let unit =
      shownUnit.isEmpty
      ? Vocabulary.current.unit(unit.shortDescription, of: TypeName.short(type.identifier))
      : shownUnit
    return unit.isEmpty ? "" : " " + unit
  }

  /// The name with the unit of the numbers on the axis of a chart, or the numbers of a table.
  func heading(in unit: String) -> String {
    shownName + (unit.isEmpty ? "" : " " + Vocabulary.current.caption("in {0}", unit))
  }

  /// Whether the numbers are those of nights, and no durations of samples.
  private var isOfNights: Bool { NightPart(rawValue: statistic) != nil }

  /// Whether the numbers are durations.
  var isTime: Bool { unit.description == "s" }

  /// Numbers as people read them.
  func texts(_ values: [Double?]) -> [String] {
    guard !isTime else {
      let text = isOfNights ? SleepCaptions.time : AmountText.duration
      return values.map { value in value.map { ($0 < 0 ? "-" : "") + text(abs($0)) } ?? "–" }
    }
    let scale = shown.scale
    let decimals = NumberText.decimals(for: values.compactMap { $0.map { $0 * scale } })
    return values.map { value in
      value.map { NumberText.rounded($0 * scale, decimals: decimals) } ?? "–"
    }
  }
}

extension IntervalSeries {
  /// The factor from the numbers to those on the axis of a chart, and the name of their unit: durations
  /// in hours.
  var axis: (scale: Double, unit: String) {
    isTime ? (1 / 3_600, "h") : (shown.scale, shownUnit)
  }

  /// Differences of numbers as people read them, with two digits more than the numbers have.
  func changeTexts(_ values: [Double]) -> [String] {
    guard !isTime else { return texts(values) }
    let scaled = values.map { $0 * shown.scale }
    let decimals = NumberText.decimals(for: scaled.map { $0 * 1.001 })
    return scaled.map { NumberText.rounded($0, decimals: decimals) }
  }
}

extension IntervalSeries {
  /// The name, and the numbers as dots with a level through them.
  ///
  /// - Parameters:
  ///   - note: what stands after the name
  ///   - level: a number for each interval, in the unit of the series
  ///   - ends: the texts under the left and the right end
  ///   - width: the most columns of a line
  ///   - style: whether there are colours
  /// - Returns: the lines, with an empty one below
  func chart(
    note: String = "", level: [Double?], ends: (first: String, last: String), width: Int,
    style: TextStyle
  ) -> [String] {
    let (scale, unit) = axis
    let title = heading(in: unit) + note
    return title.wrapped(to: width).map(style.strong) + [""]
      + LineChart(
        values: values.map { $0.map { $0 * scale } }, startsAtZero: false, ends: ends,
        level: level.map { $0.map { $0 * scale } }
      ).lines(width: width, style: style) + [""]
  }
}
