public import HealthAnalysis
public import HealthQuery
package import HealthStore

/// What is typical of a person's weeks.
public struct TypicalParameters: AnalysisParameters {
  /// Over how many days a mean is.
  public var days = 7
  /// How many of them must have a number.
  public var atLeast = 4
  /// Over how many days before the last mean the typical range is.
  public var within = 365
  /// The share of means below the range, and above it.
  public var share = 0.05

  /// The default parameters.
  public init() {}

  /// `typical`.
  public static let name = "typical"

  /// What the method answers.
  public static let about = "Is this week as your weeks are?"

  /// The method.
  public var method: AnalysisMethod { .typical(self) }

  /// `days`, `atLeast`, `within`, `share`.
  public static var members: [Parameter<Self>] {
    [
      .count("days", \.days, .from(1), unit: "d", about: "Over how many days a mean is."),
      .count(
        "atLeast", \.atLeast, .from(1), unit: "d", about: "How many of the days must have a number."
      ),
      .count(
        "within", \.within, .from(1), unit: "d",
        about: "Over how many days before them the range is."),
      .number(
        "share", \.share, .within(0...0.49), unit: "1",
        about: "The share of means below the range, and above it."),
    ]
  }

  /// A day.
  public var defaultInterval: CalendarInterval? { CalendarInterval(.day) }

  /// ``days``.
  public func defaultDays(by interval: CalendarInterval?) -> Int? { max(1, min(days, 3_650)) }

  /// ``within``, and the days of the first mean.
  public var lookBack: Int { max(0, min(within, 36_500)) + max(0, min(days, 3_650)) }

  /// How many means a range needs: fourteen weeks.
  static let leastMeans = 98

  /// How many means before the last are judged, too: those of a year of weeks.
  static let mostEarlier = 52
}

extension TypicalParameters {
  /// How often the last mean lies outside although nothing changes: in how many of 100 measures at most.
  ///
  /// Measured on days that are independent or keep up to 0.7 of the day before, with and without
  /// outliers: see the documentation.
  package enum FalseAlarms {
    /// Where the range is of a year.
    package static let ofAYear = 13
    /// Where it is of the fourteen weeks that it needs.
    package static let ofAQuarter = 19
  }
}

/// The mean of the last days of a type, beside what is typical.
public struct TypicalAnswer: Sendable, Hashable {
  /// Where the last mean lies.
  public enum Position: String, Sendable, Hashable {
    /// Below the range.
    case below
    /// In the range.
    case inside
    /// Above the range.
    case above
  }

  /// The numbers.
  public let subject: AnalysedSeries
  /// The rows of the last mean.
  public let rows: Range<Int>
  /// The mean of the last days.
  public let mean: Double
  /// How many of the last days have a number.
  public let dayCount: Int
  /// The range of the means of as many days that ended before them.
  public let range: TypicalRange
  /// The means of as many days each that ended ``TypicalParameters/days`` before the last, twice as
  /// many before it, and so on: 52, or as many as the days of the range have room for.
  ///
  /// They do not overlap, and all of them are among the means that the range is made of.
  public let earlier: [Earlier]

  /// A mean before the last, judged by the range of the last.
  public struct Earlier: Sendable, Hashable {
    /// Where its days end.
    public let end: Double
    /// The mean; `nil` for too few days with a number.
    public let mean: Double?
    /// Where it lies; `nil` without a mean.
    public let position: Position?
  }

  /// Where the mean of the last days lies.
  public var position: Position { range.position(of: mean) }
}

extension TypicalRange {
  /// Where a mean lies.
  fileprivate func position(of mean: Double) -> TypicalAnswer.Position {
    contains(mean) ? .inside : mean < low ? .below : .above
  }
}

/// How many measures lie outside of what is typical, and how many did in the weeks before.
///
/// Of each measure the last mean is counted, and each of ``TypicalAnswer/earlier``, by the range of
/// the last. Weeks are counted back from the last day with data of each measure. One mean in ten of a
/// year lies outside of its range, since the range is made so; the last, which is in no range, a
/// little more often.
public struct TypicalSummary: Sendable, Hashable {
  /// How many measures have a range.
  public let measureCount: Int
  /// How many of them have their last mean outside of it.
  public let outsideCount: Int
  /// How many had the mean of the week before outside, of the one before that, and so on; `nil` where
  /// fewer than half of the measures have a mean.
  public let outsideBefore: [Int?]
  /// The least number that at least nine of ten of ``outsideBefore`` do not exceed; `nil` for fewer
  /// than ten of them.
  public let usualOutside: Int?

  /// How many weeks ``usualOutside`` is of.
  public var weekCount: Int { outsideBefore.count { $0 != nil } }

