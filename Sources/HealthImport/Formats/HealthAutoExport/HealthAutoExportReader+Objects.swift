import HealthSamples
import HealthUnits

extension HealthAutoExportReader {
  /// Adds a state of mind.
  mutating func addStateOfMind(_ element: JSONValue) {
    let kind = element["kind"]?.text.flatMap { number($0, of: "HKStateOfMindKind") }
    guard let kind else { return records.countUnknown("stateOfMind") }
    guard var row = object(SavedObjects.stateOfMindType, of: element) else { return }
    guard let valence = element["valence"]?.number, valence.magnitude <= 1 else {
      let isMissing = element["valence"]?.number == nil
      return records.skip(.savedObject, isMissing ? .missingValue : .invalidValue)
    }
    row.facts.end = row.facts.start
    row.properties.set(.kind, .number(Double(kind)))
    row.properties.set(.valence, .number(valence))
    for (property, key, enumeration) in [
      (.labels, "labels", "HKStateOfMindLabel"),
      (.associations, "associations", "HKStateOfMindAssociation"),
    ] as [(SavedObjects.Property, StaticString, String)] {
      let words = element[key]?.elements.map { $0.compactMap(\.text) } ?? []
      let numbers = words.map { number($0, of: enumeration) }
      row.properties.set(property, numbers.compactMap(\.self))
      // Translated words, and those of a newer system.
      let others = zip(words, numbers).filter { $1 == nil }.map(\.0)
      if !others.isEmpty {
        row.facts.metadata.entries.append(
          .init(key: key.description, value: others.joined(separator: ", ")))
      }
    }
    records.add(row)
  }

  /// Adds a dose of a medication.
  mutating func addMedication(_ element: JSONValue) {
    let status = element["status"]?.text.flatMap {
      number($0, of: "HKMedicationDoseEventLogStatus")
    }
    guard let status, let name = element["displayText"]?.text else {
      return records.countUnknown("medications")
    }
    guard var row = object(SavedObjects.medicationDoseType, of: element) else { return }
    // The app writes the dosage of a dose that was skipped, too.
    let dosage = element["dosage"]?.number
    let scheduledDate = date(element["scheduledDate"])
    let scheduledDose =
      scheduledDate == nil ? nil : element["scheduledDosage"]?.number ?? dosage
    let isScheduled = scheduledDose != nil
    let unit = element["units"]?.text.flatMap { try? UnitExpression($0).text(in: .healthKit) }
    row.properties.set(.medication, .string(name))
    row.properties.set(.domain, .string(SavedObjects.medicationDomain))
    row.properties.set(.schedule, .number(isScheduled ? 2 : 1))
    row.properties.set(.status, .number(Double(status)))
    row.properties.set(.unit, .string(unit ?? "count"))
    let isTaken = status == number("Taken", of: "HKMedicationDoseEventLogStatus")
    row.properties.set(.dose, isTaken ? dosage.map(MetadataValue.number) : nil)
    row.properties.set(.scheduledDose, scheduledDose.map(MetadataValue.number))
    row.properties.set(.scheduledDate, isScheduled ? scheduledDate.map(MetadataValue.date) : nil)
    func note(_ key: StaticString) {
      guard let text = element[key]?.plainText else { return }
      row.facts.metadata.entries.append(.init(key: key.description, value: text))
    }
    for key in ["nickname", "form", "isArchived"] as [StaticString] { note(key) }
    if unit == nil { note("units") }
    if !isScheduled { note("scheduledDate") }
    for coding in element["codings"]?.elements.map(Array.init) ?? [] {
      guard let system = coding["system"]?.text, let code = coding["code"]?.plainText else {
        continue
      }
      row.facts.metadata.entries.append(.init(key: system, value: code))
    }
    records.add(row)
  }

  /// The row of an object with its times and its source; `nil`, and counted, if it has no date.
  private mutating func object(_ type: String, of element: JSONValue) -> SavedObjects.Row? {
    guard let start = date(element["start"]) ?? date(element["scheduledDate"]) else {
      records.skip(.savedObject, Self.objection(toDatesOf: element))
      return nil
    }
    var row = SavedObjects.Row()
    row.type = type
    row.facts.source = Source(name: Self.source(of: element))
    row.facts.start = start
    row.facts.end = date(element["end"]) ?? start
    row.facts.metadata = Metadata(
      (element["id"]?.text.map { [.init(key: "id", value: $0)] } ?? [])
        + (element["metadata"]?.members ?? []).compactMap { key, value in
          value.plainText.map { .init(key: key, value: $0) }
        })
    return row
  }

  /// The raw value of a case by its name, whatever its capitals, spaces and `_`; `nil` if there is
  /// none.
  private func number(_ name: String, of enumeration: String) -> Int? {
    HealthAutoExportNames.number(ofCase: name, of: enumeration)
  }

  /// Adds a notification of a high, a low or an irregular heart rate, and the rates in it.
  mutating func addHeartRateNotification(_ element: JSONValue) {
    let rates = (element["heartRateData"] ?? element["heartRate"])?.elements.map(Array.init) ?? []
    let threshold = element["threshold"]?.number
    guard let type = Self.notification(element, rates: rates, threshold: threshold) else {
      return records.countUnknown("heartRateNotifications")
    }
    var record = record(type.rawValue, of: element)
    let zone = record.metadata
    if let threshold, let unit = try? UnitExpression("count/min") {
      let entry = Metadata.Entry(
        key: "HKHeartRateEventThreshold", .quantity(threshold, unit))
      record.metadata.entries.append(.init(key: entry.key, value: entry.value))
    }
    records.add(record)
    for rate in rates {
      var reading = RecordCollector.Record()
      reading.type = HKQuantityTypeIdentifier.heartRate.rawValue
      reading.source = record.source
      reading.metadata = zone
      // Other arrays have whole seconds.
      reading.start = date(rate["timestamp"]?["start"])?.rounded(.down)
      reading.end = date(rate["timestamp"]?["end"])?.rounded(.down) ?? reading.start
      let unit = units.unit((rate["hrUnits"] ?? rate["units"])?.text ?? "bpm")
      reading.unit = unit.text
      reading.value = Self.rate(rate).map(unit.spoken.stored)
      reading.isNested = true
      records.add(reading)
    }
  }

  private static func rate(_ reading: JSONValue) -> Double? {
    (reading["heartRate"] ?? reading["hr"])?.number
  }

  /// The type of a notification: as named, or by its rates if it has no name.
  ///
  /// Only those of high and of low rates have a threshold.
  private static func notification(
    _ element: JSONValue, rates: [JSONValue], threshold: Double?
  ) -> HKCategoryTypeIdentifier? {
    if let name = element["heartNotification"]?.text?.lowercased() {
      if name.contains("irregular") { return .irregularHeartRhythmEvent }
      if name.contains("low") { return .lowHeartRateEvent }
      return name.contains("high") ? .highHeartRateEvent : nil
    }
    let numbers = rates.compactMap(rate)
    guard let threshold, !numbers.isEmpty else {
      return threshold == nil && element["heartRateVariation"] != nil
        ? .irregularHeartRhythmEvent : nil
    }
    if numbers.allSatisfy({ $0 >= threshold }) { return .highHeartRateEvent }
    return numbers.allSatisfy { $0 <= threshold } ? .lowHeartRateEvent : nil
  }
}
