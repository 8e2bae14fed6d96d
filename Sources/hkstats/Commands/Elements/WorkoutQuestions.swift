import ArgumentParser
import Foundation
import HealthAnswers
import HealthExchange
import HealthQuery
import HealthSamples
import HealthStore
import HealthUnits

/// The length of splits that is asked for.
enum SplitsArgument: Equatable, ExpressibleByArgument {
  /// The one in which distances are told.
  case usual
  case length(SplitLength)

  init?(argument: String) {
    guard let length = SplitLength(rawValue: argument) else { return nil }
    self = .length(length)
  }

  static var allValueStrings: [String] { SplitLength.allCases.map(\.rawValue) }
}

/// A condition on workouts, whose number may be in the unit that tables show.
enum WorkoutLimit {
  case known(WorkoutCondition)
  case shown(WorkoutStatistic, Comparison, Double)

  /// The condition, where tables have units.
  func condition(in units: ActivityUnits) throws -> WorkoutCondition {
    switch self {
    case .known(let condition): return condition
    case .shown(let statistic, let compares, let number):
      guard let known = statistic.unit, let shown = units.tableUnit(of: statistic) else {
        return .value(statistic, compares, number)
      }
      let conversion = try UnitConversion(from: UnitExpression(shown), to: UnitExpression(known))
      return .value(statistic, compares, conversion(number))
    }
  }
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

  @Option(
    help: ArgumentHelp(
      "No more than so many workouts: without --sort the newest, the newest first.",
      valueName: "count"))
  var limit: Int?

  @Option(
    name: .customLong("where"),
    help: ArgumentHelp(
      "Only workouts that are so: \"distance>10 km\", \"duration>45 min\", \"pace<6:00\", source=NAME. Repeat it to narrow.",
      valueName: "condition"),
    transform: Self.condition)
  var conditions: [WorkoutLimit] = []

  @Option(
    defaultAsFlag: SplitsArgument.usual,
    help: ArgumentHelp(
      "Each kilometre or mile of each workout along its route: time, pace, climb, descent, mean heart rate. Else the one in which distances are.",
      valueName: "km|mi"))
  var splits: SplitsArgument?

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
  func plan(
    activity: String?, over period: ElementPeriod, in units: ActivityUnits
  ) throws -> WorkoutPlan {
    var plan = WorkoutPlan(period)
    plan.activity = activity
    if !stat.isEmpty { plan.statistics = stat }
    plan.conditions = try conditions.map { try $0.condition(in: units) }
    plan.kinds = kinds
    return plan
  }

  /// The workouts that meet the conditions, in order, no more than the limit.
  func chosen(
    of workouts: [Workouts.Row], for plan: WorkoutPlan, in store: SampleStore
  ) throws -> [WorkoutFacts] {
    try store.workouts(
      workouts.filter(plan.isAsked), meeting: plan.conditions, by: sort?.statistic, order: order,
      limit: limit)
  }

  /// The direction of the order; `nil` for all in the order of time.
  private var order: SortOrder? {
    guard let sort else { return limit == nil ? nil : .reverse }
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
  private static func condition(_ text: String) throws -> WorkoutLimit {
    let words = ConditionText(text)
    let (key, value) = (words.key, words.value)
    guard let sign = words.comparison else {
      throw ValidationError("give one of = != < <= > >= and a value, such as \"distance>10 km\"")
    }
    if key == "source" {
      switch sign {
      case .equal: return .known(.source(named: value))
      case .notEqual: return .known(.notSource(named: value))
      default: throw ValidationError("a source has no order; compare it with = or !=")
      }
    }
    guard let statistic = numbers.first(where: { $0.rawValue == key }) else {
      throw ValidationError(
        DidYouMean.text(
          "condition on", key, among: ["source"] + numbers.map(\.rawValue), synonyms: synonyms))
    }
    if let seconds = stopwatch(value) {
      // Tables show a pace for a kilometre or a mile.
      return statistic == .pace
        ? .shown(statistic, sign, seconds / 60) : .known(.value(statistic, sign, seconds))
    }
    do throws(Failure) {
      try TypedNumber.check(value)
    } catch {
      throw ValidationError(error.message)
    }
    let digits = value.prefix { $0.isASCII && ($0.isNumber || ".,-+".contains($0)) }
    let name = value[digits.endIndex...].trimmingCharacters(in: .whitespaces)
    guard let number = DisplayUnit(.null).stored(digits) else {
      throw ValidationError("\"\(value.printable.truncated(to: 40))\" is no number")
    }
    // Numbers without a unit mean what tables show.
    guard !name.isEmpty else { return .shown(statistic, sign, number) }
    do throws(UnitError) {
      let conversion = try UnitConversion(
        from: UnitExpression(colloquial: name), to: UnitExpression(statistic.unit ?? ""))
      return .known(.value(statistic, sign, conversion(number)))
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

extension ActivityUnits {
  /// The unit of a number that a person writes without one: that of tables.
  fileprivate func tableUnit(of statistic: WorkoutStatistic) -> String? {
    switch statistic {
    case .duration, .best1k, .best5k, .best10k: "min"
    case .pace: "min/\(splitLength.rawValue)"
    case .count, .distance, .energy, .speed, .elevation, .heartRate, .heartRateMax:
      name(of: statistic)
    }
  }
}
