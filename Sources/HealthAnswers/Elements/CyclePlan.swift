public import HealthAnalysis
public import HealthQuery
import HealthSamples
public import HealthStore

/// A question about menstrual cycles: the first day, the length and the days of flow of each.
///
/// A cycle begins on the day of a sample of menstrual flow whose metadata say so
/// (`HKMenstrualCycleStart`, which HealthKit requires of each:
/// https://developer.apple.com/documentation/healthkit/hkmetadatakeymenstrualcyclestart). Where the
/// samples of a day say neither yes nor no, as those of other programs, it begins on a day of flow
/// after at least ``gap`` days without. It ends the day before the next one begins.
public struct CyclePlan: Sendable, Hashable, Codable {
  /// The period in which cycles begin; its interval is ignored.
  public var period: ElementPeriod
  /// The least number of days without flow before a cycle whose samples do not say that it begins.
  ///
  /// The default lies between the breaks within a period and the 16 days that the shortest normal
  /// cycle leaves after the longest normal period: 24 and 8 days by the definitions of FIGO (Munro,
  /// Critchley, Fraser 2018, International Journal of Gynecology and Obstetrics 143: 393).
  public var gap = MenstrualCycles.defaultBridging + 1

  /// Makes a plan.
  public init(_ period: ElementPeriod) { self.period = period }
}

/// A day of menstrual flow, as samples tell it.
public struct FlowDay: Sendable, Hashable {
  /// The local date, as days since 2001-01-01.
  public let day: Int
  /// Whether a cycle begins on it; `nil` where no sample says.
  public let beginsCycle: Bool?

  /// Makes a day.
  public init(day: Int, beginsCycle: Bool?) { (self.day, self.beginsCycle) = (day, beginsCycle) }
}

extension CyclePlan {
  /// The longest sample that counts, in days: longer ones are mistakes.
  static let longestSample = 60

  /// The cycles of days of flow.
  ///
  /// Of several samples of a day one that says yes is enough, and one that says no decides against
  /// those that say nothing.
  ///
  /// - Throws: `QueryError` for a gap of no days, or a day of more than 10 million
  /// - Complexity: O(*n* log *n*)
  public func cycles(_ days: [FlowDay]) throws(QueryError) -> MenstrualCycles {
    var said: [Int: Bool] = [:]
    for day in days {
      guard let begins = day.beginsCycle else { continue }
      said[day.day] = said[day.day] == true || begins
    }
    do throws(AnalysisError) {
      guard gap >= 1 else {
        throw AnalysisError(.parameter(name: "gap", range: "1 day or more"))
      }
      return try MenstrualCycles(flowDays: days.map(\.day), marks: said, bridging: gap - 1)
    } catch {
      throw QueryError(.analysis(error))
    }
  }

  /// Answers from all days of flow: `length` in days, unknown of the last cycle, and `flowDays`.
  ///
  /// A row ends with its cycle, the last one with its last day of flow.
  ///
  /// - Throws: `QueryError` for an invalid period
  public func answer(_ days: [FlowDay]) throws(QueryError) -> ElementColumns {
    let cycles = try cycles(days)
    let clock = clock(over: cycles)
    let asked = try begun(cycles).cycles
    var answer = ElementColumns(
      "cycles", rows: .elements, in: period.timeZone,
      starts: asked.map { clock.instant(ofDay: $0.firstDay, seconds: 0) },
      ends: asked.map { clock.instant(ofDay: $0.endDay, seconds: 0) })
    answer.add("length", unit: "d", .numbers(asked.map { $0.length.map(Double.init) }))
    answer.add("flowDays", unit: "d", .numbers(asked.map { Double($0.flowDayCount) }))
    return answer
  }

  /// The cycles that begin in the period.
  ///
  /// - Throws: `QueryError` for an invalid period
  func begun(_ cycles: MenstrualCycles) throws(QueryError) -> MenstrualCycles {
    let range = try ElementPeriod(timeZone: period.timeZone, from: period.from, to: period.to)
      .range()
    let clock = clock(over: cycles)
    return cycles.keeping { range.contains(clock.instant(ofDay: $0.firstDay, seconds: 0)) }
  }

  /// The clock from the first day of cycles to the last.
  func clock(over cycles: MenstrualCycles) -> WallClock {
    let first = Double(cycles.cycles.first?.firstDay ?? 0) * .secondsPerDay
    let last = Double((cycles.cycles.last?.lastFlowDay ?? 0) + 1) * .secondsPerDay
    return WallClock(of: period.timeZone, over: min(first, last)...max(first, last))
  }
}

extension MenstrualCycles.Cycle {
  /// The first day of the next cycle or, of the last one, the day after its last day of flow.
  var endDay: Int { length.map { firstDay + $0 } ?? lastFlowDay + 1 }
}

extension SampleStore {
  /// Answers a question about menstrual cycles.
  ///
  /// - Throws: `QueryError`, with `QueryError.Reason.store` for errors of the store
  /// - Complexity: O(*n* log *n*) for all samples of menstrual flow
  public func cycles(_ plan: CyclePlan) throws(QueryError) -> ElementColumns {
    try oneState { () throws(QueryError) in
      try plan.answer(flowDays(of: plan))
    }
  }

  /// All days of menstrual flow.
  func flowDays(of plan: CyclePlan) throws(QueryError) -> [FlowDay] {
    plan.flowDays(
      of: try stored { () throws(StoreError) in try records(of: SampleType(.menstrualFlow)) })
  }
}

extension CyclePlan {
  /// The days of flow that samples cover; a sample without flow covers none.
  func flowDays(of batches: [RecordColumns]) -> [FlowDay] {
    // HKCategoryValueMenstrualFlow: unspecified, light, medium, heavy; 5 is none.
    let flows = 1.0...4
    let instants = batches.flatMap { $0.starts + $0.ends }
    guard let first = instants.min(), let last = instants.max() else { return [] }
    let clock = WallClock(of: period.timeZone, over: first...last)
    var days: [FlowDay] = []
    for batch in batches {
      let begins = batch.metadataTable.map { entries in
        entries.entries.first { $0.key == "HKMenstrualCycleStart" }.flatMap { entry -> Bool? in
          if case .number(let number) = entry.typed { number != 0 } else { nil }
        }
      }
      for row in 0..<batch.count where flows.contains(batch.values[row]) {
        let (start, end) = (batch.starts[row], batch.ends[row])
        let day = clock.day(containing: start)
        let final = end > start ? clock.day(containing: end.nextDown) : day
        let says = begins[Int(batch.metadata[row])]
        for covered in day...min(final, day + Self.longestSample) {
          // A cycle begins on the first day of a sample alone.
          days.append(
            FlowDay(day: covered, beginsCycle: covered == day ? says : says.map { _ in false }))
        }
      }
    }
    return days
  }
}
