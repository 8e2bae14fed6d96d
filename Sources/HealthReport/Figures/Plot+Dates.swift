import HealthSamples

extension Plot {
  /// Writes the months below evenly spaced rows, where they begin, of few months days instead.
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
    guard begins.count >= Self.leastMonths else { return weeks(starts, dates) }
    let isLong = begins.count > Self.fewMonths
    let stride = Self.stride(ofMonths: begins.count)
    let named =
      begins.count > Self.manyMonths
      ? begins.filter { (starts[$0].month - 1) % 3 == 0 } : begins
    for (place, row) in named.enumerated() {
      let (x, month) = (Double(row) / Double(starts.count), starts[row])
      // A name that begins near the end, ends there.
      let isLast = x > 0.92
      let isMain = named.count < begins.count ? month.month % 6 == 1 : place.isMultiple(of: stride)
      // At the end it stands nearer to the one before than months are apart.
      let isTight = isLast && named.count > 3
      label(
        ((isLong && !isMain) || isTight ? "t t2" : "t") + (isLast ? " end" : ""),
        x: isLast ? 1 : x,
        y: height - 6,
        isLong && month.month == 1 ? dates.year(month.year) : dates.shortMonth(month))
    }
  }

  /// Writes days below evenly spaced rows, counted back from the last: about three at any width, and
  /// of many rows a day for each week where there is room.
  mutating func weeks(_ days: [CivilDate], _ dates: DateWriter) {
    let third = max(1, (days.count + 1) / 3)
    let isLong = days.count > Self.fewDays
    let main = isLong ? (third + 3) / 7 * 7 : third
    let step = isLong && days.count <= Self.manyDays ? 7 : days.count <= 7 ? 1 : main
    for row in days.indices where (days.count - 1 - row).isMultiple(of: step) {
      let isMain = (days.count - 1 - row).isMultiple(of: main)
      let x = (Double(row) + 0.5) / Double(days.count)
      // Half of it would leave the plot.
      guard x > 0.06 else { continue }
      label(isMain ? "t mid" : "t mid t2", x: x, y: height - 6, dates.dayAndMonth(days[row]))
    }
  }

  /// Each how many months of a year, which have room for four names at any width, are named.
  static func stride(ofMonths count: Int) -> Int { max(1, (count + 2) / 4) }

  /// From how many months on they are named instead of days.
  static let leastMonths = 3
  /// Up to how many rows have no names of weeks, and from how many on weeks have no room.
  private static let fewDays = 34
  private static let manyDays = 49
  /// Up to how many months all are named, and from how many on only quarters.
  private static let fewMonths = 5
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
