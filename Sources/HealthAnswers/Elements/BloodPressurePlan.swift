import HealthAnalysis
public import HealthQuery
public import HealthSamples
public import HealthStore

/// A question about blood pressure: mean, least and greatest of both numbers, and the means of
/// mornings and evenings.
///
/// ```swift
/// let months = try store.bloodPressure(
///   BloodPressurePlan(ElementPeriod(timeZone: zones, interval: CalendarInterval(.month))))
/// ```
public struct BloodPressurePlan: Sendable, Hashable, Codable {
  /// The period and its intervals.
  public var period: ElementPeriod
  /// The hours of mornings, by the local clock.
  public var morning = Self.hours(BloodPressureReadings.morning)
  /// The hours of evenings.
  public var evening = Self.hours(BloodPressureReadings.evening)

  /// Whole hours, as analyses have them.
  private static func hours(_ range: Range<Double>) -> Range<Int> {
    Int(range.lowerBound)..<Int(range.upperBound)
  }

  /// Makes a plan.
  public init(_ period: ElementPeriod) { self.period = period }
}

/// One reading of blood pressure, in mmHg.
public struct BloodPressureReading: Sendable, Hashable {
  /// When it was taken, in seconds since 2001-01-01 UTC.
  public let start: Double
  /// The pressure while the heart beats.
  public let systolic: Double
  /// The pressure between beats.
  public let diastolic: Double
  /// Who recorded it.
  public let source: Source

  /// Makes a reading.
  public init(start: Double, systolic: Double, diastolic: Double, source: Source) {
    (self.start, self.systolic, self.diastolic) = (start, systolic, diastolic)
    self.source = source
  }
}

/// The readings of a period, and the samples that are none.
package struct BloodPressures: Sendable {
  /// The readings, in order of time.
  package let readings: [BloodPressureReading]
  /// How many samples start in the period without one of the other type at the same moment.
  package let loneSystolic, loneDiastolic: Int
}

extension BloodPressurePlan {
  /// Answers from readings.
  ///
  /// The columns are `readings`, `systolic`, `systolicMin`, `systolicMax`, the same of `diastolic`,
  /// `mornings`, `morningSystolic`, `morningDiastolic`, and the same of evenings.
  ///
  /// - Throws: `QueryError` for an invalid period, or too many intervals
  public func answer(_ readings: [BloodPressureReading]) throws(QueryError) -> ElementColumns {
    let zones = period.timeZone
    return try ElementColumns(
      "bloodPressure", over: period, starts: readings.map(\.start)
    ) { answer, groups in
      answer.add("readings", .counts(groups.map(\.count)))
      answer.addSpread("systolic", unit: "mmHg", of: groups) { readings[$0].systolic }
      answer.addSpread("diastolic", unit: "mmHg", of: groups) { readings[$0].diastolic }
      for (name, hours) in [("morning", morning), ("evening", evening)] {
        let part = groups.map { group in
          group.filter { hours.contains(LocalTime(readings[$0].start, in: zones).hour) }
        }
        answer.add(name + "s", .counts(part.map(\.count)))
        answer.add(
          name + "Systolic", unit: "mmHg",
          .numbers(part.map { rows in rows.map { readings[$0].systolic }.mean }))
        answer.add(
          name + "Diastolic", unit: "mmHg",
          .numbers(part.map { rows in rows.map { readings[$0].diastolic }.mean }))
      }
    }
  }
}

extension SampleStore {
  /// Answers a question about blood pressure.
  ///
  /// - Throws: `QueryError`, with `QueryError.Reason.store` for errors of the store
  public func bloodPressure(_ plan: BloodPressurePlan) throws(QueryError) -> ElementColumns {
    try oneState { () throws(QueryError) in
      try plan.answer(try bloodPressureReadings(in: try plan.period.range()))
    }
  }

  /// The readings of a period, in order of time.
  ///
  /// The two numbers of a correlation are a reading while both count as samples; so are two samples
  /// without a correlation that one source recorded for the same time. Where several of them share a
  /// time, they pair in the order of their values.
  ///
  /// - Throws: `QueryError`, with `QueryError.Reason.store` for errors of the store
  /// - Complexity: O(*n* log *n*)
  public func bloodPressureReadings(
    in range: Range<Double>
  ) throws(QueryError) -> [BloodPressureReading] {
    try bloodPressures(in: range).readings
  }

