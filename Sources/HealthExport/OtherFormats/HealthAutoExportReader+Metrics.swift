import HealthSamples

extension HealthAutoExportReader {
  /// Adds a datum of a metric.
  mutating func add(_ datum: JSONText.Value, ofMetric name: String, units: String) {
    switch name {
    case "blood_pressure": addBloodPressure(datum, units: units)
    case "sleep_analysis": addSleep(datum)
    default: addValue(datum, ofMetric: name, units: units)
    }
  }

  /// Times and source of a datum.
  private func record(_ type: String, of datum: JSONText.Value) -> LooseRecords.Record {
    var record = LooseRecords.Record()
    record.type = type
    // A datum of several sources names all of them with `|` between.
    record.source = datum["source"]?.text ?? ""
    record.start = date(datum["startDate"]) ?? date(datum["date"])
    record.end = date(datum["endDate"]) ?? record.start
    return record
  }

  func date(_ value: JSONText.Value?) -> Double? {
    value?.text.flatMap(LocalisedDate.instant)
  }

  private mutating func addValue(
    _ datum: JSONText.Value, ofMetric name: String, units: String
  ) {
    guard let type = HealthAutoExportNames.type(ofMetric: name) else {
      counts.unknownElements[name, default: 0] += 1
      return
    }
    var record = record(type.identifier, of: datum)
    guard type.canonicalUnit != nil else {
      // A category tells how long it lasted, or how often it was.
      if datum["endDate"] == nil, units == "min", let start = record.start,
        let minutes = datum["qty"]?.number
      {
        record.end = start + minutes * 60
      }
      record.constant = datum["value"]?.text ?? ""
      records.add(record)
      return
    }
    let unit = HealthAutoExportNames.unit(units)
    record.unit = unit.name
    record.value = (datum["qty"] ?? datum["Avg"])?.number.map { $0 * unit.factor }
    // A datum that sums up several heart rates keeps their bounds beside their mean.
    record.metadata = Metadata(
      ["Min", "Max"].compactMap { key in
        datum[key]?.number.map { Metadata.Entry(key: key, value: "\($0) \(units)") }
      })
    records.add(record)
  }

  private mutating func addBloodPressure(_ datum: JSONText.Value, units: String) {
    let parts: [(key: String, type: HKQuantityTypeIdentifier)] = [
      ("systolic", .bloodPressureSystolic), ("diastolic", .bloodPressureDiastolic),
    ]
    var row = CorrelationColumns.Row()
    row.type = HKCorrelationTypeIdentifier.bloodPressure.rawValue
    let unit = units.isEmpty ? "mmHg" : HealthAutoExportNames.unit(units).name
    for part in parts {
      var record = record(part.type.rawValue, of: datum)
      record.unit = unit
      record.value = datum[part.key]?.number
      records.add(record)
      guard let start = record.start, let end = record.end, let value = record.value else {
        continue
      }
      row.facts.source = Source(name: record.source)
      (row.facts.start, row.facts.end) = (start, end)
      var conversions = UnitConversions()
      let conversion = conversions.conversion(from: unit, type: part.type.rawValue)
      row.members.append(
        RecordLink(
          type: part.type.rawValue, source: row.facts.source, start: start, end: end,
          value: conversion(value) ?? value, label: unit))
    }
    if row.members.count == parts.count {
      counts.elements[.correlation, default: TypeCount()].read += 1
      correlations.rows.append(row)
    }
  }

  /// Adds a stage of sleep, or a night that the app has summed up.
  ///
  /// A summed up night says when sleep and bed began and ended; its hours of each stage do not say
  /// when they were and are kept beside the night.
  private mutating func addSleep(_ datum: JSONText.Value) {
    let type = HKCategoryTypeIdentifier.sleepAnalysis.rawValue
    if let stage = datum["value"]?.text {
      var record = record(type, of: datum)
      record.constant = HealthAutoExportNames.sleepConstant(stage) ?? stage
      return records.add(record)
    }
    let parts = [
      ("inBedStart", "inBedEnd", "inBedSource", "inbed"),
      ("sleepStart", "sleepEnd", "sleepSource", "asleep"),
    ]
    let hours = ["asleep", "core", "deep", "rem", "awake", "inBed"].compactMap { key in
      datum[key]?.number.map { Metadata.Entry(key: key, value: "\($0) hr") }
    }
    for (start, end, source, stage) in parts {
      guard let begin = date(datum[start]), let finish = date(datum[end]) else { continue }
      var record = LooseRecords.Record()
      record.type = type
      record.source = (datum["source"] ?? datum[source])?.text ?? ""
      (record.start, record.end) = (begin, finish)
      record.constant = HealthAutoExportNames.sleepConstant(stage) ?? ""
      record.metadata = Metadata(hours)
      records.add(record)
    }
  }
}
