import Foundation
import HealthImport
import HealthSamples
import Testing
import _HealthTestSupport

@testable import HealthKit

@Suite struct ElementBridgeTests {
  @Test("elements become objects and the same elements again", arguments: [UInt64](1...60))
  func randomElements(seed: UInt64) throws {
    var random = RandomElements(seed: seed)
    let workout = random.workout()
    #expect(Workouts.Row(workout.object()) == workout)
    let route = random.route()
    #expect(Routes.Row(route.object()) == route)
    let correlation = random.correlation()
    #expect(Correlations.Row(correlation.object()) == correlation)
    let summary = random.activitySummary()
    #expect(ActivitySummaries.Row(summary.object()) == summary)
    let beats = random.beatList()
    #expect(BeatLists.Row(beats.object()) == beats)
    let electrocardiogram = random.electrocardiogram()
    #expect(Electrocardiograms.Row(electrocardiogram.object()) == electrocardiogram)
    let audiogram = random.audiogram()
    #expect(Audiograms.Row(audiogram.object()) == audiogram)
    let prescription = random.visionPrescription()
    #expect(VisionPrescriptions.Row(prescription.object()) == prescription)
    let record = random.clinicalRecord()
    #expect(ClinicalRecords.Row(record.object()) == record)
  }

  @Test("an import's elements become objects and the same elements again")
  func importedElements() throws {
    var kinds: Set<ElementKind> = []
    for seed in UInt64(1)...12 {
      var source = RandomExport(seed: seed)
      let folder = try TemporaryFolder()
      let path = try folder.write(source.document(300), to: "export.xml")
      var reader = try ImportReader(path: path)
      while let batch = try reader.next() {
        if let kind = try compare(batch) { kinds.insert(kind) }
      }
    }
    #expect(
      kinds.isSuperset(of: [.workout, .route, .correlation, .activitySummary, .beatList]),
      "\(kinds)")
  }

  /// Compares the elements of a batch with those that their objects give; `nil` for records.
  private func compare(_ batch: ImportBatch) throws -> ElementKind? {
    switch batch {
    case .records: return nil
    case .workouts(let elements):
      for row in elements.rows {
        let object = row.object()
        #expect(Workouts.Row(object) == row)
        #expect(object.startDate.timeIntervalSinceReferenceDate == row.facts.start)
        #expect(
          object.workoutActivityType.constant == row.activity || !row.activity.hasPrefix("HK"))
        #expect(row.duration == nil || object.duration == row.duration)
        #expect(object.sourceRevision.source.name == row.facts.source.name)
        // Of several statistics of one type the first counts.
        var types: Set<HKQuantityType> = []
        for statistics in row.statistics {
          guard let type = HKQuantityType.types[statistics.type],
            let unit = try? HKUnit.parsed(statistics.unit), type.is(compatibleWith: unit),
            types.insert(type).inserted
          else { continue }
          let found = try #require(object.statistics(for: type))
          #expect(found.sumQuantity() == statistics.sum.map { HKQuantity($0, unit) })
          #expect(found.averageQuantity() == statistics.average.map { HKQuantity($0, unit) })
        }
        #expect(Set(object.allStatistics.keys) == types)
      }
    case .routes(let elements):
      for row in elements.rows {
        let object = row.object()
        #expect(Routes.Row(object) == row)
        #expect(object.count == row.locations.count)
      }
    case .correlations(let elements):
      for row in elements.rows {
        let object = row.object()
        #expect(Correlations.Row(object) == row)
        let known = row.members.filter { Catalogue.type($0.type) != nil }
        #expect(object.objects.count == known.count)
      }
    case .activitySummaries(let elements):
      for row in elements.rows {
        let object = row.object()
        #expect(ActivitySummaries.Row(object) == row)
        #expect(object.activeEnergyBurned.value == row.activeEnergy ?? 0)
      }
    case .beatLists(let elements):
      for row in elements.rows {
        let object = row.object()
        #expect(BeatLists.Row(object) == row)
        #expect(object.count == row.offsets.count)
      }
    case .electrocardiograms(let elements):
      for row in elements.rows { #expect(Electrocardiograms.Row(row.object()) == row) }
    case .audiograms(let elements):
      for row in elements.rows { #expect(Audiograms.Row(row.object()) == row) }
    case .visionPrescriptions(let elements):
      for row in elements.rows { #expect(VisionPrescriptions.Row(row.object()) == row) }
    case .clinicalRecords(let elements):
      for row in elements.rows { #expect(ClinicalRecords.Row(row.object()) == row) }
    case .characteristics, .savedObjects: break
    }
    return batch.elements.kind
  }

  /// The object of an archive, which has nothing of the row from which the object was made.
  private func read<Object: HKObject>(_ object: Object) throws -> Object {
    let copy = try archivedObject(object)
    #expect(copy == object)
    #expect(copy.facts.element == nil)
    return copy
  }

  private var facts: ElementFacts {
    var facts = ElementFacts()
    facts.source = Source(name: "Anna’s Watch", bundleIdentifier: "com.example")
    facts.origin = Origin(sourceVersion: "11.2", device: "name:Watch, model:Watch")
    facts.start = 700_000_000.25
    facts.end = 700_003_600.75
    facts.metadata = Metadata([.init(key: "HKIndoorWorkout", value: "1")])
    return facts
  }

  /// The facts without the way in which values of metadata are written.
  private func withoutMetadata(_ facts: ElementFacts) -> ElementFacts {
    var facts = facts
    facts.metadata = Metadata()
    return facts
  }

  @Test("a workout says itself what its row says")
  func workout() throws {
    var row = Workouts.Row()
    row.facts = facts
    row.activity = "HKWorkoutActivityTypeRunning"
    row.duration = 3000.5
    var event = Workouts.Event()
    event.type = "HKWorkoutEventTypeSegment"
    event.date = row.facts.start + 10
    event.duration = 60.25
    row.events = [event]
    func statistics(_ type: HKQuantityTypeIdentifier, _ unit: String) -> Workouts.Statistics {
      var statistics = Workouts.Statistics()
      statistics.type = type.rawValue
      statistics.unit = unit
      statistics.recordedUnit = unit
      statistics.start = row.facts.start
      statistics.end = row.facts.end
      return statistics
    }
    var energy = statistics(.activeEnergyBurned, "kcal")
    energy.sum = 300.1
    var distance = statistics(.distanceWalkingRunning, "m")
    distance.sum = 10_000.0 / 3
    var rate = statistics(.heartRate, "count/s")
    rate.average = 2.5
    rate.minimum = 1.5
    rate.maximum = 2.75
    row.statistics = [energy, distance, rate].sorted { $0.type < $1.type }
    var part = Workouts.Activity()
    part.identifier = UUID().uuidString
    part.start = row.facts.start
    part.end = row.facts.end
    part.duration = 3000.5
    part.statistics = [rate]
    part.events = [event]
    part.activity = "HKWorkoutActivityTypeRunning"
    row.activities = [part]

    let object = row.object()
    #expect(object.workoutActivityType == .running)
    #expect(object.totalEnergyBurned == HKQuantity(unit: .kilocalorie(), doubleValue: 300.1))
    #expect(object.totalDistance?.doubleValue(for: .meter()) == 10_000.0 / 3)
    #expect(object.duration == 3000.5)
    #expect(object.workoutEvents?.first?.dateInterval.duration == 60.25)
    let beats = HKUnit.count().unitDivided(by: .minute())
    let statistic = object.statistics(for: HKQuantityType(.heartRate))
    #expect(statistic?.averageQuantity()?.doubleValue(for: beats) == 150)
    #expect(statistic?.sumQuantity() == nil)
    #expect(object.device?.model == "Watch")
    #expect(object.sourceRevision.version == "11.2")
    #expect(object.metadata?["HKIndoorWorkout"] as? NSNumber == 1)

    var copy = Workouts.Row(try read(object))
    #expect(withoutMetadata(copy.facts) == withoutMetadata(row.facts))
    #expect(copy.facts.metadata.entries.map(\.typed) == row.facts.metadata.entries.map(\.typed))
    copy.facts = row.facts
    #expect(copy == row)
  }

  @Test("a workout without a recorded duration is as long as its events say")
  func durations() {
    var row = Workouts.Row()
    row.facts.end = 100
    var pause = Workouts.Event()
    pause.type = "HKWorkoutEventTypePause"
    pause.date = 90
    pause.duration = -1
    var odd = Workouts.Event()
    odd.type = "HKWorkoutEventTypeOfTomorrow"
    row.events = [pause, odd]
    row.activity = "HKWorkoutActivityTypeOfTomorrow"
    let object = row.object()
    #expect(object.duration == 90)
    #expect(object.workoutEvents?.count == 1)
    #expect(object.workoutActivityType == .other)
    #expect(Workouts.Row(object) == row)
  }

  @Test("an app's workout has a row with its totals in the units of their types")
  func appWorkout() throws {
    let start = Date(timeIntervalSinceReferenceDate: 1000)
    let workout = HKWorkout(
      activityType: .cycling, start: start, end: start + 60, workoutEvents: nil,
      totalEnergyBurned: HKQuantity(unit: .jouleUnit(with: .kilo), doubleValue: 4.184),
      totalDistance: HKQuantity(unit: .meterUnit(with: .kilo), doubleValue: 2), metadata: nil)
    let row = Workouts.Row(workout)
    #expect(row.activity == "HKWorkoutActivityTypeCycling" && row.duration == 60)
    #expect(row.facts.source == HKSource.default().core)
    let energy = try #require(row.statistics.first { $0.type.hasSuffix("ActiveEnergyBurned") })
    #expect(energy.unit == "kcal" && energy.recordedUnit == "kJ")
    #expect((try #require(energy.sum) - 1).magnitude < 1e-15)
    let distance = try #require(row.statistics.first { $0.type.hasSuffix("DistanceCycling") })
    #expect(distance.recordedUnit == "km")
    #expect(row.statistics.count == 2)
    let again = row.object()
    #expect(again.totalDistance == workout.totalDistance)
    #expect(again.workoutActivityType == .cycling)
  }

  @Test("other objects say themselves what their rows say")
  func others() throws {
    var route = Routes.Row()
    route.facts = facts
    route.locations.append(time: 1, latitude: 2, longitude: 3, altitude: 4, speed: 5)
    let routeCopy = Routes.Row(try read(route.object()))
    #expect(routeCopy.locations == route.locations)

    var electrocardiogram = Electrocardiograms.Row()
    electrocardiogram.facts = facts
    electrocardiogram.facts.metadata = Metadata()
    electrocardiogram.lead = "Lead I"
    electrocardiogram.sampleRate = 511.562
    electrocardiogram.voltages = [1, -2.5]
    for words in ["Sinus Rhythm", "Atrial Fibrillation", "Inconclusive", ""] {
      electrocardiogram.classification = words
      let object = try read(electrocardiogram.object())
      #expect((object.classification == .notSet) == words.isEmpty)
      #expect(Electrocardiograms.Row(object) == electrocardiogram)
    }
    electrocardiogram.classification = "Sinusrhythmus"
    #expect(electrocardiogram.object().classification == .sinusRhythm)
    electrocardiogram.classification = "Sinus, perhaps"
    #expect(electrocardiogram.object().classification == .unrecognized)

    var audiogram = Audiograms.Row()
    audiogram.facts = facts
    audiogram.facts.metadata = Metadata()
    audiogram.type = "HKDataTypeIdentifierAudiogram"
    var point = Audiograms.Point()
    point.frequency = 1000
    point.left.sensitivity = 10.5
    point.left.isMasked = true
    point.left.clampingUpperBound = 120
    audiogram.points = [point]
    #expect(Audiograms.Row(try read(audiogram.object())) == audiogram)

    var record = ClinicalRecords.Row()
    record.type = "HKClinicalTypeIdentifierLabResultRecord"
    record.identifier = "1"
    record.source = Source(name: "Clinic")
    record.sourceURL = "https://example.com/Observation/1"
    record.version = "4.0.1"
    record.received = 1000.5
    record.resource = Array(
      "{\"resourceType\":\"Observation\",\"code\":{\"coding\":[{\"display\":\"Iron\"}]}}".utf8)
    let document = record.object()
    #expect(document.displayName == "Iron")
    #expect(document.fhirResource?.resourceType == .observation)
    #expect(document.clinicalType == HKClinicalType(.labResultRecord))
    #expect(ClinicalRecords.Row(try read(document)) == record)
  }

  @Test("a prescription says itself what its row says, in the units that were written")
  func prescriptions() throws {
    var row = VisionPrescriptions.Row()
    row.type = "glasses"
    row.issued = 1000
    row.expires = 2000
    row.rightEye = [
      .init(name: "sphere", value: -1.25, unit: "D"),
      .init(name: "prismAmount", value: 2, unit: "pD"),
      .init(name: "prismAngle", value: 30, unit: "deg"),
      .init(name: "farPD", value: 3.2, unit: "cm"),
    ]
    let glasses = try #require(row.object() as? HKGlassesPrescription)
    #expect(glasses.leftEye == nil)
    #expect(
      glasses.rightEye?.farPupillaryDistance?.doubleValue(for: .meterUnit(with: .milli)) == 32)
    #expect(VisionPrescriptions.Row(try read(glasses)) == row)
    row.type = "contacts"
    row.brand = "x"
    row.rightEye = [.init(name: "sphere", value: -1.25, unit: "D")]
    row.leftEye = row.rightEye + [.init(name: "baseCurve", value: 8.6, unit: "mm")]
    let contacts = try #require(row.object() as? HKContactsPrescription)
    #expect(VisionPrescriptions.Row(try read(contacts)) == row)
    row.leftEye = []
    row.rightEye = []
    #expect(!(row.object() is HKContactsPrescription))
    #expect(row.object().prescriptionType == .contacts)
  }

  @Test("a day that changed has a row with the change")
  func changedDay() throws {
    var row = ActivitySummaries.Row()
    row.day = 9000
    row.activeEnergy = 300.1
    row.activeEnergyGoal = 500
    row.recordedEnergyUnit = "Cal"
    row.standHours = 0
    let summary = row.object()
    #expect(summary.activityMoveMode == .activeEnergy)
    #expect(summary.standHoursGoal == nil)
    summary.standHoursGoal = HKQuantity(unit: .count(), doubleValue: 12)
    summary.activeEnergyBurned = HKQuantity(unit: .jouleUnit(with: .kilo), doubleValue: 418.4)
    row.standHoursGoal = 12
    row.activeEnergy = 100
    #expect(ActivitySummaries.Row(summary) == row)
    #expect(ActivitySummaries.Row(HKActivitySummary()) == nil)
    row.activeEnergyGoal = 0
    row.moveMinutesGoal = 60
    #expect(row.object().activityMoveMode == .appleMoveTime)
  }

  @Test("a correlation's records are samples, and samples of an app are its records")
  func correlations() throws {
    var row = Correlations.Row()
    row.facts = facts
    row.facts.metadata = Metadata()
    row.type = "HKCorrelationTypeIdentifierBloodPressure"
    row.members = [("Diastolic", 80.5), ("Systolic", 120)].map { name, value in
      RecordLink(
        type: "HKQuantityTypeIdentifierBloodPressure\(name)", source: facts.source,
        start: facts.start, end: facts.end, value: value, label: "mmHg")
    }
    let object = row.object()
    let systolic = object.objects(for: HKQuantityType(.bloodPressureSystolic))
    #expect(
      (systolic.first as? HKQuantitySample)?.quantity
        == HKQuantity(unit: .millimeterOfMercury(), doubleValue: 120))
    #expect(Correlations.Row(try read(object)) == row)
    row.members[0].label = "kPa"
    let pressure = row.object().objects(for: HKQuantityType(.bloodPressureDiastolic)).first
    let value = (pressure as? HKQuantitySample)?.quantity.doubleValue(for: .millimeterOfMercury())
    #expect((try #require(value) - 80.5).magnitude < 1e-12)
  }

  @Test("beats that come late are after a gap")
  func gaps() {
    let record = RecordLink(
      type: "HKQuantityTypeIdentifierHeartRateVariabilitySDNN", source: Source(name: "Watch"),
      start: 100, end: 160, value: 40, label: "ms")
    var row = BeatLists.Row(record: record)
    row.offsets = [-0.5, 0.5, 1.5, 4.5]
    row.rates = [60, 60, 60, 60]
    let series = row.object()
    #expect(series.beats.areAfterGaps == [false, false, false, true])
    #expect(series.startDate == Date(timeIntervalSinceReferenceDate: 100))
    #expect(series.sourceRevision.source.name == "Watch")
    let made = HKHeartbeatSeriesSample(
      series.beats, start: series.startDate, end: series.endDate, facts: ObjectFacts())
    #expect(BeatLists.Row(made) == nil)
  }

  @Test("every answer about a person is an entry, and the entry is the answer")
  func characteristics() throws {
    let born = DateComponents(year: 1990, month: 2, day: 3)
    for raw in 0..<9 {
      let sex = HKBiologicalSexObject(HKBiologicalSex(rawValue: raw % 4) ?? .notSet)
      let blood = HKBloodTypeObject(HKBloodType(rawValue: raw) ?? .notSet)
      let skin = HKFitzpatrickSkinTypeObject(HKFitzpatrickSkinType(rawValue: raw % 7) ?? .notSet)
      let wheelchair = HKWheelchairUseObject(HKWheelchairUse(rawValue: raw % 3) ?? .notSet)
      let mode = HKActivityMoveModeObject(
        HKActivityMoveMode(rawValue: raw % 2 + 1) ?? .activeEnergy)
      let rows = Characteristics(
        biologicalSex: sex, bloodType: blood, fitzpatrickSkinType: skin,
        wheelchairUse: wheelchair, activityMoveMode: mode,
        dateOfBirthComponents: raw == 0 ? nil : born)
      #expect(rows.biologicalSex == sex && rows.bloodType == blood)
      #expect(rows.fitzpatrickSkinType == skin && rows.wheelchairUse == wheelchair)
      #expect(rows.activityMoveMode == mode)
      let date = rows.dateOfBirthComponents
      #expect(date?.year == (raw == 0 ? nil : 1990) && date?.day == (raw == 0 ? nil : 3))
    }
    #expect(Characteristics().biologicalSex == HKBiologicalSexObject())
    #expect(Characteristics().dateOfBirthComponents == nil)
  }
}