  /// The readings of a period, and how many samples of either type have no mate.
  ///
  /// - Throws: `QueryError`, with `QueryError.Reason.store` for errors of the store
  package func bloodPressures(in range: Range<Double>) throws(QueryError) -> BloodPressures {
    let upper = SampleType(.bloodPressureSystolic)
    let lower = SampleType(.bloodPressureDiastolic)
    let pairs = try stored { () throws(StoreError) in try self.correlations(in: range) }.rows
      .filter { $0.type == "HKCorrelationTypeIdentifierBloodPressure" }
      .compactMap { row -> (facts: ElementFacts, systolic: RecordLink, diastolic: RecordLink)? in
        guard let systolic = row.members.first(where: { $0.type == upper.identifier }),
          let diastolic = row.members.first(where: { $0.type == lower.identifier })
        else { return nil }
        return (row.facts, systolic, diastolic)
      }
    let links = pairs.flatMap { [$0.systolic, $0.diastolic] }
    let first = min(range.lowerBound, links.map(\.start).min() ?? .infinity)
    let last = max(range.upperBound, links.map { $0.time.upperBound.nextUp }.max() ?? -.infinity)
    // How many samples of each kind are in no reading yet.
    var left: [RecordKey: Int] = [:]
    for type in [upper, lower] {
      let samples = try stored { () throws(StoreError) in
        try self.samples(of: type, in: first..<last)
      }
      for (place, source) in samples.sources.enumerated() {
        for row in samples.rows(ofSource: place) {
          let moment = RecordKey.Moment(
            source: source, start: samples.starts[row], end: samples.ends[row])
          let key = RecordKey(type: type.identifier, moment: moment, value: samples.values[row])
          left[key, default: 0] += 1
        }
      }
    }
    var readings: [BloodPressureReading] = []
    for pair in pairs {
      // Of a number that was deleted no correlation tells.
      let keys = [RecordKey(pair.systolic), RecordKey(pair.diastolic)]
      guard keys.allSatisfy({ left[$0] ?? 0 > 0 }) else { continue }
      for key in keys { left[key, default: 0] -= 1 }
      readings.append(
        BloodPressureReading(
          start: pair.facts.start, systolic: pair.systolic.value, diastolic: pair.diastolic.value,
          source: pair.facts.source))
    }
    func alone(_ type: SampleType) -> [RecordKey.Moment: [Double]] {
      var values: [RecordKey.Moment: [Double]] = [:]
      for (key, count) in left where key.type == type.identifier && key.moment.overlaps(range) {
        values[key.moment, default: []] += Array(repeating: key.value, count: count)
      }
      return values
    }
    let (systolic, diastolic) = (alone(upper), alone(lower))
    func count(_ samples: [RecordKey.Moment: [Double]]) -> Int {
      samples.reduce(0) { range.contains($1.key.start) ? $0 + $1.value.count : $0 }
    }
    var lone = (systolic: count(systolic), diastolic: count(diastolic))
    for (moment, values) in systolic {
      let others = (diastolic[moment] ?? []).sorted()
      for (one, other) in zip(values.sorted(), others) {
        readings.append(
          BloodPressureReading(
            start: moment.start, systolic: one, diastolic: other, source: moment.source))
      }
      if range.contains(moment.start) {
        let paired = min(values.count, others.count)
        lone = (lone.systolic - paired, lone.diastolic - paired)
      }
    }
    return BloodPressures(
      readings: readings.sorted {
        ($0.start, $0.systolic, $0.diastolic, $0.source.matchingName)
          < ($1.start, $1.systolic, $1.diastolic, $1.source.matchingName)
      }, loneSystolic: lone.systolic, loneDiastolic: lone.diastolic)
  }
}

/// A sample by what identifies it.
private struct RecordKey: Hashable {
  /// Who recorded it, and for when.
  struct Moment: Hashable {
    let source: Source
    let start: Double
    let end: Double

    /// Whether it has an instant of a range; one without a length has its start.
    func overlaps(_ range: Range<Double>) -> Bool {
      SampleTime.halfOpen(from: start, to: end).overlaps(range)
    }
  }

  let type: String
  let moment: Moment
  let value: Double

  init(type: String, moment: Moment, value: Double) {
    (self.type, self.moment, self.value) = (type, moment, value)
  }

  init(_ link: RecordLink) {
    self.init(
      type: link.type,
      moment: Moment(source: link.source, start: link.start, end: link.time.upperBound),
      value: link.value)
  }
}
