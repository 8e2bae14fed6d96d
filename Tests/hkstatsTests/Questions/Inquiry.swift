import Foundation
import Testing

/// One command of the page of questions with its answer, and what the answer should be.
struct Inquiry {
  let facts: HealthFacts
  let words: [String]
  /// The answer for people.
  let table: ProgramRun
  /// The same in JSON.
  let answer: ProgramRun

  /// A part of the calendar.
  struct Span: Hashable {
    let start: Date
    let end: Date
  }

  // MARK: - The words of the command

  func option(_ name: String) -> String? {
    words.firstIndex(of: name).flatMap { $0 + 1 < words.count ? words[$0 + 1] : nil }
  }

  var names: [String] { words[1].split(separator: ",").map(String.init) }

  /// The part of the calendar that `--by` names.
  private var component: Calendar.Component? {
    switch option("--by") {
    case "hour": .hour
    case "day": .day
    case "week": .weekOfYear
    case "month": .month
    case "year": .year
    default: nil
    }
  }

  /// The moment that a word means.
  private func moment(_ word: String) throws -> Date {
    if word == "today" { return facts.today }
    if word == "yesterday" { return facts.day(facts.today, plus: -1) }
    let days = try #require(Int(word.dropFirst().dropLast()), "\(word)")
    return facts.day(facts.today, plus: 1 - days)
  }

  var from: Date? { get throws { try option("--from").map(moment) } }
  var end: Date { get throws { try option("--to").map(moment) ?? facts.day(facts.today, plus: 1) } }

  // MARK: - Numbers of one name

  private static let fullNames = ["steps": "StepCount", "vo2Max": "VO2Max"]

  /// The type of a name as the export writes it.
  func type(_ name: String) -> String {
    let first = String(name.split(separator: ".")[0])
    return Self.fullNames[first] ?? first.prefix(1).uppercased() + first.dropFirst()
  }

  func isSleep(_ name: String) -> Bool { name == "sleep" || name.hasPrefix("sleep.") }

