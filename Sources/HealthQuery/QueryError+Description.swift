public import Foundation
public import HealthMerge
public import HealthSamples
public import HealthStatistics
import HealthStore
public import HealthUnits

extension QueryError: LocalizedError, CodedError {
  /// What cannot be answered, why, and what to do.
  public var description: String {
    switch reason {
    case .unknownTimeZone(let name, let suggestions): Self.unknownTimeZone(name, suggestions)
    case .timeline(let line, let problem): "Line \(line) of the list of zones: \(problem)"
    case .noRecordedZone: "No sample names its time zone. Give a zone, or a list of zones."
    case .unreadableDate(let text, let suggestions): Self.unreadableDate(text, suggestions)
    case .notAMoment(let text):
      "\"\(Self.short(text))\" is no moment. Give a date, a time and an offset from UTC: "
        + "2026-11-28T03:06:00+01:00."
    case .dateOutOfRange: "A date lies outside of the years 1 to 9999."
    case .sampleOutOfRange:
      "The store is damaged: a sample lies outside of the years 1 to 9999. Give a period, or import "
        + "again into a new store."
    case .emptyPeriod:
      "The end of the period must come after its start: it is not included, so one day ends on the "
        + "next."
    case .tooManyIntervals(let limit):
      "That would be more than \(limit) intervals. Give longer ones, or a shorter period."
    case .notAQuantity(let type):
      "\(type.name) has categories, no numbers; ask for the durations of its values."
    case .notACategory(let type): "\(type.name) has no categories."
    case .averageDoesNotFit(let type):
      "Averages divide sums, and \(type.name) has means: ask for none."
    case .policyDoesNotFit(let policy, let type):
      "\(policy.rawValue) merges amounts; \(type.name) has categories, which take hk or none."
    case .tooManyValues(let limit):
      "The type has more than \(limit) different values, which no list of categories has."
    case .styleDoesNotFit(let style, let type):
      "\(style.meanMethod?.rawValue ?? style.rawValue) does not fit \(type.name), which is "
        + "\(type.style?.rawValue ?? "no quantity")."
    case .holdDoesNotFit(let allowed, let style):
      "A hold time is for temporally weighted means, up to \(Int(allowed.upperBound)) seconds; this "
        + "one is \(style.rawValue)."
    case .gapOutOfRange(let allowed):
      "The gap within a sleep is at most \(Int(allowed.upperBound)) seconds: two sleeps further "
        + "apart are two."
    case .incompatibleUnit(let unit, let canonical):
      "The type is measured in \(canonical), which does not convert to \(unit)."
    case .unit(let error, let name, let type):
      "\"\(Self.short(name))\" is no unit of \(type.name): \(error.explanation)."
    case .notExact(let policy):
      "\(policy.rawValue) takes rounded amounts away from one another, so its sums cannot be exact. "
        + "Ask for rounded ones, or merge by another policy."
    case .tooMuchToExplain:
      "There are too many sources, samples and intervals to say who masked what. Give a shorter "
        + "period or longer intervals."
    case .unknownWord(let term, let text, let suggestions, let known):
      "There is no \(term.rawValue) \"\(Self.short(text))\"."
        + NearNames.advice(suggestions)
        + " Use one of: \(known.joined(separator: ", "))."
    case .unknownType(let name, let suggestions):
      CatalogueError(name: name, suggestions: suggestions).description
    case .unknownSource(let name, let type, let suggestions):
      "There is no source \"\(Self.short(name))\"\(type.map { " of \($0.name)" } ?? "")."
        + NearNames.advice(suggestions)
    case .unknownActivity(let name, let suggestions, let known):
      "There is no activity \"\(Self.short(name))\"."
        + (!suggestions.isEmpty || known.isEmpty
          ? NearNames.advice(suggestions) : " Workouts here are: \(known.joined(separator: ", ")).")
    case .unreadableBound(let text):
      "\"\(Self.short(text))\" is no bound: give a number in the unit shown, or with its unit; of "
        + "times such as 8h or 90min."
    case .condition(let text, .nothingCompared(let key)):
      "\"\(Self.short(text))\" compares with nothing: give one of = != < <= > >= after "
        + "\(Self.short(key)), and a value."
    case .condition(let text, .noUUID): "\"\(Self.short(text))\" is no UUID."
    case .condition(let key, .noOrder):
      "\(Self.short(key)) is a text, which has no order; compare it with = or !=."
    case .condition(let text, .noNumber(let beginning)):
      "\"\(Self.short(text))\" is no number. Give one like \(Self.short(beginning))100, with a unit "
        + "after it if it is a quantity."
    case .condition(let name, .noUnit(let error)): "\"\(Self.short(name))\" is no unit: \(error)"
    case .notJSON:
      "A question is an object of JSON, such as {\"type\": \"steps\", \"by\": \"day\"}."
    case .wrongMember(let member, let form): "The member \(member) is \(form.rawValue)."
    case .missingMember(let member): "The question lacks \(member)."
    case .membersExclude(let one, let other): "Give either \(one) or \(other)."
    case .needsOneType(let member):
      "\(member) is about one type's own numbers: leave it out here."
    case .notMerged(let type):
      "An explanation says whose samples counted where sources overlap. \(type.name) is not merged: "
        + "all samples of all sources count. bySource gives each source alone."
    case .intervalsTooShort(let unit):
      "per \(unit.rawValue) divides \(unit.divided): give a longer length (by)."
    case .groupDoesNotFit(let group):
      "Groups by \(group.rawValue) need intervals of a \(group.longest.rawValue) or less."
    case .nightsNeedDays: "A night belongs to a day: give intervals of a day or more."
    case .notOfCategories(let statistic, let type):
      "\(statistic.rawValue) does not fit \(type.name), which has categories: duration, count."
    case .memberDoesNotFit(let member, let type): "\(type.name) has no \(member): leave it out."
    case .merge(let error): error.description
    case .memberOfAnother(let member, let analysis):
      "The analysis \(analysis) has no \(member)."
    case .analysis(let error): error.description
    case .store(let error): error.description
    case .statistics(let error): error.description
    }
  }