  /// Counts the measures.
  public init(of answers: [TypicalAnswer]) {
    measureCount = answers.count
    outsideCount = answers.count { $0.position != .inside }
    let most = answers.map(\.earlier.count).max() ?? 0
    outsideBefore = (0..<most).map { step in
      let positions = answers.compactMap { answer in
        answer.earlier.indices.contains(step) ? answer.earlier[step].position : nil
      }
      return 2 * positions.count < answers.count ? nil : positions.count { $0 != .inside }
    }
    let counts = outsideBefore.compactMap(\.self).sorted()
    // The place of the first count that has nine tenths of all at or before it.
    usualOutside =
      counts.count < Self.leastWeeks ? nil : counts[(9 * counts.count + 9) / 10 - 1]
  }

  /// Of fewer weeks nine of ten are no whole number.
  private static let leastWeeks = 10
}

extension AnalysedSeries {
  /// The mean of the last whole days, beside the typical range of the means before; of the last days with
  /// data where the last days have too few numbers.
  ///
  /// - Throws: `AnalysisError` for too few days, and parameters that do not fit
  func typical(_ parameters: TypicalParameters) throws(AnalysisError) -> TypicalAnswer {
    guard let known = series.values.lastIndex(where: { $0 != nil }) else {
      throw AnalysisError(.tooFewPoints(count: 0, needed: parameters.atLeast))
    }
    let newest = max(known, lastWhole ?? known)
    let column = try RegularSeries(Array(series.values[...newest]))
    let means = try column.trailingMean(rows: parameters.days, atLeast: parameters.atLeast)
    guard let last = [newest, known].first(where: { means[$0] != nil }), let mean = means[last]
    else {
      throw AnalysisError(.tooFewPoints(count: column.presentCount, needed: parameters.atLeast))
    }
    let first = max(0, last + 1 - parameters.days)
    let before = try RegularSeries((0..<first).map { means[$0] })
    let rows = first..<last + 1
    let range = try before.typicalRange(
      rows: parameters.within, shares: parameters.share...(1 - parameters.share),
      atLeast: min(parameters.within, TypicalParameters.leastMeans))
    let oldest = first - min(parameters.within, first)
    var earlier: [TypicalAnswer.Earlier] = []
    var row = last
    while earlier.count < TypicalParameters.mostEarlier, row - oldest >= parameters.days {
      row -= parameters.days
      earlier.append(
        TypicalAnswer.Earlier(
          end: series.ends[row], mean: means[row], position: means[row].map(range.position)))
    }
    return TypicalAnswer(
      subject: self, rows: rows, mean: mean,
      dayCount: series.values[rows].count { $0 != nil }, range: range, earlier: earlier)
  }
}

extension TypicalParameters: MethodParameters {
  package static var uses: [AnalysisUse] {
    [AnalysisUse("Is this week as my weeks are?", "typical", needs: "14 weeks")]
  }

  package func lists(of _: Question) -> [String] { ["typical"] }

  package func answer(
    _ plan: AnalysisPlan, in store: SampleStore, now: Double
  ) throws(QueryError) -> AnalysisAnswer {
    guard plan.question.from == nil, plan.question.types.count != 1 else {
      return try answer(AnalysisReader(plan, store: store, now: now))
    }
    return try answerEach(plan, in: store, now: now)
  }

  private func answer(_ reader: AnalysisReader) throws(QueryError) -> AnalysisAnswer {
    try reader.answer { numbers throws(QueryError) in
      .typical(
        try numbers.each { subject throws(AnalysisError) in try subject.typical(self) })
    }
  }

  /// Answers with a period of its own for each type, before the end of its data, so that no type
  /// changes what is said of another.
  ///
  /// - Throws: `QueryError`
  private func answerEach(
    _ plan: AnalysisPlan, in store: SampleStore, now: Double
  ) throws(QueryError) -> AnalysisAnswer {
    var plan = plan
    try plan.nameTypes(in: store, now: now)
    // Types whose data end on one day are read together.
    var places: [String?: [Int]] = [:]
    for (place, type) in plan.question.types.enumerated() {
      var alone = plan
      alone.question.types = [type]
      try alone.beginByDefault(in: store, now: now)
      places[alone.question.from, default: []].append(place)
    }
    var columns = [QuestionAnswer.Column?](repeating: nil, count: plan.question.types.count)
    var found = [Result<TypicalAnswer, AnalysisError>?](repeating: nil, count: columns.count)
    var zones: ZoneTimeline?
    let groups = places.sorted { ($0.key ?? "", $0.value[0]) < ($1.key ?? "", $1.value[0]) }
    for (part, group) in groups.enumerated() {
      var together = plan
      together.question.types = group.value.map { plan.question.types[$0] }
      together.question.from = group.key
      let reader = try AnalysisReader(
        together, endsToday: true, store: store.part(part, of: groups.count), now: now)
      let answer = try answer(reader)
      zones = answer.numbers.timeZone
      guard case .typical(let results) = answer.results else { continue }
      for (place, (column, result)) in zip(group.value, zip(answer.numbers.columns, results)) {
        (columns[place], found[place]) = (column, result)
      }
    }
    guard let zones else { throw QueryError(.missingMember("type")) }
    return AnalysisAnswer(
      plan: plan,
      numbers: QuestionAnswer(timeZone: zones, columns: columns.compactMap { $0 }),
      results: .typical(found.compactMap { $0 }))
  }
}
