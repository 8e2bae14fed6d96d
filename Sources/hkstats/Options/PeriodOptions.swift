import ArgumentParser
import HealthAnswers
import HealthExchange
import HealthQuery
import HealthStore

/// The period, and its time zones.
struct PeriodOptions: ParsableArguments {
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "The first moment: 2024-03-09, 2024-03, 2024, 2024-03-09T10:00, 2024-03-09T10:00+01:00, now, today, yesterday, -36h, \"30 days ago\", or -30d: the last 30 days, today included.",
      valueName: "date"))
  var from: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "The end, which is not included: --to 2024-04 is all of March. Without it --from -7d, yesterday and the like end with today, any other with the data.",
      valueName: "date"))
  var to: String?

  @OptionGroup var zone: ZoneOptions

  /// The edges, in the wall clock of the zones.
  func dates(in zones: ZoneTimeline, of store: SampleStore) throws(QueryError) -> QueryPeriod {
    try QueryPeriod(from: from, to: to, in: zones, now: store.now.instant)
  }

  /// The question about types in this period.
  func question(
    of types: [TypeQuestion], by interval: CalendarInterval?, in store: SampleStore
  ) throws -> Question {
    var question = try Question(types: [], by: interval)
    (question.types, question.from, question.to) = (types, from, to)
    question.zones = try zone.zones(in: store)
    return question
  }

  /// The period, which defaults to all time.
  func period(in zones: ZoneTimeline, of store: SampleStore) throws(QueryError) -> StoredPeriod {
    StoredPeriod(range: try dates(in: zones, of: store).range, zones: zones)
  }
}

/// Whether intervals and samples end with the period.
struct ClipOption: ParsableArguments {
  @Flag(help: "Exactly the period: intervals are cut at --from and --to, and so are samples.")
  var clip = false

  /// Rejects a cut where nothing begins or ends.
  func check(_ period: PeriodOptions) throws {
    if clip, period.from == nil, period.to == nil {
      throw ValidationError("--clip cuts at --from and --to: give one of them.")
    }
  }
}

/// Sums divided by their days or hours.
struct AverageOption: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Sums by day or hour, too: the mean of the whole days or hours that have data, and how many these are.",
      valueName: "day|hour"),
    completion: .list(["day", "hour"]), transform: QuestionWords.average)
  var per: AverageColumns.Unit?

  /// Rejects intervals that hold no whole day or hour.
  func check(_ interval: CalendarInterval?) throws {
    guard let per, !per.divides(interval) else { return }
    throw ValidationError(Failure(QueryError(.intervalsTooShort(per))).message)
  }
}
