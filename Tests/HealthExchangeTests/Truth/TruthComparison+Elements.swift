import Foundation
import HealthAnswers
import HealthImport
import HealthQuery
import HealthSamples
import HealthStore
import HealthUnits
import Testing
import _HealthStoreSupport

@testable import ExportGenerator

extension TruthComparison {
  /// The number of elements of each name.
  func checkElements() throws {
    let workouts = try store.workouts().rows
    let activities = workouts.flatMap(\.activities)
    let routes = try store.routes().rows
    let zones = workouts.flatMap(\.zoneGroups)
    let prescriptions = try store.visionPrescriptions().rows
    for (name, count) in truth.elements {
      if let kind = ElementKind(rawValue: name) {
        #expect(export.summary.elements[kind]?.read == count, "\(name)")
        continue
      }
      let found: Int
      switch name {
      case "MetadataEntry": found = try metadataCount()
      // Those of copies are gone; the lists that are left are compared one by one.
      case "InstantaneousBeatsPerMinute": continue
      case "Record in Correlation":
        found = try store.correlations().rows.reduce(0) { $0 + $1.members.count }
      case "Record in Workout": found = workouts.reduce(0) { $0 + $1.records.count }
      case "WorkoutEvent":
        found =
          workouts.reduce(0) { $0 + $1.events.count }
          + activities.reduce(0) { $0 + $1.events.count }
      case "WorkoutStatistics":
        found =
          workouts.reduce(0) { $0 + $1.statistics.count }
          + activities.reduce(0) { $0 + $1.statistics.count }
      case "WorkoutActivity": found = activities.count
      case "WorkoutZoneGroup": found = zones.count
      case "WorkoutZone": found = zones.reduce(0) { $0 + $1.zones.count }
      case "FileReference": found = routes.count { !$0.path.isEmpty }
      case "Location": found = routes.reduce(0) { $0 + $1.locations.count }
      case "SensitivityPoint":
        found = try store.audiograms().rows.reduce(0) { $0 + $1.points.count }
      case "RightEye": found = prescriptions.count { !$0.rightEye.isEmpty }
      case "LeftEye": found = prescriptions.count { !$0.leftEye.isEmpty }
      case "Attachment": found = prescriptions.reduce(0) { $0 + $1.attachments.count }
      default:
        Issue.record("Nothing compares “\(name)”.")
        continue
      }
      #expect(found == count, "\(name)")
    }
  }

  /// The metadata entries that the file must have had to become what is stored.
  private func metadataCount() throws -> Int {
    var count = 0
    for type in try store.types() {
      let records = try export.records(of: type.type)
      count += records.reduce(0) { $0 + $1.copies * $1.metadata.entries.count }
    }
    for correlation in try store.correlations().rows {
      count += correlation.facts.metadata.entries.count
    }
    count += try store.workouts().rows.reduce(0) { $0 + $1.facts.metadata.entries.count }
    count += try store.routes().rows.reduce(0) { $0 + $1.facts.metadata.entries.count }
    // A record that only repeats another one is written with its metadata again.
    return truth.correlations.flatMap(\.members).reduce(count) {
      $0 + ($1.isAlone ? 0 : $1.metadata)
    }
  }

  /// What is told of the person.
  func checkCharacteristics() throws {
    let entries = try #require(try store.characteristics().rows.first).entries
    let found = Dictionary(uniqueKeysWithValues: entries.map { ($0.key, $0.value) })
    #expect(found == truth.characteristics)
  }

  /// Correlations, their records in order, each of which is a sample.
  func checkCorrelations() throws {
    let found = try store.correlations().rows
    try #require(found.count == truth.correlations.count)
    // Foods of one minute have all but their names in common, or all but their amounts.
    func first(_ row: Correlations.Row) -> Double { row.members.first?.value ?? 0 }
    func food(_ row: Correlations.Row) -> String {
      row.facts.metadata.entries.first { $0.key == "HKFoodType" }?.value ?? ""
    }
    let rows = found.sorted {
      ($0.facts.start, $0.type, food($0), first($0))
        < ($1.facts.start, $1.type, food($1), first($1))
    }
    let known = truth.correlations.sorted {
      ($0.start, $0.type, $0.food ?? "", $0.members.first?.value ?? 0)
        < ($1.start, $1.type, $1.food ?? "", $1.members.first?.value ?? 0)
    }
    let members = Set(known.flatMap(\.members).map(\.type))
    let conversions = Dictionary(
      uniqueKeysWithValues: try members.map { ($0, try conversion(ofType: $0)) })
    for (row, correlation) in zip(rows, known) {
      #expect(row.type == correlation.type)
      #expect(row.facts.source.name == correlation.source)
      #expect(row.facts.start == ImportedExport.instant(correlation.start))
      #expect(row.facts.end == ImportedExport.instant(correlation.end))
      #expect(row.facts.metadata.entries.count == correlation.metadata)
      #expect(correlation.food.map { $0 == food(row) } ?? true)
      #expect(row.members.map(\.type) == correlation.members.map(\.type))
      for (link, member) in zip(row.members, correlation.members) {
        let value = conversions[member.type]?(member.value)
        #expect(Self.agree(link.value, value) && link.start == row.facts.start)
      }
    }
    try checkSamples(of: rows.flatMap(\.members))
  }

