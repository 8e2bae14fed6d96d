import HealthMerge
import HealthQuery
import HealthSamples
internal import _HealthNumerics

/// A span in one stage by one source, after merging.
struct SleepStretch: Sendable, Hashable {
  let start: Double
  let end: Double
  let stage: SleepStage
  /// The rank of the source.
  let source: Int
}

/// The spans of one sleep.
struct SleepSession: Sendable, Hashable {
  /// Ascending by start; those of ``SleepStage/inBed`` may overlap the others.
  let stretches: [SleepStretch]
  /// Seconds asleep by each source alone, by rank.
  private(set) var aloneAsleep: [Int: Double] = [:]

  init(_ stretches: [SleepStretch]) { self.stretches = stretches }

  var start: Double { stretches.first?.start ?? 0 }

  /// When the sleep ends: when the person was last asleep, or in bed if nothing else is known.
  var wake: Double {
    asleep.map(\.end).max() ?? stretches.map(\.end).max() ?? 0
  }

  /// The instant whose day is the date of the night: the last of the sleep.
  ///
  /// A sleep that ends at midnight belongs to the day before.
  var dating: Double { wake.nextDown }

  var asleep: [SleepStretch] { stretches.filter(\.stage.isAsleep) }

  func seconds(in stage: SleepStage) -> Double {
    stretches.reduce(0) { $1.stage == stage ? $0 + ($1.end - $1.start) : $0 }
  }

  var secondsAsleep: Double {
    SleepStage.asleep.reduce(0) { $0 + seconds(in: $1) }
  }

  /// Seconds in bed: asleep, awake or in bed; `nil` if no sample records in bed.
  var secondsInBed: Double? {
    guard stretches.contains(where: { $0.stage == .inBed }) else { return nil }
    var covered = CoveredTime()
    covered.formUnion(
      starts: stretches.map(\.start), ends: stretches.map(\.end), rows: stretches.indices)
    return zip(covered.starts, covered.ends).reduce(0) { $0 + ($1.1 - $1.0) }
  }

  /// Whether the person slept, or was in bed without other data.
  var isSleep: Bool { stretches.contains { $0.stage != .awake } }

  mutating func addAlone(_ seconds: Double, ofSource source: Int) {
    aloneAsleep[source, default: 0] += seconds
  }
}

extension [SleepSession] {
  /// The last sleep that starts at an instant or before, or the first of all.
  ///
  /// - Complexity: O(log *n*)
  fileprivate func lastPlace(startingBy instant: Double) -> Int {
    Swift.max(0, partitioningIndex { $0.start > instant } - 1)
  }
}

extension SampleColumns {
  /// The sleeps recorded by samples of sleep analysis, ascending.
  ///
  /// Spans belong to one sleep unless more than `longestGap` seconds are between them. Time awake
  /// alone is not a sleep.
  ///
  /// - Complexity: O(*n* log *n*)
  func sleepSessions(
    by priority: SourcePriority, longestGap: Double
  ) throws(QueryError) -> [SleepSession] {
    let order = priority.ranking(of: self).order
    var stretches: [SleepStretch] = []
    let durations = try type.asDuration()
    for stage in SleepStage.allCases {
      let segments = time(ofValue: Double(stage.rawValue), by: priority, as: durations)
      let (starts, ends) = (segments.starts, segments.ends)
      for source in order.indices {
        for row in segments.rows(ofSource: source) where starts[row] < ends[row] {
          stretches.append(
            SleepStretch(start: starts[row], end: ends[row], stage: stage, source: source))
        }
      }
    }
    stretches.sort { ($0.start, $0.end, $0.stage.rawValue) < ($1.start, $1.end, $1.stage.rawValue) }
    var sessions: [SleepSession] = []
    var open: [SleepStretch] = []
    var end = -Double.infinity
    for stretch in stretches {
      if stretch.start - end > longestGap, !open.isEmpty {
        sessions.append(SleepSession(open))
        open = []
      }
      open.append(stretch)
      end = max(end, stretch.end)
    }
    if !open.isEmpty { sessions.append(SleepSession(open)) }
    for (place, source) in order.enumerated() { addAlone(source, at: place, to: &sessions) }
    return sessions.filter(\.isSleep)
  }

  /// Adds to each sleep the seconds asleep by one source alone.
  private func addAlone(_ source: Int, at place: Int, to sessions: inout [SleepSession]) {
    let rows = rows(ofSource: source).filter {
      Int(exactly: values[$0]).flatMap(SleepStage.init)?.isAsleep == true
    }
    var covered = CoveredTime()
    covered.formUnion(
      starts: rows.map { starts[$0] }, ends: rows.map { ends[$0] }, rows: rows.indices)
    // Wherever a source records sleep there is a merged span, at least awake: each span is inside
    // one session.
    var session = sessions.lastPlace(startingBy: covered.starts.first ?? 0)
    for (start, end) in zip(covered.starts, covered.ends) {
      while session + 1 < sessions.endIndex, sessions[session + 1].start <= start { session += 1 }
      if session < sessions.endIndex { sessions[session].addAlone(end - start, ofSource: place) }
    }
  }
}

extension [SleepSession] {
  /// The index of the night among the sleeps that end on one day.
  ///
  /// It is the sleep with most time asleep, then in bed, then the earliest. The others are naps.
  var night: Int? {
    enumerated().max { left, right in
      let (one, other) = (left.element, right.element)
      return (one.secondsAsleep, one.secondsInBed ?? 0, right.offset)
        < (other.secondsAsleep, other.secondsInBed ?? 0, left.offset)
    }?.offset
  }
}
