public import HealthAnalysis
public import HealthQuery
public import HealthSamples
package import HealthStore

/// Which intervals between heartbeats count.
public struct HRVParameters: AnalysisParameters {
  /// The shortest interval that a heart can have, in seconds.
  public var shortest = BeatFilter.standard.plausible.lowerBound
  /// The longest one.
  public var longest = BeatFilter.standard.plausible.upperBound
  /// By which share of the interval before it one may differ.
  public var largestChange = BeatFilter.standard.largestChange ?? 0.2

  /// The default parameters.
  public init() {}

  /// `hrv`.
  public static let name = "hrv"

  /// What the method answers.
  public static let about = "How much does the time between heartbeats vary?"

  /// The method.
  public var method: AnalysisMethod { .hrv(self) }

  /// `shortest`, `longest`, `largestChange`.
  public static var members: [Parameter<Self>] {
    [
      .number(
        "shortest", \.shortest, .from(0), unit: "s", about: "The shortest interval that counts."),
      .number(
        "longest", \.longest, .from(0), unit: "s", about: "The longest interval that counts."),
      .number(
        "largestChange", \.largestChange, .from(0), unit: "1",
        about: "By which share of the interval before it one that counts differs at most."),
    ]
  }

  /// 28 where each series has a row, all where intervals have medians.
  public func defaultDays(by interval: CalendarInterval?) -> Int? { interval == nil ? 28 : nil }

  /// The filter.
  ///
  /// - Throws: `AnalysisError` for limits that are not in order
  func filter() throws(AnalysisError) -> BeatFilter {
    guard longest >= shortest else {
      throw AnalysisError(
        .parameter(name: "shortest interval", range: "from 0 s to the longest one"))
    }
    return BeatFilter(plausible: shortest...longest, largestChange: largestChange)
  }
}

/// The variability of the series of heartbeats of a period.
public struct HRVAnswer: Sendable, Hashable {
  /// One series.
  public struct Series: Sendable, Hashable {
    /// When it begins, in seconds since 2001-01-01 UTC.
    public let start: Double
    /// When it ends.
    public let end: Double
    /// Who recorded it.
    public let source: Source
    /// The number of beats.
    public let beatCount: Int
    /// Before how many beats others are missing, so that no interval ends with them.
    public let gapCount: Int
    /// Whether it is from an export, whose times are of hundredths of a second.
    public let isOfExport: Bool
    /// The SDNN that was recorded with it, in ms; `nil` where none was.
    public let recordedDeviation: Double?
    /// The variability, or why there is none.
    public let variability: Result<HeartRateVariability, AnalysisError>
    /// The detrended fluctuation over boxes of 4 to 16 beats, whose exponent is α1, or why there is
    /// none: mostly since fewer than 160 intervals count.
    public let fluctuation: Result<DetrendedFluctuation, AnalysisError>
  }

  /// The series that start in an interval.
  public struct Interval: Sendable, Hashable {
    /// Its start, in seconds since 2001-01-01 UTC.
    public let start: Double
    /// Its end.
    public let end: Double
    /// The medians; `nil` without series.
    public let medians: HeartRateVariabilityMedians?
    /// How many series carry no variability.
    public let refusedCount: Int
    /// The median of α1 of the series that have it; `nil` where none has.
    public let medianShortTermExponent: Double?
    /// How many series have α1.
    public let fluctuationCount: Int
  }

  /// The series of the period, in order of time.
  public let series: [Series]
  /// The intervals of the question; `nil` where it has none.
  public let intervals: [Interval]?
}

/// Heartbeats as a store has them.
struct HeartbeatSeries {
  let start: Double
  let end: Double
  let source: Source
  /// Seconds after the start.
  let offsets: [Double]
  /// Whether beats before one are missing.
  let areAfterGaps: [Bool]
  var isOfExport = false
  var recordedDeviation: Double?

  /// Whether all times are whole hundredths of a second from one another, as those of exports.
  var areRounded: Bool {
    zip(offsets, offsets.dropFirst()).allSatisfy { earlier, later in
      let hundredths = (later - earlier) * 100
      return (hundredths - hundredths.rounded()).magnitude < 1e-4
    }
  }
}

extension HeartbeatSeries {
  /// Beats of an export.
  ///
  /// An export does not say where beats are missing: one that comes more than half a beat late by its
  /// rate is after a gap, as in `HealthKit`.
  init(_ row: BeatLists.Row) {
    let (offsets, rates) = (row.offsets, row.rates)
    let gaps = offsets.indices.map { beat in
      beat > 0 && rates.indices.contains(beat)
        && (offsets[beat] - offsets[beat - 1]) * rates[beat] > 1.5 * 60
    }
    self.init(
      start: row.record.start, end: row.record.end, source: row.record.source, offsets: offsets,
      areAfterGaps: gaps, isOfExport: true,
      recordedDeviation: row.record.type == SampleType(.heartRateVariabilitySDNN).identifier
        ? row.record.value : nil)
  }

