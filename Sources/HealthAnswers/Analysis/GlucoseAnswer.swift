public import HealthAnalysis
package import HealthQuery
public import HealthSamples
package import HealthStore
import HealthUnits

/// Which readings of glucose are summarised.
///
/// The question's period is read; without a beginning it is the last ``days`` before its end, to the
/// second, and without an end it ends with the data, when the last reading holds no longer. The question's `hold`
/// is the longest time that a reading stands for.
public struct GlucoseParameters: AnalysisParameters {
  /// How many days of 86,400 s are read of a question without a beginning; another number than the
  /// default is refused beside one.
  public var days = 14

  /// The default parameters.
  public init() {}

  /// `glucose`.
  public static let name = "glucose"

  /// What the method answers.
  public static let about = "How long is glucose in range, and how goes its day?"

  /// The method.
  public var method: AnalysisMethod { .glucose(self) }

  /// `days`.
  public static var members: [Parameter<Self>] {
    [
      .count(
        "days", \.days, .within(1...366), unit: "d",
        about: "Over how many days before the end, in place of a beginning.")
    ]
  }
}

/// What readings of glucose of one source say, in mg/dL.
public struct GlucoseAnswer: Sendable, Hashable {
  /// The source: the one with the most readings in the period.
  public let source: Source
  /// The period, in seconds since 2001-01-01 UTC.
  public let period: Range<Double>
  /// The longest time that a reading stands for, in seconds.
  public let hold: Double
  /// Ranges, mean and indices, and whether the data suffice for targets.
  public let summary: GlucoseSummary
  /// The profile by the hour of the local clock.
  public let profile: GlucoseProfile
  /// How many readings other sources have in the period, which are left out.
  public let others: [SourceCount]
  /// How many readings are left out, since another one has their time.
  public let repeatedCount: Int
  /// How many are left out, since they lie outside of what a reading can be.
  public let implausibleCount: Int
  /// The unit in which people are shown readings.
  public let unit: DisplayUnit

  /// The unit as programs print it, without the molar mass of glucose.
  public var unitText: String {
    SampleType(.bloodGlucose).printedUnit(unit.unit.description)
  }
}

/// One source's readings, in order of time.
private struct OneSourceReadings {
  let source: Source
  var times: [Double] = []
  var values: [Double] = []
  /// The readings in mmol/L, where they were recorded in moles.
  var millimoles: [Double?] = []
  var repeatedCount = 0
  var implausibleCount = 0

  var count: Int { times.count }

  /// Takes a reading that is later than the last one and plausible.
  mutating func add(_ value: Double, millimoles recorded: Double?, at time: Double) {
    if !GlucoseReadings.limits.contains(value) {
      implausibleCount += 1
    } else if let last = times.last, time <= last {
      repeatedCount += 1
    } else {
      times.append(time)
      values.append(value)
      millimoles.append(recorded)
    }
  }

  /// When the last reading holds no longer: it holds as long as the one before it.
  func end(_ hold: Double) -> Double? {
    guard let last = times.last else { return nil }
    return last + (count > 1 ? min(hold, last - times[count - 2]) : hold)
  }
}

extension QuestionReader {
  /// Reads and summarises glucose.
  func glucose(_ parameters: GlucoseParameters) throws(QueryError) -> GlucoseAnswer {
    guard question.from == nil || parameters.days == GlucoseParameters().days else {
      throw QueryError(.membersExclude("days", "from"))
    }
    let hold = question.hold ?? GlucoseReadings.holdingTime
    guard hold > 0, hold <= 86_400 else {
      throw QueryError(
        .analysis(AnalysisError(.parameter(name: "hold", range: "more than 0 and at most 1 d"))))
    }
    let type = SampleType(.bloodGlucose)
    let unit = try store.displayUnit(of: type, named: question.types.first?.unit)
    let known = try store.stored { () throws(StoreError) in try store.sources(of: type) }
    let length = Double(parameters.days) * 86_400
    let dataEnd = known.map(\.lastStart).max().map { $0 + hold }
    let to = to?.end(ofDataEnding: dataEnd)
    let last = to?.instant ?? dataEnd
    guard let unit, let last else { throw Self.withoutReadings }
    let first = from?.instant ?? last - length - 86_400
    guard first < last || to != nil else { throw Self.withoutReadings }
    let all = try readings(of: type, in: first, last)
    // Without a reading that counts the period ends with the last one that there is.
    let end = to?.instant ?? all.compactMap { $0.end(hold) }.max() ?? last
    let start = from?.instant ?? end - length
    guard start < end else { throw Self.withoutReadings }
    let asked = from == nil ? try readings(of: type, in: start, end) : all
    // Of equal counts the first in the order of sources.
    guard let most = asked.map(\.count).max(), most > 0,
      let chosen = asked.first(where: { $0.count == most })
    else {
      let leftOut = asked.reduce(0) { $0 + $1.implausibleCount }
      guard leftOut > 0 else { throw Self.withoutReadings }
      throw QueryError(.analysis(AnalysisError(.allLeftOut(count: leftOut))))
    }
    var offsets = OffsetCache(zones)
    let hours = chosen.times.map { LocalTime($0, in: &offsets).hour }
    return try analysed { () throws(AnalysisError) in
      let readings = try GlucoseReadings(
        times: chosen.times, values: chosen.values, millimoles: chosen.millimoles)
      return GlucoseAnswer(
        source: chosen.source, period: start..<end, hold: hold,
        summary: try readings.summary(over: start..<end, hold: hold),
        profile: try readings.profile(hours: hours, hold: hold, end: end),
        others: asked.filter { $0.source != chosen.source && $0.count > 0 }
          .map { SourceCount(source: $0.source, count: $0.count) },
        repeatedCount: chosen.repeatedCount, implausibleCount: chosen.implausibleCount, unit: unit)
    }
  }

