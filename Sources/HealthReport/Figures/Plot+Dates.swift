import HealthSamples

extension Plot {
  /// Writes the months below evenly spaced rows, where they begin.
  ///
  /// Of many months quarters are named, half of these only where there is room.
  ///
  /// - Parameters:
  ///   - starts: the first day of each row, ascending
  ///   - dates: the writer of dates
  mutating func months(_ starts: [CivilDate], _ dates: DateWriter) {
    let begins = starts.indices.filter { row in
      row == 0 ? starts[0].day == 1 : starts[row].month != starts[row - 1].month
    }
    let isLong = begins.count > Self.fewMonths
    let named =
      begins.count > Self.manyMonths
      ? begins.filter { (starts[$0].month - 1) % 3 == 0 } : begins
    for (place, row) in named.enumerated() {
      let (x, month) = (Double(row) / Double(starts.count), starts[row])
      // A name that begins near the end, ends there.
      let isLast = x > 0.92
      let isMain = named.count < begins.count ? month.month % 6 == 1 : place.isMultiple(of: 2)
      // At the end it stands nearer to the one before than months are apart.
      let isTight = isLast && named.count > 3
      label(
        ((isLong && !isMain) || isTight ? "t t2" : "t") + (isLast ? " end" : ""),
        x: isLast ? 1 : x,
        y: height - 6,
        isLong && month.month == 1 ? dates.year(month.year) : dates.shortMonth(month))
    }
  }

  /// Writes a day for each week of evenly spaced days, counted back from the last.
  mutating func weeks(_ days: [CivilDate], _ dates: DateWriter) {
    for row in days.indices where (days.count - 1 - row).isMultiple(of: 7) {
      let isLast = row == days.count - 1
      let isMain = (days.count - 1 - row).isMultiple(of: 28)
      let x = isLast ? 1 : (Double(row) + 0.5) / Double(days.count)
      guard x > 0.04 else { continue }
      label(
        (isMain ? "t" : "t t2") + (isLast ? " end" : " mid"), x: x, y: height - 6,
        dates.dayAndMonth(days[row]))
    }
  }

  /// Up to how many months all are named, and from how many on only quarters.
  private static let fewMonths = 6
  private static let manyMonths = 14
}

extension PageTable.Form {
  /// A number in the digits that are shown, for the places of marks: not rounded.
  func scaled(_ value: Double) -> Double {
    switch self {
    case .number(let digits): value * ScaledNumber.power(digits)
    case .percent(let digits): value * ScaledNumber.power(digits + 2)
    case .duration, .clock: value / 60
    }
  }
}
