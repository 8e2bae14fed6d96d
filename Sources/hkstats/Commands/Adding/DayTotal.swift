import HealthExchange
import HealthQuery
import HealthSamples
import HealthStatistics
import HealthStore
import HealthUnits

/// The total of the days of a new sample, before or after it is saved.
struct DayTotal {
  private let answer: StatisticsAnswer
  private let sum: Double
  private let first: String

  /// Asks a store; `nil` for a type without totals, and for a sample that lasts too long.
  init?(of sample: NewSample, in store: SampleStore, _ zones: ZoneTimeline) throws {
    guard sample.type.style?.isCumulative == true,
      sample.end - sample.start < Self.mostSeconds
    else { return nil }
    let days = [sample.start, sample.end].map { LocalTime($0, in: zones).date.dayNumber }
    func date(_ day: Int) throws -> QueryDate {
      try QueryDate(
        LocalTime.text(of: CivilDate(dayNumber: day)), in: zones, now: sample.start)
    }
    var plan = StatisticsPlan(type: sample.type, timeZone: zones)
    plan.interval = CalendarInterval(.day)
    (plan.from, plan.to) = (try date(days[0]), try date(days[1] + 1))
    plan.statistics = [.sum]
    plan.explains = true
    answer = try store.statistics(plan)
    sum = (answer.intervals[raw: .sum] ?? []).reduce(0, +)
    first = LocalTime.text(of: CivilDate(dayNumber: days[0]))
  }

  private static let mostSeconds = 31 * Double.secondsPerDay

  /// What the person does not expect of the total after the sample was saved; `nil` where it grew by
  /// the sample.
  func surprise(after: DayTotal, of spoken: SpokenSample) -> String? {
    let unit = DisplayUnit(after.answer.unit)
    guard let recorded = spoken.unit,
      let added = try? UnitConversion(from: recorded.unit, to: unit.unit)(spoken.sample.value),
      let before = try? UnitConversion(from: answer.unit, to: unit.unit)(sum)
    else { return nil }
    let expected = before + added
    guard (after.sum - expected).magnitude > 1e-6 * max(1, expected.magnitude) else { return nil }
    let own = Source(name: spoken.sample.source.name, isUserEntered: true)
    let (old, new) = (unit.text(before), unit.text(after.sum))
    let change =
      after.sum == before
      ? "stays \(new)" : "\(after.sum < before ? "falls" : "grows only") from \(old) to \(new)"
    let masked = after.answer.contributions.filter { contribution in
      contribution.source != own
        && contribution.maskedBy.contains { $0.source == own && $0.amounts.contains { $0 != 0 } }
    }
    let masking = after.answer.contributions.filter { $0.source == own }
      .flatMap(\.maskedBy).filter { $0.amounts.contains { $0 != 0 } }
    func names(_ sources: [Source]) -> String {
      Set(sources).sorted().map(\.shortName).joined(separator: ", ")
    }
    let reason =
      !masked.isEmpty
      ? "\(own.shortName) ranks above \(names(masked.map(\.source))) and masks it at that time"
      : !masking.isEmpty
        ? "\(names(masking.map(\.source))) ranks above it and masks it at that time"
        : "sources overlap at that time"
    let name = TypeName.short(spoken.sample.type.identifier)
    return "the \(name) of \(first) \(change): \(reason); hkstats stats \(name) --by day --from "
      + "\(first) --explain says more."
  }
}
