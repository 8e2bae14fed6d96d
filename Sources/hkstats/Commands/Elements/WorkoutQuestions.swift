import ArgumentParser
import Foundation
import HealthExchange
import HealthQuery
import HealthSamples
import HealthStore
import HealthUnits

/// The length of a split.
enum SplitLength: String, ExpressibleByArgument, CaseIterable {
  case km, mi

  var metres: Double { self == .km ? 1000 : 1609.344 }
}

/// What `workouts` can be asked beside the list: totals, an order, conditions, splits.
struct WorkoutQuestions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Totals of each hour, day, week, month, quarter, year, or a number of min, h, d, w, mo or y; those without workouts are there, too.",
      valueName: "interval"),
    completion: .intervals, transform: QuestionWords.interval)
  var by: CalendarInterval?

  @Option(
    help: ArgumentHelp(
      "With --by what to compute, with commas between: count, duration, distance, energy, pace, speed, elevation, heartRate, heartRateMax, best1k, best5k, best10k.",
      valueName: "list"),
    transform: Self.statistics)
  var stat: [WorkoutStatistic] = []

  @Option(
    help: ArgumentHelp(
      "With --by the kinds that took most time, so many, and all others together: their time in columns of their own, and all of --stat in json.",
      valueName: "count"))
  var kinds: Int?

  @Option(
    help: ArgumentHelp(
      "The order: start, duration, distance, energy, pace, speed, elevation, heartRate, heartRateMax, best1k, best5k or best10k. Best times and paces begin with the quickest, all others with the largest or latest.",
      valueName: "key"),
    transform: Self.key)
  var sort: WorkoutSort?

  @Flag(help: "With --sort the smallest or earliest first.")
  var ascending = false

  @Flag(help: "With --sort the largest or latest first: --sort pace --descending is slowest first.")
  var descending = false

  @Option(help: ArgumentHelp("At most so many workouts.", valueName: "count"))
  var limit: Int?

  @Option(
    name: .customLong("where"),
    help: ArgumentHelp(
      "Only workouts that are so: \"distance>10 km\", \"duration>45 min\", \"pace<6:00\", source=NAME. Repeat it to narrow.",
      valueName: "condition"),
    transform: Self.condition)
  var conditions: [WorkoutCondition] = []

  @Option(
    defaultAsFlag: SplitLength.km,
    help: ArgumentHelp(
      "Each kilometre, or with mi each mile, of each workout along its route: time, pace, climb, descent, mean heart rate.",
      valueName: "km|mi"))
  var splits: SplitLength?

  @Flag(
    help:
      "The places of routes, each 25 km around the first: how many routes, their length, the first and the last."
  )
  var places = false

  func validate() throws {
    if let limit, limit < 0 { throw ValidationError("--limit must not be negative.") }
    for (name, isGiven) in [("--ascending", ascending), ("--descending", descending)]
    where isGiven && sort == nil {
      throw ValidationError("\(name) needs --sort.")
    }
    if ascending, descending {
      throw ValidationError("Give one of --ascending and --descending.")
    }
    if by == nil, !stat.isEmpty { throw ValidationError("--stat needs --by.") }
    if by == nil, kinds != nil { throw ValidationError("--kinds needs --by.") }
    if let kinds, kinds < 0 { throw ValidationError("--kinds must not be negative.") }
    if places, by != nil || splits != nil {
      throw ValidationError("Give one of --by, --splits and --places.")
    }
    if by != nil {
      for (name, isGiven) in [
        ("--sort", sort != nil), ("--limit", limit != nil), ("--splits", splits != nil),
      ] where isGiven {
        throw ValidationError(
          "Give either --by or \(name): an interval has no workouts of its own.")
      }
    }
  }

  /// The plan of totals of a period.
  func plan(activity: String?, over period: ElementPeriod) -> WorkoutPlan {
    var plan = WorkoutPlan(period)
    plan.activity = activity
    if !stat.isEmpty { plan.statistics = stat }
    plan.conditions = conditions
    plan.kinds = kinds
    return plan
  }

  /// The workouts that meet the conditions, in order, no more than the limit.
  func chosen(of workouts: [Workouts.Row], in store: SampleStore) throws -> [WorkoutFacts] {
    try store.workouts(
      workouts, meeting: conditions, by: sort?.statistic, order: order, limit: limit)
  }

  /// The direction of the order; `nil` where none is asked for.
  private var order: SortOrder? {
    guard let sort else { return nil }
    if ascending { return .forward }
    return descending ? .reverse : sort.statistic?.usualOrder ?? .reverse
  }
}

