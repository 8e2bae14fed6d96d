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
  public var gap = 10

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

  /// The first day, the days to the next cycle and the days of flow of each cycle.
  ///
  /// - Complexity: O(*n* log *n*)
  public func cycles(
    _ days: [FlowDay]
  ) -> [(first: Int, length: Int?, flowDays: Int, lastFlow: Int)] {
    var said: [Int: Bool?] = [:]
    for day in days {
      let known = said[day.day] ?? nil
      // One sample that says yes is enough.
      said[day.day] = .some(known == true ? true : day.beginsCycle ?? known)
    }
    let flow = said.keys.sorted()
    var cycles: [(first: Int, length: Int?, flowDays: Int, lastFlow: Int)] = []
    for (place, day) in flow.enumerated() {
      let isAfterGap = place == 0 || day - flow[place - 1] > gap
      if (said[day] ?? nil) ?? isAfterGap {
        if let last = cycles.indices.last { cycles[last].length = day - cycles[last].first }
        cycles.append((first: day, length: nil, flowDays: 1, lastFlow: day))
      } else if let last = cycles.indices.last {
        cycles[last].flowDays += 1
        cycles[last].lastFlow = day
      }
    }
    return cycles
  }

  /// Answers from all days of flow: `length` in days, unknown of the last cycle, and `flowDays`.
  ///
  /// A row ends with its cycle, the last one with its last day of flow.
  ///
  /// - Throws: ``QueryError`` for an invalid period
  public func answer(_ days: [FlowDay]) throws(QueryError) -> ElementColumns {
    let range = try ElementPeriod(timeZone: period.timeZone, from: period.from, to: period.to)
      .range()
    let cycles = cycles(days)
    let first = Double(cycles.first?.first ?? 0) * 86_400
    let last = Double((cycles.last?.lastFlow ?? 0) + 1) * 86_400
    let clock = WallClock(of: period.timeZone, over: min(first, last)...max(first, last))
    func midnight(_ day: Int) -> Double { clock.instant(ofDay: day, seconds: 0) }
    let asked = cycles.filter { range.contains(midnight($0.first)) }
    var answer = ElementColumns(
      "cycles", rows: .elements, in: period.timeZone, starts: asked.map { midnight($0.first) },
      ends: asked.map { cycle in
        midnight(cycle.length.map { cycle.first + $0 } ?? cycle.lastFlow + 1)
      })
    answer.add("length", unit: "d", .numbers(asked.map { $0.length.map(Double.init) }))
    answer.add("flowDays", unit: "d", .numbers(asked.map { Double($0.flowDays) }))
    return answer
  }
}

extension SampleStore {
  /// Answers a question about menstrual cycles.
  ///
  /// - Throws: `QueryError`, with `QueryError.Reason.store` for errors of the store
  /// - Complexity: O(*n* log *n*) for all samples of menstrual flow
  public func cycles(_ plan: CyclePlan) throws(QueryError) -> ElementColumns {
    try oneState { () throws(QueryError) in
      let batches = try stored { () throws(StoreError) in
        try records(of: SampleType(.menstrualFlow))
      }
      return try plan.answer(plan.flowDays(of: batches))
    }
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
