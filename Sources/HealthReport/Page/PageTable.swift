import HealthSamples

/// A table of the page: the answer to one question, as whole numbers with the digits that are shown.
///
/// Figures read it, tables are built from it, and a test asks its question again.
struct PageTable {
  /// The length of rows.
  enum Row: String {
    case hour, day, week, month, year, night
    /// Rows at dates of their own.
    case row
  }

  /// How numbers are shown.
  enum Form: Hashable {
    /// A number, with its digits after the point.
    case number(Int)
    /// Seconds, shown as hours and minutes.
    case duration
    /// Seconds after midnight, shown as a time of day.
    case clock
    /// A share, shown as a percentage, with its digits after the point.
    case percent(Int)
  }

  /// A column.
  struct Column {
    /// The member of the answer.
    var stat: String
    /// The head.
    let name: String
    /// The unit as it is shown; empty where the form says it.
    var unit = ""
    /// How numbers are shown.
    var form = Form.number(0)
    /// The numbers as shown, scaled by the digits of the form; minutes for durations and clocks.
    var values: [Int?] = []
    /// Texts in place of numbers.
    var texts: [String]?
  }

  /// The question.
  let ask: Ask
  /// The length of rows.
  let row: Row
  /// The head of the first column.
  let head: String
  /// The start of each row: a date, for hours a moment.
  let starts: [String]
  /// The columns.
  var columns: [Column]
  /// For hours: from which row on the clock is how many seconds east of UTC.
  var offsets: [(row: Int, seconds: Int)] = []
  /// Where each row stands, in thousandths of the width, where rows are not evenly spaced.
  var places: [Int] = []
  /// What is special about a row: "25 hours", "in Asia/Tokyo".
  var notes: [Int: String] = [:]
  /// The rows that the data begin or end inside.
  var partial: [Int] = []

  /// The number of rows.
  var count: Int { starts.count }

  /// The first row that begins on a day or later.
  func row(from date: CivilDate) -> Int {
    starts.firstIndex { CivilDate(text: $0).map { !($0 < date) } ?? false } ?? count
  }

  /// Where dates begin to lie some days from those counted on from the first: a zone that moves over
  /// the date line leaves out a day.
  static func jumps(of starts: [String], _ row: Row) -> [(row: Int, days: Int)] {
    guard row != .hour, row != .row, let start = starts.first.flatMap(CivilDate.init(text:)) else {
      return []
    }
    let month = CivilDate(year: start.year, month: start.month, day: 1)
    let year = CivilDate(year: start.year, month: 1, day: 1)
    var jumps: [(row: Int, days: Int)] = []
    for (place, text) in starts.enumerated() {
      let counted =
        switch row {
        case .week: start.adding(days: 7 * place)
        case .month: month.adding(months: place)
        case .year: year.adding(months: 12 * place)
        case .day, .night, .hour, .row: start.adding(days: place)
        }
      let days = (CivilDate(text: text)?.dayNumber ?? counted.dayNumber) - counted.dayNumber
      if days != jumps.last?.days ?? 0 { jumps.append((place, days)) }
    }
    return jumps
  }
}

extension PageTable.Form {
  /// The number as shown, without its point; `nil` where there is none, and for what no page can show.
  func shown(_ value: Double?) -> Int? {
    guard let value else { return nil }
    switch self {
    case .number(let digits): return ScaledNumber.scaled(value, digits: digits)
    case .percent(let digits): return ScaledNumber.scaled(value, digits: digits, percent: true)
    case .duration, .clock: return ScaledNumber.minutes(seconds: value)
    }
  }
}
