import HealthQuery
import HealthSamples

/// The days of a report.
struct ReportPeriod {
  /// The first day.
  let first: CivilDate
  /// The day after the last.
  let end: CivilDate
  /// The day after the last that is over and that the data cover (`WholeIntervals`).
  let wholeEnd: CivilDate
  /// Whether it ends with the data, and not because an earlier end was asked for.
  let isToEndOfData: Bool
  /// The day on which the report is made.
  let today: CivilDate
  /// Dates of the last two years that a zone leaves out where it moves over the date line, in order.
  var skipped: [Int] = []

  /// The first day that was asked for; `nil` where the report begins with the data of its measures.
  var askedFirst: CivilDate?
  /// The day after the last that was asked for; `nil` where the report ends with the data of its
  /// measures.
  var askedEnd: CivilDate?

  /// The day after the last of what is told apart from the measures: results, events and doses.
  ///
  /// A report that ends with the data of its measures has what came after them.
  var recordsEnd: CivilDate {
    let last = min(askedEnd?.dayNumber ?? .max, today.dayNumber + 1)
    return CivilDate(dayNumber: max(end.dayNumber, last))
  }

  /// The last day.
  var last: CivilDate { CivilDate(dayNumber: end.dayNumber - 1) }

  /// Whether the last day is not over yet.
  var isOpen: Bool { last.dayNumber >= today.dayNumber }

  /// The end of the last day that counts in means; that of the period where no day does.
  var endOfWholeDays: CivilDate {
    first < wholeEnd ? CivilDate(dayNumber: min(wholeEnd.dayNumber, end.dayNumber)) : end
  }

  /// The last day that counts in means.
  var lastWhole: CivilDate { endOfWholeDays.adding(days: -1) }

  /// The first of the last days, of which none is a date that is left out.
  func first(ofLast days: Int) -> CivilDate { first(ofLast: days, before: end) }

  /// The last seven days that count in means.
  var week: (first: CivilDate, end: CivilDate) {
    (first(ofLast: 7, before: endOfWholeDays), endOfWholeDays)
  }

  /// The seven days before ``week``; `nil` where they do not lie in the period.
  var weekBefore: (first: CivilDate, end: CivilDate)? {
    let start = week.first.adding(days: -7)
    return start < first ? nil : (start, week.first)
  }

  private func first(ofLast days: Int, before end: CivilDate) -> CivilDate {
    CivilDate(dayNumber: max(first.dayNumber, start(ofLast: days, before: end)))
  }

  /// The first of the last days of results, events and doses, which may lie before the first measure.
  func recordsFirst(ofLast days: Int, before end: CivilDate) -> CivilDate {
    CivilDate(dayNumber: max(askedFirst?.dayNumber ?? .min, start(ofLast: days, before: end)))
  }

  private func start(ofLast days: Int, before end: CivilDate) -> Int {
    var start = end.dayNumber - days
    for day in skipped.reversed() where start <= day && day < end.dayNumber { start -= 1 }
    return start
  }

  /// How many days there are from one to another, which is not included.
  func days(from first: CivilDate, to end: CivilDate) -> Int {
    let (first, end) = (first.dayNumber, end.dayNumber)
    return end - first - skipped.count { first <= $0 && $0 < end }
  }

  /// How many days there are.
  var dayCount: Int { days(from: first, to: end) }

  /// The days of a year, which end with the period.
  static let year = 365
  /// Days stand in the page for two years, hours for thirty days.
  static let days = 731
  static let hours = 30
  /// A page reaches back as far as a life.
  static let longest = 36_525
}

extension CivilDate {
  /// The date as questions have it: `2026-10-31`.
  var text: String { LocalTime.text(of: self) }

  /// The date some days later.
  func adding(days: Int) -> CivilDate { CivilDate(dayNumber: dayNumber + days) }

  /// 0 is Monday.
  var weekday: Int { dayNumber - dayNumber.floorDivided(by: 7) * 7 }

  /// Whether a number of days before another.
  static func < (left: CivilDate, right: CivilDate) -> Bool { left.dayNumber < right.dayNumber }
}
