import HealthMerge
import HealthQuery
import HealthReport
import HealthSamples
import HealthUnits

/// What people need to read beside the numbers of an answer.
enum StatisticsCaptions {
  /// The unit for people, who read a fraction as a percentage.
  static func unit(_ unit: UnitExpression, of type: SampleType) -> String {
    TypeName.unit(unit, of: type)
  }

  /// The factor from a value to the value shown in ``unit(_:of:)``.
  static func scale(_ unit: UnitExpression) -> Double { DisplayUnit(unit).scale }

  /// The line above a table or chart.
  static func title(of answer: StatisticsAnswer, isChart: Bool = false) -> String {
    let vocabulary = Vocabulary.current
    var parts = [TypeName.title(answer.type.identifier)]
    let unit = unit(answer.unit, of: answer.type)
    if !unit.isEmpty { parts.append(vocabulary.caption("in {0}", unit)) }
    if let averages = answer.averages, isChart {
      parts.append(vocabulary.word("per \(averages.unit.rawValue)"))
    }
    parts.append(Self.zones(answer.timeZone))
    if answer.style.isCumulative {
      parts.append(vocabulary.word(merged(answer.policy)))
    }
    return parts.joined(separator: ", ")
  }

  /// The name of what is shown, with the intervals that it is shown by.
  static func by(_ interval: CalendarInterval?, _ name: String) -> String {
    guard let unit = interval?.alignment?.rawValue else { return name }
    return Vocabulary.current.caption("{0} by \(unit)", name)
  }

  /// What the single-query rule means.
  static let singleRule = "One interval over whole samples; give --by for intervals."

  /// What merging as HealthKit does means for those whose samples do not count.
  static let masking =
    "Where several sources recorded the same time, only the highest of them counts; masked is what a "
    + "lower one recorded in that time, which is in no sum, and maskedBy says whose record counted "
    + "instead."

  /// The order in which sources are believed.
  static func order(of priority: [Source]) -> String {
    let names = priority.map(\.shortName).joined(separator: ", then ")
    return "Where sources overlap, believed in this order: \(names)."
  }

  /// The zones that days are of, in few words.
  static func zones(_ zones: ZoneTimeline) -> String {
    guard let last = zones.changes.last else { return zones.identifier }
    let changes = AmountText.count(zones.changes.count, "change")
    return "\(zones.first.name) to \(last.zone.name) with \(changes) of zone"
  }

  private static func merged(_ policy: MergePolicy) -> String {
    switch policy {
    case .healthKit: "merged"
    case .healthConnect: "merged as Health Connect does"
    case .subtractive, .drop: "merged (\(policy.rawValue))"
    case .highest: "the highest source of each interval"
    case .unmerged: "raw sum of all sources"
    }
  }

  /// The lines below a table or chart.
  static func notes(of answer: StatisticsAnswer) -> [String] {
    var notes: [String] = []
    if answer.style.isCumulative, answer.policy != .unmerged, answer.priority.count > 1 {
      notes.append(order(of: answer.priority))
    }
    if answer.rule == .single {
      notes.append(singleRule)
    }
    if let unit = answer.averages?.unit.rawValue {
      notes.append("per \(unit): the mean of the whole \(unit)s that have data.")
    }
    return notes + StatisticsMethods(answer: answer).notes
  }
}
