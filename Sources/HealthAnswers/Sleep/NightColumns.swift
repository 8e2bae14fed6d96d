public import HealthSamples

/// Nights of sleep: one row for each day on which a night ends, including days without data.
///
/// Of several sleeps that end on one day the longest is the night; the others are naps. Durations
/// are in seconds, instants in seconds since 2001-01-01 UTC. Unknown values are `nil`.
public struct NightColumns: Sendable {
  /// The first instant of the day on which each night ends.
  public private(set) var days: [Double] = []
  /// The span in bed, asleep or awake.
  public private(set) var spans: [Range<Double>?] = []
  /// The span from falling asleep to waking up; `nil` if no source recorded sleep.
  public private(set) var sleepSpans: [Range<Double>?] = []
  /// Seconds asleep.
  public private(set) var asleep: [Double?] = []
  /// Seconds in each stage of sleep and awake; the stages of sleep add up to ``asleep``.
  public private(set) var stages: [[SleepStage: Double]] = []
  /// Seconds in bed, asleep or not; `nil` if no source recorded time in bed.
  public private(set) var inBed: [Double?] = []
  /// The spans in one stage of the night and the naps of the day, ascending, for charts.
  public private(set) var stretches: [[Stretch]] = []
  /// The naps of the day.
  public private(set) var naps: [[Nap]] = []
  /// The contribution of each source to the night, the highest rank first.
  public private(set) var sources: [[Contribution]] = []

  /// A span in one stage.
  public struct Stretch: Sendable, Hashable {
    /// Start and end.
    public let span: Range<Double>
    /// The stage.
    public let stage: SleepStage
  }

  /// A sleep outside of the night.
  public struct Nap: Sendable, Hashable {
    /// From falling asleep to waking up.
    public let span: Range<Double>
    /// Seconds asleep.
    public let asleep: Double
  }

  /// The contribution of one source to a night.
  public struct Contribution: Sendable, Hashable {
    /// The source.
    public let source: Source
    /// Counted seconds asleep; over all sources they add up to the night.
    public let asleep: Double
    /// Counted seconds in bed, as recorded by the source.
    public let inBed: Double
    /// Seconds asleep that are masked by a higher source.
    public let masked: Double
  }

  /// The number of nights, including those without data. - Complexity: O(1)
  public var count: Int { days.count }

  /// The share of the time in bed asleep; `nil` if either is unknown.
  public func efficiency(_ row: Int) -> Double? {
    guard let asleep = asleep[row], let inBed = inBed[row], inBed > 0 else { return nil }
    return asleep / inBed
  }

  /// Makes columns without rows.
  init() {}

  /// Adds the night that ends on a day.
  ///
  /// `sessions` are the sleeps that end on that day, `order` the sources by rank.
  mutating func append(day: Double, sessions: [SleepSession], order: [Source]) {
    days.append(day)
    let night = sessions.night
    append(night: night.map { sessions[$0] }, order: order)
    var naps: [Nap] = []
    var stretches: [Stretch] = []
    for (index, session) in sessions.enumerated() {
      stretches += session.stretches.map { Stretch(span: $0.start..<$0.end, stage: $0.stage) }
      guard index != night, let span = session.sleepSpan else { continue }
      naps.append(Nap(span: span, asleep: session.secondsAsleep))
    }
    self.naps.append(naps)
    self.stretches.append(stretches)
  }

  private mutating func append(night: SleepSession?, order: [Source]) {
    spans.append(night.flatMap { $0.span })
    sleepSpans.append(night.flatMap { $0.sleepSpan })
    asleep.append(night.flatMap { $0.sleepSpan == nil ? nil : $0.secondsAsleep })
    inBed.append(night.flatMap { $0.secondsInBed })
    var seconds: [SleepStage: Double] = [:]
    for stage in SleepStage.told {
      if let time = night?.seconds(in: stage), time > 0 { seconds[stage] = time }
    }
    stages.append(seconds)
    sources.append(night.map { $0.contributions(of: order) } ?? [])
  }
}

extension SleepSession {
  fileprivate var span: Range<Double>? {
    stretches.map(\.end).max().map { start..<$0 }
  }

  fileprivate var sleepSpan: Range<Double>? {
    guard let first = asleep.first?.start, let last = asleep.map(\.end).max() else { return nil }
    return first..<last
  }

  fileprivate func contributions(of order: [Source]) -> [NightColumns.Contribution] {
    var asleep: [Int: Double] = [:]
    var inBed: [Int: Double] = [:]
    for stretch in stretches {
      let seconds = stretch.end - stretch.start
      asleep[stretch.source, default: 0] += stretch.stage.isAsleep ? seconds : 0
      inBed[stretch.source, default: 0] += stretch.stage == .inBed ? seconds : 0
    }
    return Set(asleep.keys).union(aloneAsleep.keys).sorted().map { place in
      let counted = asleep[place] ?? 0
      return .init(
        source: order[place], asleep: counted, inBed: inBed[place] ?? 0,
        masked: max(0, (aloneAsleep[place] ?? 0) - counted))
    }
  }
}
