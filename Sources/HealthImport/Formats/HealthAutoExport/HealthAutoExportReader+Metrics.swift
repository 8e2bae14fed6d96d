import Foundation
import HealthSamples

extension HealthAutoExportReader {
  /// Adds a datum of a metric.
  mutating func add(_ datum: JSONValue, of metric: HealthAutoExportMetric) {
    switch metric.name {
    case "blood_pressure": addBloodPressure(datum, of: metric)
    case "sleep_analysis": addSleep(datum, of: metric)
    case "sexual_activity": addSexualActivity(datum)
    default: addValue(datum, of: metric)
    }
  }

  /// Times and source of a datum.
  mutating func record(_ type: String, of datum: JSONValue) -> RecordCollector.Record {
    var record = RecordCollector.Record()
    record.type = type
    record.source = Self.source(of: datum)
    record.start = date(datum["startDate"]) ?? date(datum["start"]) ?? date(datum["date"])
    record.metadata = Metadata(zone)
    record.end = date(datum["endDate"]) ?? date(datum["end"]) ?? record.start
    if record.start == nil { record.objection = Self.objection(toDatesOf: datum) }
    return record
  }

  /// The name of the source of a datum, which may be an object; of several sources all names,
  /// separated by `|`.
  static func source(of datum: JSONValue) -> String {
    (datum["source"]?["name"] ?? datum["source"])?.text ?? ""
  }

  /// The instant of a date, which is a text or a number.
  mutating func date(_ value: JSONValue?) -> Double? {
    guard let value, value.text == nil else { return value?.withText { dates.instant($0) } }
    dates.forgetOffset()
    return value.number.map(Self.instant)
  }

  /// The zone with which the last date is written; empty if it has none.
  var zone: [Metadata.Entry] {
    mutating get {
      guard let offset = dates.offset else { return [] }
      if let known = zones[offset] { return known }
      let zone = [Metadata.Entry.zone(secondsFromUTC: offset)]
      zones[offset] = zone
      return zone
    }
  }

  /// The instant of a number of seconds or milliseconds.
  ///
  /// Dates inside of elements are seconds since 2001, as the app encodes them by default, or since
  /// 1970. Phones have health data since 2014, so the number says which.
  private static func instant(_ number: Double) -> Double {
    let seconds = number.magnitude < 1e11 ? number : number / 1000
    return seconds < 1.3e9 ? seconds : seconds - Date.timeIntervalBetween1970AndReferenceDate
  }

  /// Why a datum has no start.
  static func objection(toDatesOf datum: JSONValue) -> SkipReason {
    let keys: [StaticString] = ["sleepStart", "startDate", "start", "date"]
    let text = keys.lazy.compactMap { datum[$0]?.text }.first
    return text.map { .objection(toDate: $0) } ?? .invalidDate
  }

  private mutating func addValue(_ datum: JSONValue, of metric: HealthAutoExportMetric) {
    guard let type = metric.type else {
      return records.countUnknown(metric.name.isEmpty ? "metric without a name" : metric.name)
    }
    var record = record(type.identifier, of: datum)
    guard type.canonicalUnit != nil else {
      // The amount of a category is its duration or its number.
      if record.end == record.start, metric.units == "min", let start = record.start,
        let minutes = datum["qty"]?.number
      {
        record.end = start + minutes * 60
      }
      setConstant(datum["value"]?.text, of: &record)
      return records.add(record)
    }
    record.unit = metric.unit.text
    record.value = (datum["qty"] ?? datum["Avg"])?.number.map(metric.unit.spoken.stored)
    // A datum that aggregates several heart rates keeps their bounds as metadata of their mean.
    let bounds = bounds(of: datum, unit: metric.unit.text)
    if datum["Min"]?.number != datum["Max"]?.number { records.countMean() }
    record.metadata.entries += bounds + details(of: datum)
    records.add(record)
  }

  /// The minimum and the maximum of an aggregated datum, as written, with HealthKit's unit.
  func bounds(of datum: JSONValue, unit: String) -> [Metadata.Entry] {
    [("Min", datum["Min"]), ("Max", datum["Max"])].compactMap { key, value in
      value?.number.map { Metadata.Entry(key: key, value: "\($0) \(unit)") }
    }
  }

  /// The other members of a datum, as HealthKit metadata.
  private func details(of datum: JSONValue) -> [Metadata.Entry] {
    var entries: [Metadata.Entry] = []
    switch datum["mealTime"]?.text {
    case "Before Meal": entries.append(.init(key: "HKBloodGlucoseMealTime", value: "1"))
    case "After Meal": entries.append(.init(key: "HKBloodGlucoseMealTime", value: "2"))
    default: break
    }
    switch datum["reason"]?.text {
    case "Basal": entries.append(.init(key: "HKInsulinDeliveryReason", value: "1"))
    case "Bolus": entries.append(.init(key: "HKInsulinDeliveryReason", value: "2"))
    default: break
    }
    return entries
  }

  private mutating func addBloodPressure(_ datum: JSONValue, of metric: HealthAutoExportMetric) {
    let parts: [(value: Double?, type: HKQuantityTypeIdentifier)] = [
      (datum["systolic"]?.number, .bloodPressureSystolic),
      (datum["diastolic"]?.number, .bloodPressureDiastolic),
    ]
    var pressures: [RecordCollector.Record] = []
    for part in parts {
      var record = record(part.type.rawValue, of: datum)
      record.unit = metric.units.isEmpty ? "mmHg" : metric.unit.text
      record.value = part.value
      pressures.append(record)
    }
    records.add(pressures, togetherAs: .bloodPressure, &conversions)
  }

