import Foundation
import HealthSamples
import HealthStatistics
import Testing

@testable import HealthKit

/// An archive in memory, from which entries can be taken or exchanged.
private final class OpenArchive: NSCoder {
  var entries: [String: Any] = [:]

  override var allowsKeyedCoding: Bool { true }
  override var requiresSecureCoding: Bool { true }

  override func encode(_ object: Any?, forKey key: String) {
    if let object { entries[key] = object }
  }
  override func encode(_ value: Bool, forKey key: String) { entries[key] = value }
  override func encode(_ value: Int, forKey key: String) { entries[key] = value }
  override func encode(_ value: Double, forKey key: String) { entries[key] = value }

  override func containsValue(forKey key: String) -> Bool { entries[key] != nil }
  override func decodeBool(forKey key: String) -> Bool { entries[key] as? Bool ?? false }
  override func decodeInteger(forKey key: String) -> Int { entries[key] as? Int ?? 0 }
  override func decodeDouble(forKey key: String) -> Double { entries[key] as? Double ?? 0 }

  override func decodeObject<Object: NSObject & NSCoding>(
    of type: Object.Type, forKey key: String
  ) -> Object? {
    entries[key] as? Object
  }

  override func decodeObject(of classes: [AnyClass]?, forKey key: String) -> Any? {
    guard let object = entries[key] as? NSObject else { return nil }
    return classes?.contains { object.isKind(of: $0) } == true ? object : nil
  }
}

@Suite struct DamagedArchiveTests {
  /// One object of each class, with every property.
  private func objects() throws -> [any NSObject & NSSecureCoding] {
    let start = Date(timeIntervalSinceReferenceDate: 1000)
    let facts = ObjectFacts(device: .local(), metadata: ["k": "v"])
    let level = HKQuantity(unit: .decibelHearingLevel(), doubleValue: 1)
    let length = HKQuantity(unit: .meter(), doubleValue: 1)
    let power = HKQuantity(unit: .diopter(), doubleValue: 1)
    let angle = HKQuantity(unit: .degreeAngle(), doubleValue: 30)
    let range = try HKAudiogramSensitivityPointClampingRange(lowerBound: 1, upperBound: 2)
    let test = try HKAudiogramSensitivityTest(
      sensitivity: level, type: .air, masked: true, side: .left, clampingRange: range)
    let point = try HKAudiogramSensitivityPoint(
      frequency: HKQuantity(unit: .hertz(), doubleValue: 1), tests: [test])
    let prism = HKVisionPrism(
      amount: HKQuantity(unit: .prismDiopter(), doubleValue: 1), angle: angle, eye: .left)
    let glass = HKGlassesLensSpecification(
      sphere: power, cylinder: power, axis: angle, addPower: power, vertexDistance: length,
      prism: prism, farPupillaryDistance: length, nearPupillaryDistance: length)
    let contact = HKContactsLensSpecification(
      sphere: power, cylinder: power, axis: angle, addPower: power, baseCurve: length,
      diameter: length)
    let type = HKQuantityType(.heartRate)
    let columns = StatisticsColumns(
      start: 1, end: 2, count: 3, values: [.mean: 1, .recent: 2], recent: (start: 1, end: 2))
    let statistics = HKStatistics(
      StatisticsTable(
        type: type, unit: HKUnit(from: "count/min"), intervals: columns,
        sources: [(.default(), columns)], separatesSources: true), row: 0)
    let event = HKWorkoutEvent(
      type: .lap, dateInterval: DateInterval(start: start, duration: 1), metadata: ["k": 1])
    let configuration = HKWorkoutConfiguration()
    configuration.lapLength = length
    let zones = HKWorkoutZoneGroup(
      try HKWorkoutZoneConfiguration(
        quantityType: type,
        zoneBoundaries: [100, 150].map {
          HKQuantity(unit: HKUnit(from: "count/min"), doubleValue: $0)
        }
      ), seconds: [1, 2, 3])
    let part = HKWorkoutActivity(
      facts: .init(
        configuration: configuration, start: start, end: start, duration: 1, events: [event],
        statistics: [type: statistics], zones: [type: zones]))
    let count = HKQuantity(unit: .count(), doubleValue: 1)
    let workout = HKWorkout(
      HKWorkout.Content(
        activity: .yoga, duration: 1, events: [event], activities: [part],
        energy: HKQuantity(unit: .joule(), doubleValue: 1), distance: length, flights: count,
        strokes: count, statistics: [type: statistics], zones: [type: zones]), start: start,
      end: start, facts: facts)
    var locations = LocationColumns()
    locations.append(time: 1, latitude: 2, longitude: 3, altitude: 4)
    let resource = HKFHIRResource(
      version: .primaryR4(), type: .condition, identifier: "1", data: Data([1]),
      sourceURL: URL(string: "https://example.com"))
    let summary = HKActivitySummary()
    summary.standHoursGoal = count
    summary.day = 1
    return [
      range, test, point, prism, glass, contact, statistics, event, configuration, part, workout,
      resource, HKFHIRVersion.primaryR4(), summary,
      HKWorkoutRoute(locations, start: start, end: start, facts: facts),
      HKHeartbeatSeriesSample(
        .init(offsets: [1], areAfterGaps: [true]), start: start, end: start, facts: facts),
      HKElectrocardiogram(
        .init(heartRate: 1, frequency: 2, voltages: [1]), start: start, end: start, facts: facts),
      HKAudiogramSample([point], start: start, end: start, facts: facts),
      HKStateOfMind(
        .init(kind: .dailyMood, valence: 1, labels: [.calm], associations: [.work]), date: start,
        facts: facts),
      HKGAD7Assessment(
        unchecked: Array(repeating: .severalDays, count: 7), date: start, facts: facts),
      HKPHQ9Assessment(
        unchecked: Array(repeating: .severalDays, count: 9), date: start, facts: facts),
      HKClinicalRecord(
        type: HKClinicalType(.conditionRecord), displayName: "x", resource: resource, date: start,
        facts: facts),
      HKGlassesPrescription(
        right: glass, left: glass, issued: start, expires: start, facts: facts),
      HKContactsPrescription(
        right: contact, left: contact, brand: "x", issued: start, expires: start, facts: facts),
      try HKCDADocumentSample(
        data: Data("<ClinicalDocument/>".utf8), start: start, end: start, metadata: nil),
      HKAttachment(
        identifier: UUID(), name: "x", size: 1, creationDate: start, metadata: ["k": "v"]),
      HKMedicationDoseEvent(
        .init(
          medication: HKHealthConceptIdentifier(domain: .medication, text: "x"),
          schedule: .schedule, status: .taken, unit: .count(), dose: 1, scheduledDose: 1,
          scheduledDate: start), start: start, end: start, facts: facts),
      HKUserAnnotatedMedication(
        medication: HKMedicationConcept(
          identifier: HKHealthConceptIdentifier(domain: .medication, text: "x"),
          displayText: "x", generalForm: .init(rawValue: "x"),
          relatedCodings: [HKClinicalCoding(system: "x", version: "x", code: "x")]),
        nickname: "x", isArchived: true, hasSchedule: true),
      HKWorkoutEffortRelationship(workout: workout, activity: part, samples: [workout]),
      ArchivedZoneGroup(zones),
    ]
  }

