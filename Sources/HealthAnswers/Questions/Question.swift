public import HealthMerge
public import HealthQuery
public import HealthSamples
public import HealthStatistics

/// A question about statistics as a person puts it: names, dates and units are texts, and what is
/// left out has a default.
///
/// It has one JSON form, which the command's options, servers and other languages produce:
///
/// ```json
/// {"type": ["steps", "restingHeartRate", "sleep"], "by": "day", "from": "-30d"}
/// {"type": "steps", "by": "month", "per": "day", "stat": "p25,median,p75", "prefer": "Watch"}
/// {"type": "steps", "by": "day", "from": "2026", "above": 10000, "streaks": true}
/// ```
///
/// A member that it does not know is refused, with the near one.
public struct Question: Sendable, Hashable {
  /// The types, each with what only it needs.
  public var types: [TypeQuestion]
  /// The length of an interval; `nil` for one row over the whole period.
  public var interval: CalendarInterval?
  /// The first interval contains this date; see `QueryDate`.
  public var from: String?
  /// The end of the period, which is not included.
  public var to: String?
  /// A date at which an interval begins.
  public var anchor: String?
  /// The zone of days: an identifier, or `recorded` for those that samples name; when `nil` that of
  /// the store, else of the machine.
  public var timeZone: String?
  /// The zones of a traveller, in place of ``timeZone``.
  public var zones: ZoneTimeline?
  /// Sums divided by their days or hours with data, too.
  public var average: AverageColumns.Unit?
  /// Whether the answer ends exactly at ``from`` and ``to``.
  public var clips = false
  /// The time of which samples count; all when `nil`.
  ///
  /// Samples of nights have rows of their own, which ``NightVitals`` asks for.
  public var during: SampleTime?
  /// Names of the only sources that count; all when empty.
  public var onlySources: [String] = []
  /// Names of sources that do not count.
  public var excludedSources: [String] = []
  /// The rule of means, if it is not the type's own.
  public var style: StyleChoice?
  /// The hold time of temporally weighted means, in seconds.
  public var hold: Double?
  /// Whether each source is answered alone, too.
  public var separatesSources = false
  /// Whether the answer says what each source counted.
  public var explains = false
  /// Whether sums and means are correctly rounded.
  public var isExact = false
  /// What is made of the intervals.
  public var derivation: Derivation?

  /// A time of which alone samples count.
  public enum SampleTime: String, Sendable, Hashable, CaseIterable {
    /// While a night was slept, without naps.
    case sleep
  }

  /// What is made of the intervals of an answer.
  public enum Derivation: Sendable, Hashable {
    /// One row for each weekday, hour of the day or month.
    case group(IntervalGroup)
    /// The mean of the last intervals beside each.
    case rolling(Int)
    /// The intervals with the largest numbers, or the smallest.
    case top(Int, least: Bool)
    /// The intervals between two bounds, or runs of them.
    case bounded(Bounds)
    /// Runs of intervals without a number; where the question has no end, up to the last sample of
    /// any type.
    case gaps
    /// How the numbers of the intervals are distributed over the period.
    case spread
    /// Each interval beside another.
    case compared(IntervalComparison)
  }

  /// Bounds of numbers as a person writes them: `10000`, `95 %`, `8h`.
  public struct Bounds: Sendable, Hashable {
    /// Numbers are this or more; none when `nil`.
    public var lower: String?
    /// Numbers are less than this; none when `nil`.
    public var upper: String?
    /// Whether runs of such intervals are wanted.
    public var findsStreaks: Bool

    /// Makes bounds.
    public init(lower: String? = nil, upper: String? = nil, findsStreaks: Bool = false) {
      (self.lower, self.upper, self.findsStreaks) = (lower, upper, findsStreaks)
    }
  }

  /// Makes a question; set other properties as needed.
  ///
  /// - Throws: `QueryError` for a name that cannot be read
  public init(types: [String], by interval: CalendarInterval? = nil) throws(QueryError) {
    self.types = []
    self.interval = interval
    for type in types { self.types.append(try TypeQuestion(type)) }
  }
}

extension Question {
  /// The same with the length of intervals that ``derivation`` is about, where it names none: days,
  /// and hours for groups of hours.
  ///
  /// A comparison without a length is one of the whole period.
  package var withInterval: Question {
    var question = self
    question.interval = interval ?? derivation?.interval
    return question
  }
}

extension Question.Derivation {
  /// The length of the intervals of which it is made unless a question says otherwise.
  fileprivate var interval: CalendarInterval? {
    switch self {
    case .compared: nil
    case .group(.hour): CalendarInterval(.hour)
    case .group, .rolling, .top, .bounded, .gaps, .spread: CalendarInterval(.day)
    }
  }

  /// The member that asks for it.
  package var member: String {
    switch self {
    case .group: "group"
    case .rolling: "rolling"
    case .top: "top"
    case .bounded(let bounds): bounds.lower == nil ? "below" : "above"
    case .gaps: "gaps"
    case .spread: "spread"
    case .compared: "compare"
    }
  }