  private mutating func addSexualActivity(_ datum: JSONValue) {
    let kinds: [(count: Double?, isProtected: String?)] = [
      (datum["Unspecified"]?.number, nil), (datum["Protection Used"]?.number, "1"),
      (datum["Protection Not Used"]?.number, "0"),
    ]
    for kind in kinds where kind.count.map({ $0 > 0 }) == true {
      var record = record(HKCategoryTypeIdentifier.sexualActivity.rawValue, of: datum)
      record.metadata.entries +=
        (kind.isProtected.map { [.init(key: "HKSexualActivityProtectionUsed", value: $0)] } ?? [])
        + (kind.count.map { [.init(key: "count", value: "\($0)")] } ?? [])
      records.add(record)
    }
  }

  /// Adds a symptom or an event of a cycle if its name is one of HealthKit's in English; others are
  /// counted under the name of their array.
  mutating func addEvent(_ event: JSONValue, ofArray array: String) {
    guard let type = HealthAutoExportNames.categoryType(event["name"]?.text ?? "") else {
      return records.countUnknown(array)
    }
    var record = record(type.identifier, of: event)
    setConstant((event["severity"] ?? event["value"])?.text, of: &record)
    if event["userEntered"]?.flag == true {
      record.metadata.entries.append(.init(key: Catalogue.wasUserEnteredKey, value: "1"))
    }
    records.add(record)
  }

  /// Sets the constant for a word of the app; an unknown word is kept as metadata.
  private func setConstant(_ word: String?, of record: inout RecordCollector.Record) {
    let constant = word.flatMap { Catalogue.constant(ending: $0, of: record.type) }
    record.constant =
      constant ?? Catalogue.constant(ending: "Unspecified", of: record.type) ?? ""
    if let word, constant == nil {
      record.metadata.entries.append(.init(key: "value", value: word))
    }
  }

  /// Adds a stage of sleep, or a night that the app has aggregated.
  private mutating func addSleep(_ datum: JSONValue, of metric: HealthAutoExportMetric) {
    let type = HKCategoryTypeIdentifier.sleepAnalysis.rawValue
    if let stage = datum["value"]?.text {
      var record = record(type, of: datum)
      guard let constant = HealthAutoExportNames.sleepConstant(stage) else {
        return records.countUnknown("sleep stage")
      }
      record.constant = constant
      return records.add(record)
    }
    let unit = metric.units == "min" ? (name: "min", seconds: 60.0) : (name: "hr", seconds: 3600)
    var record = RecordCollector.Record()
    record.type = type
    record.metadata = Metadata(
      Self.sleepTotals.compactMap { key in
        datum[key]?.number.map { .init(key: key.description, value: "\($0) \(unit.name)") }
      })
    /// The seconds of a total; `nil` if the night has none.
    func seconds(_ key: StaticString) -> Double? {
      guard let number = datum[key]?.number, number >= 0 else { return nil }
      // More than any night has, but representable as integer.
      return min(number * unit.seconds, 1e6).rounded()
    }
    let bed = span(of: datum, from: "inBedStart", to: "inBedEnd")
    let asleep = span(of: datum, from: "sleepStart", to: "sleepEnd")
    record.metadata.entries += zone
    guard let span = asleep ?? bed else {
      return records.skip(record, Self.objection(toDatesOf: datum))
    }
    let lengths = Self.lengths(seconds)
    let night = AggregatedNight(
      span, bed: bed, secondsInBed: seconds("inBed"), lengths: lengths ?? [])
    record.source = (datum["source"] ?? datum["inBedSource"])?.text ?? ""
    record.constant = "HKCategoryValueSleepAnalysisInBed"
    for part in night.inBed {
      (record.start, record.end) = (part.start, part.end)
      records.add(record)
    }
    record.source = (datum["source"] ?? datum["sleepSource"])?.text ?? ""
    if lengths == nil, let asleep {
      record.constant = "HKCategoryValueSleepAnalysisAsleepUnspecified"
      (record.start, record.end) = (asleep.start, asleep.end)
      return records.add(record)
    }
    for (stage, part) in night.stages {
      record.constant = "HKCategoryValueSleepAnalysis" + stage
      (record.start, record.end) = (part.start, part.end)
      records.add(record)
      records.countPlacedStage()
    }
  }

  private mutating func span(
    of datum: JSONValue, from start: StaticString, to end: StaticString
  ) -> AggregatedNight.Span? {
    guard let start = date(datum[start]), let end = date(datum[end]) else { return nil }
    return AggregatedNight.Span(start: start, end: end)
  }

  /// The stages of a night with their seconds; `nil` if no total says any.
  private static func lengths(
    _ seconds: (StaticString) -> Double?
  ) -> [(stage: String, seconds: Double)]? {
    let stages = ["core", "awake", "deep", "rem"].map { seconds($0) }
    let staged = (stages[0] ?? 0) + (stages[2] ?? 0) + (stages[3] ?? 0)
    // Sleep without a stage is the total minus the stages; versions without a total call one or the
    // other asleep.
    let other =
      seconds("totalSleep").map { $0 - staged }
      ?? seconds("asleep").map { $0 < staged ? $0 : $0 - staged }
    if other == nil, stages.allSatisfy({ $0 == nil }) { return nil }
    return zip(
      ["AsleepUnspecified", "AsleepCore", "Awake", "AsleepDeep", "AsleepREM"],
      // A total in minutes or hundredths of hours is not exactly the sum of its stages.
      [other.map { staged > 0 && $0 < 60 ? 0 : $0 }] + stages
    ).compactMap { stage, seconds in seconds.map { (stage: stage, seconds: $0) } }
      .filter { $0.seconds > 0 }
  }

  private static let sleepTotals: [StaticString] = [
    "totalSleep", "asleep", "core", "deep", "rem", "awake", "inBed",
  ]
}
