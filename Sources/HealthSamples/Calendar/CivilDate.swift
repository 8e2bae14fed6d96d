/// A date of the proleptic Gregorian calendar.
///
/// Day numbers count from Monday 2001-01-01. The conversions use eras of 400 years that start in
/// March, after the leap day (Hinnant, chrono-compatible low-level date algorithms).
package struct CivilDate: Sendable, Hashable {
  package var year: Int
  /// 1 to 12.
  package var month: Int
  /// 1 to the length of the month.
  package var day: Int

  package static let secondsPerDay = 86_400
  private static let daysPerEra = 146_097
  // From 0000-03-01 to 2001-01-01.
  private static let epoch = 730_791

  /// A date; whether the month has the day is not checked.
  package init(year: Int, month: Int, day: Int) {
    (self.year, self.month, self.day) = (year, month, day)
  }

  /// A date of the calendar within some years; `nil` where there is none.
  package init?(
    existing year: Int, _ month: Int, _ day: Int, within years: ClosedRange<Int> = Self.years
  ) {
    guard years.contains(year), (1...12).contains(month),
      (1...Self.length(ofMonth: month, year: year)).contains(day)
    else { return nil }
    self.init(year: year, month: month, day: day)
  }

  /// The date of a day number.
  package init(dayNumber: Int) {
    let days = dayNumber + Self.epoch
    let era = days.floorDivided(by: Self.daysPerEra)
    let dayOfEra = days - era * Self.daysPerEra
    let yearOfEra =
      (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shifted = (5 * dayOfYear + 2) / 153
    day = dayOfYear - (153 * shifted + 2) / 5 + 1
    month = shifted < 10 ? shifted + 3 : shifted - 9
    year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
  }

  /// Days since Monday 2001-01-01.
  package var dayNumber: Int {
    let shiftedYear = month <= 2 ? year - 1 : year
    let era = shiftedYear.floorDivided(by: 400)
    let yearOfEra = shiftedYear - era * 400
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    return era * Self.daysPerEra + dayOfEra - Self.epoch
  }

  /// The number of days of a month.
  package static func length(ofMonth month: Int, year: Int) -> Int {
    switch month {
    case 2: isLeap(year) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }

  private static func isLeap(_ year: Int) -> Bool {
    year.isMultiple(of: 4) && (!year.isMultiple(of: 100) || year.isMultiple(of: 400))
  }

  /// The date some months later or earlier; a day that the month lacks becomes its last day.
  package func adding(months: Int) -> CivilDate {
    let total = year * 12 + (month - 1) + months
    let year = total.floorDivided(by: 12)
    let month = total - year * 12 + 1
    return CivilDate(
      year: year, month: month, day: min(day, Self.length(ofMonth: month, year: year)))
  }
}

extension Double {
  /// The seconds of a day on which no clock changes.
  package static let secondsPerDay = Double(CivilDate.secondsPerDay)
}

extension Int {
  /// The quotient rounded down.
  package func floorDivided(by divisor: Int) -> Int {
    let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
    return remainder < 0 ? quotient - 1 : quotient
  }
}

extension CivilDate {
  /// The years of dates that are read and answered.
  package static let years = 1...9999

  /// The instants of ``years``, in UTC, with a day of margin for offsets.
  package static let instants: ClosedRange<Double> = {
    let first = CivilDate(year: years.lowerBound, month: 1, day: 1).dayNumber - 1
    let last = CivilDate(year: years.upperBound + 1, month: 1, day: 1).dayNumber + 1
    return Double(first * secondsPerDay)...Double(last * secondsPerDay)
  }()
}

extension CivilDate {
  /// Reads `2026-10-31`, also with a time behind it; `nil` for any other text.
  package init?(text: String) {
    let parts = text.prefix(10).split(separator: "-").compactMap { Int($0) }
    guard parts.count == 3 else { return nil }
    self.init(existing: parts[0], parts[1], parts[2])
  }

  /// How many birthdays there are from this date to another; `nil` for an earlier one.
  ///
  /// Who was born on a leap day has a birthday on the 1st of March of other years.
  package func birthdays(until date: CivilDate) -> Int? {
    guard dayNumber <= date.dayNumber else { return nil }
    let isBefore = (date.month, date.day) < (month, day)
    return date.year - year - (isBefore ? 1 : 0)
  }
}