  /// Makes what at most one of these members asks for; `nil` without any.
  ///
  /// - Throws: `QueryError` for members that exclude each other, and for one that another needs
  public static func of(
    group: IntervalGroup? = nil, rolling: Int? = nil, top: Int? = nil, least: Bool = false,
    above: String? = nil, below: String? = nil, streaks: Bool = false, gaps: Bool = false,
    spread: Bool = false, compare: IntervalComparison? = nil
  ) throws(QueryError) -> Self? {
    var found: [Self] = []
    if let group { found.append(.group(group)) }
    if let rolling { found.append(.rolling(rolling)) }
    if let top { found.append(.top(top, least: least)) }
    if above != nil || below != nil {
      found.append(
        .bounded(Question.Bounds(lower: above, upper: below, findsStreaks: streaks)))
    }
    if gaps { found.append(.gaps) }
    if spread { found.append(.spread) }
    if let compare { found.append(.compared(compare)) }
    if least, top == nil { throw QueryError(.missingMember("top")) }
    if streaks, above == nil, below == nil { throw QueryError(.missingMember("above")) }
    guard found.count < 2 else {
      throw QueryError(.membersExclude(found[0].member, found[1].member))
    }
    switch found.first {
    case .rolling(let count) where count < 1: throw QueryError(.wrongMember("rolling", .count))
    case .top(let count, _) where count < 1: throw QueryError(.wrongMember("top", .count))
    default: break
    }
    return found.first
  }
}

/// One type of a ``Question``, with what only it needs.
public struct TypeQuestion: Sendable, Hashable {
  /// The name: `steps`, `stepCount`, the full identifier, `sleep` for nights.
  public var name: String
  /// What of it: a statistic, or a column of nights such as `deep`; `nil` for the default.
  public var part: String?
  /// The statistics; the defaults of the type when `nil`.
  public var statistics: [Statistic]?
  /// The unit; when `nil` the preferred one, else the one most recorded.
  public var unit: String?
  /// The policy for overlapping sources.
  public var policy = MergePolicy.healthKit
  /// Names of sources that rank above all others, highest first.
  public var preferredSources: [String] = []

  /// Reads `heartRate`, `heartRate.max`, `bodyMass:lb` or `heartRate.max:count/s`.
  ///
  /// - Throws: `QueryError` for an empty name
  public init(_ text: String) throws(QueryError) {
    let named = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    let head = named.first ?? ""
    if named.count == 2 { unit = String(named[1]) }
    if head.hasPrefix("HK") || Catalogue.hasType(named: String(head)) {
      name = String(head)
    } else {
      let parts = head.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
      name = String(parts.first ?? "")
      if parts.count == 2 { part = String(parts[1]) }
    }
    guard !name.isEmpty else { throw QueryError(.missingMember("type")) }
    if let known = Catalogue.spokenName(name) { name = known }
  }

  /// Asks for a known type, with all defaults.
  public init(_ type: SampleType) { name = type.identifier }

  /// What stands for it in a table: `heartRate.max`.
  public var label: String { part.map { "\(name).\($0)" } ?? name }
}

/// With what intervals are compared.
public enum IntervalComparison: String, Sendable, Hashable, CaseIterable {
  /// The interval before.
  case previous
  /// The same interval a year before; a week is compared with the one 52 weeks before.
  case year
}

// MARK: - Nights, and single plans

extension TypeQuestion {
  /// Whether it asks for nights of sleep instead of samples of a type.
  package var isOfNights: Bool { name.lowercased() == "sleep" }
}

extension Question {
  /// Whether one plan answers it with all of its statistics: one type, of whose intervals nothing is
  /// made.
  package var hasOnePlan: Bool {
    types.count == 1 && derivation == nil && !types[0].isOfNights
  }

  /// Refuses members about one type's own numbers where more is asked, members that exclude each
  /// other, and averages of intervals that are too short.
  ///
  /// - Throws: `QueryError`
  func checkMembers() throws(QueryError) {
    if let average, !average.divides(interval) { throw QueryError(.intervalsTooShort(average)) }
    if explains, isExact { throw QueryError(.membersExclude("explain", "exact")) }
    // One type has rows of nights, for which no reader of intervals is asked.
    if during != nil { throw QueryError(.needsOneType(Member.during.rawValue)) }
    guard !hasOnePlan else { return }
    for (member, isGiven) in [("explain", explains), ("bySource", separatesSources)] where isGiven {
      throw types.allSatisfy(\.isOfNights)
        ? QueryError(.memberDoesNotFit(member, SleepPlan.type)) : QueryError(.needsOneType(member))
    }
  }

  /// The same with a column for each number of a night, where it asks for nights and nothing else.
  package var withParts: Question {
    guard types.count == 1, derivation == nil, let night = types.first, night.isOfNights,
      night.part == nil
    else { return self }
    var question = self
    question.types = NightPart.allCases.map { part in
      var type = night
      type.part = part.rawValue
      return type
    }
    return question
  }
}
