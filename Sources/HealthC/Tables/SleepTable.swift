import HealthAnswers
import HealthExchange
import HealthQuery
import HealthStore

/// Nights of sleep, or the means of weeks or months, as a table.
///
/// ```json
/// {"from": "-30d", "by": "night", "gap": "90min", "stretches": true}
/// ```
///
/// What json has as lists are lists here, too; `stretches` only where it is asked for.
enum SleepTable {
  enum Member: String, RequestMember {
    case from, to, timezone, zones, source, exclude, prefer, gap, by, stretches

    var own: MemberFacts? {
      switch self {
      case .gap:
        MemberFacts(.duration, "How long a night is interrupted at most: 90min, or seconds.")
      case .by:
        MemberFacts(
          oneOf: Grouping.allCases.map(\.rawValue),
          "Each night, or the means of each week or month; night if left out.")
      case .stretches: MemberFacts(.truth, "Each night has the list of its stages.")
      case .from, .to, .timezone, .zones, .source, .exclude, .prefer: nil
      }
    }
  }

  /// What has a row.
  private enum Grouping: String, CaseIterable {
    case night, week, month

    var period: SleepAverages.Period? { SleepAverages.Period(rawValue: rawValue) }
  }

  /// Asks a store.
  ///
  /// - Throws: `QueryError`
  static func answer(json: String, in store: SampleStore) throws -> FoundTable {
    let members = try QuestionKeys<Member>(json: json)
    let part = try RequestedPart(members, in: store)
    var plan = SleepPlan(timeZone: part.zones)
    (plan.from, plan.to) = (part.asked.from, part.asked.to)
    plan.preferredSources = try members.texts(.prefer)
    if let gap = try members.seconds(.gap) { plan.longestGap = gap }
    let grouping: Grouping =
      try members.word(.by) { try QuestionWords.word(.interval, $0) }
      ?? .night
    let stretches = try members.truth(.stretches)
    if let period = grouping.period { try plan.reach(over: period) }
    let answer = try part.store.sleep(plan)
    try part.store.endWatching()
    let unmatched = answer.unmatchedPreferredSources.map(JSON.string)
    return FoundTable(
      answer.table(by: grouping.period, stretches: stretches),
      trailing: [.init("unmatched", .array(unmatched))]
        + JSON.Member.leftOut(
          answer.leftOut.sentence(by: CalendarInterval(.day), in: answer.timeZone)))
  }
}