  private func read(
    _ entries: [String: Any], _ type: any (NSObject & NSSecureCoding).Type
  ) -> (any NSObject & NSSecureCoding)? {
    let archive = OpenArchive()
    archive.entries = entries
    return type.init(coder: archive)
  }

  @Test("an archive without one of its entries, or with another in its place, is read or refused")
  func entries() throws {
    let others: [Any] = [
      "x" as NSString, Int.max, -1.5, HKQuantity(unit: .gram(), doubleValue: 1),
      NSArray(array: ["x" as NSString]), Data([1, 2, 3]) as NSData, Double.nan,
    ]
    var refused = 0
    for object in try objects() {
      let archive = OpenArchive()
      object.encode(with: archive)
      let type = type(of: object)
      let whole = try #require(read(archive.entries, type))
      #expect(whole.isEqual(object), "\(type)")
      #expect(read([:], type) == nil || type == HKAudiogramSensitivityPointClampingRange.self)
      for key in archive.entries.keys {
        var entries = archive.entries
        entries[key] = nil
        if read(entries, type) == nil { refused += 1 }
        for other in others {
          entries[key] = other
          guard let odd = read(entries, type) else {
            refused += 1
            continue
          }
          // What was read can be written again, and compared.
          odd.encode(with: OpenArchive())
          _ = odd.isEqual(whole)
          _ = odd.hash
        }
      }
    }
    #expect(refused > 100)
  }

  @Test("dates and measurements of an archive are finite numbers")
  func finiteNumbers() throws {
    let type = HKQuantityType(.heartRate)
    let start = Date(timeIntervalSinceReferenceDate: 1000)
    let sample = HKQuantitySample.make(
      type, 60, HKUnit(from: "count/min"), start: start, end: start + 2, facts: ObjectFacts(),
      series: QuantitySeries(values: [59, 61], starts: [1000, 1001], ends: [1001, 1002]))
    let archive = OpenArchive()
    sample.encode(with: archive)
    for key in ["startDate", "endDate"] {
      for odd in [Double.nan, .infinity] {
        var entries = archive.entries
        entries[key] = odd
        #expect(read(entries, HKDiscreteQuantitySample.self) == nil)
      }
    }
    let numbers = try #require(archive.entries["series"] as? [NSNumber])
    for index in numbers.indices {
      var odd = numbers
      odd[index] = NSNumber(value: Double.nan)
      var entries = archive.entries
      entries["series"] = NSArray(array: odd)
      let copy = read(entries, HKDiscreteQuantitySample.self) as? HKDiscreteQuantitySample
      #expect(copy?.mostRecentQuantityDateInterval == DateInterval(start: start, duration: 2))
    }
  }
}