  /// Beats that an app saved; `nil` for another object.
  init?(_ row: SavedObjects.Row) {
    guard row.type == "HKDataTypeIdentifierHeartbeatSeries", row.columns.count == 2 else {
      return nil
    }
    self.init(
      start: row.facts.start, end: row.facts.end, source: row.facts.source,
      offsets: row.columns[0], areAfterGaps: row.columns[1].map { $0 != 0 })
  }
}

extension SampleStore {
  /// All series of heartbeats that may start in a range, in order of time.
  func heartbeats(in range: Range<Double>) throws(QueryError) -> [HeartbeatSeries] {
    var found: [HeartbeatSeries] = []
    try each(of: .beatList, in: range) { batch in
      if case .beatLists(let columns) = batch { found += columns.rows.map(HeartbeatSeries.init) }
    }
    try each(of: .savedObject, in: range) { batch in
      if case .savedObjects(let columns) = batch {
        found += columns.rows.compactMap { HeartbeatSeries($0) }
      }
    }
    return found.sorted { ($0.start, $0.source) < ($1.start, $1.source) }
  }

  /// From when to when the store has series of heartbeats; `nil` without any.
  ///
  /// - Throws: `QueryError`, with `QueryError.Reason.store` for errors of the store
  package func heartbeatSpan() throws(QueryError) -> ClosedRange<Double>? {
    let starts = try heartbeats(in: -.infinity ..< .infinity).map(\.start)
    return starts.first.flatMap { first in starts.last.map { first...$0 } }
  }
}

extension QuestionReader {
  /// Reads heartbeats, and finds how much the time between them varies.
  func variability(
    _ parameters: HRVParameters
  ) throws(QueryError) -> HRVAnswer {
    let filter = try analysed(parameters.filter)
    let range = try period.range()
    let beats = try store.heartbeats(in: range).filter { range.contains($0.start) }
    let series = beats.map { beats in
      let intervals = Result { () throws(AnalysisError) in
        try BeatIntervals(
          beats: beats.offsets, precededByGap: beats.areAfterGaps, areRounded: beats.areRounded)
      }
      return HRVAnswer.Series(
        start: beats.start, end: beats.end, source: beats.source,
        beatCount: beats.offsets.count, gapCount: beats.areAfterGaps.dropFirst().count { $0 },
        isOfExport: beats.isOfExport, recordedDeviation: beats.recordedDeviation,
        variability: Result { () throws(AnalysisError) in
          try intervals.get().variability(filter: filter)
        },
        fluctuation: Result { () throws(AnalysisError) in
          try intervals.get().detrendedFluctuation(filter: filter)
        })
    }
    guard !series.isEmpty else {
      throw QueryError(.analysis(AnalysisError(.tooFewPoints(count: 0, needed: 1))))
    }
    guard question.interval != nil else {
      return HRVAnswer(series: series, intervals: nil)
    }
    let intervals = try period.intervals(of: series.map(\.start))
    var groups = [[HRVAnswer.Series]](repeating: [], count: intervals.count)
    for series in series {
      if let row = intervals.row(of: series.start) { groups[row].append(series) }
    }
    return HRVAnswer(
      series: groups.flatMap { $0 },
      intervals: groups.enumerated().map { row, group in
        let known = group.compactMap { try? $0.variability.get() }
        let exponents = group.compactMap { try? $0.fluctuation.get().exponent }
        return HRVAnswer.Interval(
          start: intervals.starts[row], end: intervals.ends[row],
          medians: HeartRateVariabilityMedians(known), refusedCount: group.count - known.count,
          medianShortTermExponent: exponents.median, fluctuationCount: exponents.count)
      })
  }
}

extension HRVParameters: MethodParameters {
  package static var fixedType: SampleType? { SampleType(.heartRateVariabilitySDNN) }

  package func lists(of question: Question) -> [String] {
    question.interval == nil ? ["series"] : ["intervals", "series"]
  }

  package func answer(
    _ plan: AnalysisPlan, in store: SampleStore, now: Double
  ) throws(QueryError) -> AnalysisAnswer {
    try plan.answer(in: store, now: now, using: [.by]) { reader throws(QueryError) in
      .hrv(try reader.variability(self))
    }
  }
}