/// The key of the order of workouts.
enum WorkoutSort: Hashable {
  case start
  case value(WorkoutStatistic)

  /// The number; `nil` for the start.
  var statistic: WorkoutStatistic? {
    if case .value(let statistic) = self { statistic } else { nil }
  }
}

extension WorkoutQuestions {
  private static let numbers = WorkoutStatistic.allCases.filter { $0 != .count }

  /// What other programs call a statistic.
  private static let synonyms = [
    "time": "duration", "km": "distance", "miles": "distance", "calories": "energy",
    "kcal": "energy", "climb": "elevation", "ascent": "elevation", "number": "count",
    "sum": "duration", "hr": "heartRate", "date": "start", "length": "distance",
  ]

  /// What `--stat` asks of workouts.
  static func statistics(_ text: String) throws -> [WorkoutStatistic] {
    let asked = try text.split(separator: ",", omittingEmptySubsequences: false).map { word in
      let name = word.trimmingCharacters(in: .whitespaces)
      guard let statistic = WorkoutStatistic(rawValue: name) else {
        throw ValidationError(
          DidYouMean.text(
            "statistic of workouts", name, among: WorkoutStatistic.allCases.map(\.rawValue),
            synonyms: synonyms))
      }
      return statistic
    }
    var seen: Set<WorkoutStatistic> = []
    return asked.filter { seen.insert($0).inserted }
  }

  private static func key(_ text: String) throws -> WorkoutSort {
    if text == "start" { return .start }
    if let statistic = numbers.first(where: { $0.rawValue == text }) { return .value(statistic) }
    throw ValidationError(
      DidYouMean.text(
        "order of workouts", text, among: ["start"] + numbers.map(\.rawValue), synonyms: synonyms))
  }

  /// A condition such as `distance>10 km`.
  private static func condition(_ text: String) throws -> WorkoutCondition {
    let words = ConditionText(text)
    let (key, value) = (words.key, words.value)
    guard let sign = words.comparison else {
      throw ValidationError("give one of = != < <= > >= and a value, such as \"distance>10 km\"")
    }
    if key == "source" {
      switch sign {
      case .equal: return .source(named: value)
      case .notEqual: return .notSource(named: value)
      default: throw ValidationError("a source has no order; compare it with = or !=")
      }
    }
    guard let statistic = numbers.first(where: { $0.rawValue == key }) else {
      throw ValidationError(
        DidYouMean.text(
          "condition on", key, among: ["source"] + numbers.map(\.rawValue), synonyms: synonyms))
    }
    return .value(statistic, sign, try number(value, of: statistic))
  }

  /// A number in the unit of a statistic: with a unit after it, or in the unit of tables.
  private static func number(_ text: String, of statistic: WorkoutStatistic) throws -> Double {
    if let seconds = stopwatch(text) { return seconds }
    let digits = text.prefix { $0.isASCII && ($0.isNumber || ".-+".contains($0)) }
    let rest = text[digits.endIndex...].trimmingCharacters(in: .whitespaces)
    guard let number = Double(digits), number.isFinite else {
      throw ValidationError("\"\(text.printable.truncated(to: 40))\" is no number")
    }
    // Numbers without a unit mean what tables show.
    let name = rest.isEmpty ? statistic.shownUnit : rest
    guard let name else { return number }
    let known = statistic.unit ?? ""
    do throws(UnitError) {
      return try UnitConversion(
        from: UnitExpression(colloquial: name), to: UnitExpression(colloquial: known))(number)
    } catch {
      throw ValidationError(
        "\"\(name.printable.truncated(to: 40))\" is no unit of \(statistic.rawValue): \(error)")
    }
  }

  /// Seconds of `5:30` or `1:02:03`.
  private static func stopwatch(_ text: String) -> Double? {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard (2...3).contains(parts.count) else { return nil }
    let numbers = parts.compactMap { Double($0) }
    guard numbers.count == parts.count, numbers.allSatisfy({ $0 >= 0 && $0.isFinite }) else {
      return nil
    }
    return numbers.reduce(0) { $0 * 60 + $1 }
  }
}

extension WorkoutStatistic {
  /// The unit of a number that a person writes without one.
  fileprivate var shownUnit: String? {
    switch self {
    case .count: nil
    case .duration, .best1k, .best5k, .best10k: "min"
    case .distance: "km"
    case .speed: "km/hr"
    case .pace: "min/km"
    case .energy, .elevation, .heartRate, .heartRateMax: unit
    }
  }
}
