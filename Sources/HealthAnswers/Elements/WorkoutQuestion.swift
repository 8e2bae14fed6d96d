package import HealthQuery

/// What is asked of workouts in JSON, beside period, zones and sources: each of them, or totals.
///
/// ```json
/// {"activity": "running", "by": "month", "stat": "count,distance,pace,best5k"}
/// ```
package struct WorkoutQuestion: Sendable, Decodable {
  /// The members.
  package enum Member: String, CaseIterable {
    case activity, by, stat, kinds

    /// What the member is.
    package var facts: MemberFacts {
      switch self {
      case .activity: MemberFacts(.text, "The only activity: running, cycling, swimming.")
      case .by:
        MemberFacts(
          .text,
          "Totals of each hour, day, week, month, quarter, year, or a number of h, d, w, mo or y. Left "
            + "out: each workout.")
      case .stat:
        MemberFacts(
          someOf: WorkoutStatistic.allCases.map(\.rawValue),
          "With by what to compute; count, duration, distance and energy if left out.")
      case .kinds:
        MemberFacts(
          .count,
          "With by the kinds that took most time, so many, and all others together: a column of "
            + "each.")
      }
    }
  }

  /// The only activity, as a person names it.
  package let activity: String?
  /// The length of the intervals of totals; `nil` for each workout.
  package let interval: CalendarInterval?
  private let statistics: [WorkoutStatistic]
  private let kinds: Int?

  /// Decodes the members of an object that may have others.
  ///
  /// - Throws: `QueryError`, which names the member
  package init(from decoder: any Decoder) throws {
    let others = try? decoder.container(keyedBy: AnyKey.self).allKeys.map(\.stringValue)
    let members = try QuestionKeys<Member>(decoder, besides: others ?? [])
    activity = try members.text(.activity)
    interval = try members.word(.by, QuestionWords.interval)
    let texts = try members.texts(.stat)
    statistics =
      texts.isEmpty
      ? []
      : try QuestionWords.each(texts.joined(separator: ",")) { word throws(QueryError) in
        try QuestionWords.word(.statistic, word)
      }
    kinds = try members.count(.kinds)
    if interval == nil, !statistics.isEmpty || kinds != nil {
      throw QueryError(.missingMember(Member.by.rawValue))
    }
  }

  /// The plan of totals, or of which workouts are asked for.
  ///
  /// - Parameters:
  ///   - activity: ``activity`` as the store knows it
  ///   - dates: the period
  ///   - zones: the zones of its calendar
  /// - Returns: the plan
  package func plan(
    of activity: String?, over dates: QueryPeriod, in zones: ZoneTimeline
  ) -> WorkoutPlan {
    var plan = WorkoutPlan(
      ElementPeriod(timeZone: zones, interval: interval, from: dates.from, to: dates.to))
    plan.activity = activity
    if !statistics.isEmpty { plan.statistics = statistics }
    plan.kinds = kinds
    return plan
  }
}