@Suite struct ImportedObjectTests {
  @Test("what Health Auto Export says of moods and doses becomes the objects of an app")
  func objects() throws {
    let folder = try TemporaryFolder()
    let text = """
      {"data":{"stateOfMind":[{"start":"2024-03-09T22:04:05Z","kind":"daily_mood","valence":0.25,
      "labels":["calm"],"associations":["self_care"]}],"medications":[
      {"displayText":"Ibuprofen","start":"2024-03-09 15:04:05 -0700","units":"count",
      "scheduledDate":"2024-03-09 15:00:00 -0700","scheduledDosage":2,"dosage":1,"status":"Taken"},
      {"displayText":"Ibuprofen","start":"2024-03-09 15:04:05 -0700","units":"mg","dosage":400,
      "scheduledDate":"2024-03-09 15:00:00 -0700","status":"Skipped"},
      {"displayText":"Iron","start":"2024-03-09 15:04:05 -0700","status":"Not Logged"}]}}
      """
    var reader = try AnyExportReader(path: try folder.write(text, to: "export.json"))
    var rows: [SavedObjects.Row] = []
    while let batch = try reader.next() {
      if case .savedObjects(let columns) = batch { rows += columns.rows }
    }
    let objects = rows.map { $0.object(uuid: UUID()) }
    let mood = try #require(objects.first as? HKStateOfMind)
    #expect(mood.kind == .dailyMood && mood.valence == 0.25)
    #expect(mood.labels == [.calm] && mood.associations == [.selfCare])
    #expect(mood.startDate == Date(timeIntervalSinceReferenceDate: 731_714_645))
    let doses = objects.dropFirst().compactMap { $0 as? HKMedicationDoseEvent }
    #expect(doses.map(\.logStatus) == [.taken, .skipped, .notLogged])
    #expect(doses.map(\.doseQuantity) == [1, nil, nil])
    #expect(doses.map(\.scheduledDoseQuantity) == [2, 400, nil])
    #expect(doses.map(\.scheduleType) == [.schedule, .schedule, .asNeeded])
    #expect(doses.map(\.unit.unitString) == ["count", "mg", "count"])
    #expect(doses.first?.medicationConceptIdentifier.domain == .medication)
  }
}
