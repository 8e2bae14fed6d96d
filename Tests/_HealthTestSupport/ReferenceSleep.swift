public import HealthSamples

/// The slow twin of nights: asks of each quarter of an hour what the person did.
public struct ReferenceSleep {
  /// One sleep.
  public struct Session: Equatable {
    /// First and last quarter with anything, the last one not included.
    public var start: Int
    public var end: Int
    /// The quarters asleep.
    public var asleepQuarters: [Int] = []
    /// Quarters by stage: 1 to 5 as HealthKit numbers them.
    public var stages: [Int: Int] = [:]
    /// Quarters with a sample that says in bed.
    public var inBedQuarters = 0
    /// Quarters with anything.
    public var quarters = 0
    /// Quarters asleep by source: what counts, and what it would be alone.
    public var counted: [Source: Int] = [:]
    public var alone: [Source: Int] = [:]

    /// Where the sleep ends.
    public var wake: Int { asleepQuarters.last.map { $0 + 1 } ?? end }
  }

  public let sessions: [Session]

  /// `rows` stand at quarters of an hour, counted from 0; `order` is from the highest rank down.
  public init(rows: [SampleColumns.Row], order: [Source], quarters: Range<Int>, gap: Int) {
    var sessions: [Session] = []
    for quarter in quarters {
      let open = rows.filter { $0.start <= Double(quarter) && Double(quarter + 1) <= $0.end }
      let staged = open.filter { $0.value != 0 }
      let speaker = order.first { source in staged.contains { $0.source == source } }
      let said = staged.filter { $0.source == speaker }.map { Int($0.value) }
      let stage = [4, 5, 3, 1, 2].first { said.contains($0) }
      let isInBed = open.contains { $0.value == 0 }
      guard stage != nil || isInBed else { continue }
      if sessions.isEmpty || quarter - sessions[sessions.count - 1].end > gap {
        sessions.append(Session(start: quarter, end: quarter))
      }
      var session = sessions.removeLast()
      session.end = quarter + 1
      session.quarters += 1
      session.inBedQuarters += isInBed ? 1 : 0
      if let stage {
        session.stages[stage, default: 0] += 1
        if stage != 2, let speaker {
          session.asleepQuarters.append(quarter)
          session.counted[speaker, default: 0] += 1
        }
      }
      for source in order
      where staged.contains(where: { $0.source == source && $0.value != 2 }) {
        session.alone[source, default: 0] += 1
      }
      sessions.append(session)
    }
    self.sessions = sessions.filter { !$0.asleepQuarters.isEmpty || $0.inBedQuarters > 0 }
  }
}