  /// When menstrual cycles begin, and how long they are.
  func checkCycles() throws {
    let known = try #require(truth.cycles)
    let zone = ZoneTimeline(try #require(TimeZone(identifier: export.plan.timeline.zoneName)))
    let found = try store.cycles(CyclePlan(ElementPeriod(timeZone: zone)))
    let firstDays = found.starts.map { LocalTime($0, in: zone).dateText }
    #expect(firstDays == known.map(\.firstDay))
    #expect(found["length"] == known.map { $0.length.map(Double.init) })
  }

  /// The rings of each day, twice where the day is there twice.
  func checkSummaries() throws {
    let found = try store.activitySummaries().rows.sorted {
      ($0.day, $0.activeEnergyGoal ?? 0) < ($1.day, $1.activeEnergyGoal ?? 0)
    }
    let known = truth.summaries.sorted { ($0.date, $0.goal) < ($1.date, $1.goal) }
    try #require(found.count == known.count)
    for (row, rings) in zip(found, known) {
      let date = CivilDate(day: row.day + 11_323)
      #expect(date.description == rings.date)
      #expect(Self.agree(row.activeEnergy, rings.kilocalories), "\(rings.date)")
      #expect(Self.agree(row.activeEnergyGoal, rings.goal), "\(rings.date)")
      #expect(row.exerciseMinutes == Double(rings.exerciseMinutes), "\(rings.date)")
      #expect(row.standHours == Double(rings.standHours), "\(rings.date)")
    }
  }

  /// The beats behind heart rate variabilities.
  func checkBeatLists() throws {
    let found = try store.beatLists().rows
    let known = truth.beatLists.sorted { ($0.start, $0.end) < ($1.start, $1.end) }
    try #require(found.count == known.count)
    for (row, list) in zip(found, known) {
      #expect(row.record.source.name == list.source)
      #expect(row.record.start == ImportedExport.instant(list.start))
      #expect(row.record.end == ImportedExport.instant(list.end))
      #expect(row.offsets.count == list.beats && row.rates.reduce(0, +) == Double(list.sum))
      #expect(abs((row.offsets.last ?? .nan) - list.last) < 0.005)
      #expect(row.offsets == row.offsets.sorted())
    }
    try checkSamples(of: found.map(\.record))
  }

  /// Electrocardiograms with their voltages; their files are not beside a main file alone.
  func checkElectrocardiograms() throws {
    let found = try store.electrocardiograms().rows
    let known = truth.electrocardiograms.sorted { $0.start < $1.start }
    #expect(known.isEmpty || export.hasSideFiles)
    try #require(found.count == known.count)
    for (row, electrocardiogram) in zip(found, known) {
      #expect("/" + row.path == electrocardiogram.path)
      #expect(row.facts.start == ImportedExport.instant(electrocardiogram.start))
      #expect(row.classification == electrocardiogram.classification)
      #expect(row.sampleRate == electrocardiogram.rate)
      #expect(row.voltages.count == electrocardiogram.voltages)
      let sum = row.voltages.reduce(0, +)
      #expect(abs(sum - electrocardiogram.sum) <= 1e-6 * Double(row.voltages.count))
    }
  }

  /// Hearing tests, ear by ear.
  func checkAudiograms() throws {
    let found = try store.audiograms().rows
    try #require(found.count == truth.audiograms.count)
    for (row, audiogram) in zip(found, truth.audiograms.sorted { $0.start < $1.start }) {
      #expect(row.facts.start == ImportedExport.instant(audiogram.start))
      #expect(row.facts.end == ImportedExport.instant(audiogram.end))
      #expect(row.points.map(\.frequency) == audiogram.points.map { Double($0.frequency) })
      for (point, known) in zip(row.points, audiogram.points) {
        for (ear, known) in [(point.left, known.left), (point.right, known.right)] {
          #expect(ear.sensitivity == known?.level && ear.isMasked == known?.isMasked)
          #expect(ear.clampingLowerBound == known?.lowerBound)
          #expect(ear.clampingUpperBound == known?.upperBound)
        }
      }
    }
  }

  /// Prescriptions, lens by lens.
  func checkPrescriptions() throws {
    let found = try store.visionPrescriptions().rows
    try #require(found.count == truth.prescriptions.count)
    for (row, prescription) in zip(found, truth.prescriptions.sorted { $0.issued < $1.issued }) {
      #expect(row.issued == ImportedExport.instant(prescription.issued))
      #expect(row.expires == ImportedExport.instant(prescription.expires))
      #expect(row.brand == prescription.brand && row.attachments == [prescription.attachment])
      for (eye, known) in [(row.rightEye, prescription.right), (row.leftEye, prescription.left)] {
        #expect(Dictionary(uniqueKeysWithValues: eye.map { ($0.name, $0.value) }) == known)
      }
    }
  }

  /// Clinical records, with their resources where the files came along.
  func checkClinicalRecords() throws {
    let found = try store.clinicalRecords().rows.sorted { $0.identifier < $1.identifier }
    try #require(found.count == truth.clinicalRecords.count)
    let known = truth.clinicalRecords.sorted { $0.identifier < $1.identifier }
    for (row, record) in zip(found, known) {
      #expect(row.path == record.path && row.type == record.type)
      #expect(row.identifier == record.identifier && row.version == record.fhirVersion)
      #expect(row.received == ImportedExport.instant(record.received))
      #expect(row.resource.count == (export.hasSideFiles ? record.bytes : 0))
    }
  }
}