  private func firstMoment(_ name: String) throws -> Date {
    if isSleep(name) { return try #require(facts.nights.keys.min()) }
    let type = type(name)
    let first = facts.rows[type]?.map(\.start).min()
    return Date(timeIntervalSinceReferenceDate: try #require(first, "\(type)"))
  }

  /// The intervals from the first, which holds `from` or the first record, to the last.
  func spans(_ name: String, earlier: Int = 0) throws -> [Span] {
    guard let component else { return [Span(start: try firstMoment(name), end: try end)] }
    var spans: [Span] = []
    var place = try from ?? firstMoment(name)
    if earlier > 0 {
      let before = facts.calendar.date(byAdding: component, value: -earlier, to: place)
      place = try #require(before)
    }
    let end = try end
    while place < end {
      let span = try #require(facts.calendar.dateInterval(of: component, for: place))
      spans.append(Span(start: span.start, end: span.end))
      place = span.end
    }
    return spans
  }

  /// The part of a span that lies before the end of the period: nothing of later days counts.
  private func asked(_ span: Span) throws -> Span {
    Span(start: span.start, end: min(span.end, try end))
  }

  func days(_ name: String, in span: Span) -> [Double] {
    let days = facts.sums[type(name)] ?? [:]
    return days.keys.filter { span.start <= $0 && $0 < span.end }.sorted().compactMap { days[$0] }
  }

  /// The nights of a span; of longer ones than a day those of days that are over.
  private func nights(in span: Span) -> [HealthFacts.Night] {
    let isOfOne = span.end.timeIntervalSince(span.start) < 2 * 86_400
    return facts.nights.keys.filter { day in
      span.start <= day && day < span.end && (isOfOne || facts.day(day, plus: 1) <= facts.now)
    }.sorted().compactMap { facts.nights[$0] }
  }

  // MARK: - What counts

  /// Whether an interval counts in means, extremes and groups: it is over, and the data begin before it.
  ///
  /// The data of these stores go on after now. Of weeks and longer ones a day may be missing; means lack
  /// only where there are less than half as many records as usual, and usually eight or more.
  func counts(_ name: String, _ statistic: String, _ span: Span) throws -> Bool {
    guard span.end <= facts.now else { return false }
    guard !isSleep(name) else { return true }
    let rows = try #require(facts.rows[type(name)], "\(name)")
    let slack = span.end.timeIntervalSince(span.start) >= 2 * 86_400 ? 86_400.0 : 0
    let first = (rows.map(\.start).min() ?? 0) - slack
    if span.start.timeIntervalSinceReferenceDate >= first { return true }
    if ["sum", "count", "duration"].contains(statistic) { return false }
    func count(_ span: Span) -> Int {
      facts.rows(
        type(name), from: span.start.timeIntervalSinceReferenceDate,
        to: span.end.timeIntervalSinceReferenceDate
      ).count
    }
    let known = try spans(name).map(count).filter { $0 > 0 }.sorted()
    let usual = known.isEmpty ? 0 : known[known.count / 2]
    return usual < 8 || 2 * count(span) >= usual
  }

  /// The sums of the days of a span that count.
  private func wholeDays(_ name: String, in span: Span) throws -> [Double] {
    let days = facts.sums[type(name)] ?? [:]
    return try days.keys.filter { day in
      let whole = Span(start: day, end: facts.day(day, plus: 1))
      return try span.start <= day && day < span.end && counts(name, "sum", whole)
    }.sorted().compactMap { days[$0] }
  }

  /// The number of an interval by its key in JSON; `nil` without data.
  func number(_ name: String, _ key: String, in whole: Span) throws -> Double? {
    let span = try asked(whole)
    if isSleep(name) { return sleep(name, in: span) }
    let type = type(name)
    let (start, end) = (
      span.start.timeIntervalSinceReferenceDate, span.end.timeIntervalSinceReferenceDate
    )
    var factor = 1.0
    switch option("--unit") {
    case "mi": factor = 1 / 1.609344
    case "lb": factor = 1 / 0.45359237
    default: break
    }
    switch key {
    case "sum", "perDay", "days", "p25", "median", "p75":
      if component == .hour { return facts.sum(type, from: start, to: end) }
      if name.hasPrefix("heartRate") { break }
      let days = try key == "sum" ? days(name, in: span) : wholeDays(name, in: span)
      if days.isEmpty { return key == "sum" || key == "days" ? 0 : nil }
      if key == "days" { return Double(days.count) }
      if key == "perDay" { return days.reduce(0, +) * factor / Double(days.count) }
      // The record in which the period ends counts whole in an interval that goes on.
      let end = span.end.timeIntervalSinceReferenceDate
      let after = facts.sum(
        type, from: end, to: whole.end.timeIntervalSinceReferenceDate, begunBefore: end)
      let sum = (days.reduce(0, +) + after) * factor
      if key == "sum" { return sum }
      let share = key == "p25" ? 0.25 : key == "median" ? 0.5 : 0.75
      return Self.percentile(days, share)
    default: break
    }
    let rows = rows(type, from: start, to: end)
    let values = rows.map { $0.value * factor }
    switch key {
    case "count": return Double(rows.count)
    case "min": return values.min()
    case "max": return values.max()
    case "median": return values.isEmpty ? nil : Self.percentile(values, 0.5)
    case "p90": return values.isEmpty ? nil : Self.percentile(values, 0.9)
    case "timeP25", "timeMedian", "timeP75":
      return HealthFacts.weightedPercentile(
        of: rows, key == "timeP25" ? 0.25 : key == "timeP75" ? 0.75 : 0.5, from: start, to: end)
    case "mean" where values.isEmpty: return nil
    case "mean": return try mean(name, rows, from: start, to: end).map { $0 * factor }
    default: return nil
    }
  }

  /// The records of a span; of a night's value those of nights that end in it.
  private func rows(_ type: String, from start: Double, to end: Double) -> [HealthFacts.Row] {
    guard type == "AppleSleepingWristTemperature" else {
      return facts.rows(type, from: start, to: end)
    }
    return (facts.rows[type] ?? []).filter { start < $0.end && $0.end <= end }
  }

  private func mean(
    _ name: String, _ rows: [HealthFacts.Row], from start: Double, to end: Double
  ) throws -> Double? {
    switch try object(named: name)["method"] as? String {
    case "temporallyWeighted": return HealthFacts.weightedMean(of: rows, from: start, to: end)
    case "equivalentContinuousLevel":
      let lengths = rows.map { min($0.end, end) - max($0.start, start) }
      let energy = zip(rows, lengths).reduce(0) { $0 + $1.1 * pow(10, $1.0.value / 10) }
      return 10 * log10(energy / lengths.reduce(0, +))
    default: return rows.reduce(0) { $0 + $1.value } / Double(rows.count)
    }
  }

  private func sleep(_ name: String, in span: Span) -> Double? {
    let nights = nights(in: span)
    let values: [Double]
    switch name {
    case "sleep.deep": values = nights.compactMap { $0.stages[4] }
    case "sleep.rem": values = nights.compactMap { $0.stages[5] }
    case "sleep.core": values = nights.compactMap { $0.stages[3] }
    case "sleep.awake": values = nights.map { $0.stages[2] ?? 0 }
    case "sleep.inBed": values = nights.map(\.inBed).filter { $0 > 0 }
    case "sleep.efficiency": values = nights.filter { $0.inBed > 0 }.map { $0.asleep / $0.inBed }
    default: values = nights.map(\.asleep)
    }
    return values.isEmpty ? nil : values.reduce(0, +) / Double(values.count)
  }

  static func percentile(_ values: [Double], _ share: Double) -> Double {
    let sorted = values.sorted()
    let place = share * Double(sorted.count - 1)
    let low = Int(place)
    let high = min(low + 1, sorted.count - 1)
    return sorted[low] + (sorted[high] - sorted[low]) * (place - Double(low))
  }

  // MARK: - The answer

  /// The series of the answer, one for each name.
  func objects() throws -> [[String: Any]] {
    let json = try answer.json()
    if let list = json as? [[String: Any]] { return list }
    return [try #require(json as? [String: Any])]
  }

  private func object(named name: String) throws -> [String: Any] {
    let objects = try objects()
    return try #require(
      objects.first { $0["name"] as? String == name } ?? objects.first, "\(name)")
  }

  /// The keys and rows of each series.
  func series(_ list: String) throws -> [(name: String, key: String, rows: [[String: Any]])] {
    try objects().enumerated().map { index, object in
      let name = object["name"] as? String ?? names[index]
      let rows = try #require(object[list] as? [[String: Any]], "\(list)")
      return (name, object["statistic"] as? String ?? "mean", rows)
    }
  }

  func span(_ row: [String: Any], _ start: String = "start", _ end: String = "end") throws -> Span {
    Span(start: try instant(row[start]), end: try instant(row[end]))
  }

  /// The bounds of a row in seconds since 2001.
  func seconds(of row: [String: Any]) throws -> (start: Double, end: Double) {
    let span = try span(row)
    return (span.start.timeIntervalSinceReferenceDate, span.end.timeIntervalSinceReferenceDate)
  }

  func instant(_ text: Any?) throws -> Date {
    let text = try #require(text as? String)
    let format = ISO8601DateFormatter()
    format.formatOptions =
      text.contains(".")
      ? [.withInternetDateTime, .withFractionalSeconds] : .withInternetDateTime
    return try #require(format.date(from: text), "\(text)")
  }

  static func agree(_ one: Double?, _ two: Double?) -> Bool {
    guard let one, let two else { return one == two }
    return abs(one - two) <= 1e-4 * max(abs(one), abs(two)) + 1e-9
  }
}