  private static var withoutReadings: QueryError {
    QueryError(.analysis(AnalysisError(.tooFewPoints(count: 0, needed: 1))))
  }

  /// The readings of each source that were taken from an instant to before another.
  private func readings(
    of type: SampleType, in first: Double, _ last: Double
  ) throws(QueryError) -> [OneSourceReadings] {
    guard first < last else { throw QueryError(.emptyPeriod(from: first, to: last)) }
    let samples = try store.stored { () throws(StoreError) in
      try store.samples(of: type, in: first..<last, as: type)
    }
    let recorded = samples.recorded
    let conversions = recorded?.conversions.map(\.toMillimoles)
    return samples.sources.enumerated().map { place, source in
      var readings = OneSourceReadings(source: source)
      for row in samples.rows(ofSource: place)
      where samples.starts[row] >= first && samples.starts[row] < last {
        var millimoles: Double?
        if let recorded, let conversion = conversions?[Int(recorded.units[row])] {
          millimoles = conversion(recorded.values[row])
        }
        readings.add(samples.values[row], millimoles: millimoles, at: samples.starts[row])
      }
      return readings
    }
  }
}

extension RecordedValues.Conversion {
  /// From the recorded unit to mmol/L where it is one of moles, whatever molar mass it names; else
  /// `nil`.
  fileprivate var toMillimoles: UnitConversion? {
    // Without a molar mass a mole is no mass, so that mg/dL has no conversion.
    guard let unit, let moles = try? UnitExpression(unit.shortDescription),
      let target = try? UnitExpression(GlucoseUnit.millimolesPerLitre.rawValue)
    else { return nil }
    return try? UnitConversion(from: moles, to: target)
  }
}

extension GlucoseAnswer {
  /// A number in mg/dL, in the unit in which people are shown readings.
  public func shown(_ value: Double) -> Double {
    guard let canonical = SampleType(.bloodGlucose).canonicalUnit,
      let conversion = try? UnitConversion(from: canonical, to: unit.unit)
    else { return value }
    return conversion(value) * unit.scale
  }

  /// The edges by which readings in a unit are judged, in the unit in which people are shown
  /// readings.
  public func shownEdges(of recorded: GlucoseUnit) -> [Double] {
    guard let own = try? SampleType(.bloodGlucose).unit(colloquial: recorded.rawValue),
      let conversion = try? UnitConversion(from: own, to: unit.unit)
    else { return recorded.edges }
    return recorded.edges.map { conversion($0) * unit.scale }
  }

  /// The same of the unit in which most readings were recorded.
  public var edges: [Double] {
    shownEdges(of: summary.units.first?.unit ?? .milligramsPerDecilitre)
  }
}

extension GlucoseParameters: MethodParameters {
  package static var fixedType: SampleType? { SampleType(.bloodGlucose) }

  package func lists(of _: Question) -> [String] { ["summary", "hours"] }

  package func answer(
    _ plan: AnalysisPlan, in store: SampleStore, now: Double
  ) throws(QueryError) -> AnalysisAnswer {
    try plan.answer(in: store, now: now, using: [.hold, .unit]) { reader throws(QueryError) in
      var reader = reader
      if reader.question.from == nil { try reader.endToday() }
      return .glucose(try reader.glucose(self))
    }
  }
}
