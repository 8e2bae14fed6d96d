import HealthAnalysis
import HealthAnswers
import HealthSamples
import HealthStatistics

/// A difference between two numbers of the page, as shown.
struct ShownChange {
  /// The number before.
  let before: AskedNumber
  /// The number now.
  let now: AskedNumber
  /// What the reader's subtraction gives.
  let difference: String
}

extension MeasureAnswers {
  /// The mean of the last seven days.
  func mean(_ page: Page) -> AskedNumber? { shownMean(page)?.number }

  /// The mean of the last seven days, also as shown without its point.
  func shownMean(_ page: Page) -> (number: AskedNumber, shown: Int)? {
    let (value, ask, place): (Double?, Ask, String)
    if let typical {
      (value, ask, place) = (typical.mean, typicalAsk, "\(typicalPlace).mean")
    } else if let week, let spread = week.spread {
      (value, ask, place) = (spread[.mean], week.ask, "spread.mean")
    } else {
      return nil
    }
    guard let shown = measure.form.shown(value), let number = number(value, ask, place, page) else {
      return nil
    }
    return (number, shown)
  }

  /// Where the measure stands in the answer of what is typical.
  var typicalPlace: String { "typical[name=\(measure.question.label)]" }

  /// How many of the last seven days have data; `nil` where it is not known.
  var dayCount: Int? { typical?.dayCount ?? week?.spread?.count }

  /// The rows of the last seven days in ``days``.
  var lastRows: Range<Int> {
    let rows = [period.week.first, period.week.end].map {
      max(0, min(days.row(from: $0), days.count))
    }
    return rows[0]..<max(rows[0], rows[1])
  }

  /// 5th percentile, median and 95th of the days of the last year, as shown; `nil` with too few.
  var band: (low: Int, median: Int, high: Int)? {
    guard let spread = spread.spread, spread.count >= Self.leastDays,
      let low = measure.form.shown(spread[percent: 5]),
      let median = measure.form.shown(spread[.median]),
      let high = measure.form.shown(spread[percent: 95])
    else { return nil }
    return (low, median, high)
  }

  /// The limits between fifths of the days of the last year, as shown.
  var fifths: [Int]? {
    guard let spread = spread.spread, spread.count >= 5 else { return nil }
    let limits = [20, 40, 60, 80].compactMap { measure.form.shown(spread[percent: $0]) }
    return limits.count == 4 ? limits : nil
  }

  /// Whether two periods have about as many days with data, so that they can be compared.
  static func isComparable(_ one: Int, _ other: Int) -> Bool {
    min(one, other) >= 7 && min(one, other) * 2 >= max(one, other)
  }

  /// How many days a band of days needs.
  private static let leastDays = 28

  /// The last day with data, and its number.
  func lastDay(_ page: Page) -> (date: CivilDate, number: AskedNumber)? {
    guard let row = values.lastIndex(where: { $0 != nil }), let value = values[row],
      let date = CivilDate(text: days.starts[row])
    else { return nil }
    let stat = days.columns[0].stat
    return (
      date,
      AskedNumber(
        ask: days.ask, place: "intervals[start=\(days.starts[row])].\(stat)",
        text: page.writer.text(value, measure.form))
    )
  }

  /// The last seven days against the seven before.
  func weekOnWeek(_ page: Page) -> ShownChange? {
    guard let typical, let earlier = typical.earlier.first, let before = earlier.mean else {
      return nil
    }
    return change(
      typical.mean, typicalAsk, "\(typicalPlace).mean", before, typicalAsk,
      "\(typicalPlace).earlier[0].mean", page)
  }

  /// This year up to the last day that counts, and the last one up to the same day; `nil` where one has less than
  /// half as many days with data as the other, or less than a week of them.
  var years: (now: Double, before: Double)? {
    let last = period.lastWhole
    func count(_ year: Int) -> Int {
      let (first, end) = (
        "\(year)-01-01", CivilDate(year: year, month: last.month, day: last.day).text
      )
      return zip(days.starts, values).count { first <= $0 && $0.prefix(10) <= end && $1 != nil }
    }
    guard Self.isComparable(count(last.year), count(last.year - 1)) else { return nil }
    guard case .compared(let compared)? = year.column.derived, let now = year.series.values.last,
      let now, let before = compared.last??.value
    else { return nil }
    return (now, before)
  }

  /// This year against the last up to the same day.
  func yearOnYear(_ page: Page) -> ShownChange? {
    guard let (now, before) = years else { return nil }
    return change(
      now, year.ask, "intervals[-1].value", before, year.ask, "intervals[-1].compared", page)
  }

  /// The day with the largest number of some rows.
  func greatestDay(in rows: Range<Int>, _ page: Page) -> (date: CivilDate, number: AskedNumber)? {
    let known = rows.compactMap { row in values[row].map { (row, $0) } }
    guard let (row, value) = known.max(by: { $0.1 < $1.1 }),
      let date = CivilDate(text: days.starts[row])
    else { return nil }
    return (
      date,
      AskedNumber(
        ask: days.ask, place: "intervals[start=\(days.starts[row])].\(days.columns[0].stat)",
        text: page.writer.text(value, measure.form, unit: measure.unit))
    )
  }

  private func number(
    _ value: Double?, _ ask: Ask, _ place: String, _ page: Page
  ) -> AskedNumber? {
    measure.form.shown(value).map {
      AskedNumber(ask: ask, place: place, text: page.writer.text($0, measure.form))
    }
  }

  private func change(
    _ now: Double, _ ask: Ask, _ place: String, _ before: Double, _ otherAsk: Ask,
    _ otherPlace: String, _ page: Page
  ) -> ShownChange? {
    guard let new = measure.form.shown(now), let old = measure.form.shown(before),
      let newNumber = number(now, ask, place, page),
      let oldNumber = number(before, otherAsk, otherPlace, page)
    else { return nil }
    return ShownChange(
      before: oldNumber, now: newNumber,
      difference: page.writer.difference(new, old, measure.form))
  }

  /// What a drawing of some days shows, in words.
  func description(of values: [Int?], _ page: Page) -> String {
    let known = values.compactMap { $0 }
    guard let least = known.min(), let greatest = known.max(), let last = known.last else {
      return page.words.states.noData
    }
    func text(_ value: Int) -> String { page.writer.text(value, measure.form, unit: measure.unit) }
    return TextPattern.filled(
      page.words.figure.description, text(least), text(greatest),
      text(band?.median ?? last), text(last))
  }
}

extension IntervalSpread {
  /// A percentile of the numbers.
  subscript(percent percent: Double) -> Double? {
    Percentile(percent).flatMap { self[.percentile($0)] }
  }
}
