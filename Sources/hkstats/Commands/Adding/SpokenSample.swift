import Foundation
import HealthAnswers
import HealthExchange
import HealthQuery
import HealthSamples
import HealthStore
import HealthUnits

/// A sample that a person typed, with the unit in which it was said.
struct SpokenSample {
  var sample: NewSample
  /// The unit; `nil` for a category.
  let unit: DisplayUnit?

  /// `stepCount 1,200 at 2024-03-09 10:00 Europe/Paris`.
  func text(in zones: ZoneTimeline) -> String {
    let value =
      unit?.text(sample.value) ?? Catalogue.swiftName(ofValue: sample.label, of: sample.type)
    return "\(TypeName.short(sample.type.identifier)) \(value.printable) \(time(in: zones))"
  }

  /// `at 2024-03-09 10:00 Europe/Paris`.
  fileprivate func time(in zones: ZoneTimeline) -> String {
    let (start, end) = (LocalTime(sample.start, in: zones), LocalTime(sample.end, in: zones))
    let zone = zones.zone(at: sample.start).name
    let time =
      sample.end > sample.start
      ? "from \(start.momentText) to "
        + (start.date == end.date ? end.clockText : end.momentText)
      : "at \(start.momentText)"
    return "\(time) \(zone)"
  }

  /// The value in the canonical unit of the type; `nil` for a category.
  var canonicalValue: Double? {
    guard let unit, let canonical = sample.type.canonicalUnit else { return nil }
    return try? UnitConversion(from: unit.unit, to: canonical)(sample.value)
  }

  /// The sample as an object, with the members that `hkstats samples` gives.
  func object(uuid: UUID, in zones: ZoneTimeline) -> JSON {
    .object([
      .init("uuid", .string(uuid.uuidString)), .init("type", .string(sample.type.identifier)),
      .init("value", .number(sample.value)),
      .init(
        unit == nil ? "constant" : "unit", .string(sample.type.printedUnit(sample.label))),
      .init("start", .string(LocalTime(sample.start, in: zones).isoText)),
      .init("end", .string(LocalTime(sample.end, in: zones).isoText)),
      .init("source", .string(sample.source.name)),
    ])
  }
}

/// What a person typed at once: a sample, or both of a blood pressure, which belong together.
struct SpokenEntry {
  /// One sample, or the upper and the lower pressure.
  let samples: [SpokenSample]

  /// The texts of both numbers of a blood pressure, as in `120/80` and `120 over 80`; the value alone
  /// where it is one.
  static func parts(of value: String) -> [String] {
    value.lowercased().replacing("over", with: "/")
      .split(separator: "/", omittingEmptySubsequences: false)
      .map { $0.trimmingCharacters(in: .whitespaces) }
  }

  fileprivate static let correlation = "HKCorrelationTypeIdentifierBloodPressure"

  /// Both of a blood pressure; `nil` for a single sample.
  private var pressures: (upper: SpokenSample, lower: SpokenSample)? {
    samples.count == 2 ? (samples[0], samples[1]) : nil
  }

  /// `bloodPressure 120/80 mmHg at 2024-03-09 10:00 Europe/Paris`, or the text of the sample.
  func text(in zones: ZoneTimeline) -> String {
    guard let (upper, lower) = pressures, let unit = upper.unit else {
      return samples.map { $0.text(in: zones) }.joined(separator: ", ")
    }
    let number = NumberText.rounded(unit.spoken(upper.sample.value))
    let rest = lower.unit?.text(lower.sample.value) ?? ""
    return "bloodPressure \(number)/\(rest) \(upper.time(in: zones))"
  }

  /// The objects to save, of which the first UUID is that of the entry.
  func objects() -> (objects: NewObjects, uuids: [UUID]) {
    var objects = NewObjects()
    let members = samples.map { _ in UUID() }
    for (spoken, uuid) in zip(samples, members) {
      var sample = spoken.sample
      sample.uuid = uuid
      objects.samples.append(sample)
    }
    guard let upper = pressures?.upper.sample else { return (objects, members) }
    // As a phone has it: the pair is an object of its own, to which both samples belong.
    var row = Correlations.Row()
    row.type = Self.correlation
    row.facts.source = upper.source
    (row.facts.start, row.facts.end) = (upper.start, upper.end)
    row.facts.creation = upper.created
    row.facts.metadata = upper.metadata
    row.members = objects.samples.map { sample in
      let canonical = samples.first { $0.sample.type == sample.type }?.canonicalValue
      return RecordLink(
        type: sample.type.identifier, source: sample.source, start: sample.start,
        end: sample.end, value: canonical ?? sample.value, label: sample.label)
    }
    var rows = Correlations()
    rows.rows = [row]
    let pair = NewElement(.correlations(rows))
    objects.elements = [pair]
    objects.associations = members.map { Association(pair.uuid, $0, .correlation) }
    return (objects, [pair.uuid] + members)
  }

  /// The entry as an object; of a blood pressure with both samples.
  func object(uuids: [UUID], in zones: ZoneTimeline) -> JSON {
    guard let (upper, _) = pressures else {
      return samples[0].object(uuid: uuids[0], in: zones)
    }
    return .object([
      .init("uuid", .string(uuids[0].uuidString)), .init("type", .string(Self.correlation)),
      .init("start", .string(LocalTime(upper.sample.start, in: zones).isoText)),
      .init("end", .string(LocalTime(upper.sample.end, in: zones).isoText)),
      .init("source", .string(upper.sample.source.name)),
      .init(
        "samples",
        .array(zip(samples, uuids.dropFirst()).map { $0.object(uuid: $1, in: zones) })),
    ])
  }
}

