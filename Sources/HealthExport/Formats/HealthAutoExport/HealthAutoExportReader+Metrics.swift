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
    // A datum of several sources has all of their names, separated by `|`.
    record.source = datum["source"]?.text ?? ""
    record.start = date(datum["startDate"]) ?? date(datum["start"]) ?? date(datum["date"])
    record.end = date(datum["endDate"]) ?? date(datum["end"]) ?? record.start
    if record.start == nil { record.objection = Self.objection(toDatesOf: datum) }
    return record
  }

  mutating func date(_ value: JSONValue?) -> Double? {
    value?.withText { dates.instant($0) }
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
    record.unit = metric.unit.name
    record.value = (datum["qty"] ?? datum["Avg"])?.number.map { $0 * metric.unit.factor }
    // A datum that aggregates several heart rates keeps their bounds as metadata of their mean.
    let bounds = bounds(of: datum, units: metric.units)
    if datum["Min"]?.number != datum["Max"]?.number { records.countMean() }
    record.metadata = Metadata(bounds + details(of: datum))
    records.add(record)
  }

  /// The minimum and the maximum of an aggregated datum.
  func bounds(of datum: JSONValue, units: String) -> [Metadata.Entry] {
    [("Min", datum["Min"]), ("Max", datum["Max"])].compactMap { key, value in
      value?.number.map { Metadata.Entry(key: key, value: "\($0) \(units)") }
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
      record.unit = metric.units.isEmpty ? "mmHg" : metric.unit.name
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
      record.metadata = Metadata(
        (kind.isProtected.map { [.init(key: "HKSexualActivityProtectionUsed", value: $0)] } ?? [])
          + (kind.count.map { [.init(key: "count", value: "\($0)")] } ?? []))
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
    let asleep = date(datum["sleepStart"]).flatMap { start in
      date(datum["sleepEnd"]).map { (start: start, end: $0) }
    }
    let inBed = date(datum["inBedStart"]).flatMap { start in
      date(datum["inBedEnd"]).map { (start: start, end: $0) }
    }
    guard let span = asleep ?? inBed else {
      return records.skip(record, Self.objection(toDatesOf: datum))
    }
    let bed = inBed ?? seconds("inBed").map { (start: span.start, end: span.start + $0) }
    if let bed, seconds("inBed") ?? 1 > 0 {
      record.source = (datum["source"] ?? datum["inBedSource"])?.text ?? ""
      record.constant = "HKCategoryValueSleepAnalysisInBed"
      (record.start, record.end) = (bed.start, seconds("inBed").map { bed.start + $0 } ?? bed.end)
      records.add(record)
    }
    record.source = (datum["source"] ?? datum["sleepSource"])?.text ?? ""
    let stages = ["core", "awake", "deep", "rem"].map { seconds($0) }
    let staged = (stages[0] ?? 0) + (stages[2] ?? 0) + (stages[3] ?? 0)
    // Sleep without a stage is the total minus the stages; versions without a total call one or the
    // other asleep.
    let other =
      seconds("totalSleep").map { $0 - staged }
      ?? seconds("asleep").map { $0 < staged ? $0 : $0 - staged }
    if other == nil, stages.allSatisfy({ $0 == nil }) {
      guard let asleep else { return }
      record.constant = "HKCategoryValueSleepAnalysisAsleepUnspecified"
      (record.start, record.end) = asleep
      return records.add(record)
    }
    let parts = zip(
      ["AsleepUnspecified", "AsleepCore", "Awake", "AsleepDeep", "AsleepREM"],
      // A total in minutes or hundredths of hours is not exactly the sum of its stages.
      [other.map { staged > 0 && $0 < 60 ? 0 : $0 }] + stages
    ).compactMap { stage, seconds in seconds.map { (stage: stage, seconds: $0) } }
      .filter { $0.seconds > 0 }
    // The file does not state the times of the stages. They are placed in sequence with equal gaps,
    // from the start to the end of the night, with their durations.
    let free = span.end - span.start - parts.reduce(0) { $0 + $1.seconds }
    let gap = parts.count > 1 ? max(0, (free / Double(parts.count - 1)).rounded(.down)) : 0
    var start = span.start
    for part in parts {
      record.constant = "HKCategoryValueSleepAnalysis" + part.stage
      (record.start, record.end) = (start, start + part.seconds)
      records.add(record)
      records.countPlacedStage()
      start += part.seconds + gap
    }
  }

  private static let sleepTotals: [StaticString] = [
    "totalSleep", "asleep", "core", "deep", "rem", "awake", "inBed",
  ]
}
