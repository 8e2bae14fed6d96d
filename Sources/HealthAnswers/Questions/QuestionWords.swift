package import HealthMerge
package import HealthQuery
import HealthSamples
package import HealthStatistics

/// The names in a question that mean one thing of a known list, as a person writes them.
package enum QuestionWords {
  /// The length of an interval: `day`, `15min`.
  package static func interval(_ text: String) throws(QueryError) -> CalendarInterval {
    if let interval = CalendarInterval(text) { return interval }
    throw unknown(
      .interval, text, among: CalendarInterval.Alignment.allCases.map(\.rawValue) + ["15min"],
      synonyms: intervalSynonyms(of: text))
  }

  /// Words that end in -ly, and the letter that minutes and months share.
  private static func intervalSynonyms(of text: String) -> [String: String] {
    var words = [
      "hourly": "hour", "daily": "day", "weekly": "week", "monthly": "month",
      "quarterly": "quarter", "yearly": "year", "annually": "year", "annual": "year",
      "minute": "1min", "min": "1min", "h": "hour", "d": "day", "w": "week", "m": "month",
      "mo": "month", "q": "quarter", "y": "year",
    ]
    for unit in CalendarInterval.Alignment.allCases { words[unit.rawValue + "s"] = unit.rawValue }
    let lowered = text.lowercased()
    if lowered.last == "m", let count = Int(lowered.dropLast()) {
      words[lowered] = "\(count)min or \(count)mo"
    }
    return words
  }

  /// Statistics with commas between, each once.
  package static func statistics(_ text: String) throws(QueryError) -> [Statistic] {
    try each(text, statistic)
  }

  /// Words with commas between, each once.
  static func each<Value: Equatable>(
    _ text: String, _ read: (String) throws(QueryError) -> Value
  ) throws(QueryError) -> [Value] {
    var values: [Value] = []
    for word in text.split(separator: ",", omittingEmptySubsequences: false) {
      let value = try read(trimmed(word))
      if !values.contains(value) { values.append(value) }
    }
    return values
  }

  /// One statistic: `mean`, `p90`.
  package static func statistic(_ name: String) throws(QueryError) -> Statistic {
    if let statistic = Statistic(rawValue: name) { return statistic }
    throw unknown(
      .statistic, name,
      among: Statistic.named.map(\.rawValue) + ["p0 to p100", "timeP0 to timeP100"],
      synonyms: [
        "average": "mean", "avg": "mean", "total": "sum", "minimum": "min", "maximum": "max",
        "sd": "stddev", "std": "stddev", "number": "count", "n": "count", "latest": "recent",
        "last": "recent", "newest": "recent",
      ])
  }

  /// A policy for overlapping sources: `hk`.
  package static func policy(_ text: String) throws(QueryError) -> MergePolicy {
    try word(.policy, text)
  }

  /// The unit of averages: `day`.
  package static func average(_ text: String) throws(QueryError) -> AverageColumns.Unit {
    try word(.averageUnit, text)
  }

  /// What intervals are grouped by: `weekday`.
  package static func group(_ text: String) throws(QueryError) -> IntervalGroup {
    try word(.group, text)
  }

  /// What a method fits: `huber`.
  package static func model<Model: RawRepresentable & CaseIterable>(
    _ text: String
  ) throws(QueryError) -> Model where Model.RawValue == String {
    try word(.model, text)
  }

  /// What intervals are compared with: `year`.
  package static func comparison(_ text: String) throws(QueryError) -> IntervalComparison {
    try word(.comparison, text)
  }

  /// The rule of means: `arithmetic`, `sdk18`.
  package static func style(_ text: String) throws(QueryError) -> StyleChoice {
    let versions = Catalogue.Version.allCases
    if let version = versions.first(where: { "sdk\($0.rawValue)" == text }) {
      return .version(version)
    }
    let styles = AggregationStyle.allCases.filter { $0.meanMethod != nil }
    if let style = styles.first(where: { $0.meanMethod?.rawValue == text || $0.rawValue == text }) {
      return .style(style)
    }
    throw unknown(.style, text, among: self.styles)
  }

  /// The names of rules of means.
  package static let styles =
    Catalogue.Version.allCases.map { "sdk\($0.rawValue)" }
    + AggregationStyle.allCases.compactMap(\.meanMethod?.rawValue)

  /// Seconds of a text such as `90s`, `5min` or `1h30min`.
  package static func seconds(_ text: String) throws(QueryError) -> Double {
    if let seconds = secondsInParts(text) { return seconds }
    throw unknown(.duration, text, among: ["90s", "5min", "1h30min"])
  }

  /// Seconds of a time in parts, such as `6h30min` or `1 h 5 min 20 s`: hours, minutes, seconds in
  /// this order; `nil` for another text.
  package static func secondsInParts(_ text: String) -> Double? {
    var rest = text.drop { $0 == " " }
    var units = [("h", 3_600.0), ("min", 60), ("s", 1)][...]
    var total: Double?
    while !rest.isEmpty {
      let digits = rest.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
      rest = rest.dropFirst(digits.count).drop { $0 == " " }
      let name = rest.prefix(while: \.isLetter)
      guard let number = Double(digits), number.isFinite,
        let place = units.firstIndex(where: { $0.0 == name })
      else { return nil }
      total = (total ?? 0) + number * units[place].1
      units = units[(place + 1)...]
      rest = rest.dropFirst(name.count).drop { $0 == " " }
    }
    return total
  }

  /// A word of a known list.
  package static func word<Word: RawRepresentable & CaseIterable>(
    _ term: QueryError.Term, _ text: String
  ) throws(QueryError) -> Word where Word.RawValue == String {
    if let word = Word(rawValue: text) { return word }
    throw unknown(term, text, among: Word.allCases.map(\.rawValue))
  }

  private static func unknown(
    _ term: QueryError.Term, _ text: String, among known: [String],
    synonyms: [String: String] = [:]
  ) -> QueryError {
    let near = synonyms[text.lowercased()].map { [$0] } ?? NearNames.of(text, among: known)
    return QueryError(.unknownWord(term, text, suggestions: near, known: known))
  }

  static func trimmed(_ text: Substring) -> String {
    let blank: (Character) -> Bool = { $0 == " " || $0 == "\t" }
    return String(String(text.drop(while: blank)).reversed().drop(while: blank).reversed())
  }
}

extension StyleChoice {
  /// The text that is read as this choice: `sdk18`, `arithmetic`.
  var text: String {
    switch self {
    case .version(let version): "sdk\(version.rawValue)"
    case .style(let style): style.meanMethod?.rawValue ?? style.rawValue
    }
  }
}
