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
  /// How many hours lie between the readings of a difference of CONGA.
  public var congaHours = 1.0

  /// The default parameters.
  public init() {}

  /// `glucose`.
  public static let name = "glucose"

  /// What the method answers.
  public static let about = "How long is glucose in range, and how goes its day?"

  /// The method.
  public var method: AnalysisMethod { .glucose(self) }

  /// `days`, `congaHours`.
  public static var members: [Parameter<Self>] {
    [
      .count(
        "days", \.days, .within(1...366), unit: "d",
        about: "Over how many days before the end, in place of a beginning."),
      .number(
        "congaHours", \.congaHours, .within(0.5...168), unit: "h",
        about: "How many hours lie between two readings of CONGA."),
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
  /// Days and nights apart.
  public let parts: [Part]
  /// The rises and falls of more than one standard deviation; `nil` of one reading, and of readings
  /// that are all equal.
  public let excursions: GlucoseExcursions?
  /// The differences from day to day: MODD; `nil` without two readings that are a day apart.
  public let dailyDifferences: GlucoseDifferences?
  /// How many hours lie between the readings of ``differences``.
  public let congaHours: Double
  /// The differences over these hours: CONGA; `nil` without two readings so far apart.
  public let differences: GlucoseDifferences?
  /// The events of low and high glucose, in order of time; `nil` where readings are too far apart: most
  /// stand no longer when the next one is taken, as those of a meter.
  public let events: [Event]?
  /// How many readings other sources have in the period, which are left out.
  public let others: [SourceCount]
  /// How many readings are left out, since another one has their time.
  public let repeatedCount: Int
  /// How many are left out, since they lie outside of what a reading can be.
  public let implausibleCount: Int
  /// The unit in which people are shown readings.
  public let unit: DisplayUnit

  /// An event, and when in the day it begins.
  public struct Event: Sendable, Hashable {
    /// The event.
    public let event: GlucoseEvent
    /// The hour of the local clock in which it begins.
    public let hour: Int
  }

  /// Some hours of the day.
  public struct Part: Sendable, Hashable {
    /// Which hours of the day.
    public enum Name: String, Sendable, Hashable, CaseIterable {
      /// All of them.
      case all
      /// From 6:00 to 24:00.
      case day
      /// From 0:00 to 6:00.
      case night

      /// The hours of the local clock.
      public var hours: Range<Int> {
        switch self {
        case .all: 0..<24
        case .day: 6..<24
        case .night: 0..<6
        }
      }
    }

    /// Which hours.
    public let name: Name
    /// What their readings say; `nil` without any.
    public let found: GlucosePart?
  }

  /// The events of a level that begin in some hours of the day; `nil` where none are counted.
  public func events(
    _ level: GlucoseEvent.Level, in hours: Range<Int> = Part.Name.all.hours
  ) -> [GlucoseEvent]? {
    events?.filter { $0.event.level == level && hours.contains($0.hour) }.map(\.event)
  }

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
    guard hold > 0, hold <= .secondsPerDay else {
      throw QueryError(
        .analysis(AnalysisError(.parameter(name: "hold", range: "more than 0 and at most 1 d"))))
    }
    let type = SampleType(.bloodGlucose)
    let unit = try store.displayUnit(of: type, named: question.types.first?.unit)
    let known = try store.stored { () throws(StoreError) in try store.sources(of: type) }
    let length = Double(parameters.days) * .secondsPerDay
    let dataEnd = known.map(\.lastStart).max().map { $0 + hold }
    let to = to?.end(ofDataEnding: dataEnd)
    let last = to?.instant ?? dataEnd
    guard let unit, let last else { throw Self.withoutReadings }
    let first = from?.instant ?? last - length - .secondsPerDay
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
      let events =
        try readings.areContinuous(hold: hold)
        ? readings.events(hours: hours, hold: hold, end: end) : nil
      return GlucoseAnswer(
        source: chosen.source, period: start..<end, hold: hold,
        summary: try readings.summary(over: start..<end, hold: hold),
        profile: try readings.profile(hours: hours, hold: hold, end: end),
        parts: try GlucoseAnswer.Part.Name.allCases.map { name throws(AnalysisError) in
          GlucoseAnswer.Part(
            name: name,
            found: try readings.part(name.hours, hours: hours, hold: hold, end: end))
        },
        excursions: try? readings.excursions(),
        dailyDifferences: try? readings.differences(hours: 24),
        congaHours: parameters.congaHours,
        differences: try? readings.differences(hours: parameters.congaHours), events: events,
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

extension GlucoseReadings {
  /// Whether most readings still stand when the next one is taken, as those of a sensor do.
  fileprivate func areContinuous(hold: Double) -> Bool {
    let near = zip(times.dropFirst(), times).count { $0 - $1 <= hold + GlucoseEvent.tolerance }
    return count > 1 && near * 2 >= count - 1
  }

  /// The events of all levels in order of time, the milder of one time first.
  fileprivate func events(
    hours: [Int], hold: Double, end: Double
  ) throws(AnalysisError) -> [GlucoseAnswer.Event] {
    let hours = Dictionary(zip(times, hours)) { first, _ in first }
    let levels: [GlucoseEvent.Level] = [.low, .veryLow, .high, .veryHigh]
    var found: [GlucoseAnswer.Event] = []
    for level in levels {
      found += try events(level, hold: hold, end: end).map {
        GlucoseAnswer.Event(event: $0, hour: hours[$0.start] ?? 0)
      }
    }
    return found.enumerated().sorted {
      ($0.element.event.start, $0.offset) < ($1.element.event.start, $1.offset)
    }.map(\.element)
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
    shown(recorded.edges, recordedIn: recorded)
  }

  /// Numbers in the unit of readings, in the unit in which people are shown readings.
  private func shown(_ values: [Double], recordedIn recorded: GlucoseUnit) -> [Double] {
    guard let own = try? SampleType(.bloodGlucose).unit(colloquial: recorded.rawValue),
      let conversion = try? UnitConversion(from: own, to: unit.unit)
    else { return values }
    return values.map { conversion($0) * unit.scale }
  }

  /// The same of the unit in which most readings were recorded.
  public var edges: [Double] { shownEdges(of: mostRecorded) }

  /// Up to where the tight range of most readings reaches, in the unit in which people are shown
  /// readings.
  public var tightEdge: Double { shown([mostRecorded.tightEdge], recordedIn: mostRecorded)[0] }

  /// The unit in which most readings were recorded.
  private var mostRecorded: GlucoseUnit {
    summary.units.first?.unit ?? .milligramsPerDecilitre
  }
}

extension GlucoseParameters: MethodParameters {
  package static var fixedType: SampleType? { SampleType(.bloodGlucose) }

  package func lists(of _: Question) -> [String] {
    ["summary", "hours", "periods", "events", "excursions"]
  }

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