/// What a person types of one sample, before it is understood.
struct SampleWords {
  var type = ""
  var value = ""
  var unit: String?
  var start: String?
  var end: String?
  var source: String?
}

/// Understands samples as people type them, in the units in which they are shown.
final class SampleListener {
  let zones: ZoneTimeline
  /// `nil` for a locked store.
  private let store: SampleStore?
  private let now: Double
  private let source: String
  private lazy var known = Result { try store?.types().map(\.type) ?? [] }
  private var units: [SampleType: DisplayUnit?] = [:]

  /// Understands what is typed now; `source` is that of samples that name none.
  init(store: SampleStore?, zones: ZoneTimeline, source: String) {
    (self.store, self.zones, self.source) = (store, zones, source)
    now = (store?.now ?? ProgramClock.now).instant
  }

  /// The sample that is meant, or both of a blood pressure.
  func entry(_ words: SampleWords) throws -> SpokenEntry {
    guard
      words.type == SpokenEntry.correlation
        || ElementQuestion(named: words.type) == .bloodPressure
    else { return SpokenEntry(samples: [try sample(words)]) }
    let parts = SpokenEntry.parts(of: words.value).map { DisplayUnit.parts(of: $0) }
    guard parts.count == 2, let first = parts[0], let second = parts[1] else {
      throw Failure(
        "\"\(words.value.printable.truncated(to: 80))\" is no blood pressure. Give both numbers, the "
          + "upper one first: hkstats add bloodPressure 120/80.", .usage)
    }
    // Both are in one unit, also where the two types are shown in two.
    let types: [HKQuantityTypeIdentifier] = [.bloodPressureSystolic, .bloodPressureDiastolic]
    let names = [words.unit, first.unit, second.unit].compactMap { $0 }.filter { !$0.isEmpty }
    guard Set(names.map { $0.lowercased() }).count < 2 else {
      throw Failure(
        "Give a blood pressure one unit: hkstats add bloodPressure 120/80 mmHg.", .usage)
    }
    let unit = try displayUnit(of: SampleType(types[0]), named: names.first)
    let samples = try zip(types, [first.digits, second.digits]).map { type, digits in
      var one = words
      (one.type, one.value, one.unit) = (type.rawValue, String(digits), nil)
      return try sample(one, in: unit)
    }
    guard let upper = samples[0].canonicalValue, let least = samples[1].canonicalValue,
      least < upper, least > 0
    else {
      throw Failure(
        "The lower pressure is not below the upper one, or no pressure. Give the upper one first, as "
          + "in 120/80.", .usage)
    }
    return SpokenEntry(samples: samples)
  }

  /// The sample that is meant, in a known unit or its own; without a start it is of this moment.
  func sample(_ words: SampleWords, in spoken: DisplayUnit? = nil) throws -> SpokenSample {
    let type = try Catalogue.type(named: words.type, besides: try known.get())
    let start = try words.start.map(instant) ?? now
    let end = try words.end.map(instant) ?? start
    guard start <= end else { throw QueryError(.emptyPeriod(from: start, to: end)) }
    let (value, label, unit) = try content(of: type, words.value, unit: words.unit, in: spoken)
    return SpokenSample(
      sample: NewSample(
        type: type, source: Source(name: words.source ?? source, isUserEntered: true),
        start: start, end: end,
        value: value, label: label, created: now,
        metadata: Metadata([.init(key: Catalogue.wasUserEnteredKey, value: "1")])),
      unit: unit)
  }

  /// The instant that a date means.
  func instant(_ date: String) throws -> Double {
    try QueryDate(date, in: zones, now: now).instant
  }

  /// The value to store, its label, and the unit in which it was said; `nil` for a category.
  func content(
    of type: SampleType, _ value: String, unit: String?, in known: DisplayUnit? = nil
  ) throws -> (value: Double, label: String, unit: DisplayUnit?) {
    guard type.canonicalUnit != nil else {
      guard unit == nil else {
        throw Failure("\(TypeName.short(type.identifier)) has no unit.", .usage)
      }
      let constant = try SampleCondition.constant(named: value, of: type)
      return (Double(constant.rawValue ?? 0), constant.constant, nil)
    }
    guard let parts = DisplayUnit.parts(of: value), parts.unit.isEmpty || unit == nil,
      let spoken = try known
        ?? displayUnit(of: type, named: parts.unit.isEmpty ? unit : parts.unit),
      let number = spoken.stored(parts.digits)
    else {
      throw Failure(
        "\"\(value.printable.truncated(to: 80))\" is no number. Give one like 71.4 or 1,200, and "
          + "its unit after it.", .usage)
    }
    return (number, spoken.unit.text(in: .healthKit), spoken)
  }

  /// The unit in which the person speaks; a locked store does not say which one is preferred.
  private func displayUnit(of type: SampleType, named name: String?) throws -> DisplayUnit? {
    if let name { return try UnitArgument.spoken(name, of: type) }
    if let unit = units[type] { return unit }
    guard let store else {
      // Counts and shares convert, but are never shown as each other.
      let units = type.everydayUnits
      let own = units.first ?? ""
      guard units.count == 1 || own == "count" || own == "%" else {
        throw Failure(
          "The store is locked, so the unit in which you see \(TypeName.short(type.identifier)) is "
            + "not known: give it after the number, such as "
            + "\(own).", .usage)
      }
      return try UnitArgument.spoken(own, of: type)
    }
    let unit = try store.displayUnit(of: type)
    units[type] = .some(unit)
    return unit
  }
}

extension Catalogue {
  /// The name of a category's value as programs write it: `asleepREM`; the constant where it has
  /// none.
  static func swiftName(ofValue constant: String, of type: SampleType) -> String {
    enumerationCases.first { $0.constant == constant }?.swiftName ?? constant
  }
}