  /// The same for Foundation.
  public var errorDescription: String? { description }

  fileprivate static func short(_ text: String) -> String {
    text.count > 80 ? text.prefix(79) + "…" : text
  }

  private static func unreadableDate(_ text: String, _ suggestions: [String]) -> String {
    let advice =
      NearNames.question(suggestions)
      ?? "Give one like 2024-03-09, 2024-03, 2024, 2024-03-09T10:00, now, today, yesterday or -30d."
    return "\"\(short(text))\" is no date. \(advice)"
  }

  fileprivate static func unknownTimeZone(_ name: String, _ suggestions: [String]) -> String {
    let advice = NearNames.question(suggestions) ?? "Give one like Europe/Paris."
    return "There is no time zone \"\(short(name))\". \(advice)"
  }
}

extension QueryError.TimelineProblem: CustomStringConvertible {
  /// What is wrong with the line, and how to correct it.
  public var description: String {
    switch self {
    case .unknownTimeZone(let name, let suggestions):
      QueryError.unknownTimeZone(name, suggestions)
    case .unreadableDate(let text):
      "\"\(QueryError.short(text))\" is no date. Write a date like 2024-06-10 or 2024-06-10T14:05 "
        + "before the zone."
    case .missingDate: "only the first zone can do without a date."
    case .notAscending: "its moment is not after that of the line before; put the earliest first."
    case .noZone: "it has no zone. Write one a line, such as 2024-06-10T14:05 Asia/Tokyo."
    }
  }
}

// The core modules do not import Foundation, so their errors conform to LocalizedError here.

extension UnitError: LocalizedError {
  /// The description, for Foundation.
  public var errorDescription: String? { description }
}

extension CatalogueError: LocalizedError {
  /// The description, for Foundation.
  public var errorDescription: String? { description }
}

extension ColumnError: LocalizedError {
  /// The description, for Foundation.
  public var errorDescription: String? { description }
}

extension MergeError: LocalizedError {
  /// The description, for Foundation.
  public var errorDescription: String? { description }
}

extension StatisticsError: LocalizedError {
  /// The description, for Foundation.
  public var errorDescription: String? { description }
}
