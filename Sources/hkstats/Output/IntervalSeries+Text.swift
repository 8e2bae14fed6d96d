import HealthExchange
import HealthQuery
import HealthSamples
import HealthUnits

extension IntervalSeries {
  /// How the numbers are shown.
  var shown: SpokenUnit { SpokenUnit(unit) }

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

  /// A number as programs read it: without digits beyond those measured, in another unit.
  func printing(_ value: Double) -> Double {
    unit == type.canonicalUnit ? value : NumberText.shortest(value)
  }

  /// The numbers as programs read them.
  var printed: [Double?] { values.map { $0.map(printing) } }
}

extension IntervalSeries {
  /// The factor from the numbers to those on the axis of a chart, and the name of their unit: durations
  /// in hours.
  var axis: (scale: Double, unit: String) {
    isTime ? (1 / 3_600, "h") : (shown.scale, shown.name)
  }

  /// Differences of numbers as people read them, with two digits more than the numbers have.
  func changeTexts(_ values: [Double]) -> [String] {
    guard !isTime else { return texts(values) }
    let scaled = values.map { $0 * shown.scale }
    let decimals = NumberText.decimals(for: scaled.map { $0 * 1.001 })
    return scaled.map { NumberText.rounded($0, decimals: decimals) }
  }
}
