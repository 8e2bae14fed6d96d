import HealthSamples

/// Writes dates and clock times in a language.
///
/// Each form is that of `new Intl.DateTimeFormat(locale, {timeZone: "UTC", ...options})` with the
/// options beside it, where `locale` is ``ReportLanguage/dateLocale``, in CLDR 48. The names and
/// patterns are in ``Words/Dates``, so that a browser of any age writes the same. Only the first of a
/// French month is its ordinal, `1er nov.`, which CLDR has not.
struct DateWriter: Sendable {
  let language: ReportLanguage
  private let dates: Words.Dates
  private let names: Names
  /// The last date of the report, if years are left out in the twelve months that end with it.
  let last: CivilDate?

  /// - Parameters:
  ///   - language: the language
  ///   - last: the last date of the report; without one every date has its year.
  init(_ language: ReportLanguage, last: CivilDate? = nil) {
    self.language = language
    self.last = last
    dates = Words.of(language.base).dates
    names = Names(dates)
  }

  /// A day with its weekday, and its year if that is not clear: `Sat 31 Oct`, `Fri, 3 May 2024`.
  func day(_ date: CivilDate) -> String {
    isRecent(date) ? weekdayAndDay(date) : weekdayDayAndYear(date)
  }

  /// A day without its weekday, and its year if that is not clear: `31 Oct`, `3 May 2024`.
  func shortDay(_ date: CivilDate) -> String {
    isRecent(date) ? dayAndMonth(date) : dayMonthAndYear(date)
  }

  /// `Sat 31 Oct`: `{weekday: "short", day: "numeric", month: "short"}`.
  func weekdayAndDay(_ date: CivilDate) -> String { text(dates.weekdayDay, date) }

  /// `Sat, 31 Oct 2026`: `{weekday: "short", day: "numeric", month: "short", year: "numeric"}`.
  func weekdayDayAndYear(_ date: CivilDate) -> String { text(dates.weekdayDayYear, date) }

  /// `31 Oct`: `{day: "numeric", month: "short"}`.
  func dayAndMonth(_ date: CivilDate) -> String { text(dates.dayMonth, date) }

  /// `31 Oct 2026`: `{day: "numeric", month: "short", year: "numeric"}`.
  func dayMonthAndYear(_ date: CivilDate) -> String { text(dates.dayMonthYear, date) }

  /// `31 October`: `{day: "numeric", month: "long"}`.
  func dayAndLongMonth(_ date: CivilDate) -> String { text(dates.dayLongMonth, date) }

  /// `October 2026`: `{month: "long", year: "numeric"}`.
  func monthAndYear(_ date: CivilDate) -> String { text(dates.monthYear, date) }

  /// `October`: `{month: "long"}`.
  func month(_ date: CivilDate) -> String { Self.name(names.months, date.month - 1) }

  /// `Oct`, on an axis: `{month: "short"}`.
  func shortMonth(_ date: CivilDate) -> String { Self.name(names.shortMonths, date.month - 1) }

  /// `2026`: `{year: "numeric"}`.
  func year(_ year: Int) -> String { TextPattern.filled(dates.year, "", "", "\(year)") }

  /// `Saturday`: `{weekday: "long"}`; 0 is Monday.
  func weekday(_ index: Int) -> String { Self.name(names.weekdays, index) }

  /// `Sat`: `{weekday: "short"}`; 0 is Monday.
  func shortWeekday(_ index: Int) -> String { Self.name(names.shortWeekdays, index) }

  /// `S`: `{weekday: "narrow"}`; 0 is Monday.
  func narrowWeekday(_ index: Int) -> String { Self.name(names.narrowWeekdays, index) }

  /// From one day to another, both included: `1 Nov 2024 – 31 Oct 2026`; one day alone.
  func range(_ first: CivilDate, _ last: CivilDate) -> String {
    guard first < last else { return dayMonthAndYear(first) }
    return TextPattern.filled(dates.range, dayMonthAndYear(first), dayMonthAndYear(last))
  }

  /// A clock time from minutes after midnight, of the day before or after, too: `23:13`.
  ///
  /// `{hour: "2-digit", minute: "2-digit", hourCycle: "h23"}`, or
  /// `{hour: "numeric", minute: "2-digit", hourCycle: "h12"}`.
  func clock(minutes: Int) -> String {
    let day = 24 * 60
    let minutes = ((minutes % day) + day) % day
    let (hour, minute) = (minutes / 60, NumberWriter.twoDigits(minutes % 60))
    guard language.has12HourClock else { return "\(NumberWriter.twoDigits(hour)):\(minute)" }
    let pattern = hour < 12 ? dates.beforeNoon : dates.afterNoon
    return TextPattern.filled(pattern, "\(hour % 12 == 0 ? 12 : hour % 12):\(minute)")
  }

  /// Whether a date is in the twelve months that end with the last one.
  func isRecent(_ date: CivilDate) -> Bool {
    guard let last else { return false }
    let number = date.dayNumber
    return number <= last.dayNumber && number > last.adding(months: -12).dayNumber
  }

  /// The places of an order are those of ``Words/Dates``.
  private func text(_ pattern: String, _ date: CivilDate) -> String {
    TextPattern.filled(
      pattern, date.day == 1 ? dates.first : "\(date.day)",
      Self.name(names.monthsInDates, date.month - 1), "\(date.year)",
      Self.name(names.weekdaysInDates, date.weekday),
      Self.name(names.longMonthsInDates, date.month - 1))
  }

  private static func name(_ names: [String], _ index: Int) -> String {
    names.indices.contains(index) ? names[index] : ""
  }

  /// The names, which are one text each in the payload.
  private struct Names {
    let months, shortMonths, monthsInDates, longMonthsInDates: [String]
    let weekdays, shortWeekdays, weekdaysInDates, narrowWeekdays: [String]

    init(_ dates: Words.Dates) {
      func split(_ names: String) -> [String] { names.split(separator: "|").map(String.init) }
      months = split(dates.months)
      shortMonths = split(dates.shortMonths)
      monthsInDates = split(dates.monthsInDates)
      longMonthsInDates = split(dates.longMonthsInDates)
      weekdays = split(dates.weekdays)
      shortWeekdays = split(dates.shortWeekdays)
      weekdaysInDates = split(dates.weekdaysInDates)
      narrowWeekdays = split(dates.narrowWeekdays)
    }
  }
}
