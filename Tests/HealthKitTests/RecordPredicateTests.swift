import Foundation
import HealthSamples
import HealthStatistics
import Testing
import _HealthTestSupport

@testable import HealthKit

/// Predicates of workouts, summaries, electrocardiograms, states of mind and clinical records.
@Suite struct RecordPredicateTests {
  private func hits(_ predicate: NSPredicate, _ objects: [Any]) -> [Bool] {
    objects.map { predicate.evaluate(with: $0) }
  }

  private func workout(
    _ type: HKWorkoutActivityType, minutes: Double, kilocalories: Double? = nil,
    metres: Double? = nil, activities: [HKWorkoutActivity] = [],
    statistics: [HKQuantityType: HKStatistics] = [:]
  ) -> HKWorkout {
    HKWorkout(
      HKWorkout.Content(
        activity: type, duration: minutes * 60, activities: activities,
        energy: kilocalories.map { HKQuantity(unit: .kilocalorie(), doubleValue: $0) },
        distance: metres.map { HKQuantity(unit: .meter(), doubleValue: $0) },
        flights: metres.map { HKQuantity(unit: .count(), doubleValue: $0) },
        strokes: kilocalories.map { HKQuantity(unit: .count(), doubleValue: $0) },
        statistics: statistics),
      start: Trial.date(0), end: Trial.date(minutes * 60), facts: ObjectFacts())
  }

  private func statistics(_ identifier: HKQuantityTypeIdentifier, _ values: [Statistic: Double])
    -> [HKQuantityType: HKStatistics]
  {
    let type = HKQuantityType(identifier)
    let table = StatisticsTable(
      type: type, unit: HKUnit(scale: type.canonicalScale),
      intervals: StatisticsColumns(start: 0, end: 60, count: 1, values: values))
    return [type: HKStatistics(table, row: 0)]
  }

  @Test func workoutsAreFoundByWhatTheyAre() {
    let objects = [
      workout(.running, minutes: 30, kilocalories: 300, metres: 5000),
      workout(.cycling, minutes: 60, kilocalories: 500, metres: 20_000),
      workout(.yoga, minutes: 60),
    ]
    #expect(hits(HKQuery.predicateForWorkouts(with: .running), objects) == [true, false, false])
    for (operation, expected) in PredicateTests.passing {
      let durations = [59, 60, 61].map { workout(.other, minutes: $0) }
      #expect(
        hits(HKQuery.predicateForWorkouts(with: operation, duration: 3600), durations) == expected)
      let totals = [399, 400, 401].map {
        workout(.other, minutes: 1, kilocalories: $0, metres: $0)
      }
      let count = HKQuantity(unit: .count(), doubleValue: 400)
      for predicate in [
        HKQuery.predicateForWorkouts(
          with: operation,
          totalEnergyBurned: HKQuantity(unit: .smallCalorie(), doubleValue: 400_000)),
        HKQuery.predicateForWorkouts(
          with: operation,
          totalDistance: HKQuantity(unit: .meterUnit(with: .kilo), doubleValue: 0.4)),
        HKQuery.predicateForWorkouts(with: operation, totalSwimmingStrokeCount: count),
        HKQuery.predicateForWorkouts(with: operation, totalFlightsClimbed: count),
      ] {
        #expect(hits(predicate, totals) == expected, "\(predicate.description)")
        #expect(
          predicate.evaluate(with: objects[2]) == (operation == .notEqualTo), "it has no totals")
      }
    }
    let explicit = NSPredicate(
      format: "%K == %d AND %K >= %f", HKPredicateKeyPathWorkoutType,
      HKWorkoutActivityType.cycling.rawValue, HKPredicateKeyPathWorkoutDuration, 3600.0)
    #expect(hits(explicit, objects) == [false, true, false])
  }

  @Test func workoutsAreFoundByTheirStatistics() {
    let perMinute = HKUnit.count().unitDivided(by: .minute())
    let rate = statistics(.heartRate, [.mean: 2, .min: 1, .max: 3])
    let energy = statistics(.activeEnergyBurned, [.sum: 250])
    let objects = [
      workout(.running, minutes: 1, statistics: rate), workout(.running, minutes: 1),
      workout(.running, minutes: 1, statistics: energy),
    ]
    let type = HKQuantityType(.heartRate)
    func quantity(_ value: Double) -> HKQuantity { HKQuantity(unit: perMinute, doubleValue: value) }
    let predicates = [
      HKQuery.predicateForWorkouts(
        operatorType: .equalTo, quantityType: type, averageQuantity: quantity(120)),
      HKQuery.predicateForWorkouts(
        operatorType: .equalTo, quantityType: type, minimumQuantity: quantity(60)),
      HKQuery.predicateForWorkouts(
        operatorType: .equalTo, quantityType: type, maximumQuantity: quantity(180)),
    ]
    let canonical = HKUnit(scale: type.canonicalScale)
    let isPerSecond = canonical.unitString == "count/s"
    for (predicate, value) in zip(predicates, [2.0, 1, 3]) {
      let expected = isPerSecond || value == quantity(value).doubleValue(for: canonical)
      #expect(hits(predicate, objects) == [expected, false, false], "\(predicate.description)")
    }
    let sum = HKQuery.predicateForWorkouts(
      operatorType: .greaterThan, quantityType: HKQuantityType(.activeEnergyBurned),
      sumQuantity: HKQuantity(unit: .kilocalorie(), doubleValue: 249))
    #expect(hits(sum, objects) == [false, false, true])
  }

  @Test func workoutsAreFoundByTheirActivities() throws {
    func activity(_ type: HKWorkoutActivityType, from start: Double, to end: Double?)
      -> HKWorkoutActivity
    {
      let configuration = HKWorkoutConfiguration()
      configuration.activityType = type
      return HKWorkoutActivity(
        workoutConfiguration: configuration, start: Trial.date(start), end: end.map(Trial.date),
        metadata: nil)
    }
    let parts = [
      activity(.swimming, from: 0, to: 600), activity(.cycling, from: 700, to: 1900),
      activity(.running, from: 2000, to: nil),
    ]
    #expect(
      hits(HKQuery.predicateForWorkoutActivities(workoutActivityType: .cycling), parts)
        == [false, true, false])
    #expect(
      hits(
        HKQuery.predicateForWorkoutActivities(operatorType: .greaterThan, duration: 700),
        Array(parts.prefix(2))) == [false, true])
    #expect(
      hits(
        HKQuery.predicateForWorkoutActivities(start: Trial.date(650), end: Trial.date(750)), parts)
        == [false, true, false])
    #expect(
      hits(
        HKQuery.predicateForWorkoutActivities(
          start: Trial.date(0), end: Trial.date(1000), options: .strictEndDate), parts)
        == [true, false, false])
    let quick = NSCompoundPredicate(andPredicateWithSubpredicates: [
      HKQuery.predicateForWorkoutActivities(workoutActivityType: .swimming),
      HKQuery.predicateForWorkoutActivities(operatorType: .lessThan, duration: 601),
    ])
    let wrapped = HKQuery.predicateForWorkouts(activityPredicate: quick)
    let objects = [
      workout(.swimBikeRun, minutes: 60, activities: parts),
      workout(.swimBikeRun, minutes: 60, activities: [parts[1]]), workout(.running, minutes: 60),
    ]
    #expect(hits(wrapped, objects) == [true, false, false])
    let parsed = try NSPredicate.parsed(format: wrapped.description)
    #expect(parsed == wrapped)
    let statistics = HKWorkoutActivity(
      facts: {
        var facts = parts[0].facts
        facts.statistics = self.statistics(.distanceSwimming, [.sum: 400])
        return facts
      }())
    let far = HKQuery.predicateForWorkoutActivities(
      operatorType: .greaterThanOrEqualTo, quantityType: HKQuantityType(.distanceSwimming),
      sumQuantity: HKQuantity(unit: .meter(), doubleValue: 400))
    #expect(hits(far, [statistics, parts[0]]) == [true, false])
    let power = HKWorkoutActivity(
      facts: {
        var facts = parts[2].facts
        facts.statistics = self.statistics(.runningPower, [.mean: 0.5, .min: 0.25, .max: 0.75])
        return facts
      }())
    for predicate in [
      HKQuery.predicateForWorkoutActivities(
        operatorType: .lessThan, quantityType: HKQuantityType(.runningPower),
        averageQuantity: HKQuantity(unit: .watt(), doubleValue: 1)),
      HKQuery.predicateForWorkoutActivities(
        operatorType: .lessThan, quantityType: HKQuantityType(.runningPower),
        minimumQuantity: HKQuantity(unit: .watt(), doubleValue: 1)),
      HKQuery.predicateForWorkoutActivities(
        operatorType: .lessThan, quantityType: HKQuantityType(.runningPower),
        maximumQuantity: HKQuantity(unit: .watt(), doubleValue: 1)),
    ] {
      #expect(hits(predicate, parts + [power]) == [false, false, false, true])
    }
  }

  @Test func onlyAStoreKnowsWhatBelongsToAWorkout() {
    let workout = workout(.running, minutes: 1)
    let electrocardiogram = HKElectrocardiogram(
      .init(), start: Trial.date(0), end: Trial.date(30), facts: ObjectFacts())
    for predicate in [
      HKQuery.predicateForObjects(from: workout),
      HKQuery.predicateForWorkoutEffortSamplesRelated(workout: workout, activity: nil),
      HKQuery.predicateForObjectsAssociated(electrocardiogram: electrocardiogram),
      HKQuery.predicateForVerifiableClinicalRecords(
        withRelevantDateWithin: DateInterval(start: Trial.date(0), duration: 60)),
    ] {
      #expect(!predicate.evaluate(with: Trial.steps()))
      #expect(predicate.tree != .always(false), "a store sees what it asks for")
    }
    #expect(
      HKQuery.predicateForObjects(from: workout)
        == NSPredicate(format: "%K == %@", HKPredicateKeyPathWorkout, workout))
  }

  @Test func summariesAreFoundByDay() {
    let calendar = Calendar(identifier: .gregorian)
    func day(_ number: Int) -> DateComponents {
      DateComponents(calendar: calendar, era: 1, year: 2001, month: 1, day: 1 + number)
    }
    let summaries = (0..<5).map { number in
      let summary = HKActivitySummary()
      summary.day = number
      return summary
    }
    #expect(
      hits(HKQuery.predicateForActivitySummary(with: day(2)), summaries)
        == [false, false, true, false, false])
    #expect(
      hits(HKQuery.predicate(forActivitySummariesBetweenStart: day(1), end: day(3)), summaries)
        == [false, true, true, true, false])
    #expect(!HKQuery.predicateForActivitySummary(with: day(2)).evaluate(with: HKActivitySummary()))
    // A day of another calendar is the same day.
    let buddhist = DateComponents(
      calendar: Calendar(identifier: .buddhist), era: 0, year: 2544, month: 1, day: 3)
    #expect(
      hits(HKQuery.predicateForActivitySummary(with: buddhist), summaries)
        == [false, false, true, false, false])
  }

  @Test func electrocardiogramsAreFoundByResult() {
    let objects = [
      HKElectrocardiogram.Content(classification: .sinusRhythm, symptoms: .present),
      .init(classification: .atrialFibrillation, symptoms: .none, heartRate: 90),
    ].map {
      HKElectrocardiogram($0, start: Trial.date(0), end: Trial.date(30), facts: ObjectFacts())
    }
    #expect(
      hits(HKQuery.predicateForElectrocardiograms(classification: .sinusRhythm), objects)
        == [true, false])
    #expect(
      hits(HKQuery.predicateForElectrocardiograms(symptomsStatus: .none), objects)
        == [false, true])
    let fast = NSPredicate(
      format: "%K > %@", HKPredicateKeyPathAverageHeartRate,
      HKQuantity(unit: HKUnit(from: "count/min"), doubleValue: 80))
    #expect(hits(fast, objects) == [false, true])
  }

  @Test func statesOfMindAreFoundByContent() {
    let objects = [
      HKStateOfMind(
        date: Trial.date(0), kind: .dailyMood, valence: -0.5, labels: [.sad, .lonely],
        associations: [.work]),
      HKStateOfMind(
        date: Trial.date(0), kind: .momentaryEmotion, valence: 0.5, labels: [],
        associations: [.work, .family]),
    ]
    #expect(hits(HKQuery.predicateForStatesOfMind(with: .dailyMood), objects) == [true, false])
    #expect(
      hits(HKQuery.predicateForStatesOfMind(with: HKStateOfMind.Label.sad), objects)
        == [true, false])
    #expect(
      hits(HKQuery.predicateForStatesOfMind(with: HKStateOfMind.Association.work), objects)
        == [true, true])
    #expect(
      hits(HKQuery.predicateForStatesOfMind(with: HKStateOfMind.Association.family), objects)
        == [false, true])
    for (operation, expected) in PredicateTests.passing {
      let predicate = HKQuery.predicateForStatesOfMind(withValence: 0, operatorType: operation)
      #expect(hits(predicate, objects) == [expected[0], expected[2]])
    }
  }

  @Test func clinicalRecordsAreFoundByTheirResource() {
    func record(_ type: HKFHIRResourceType, _ identifier: String) -> HKClinicalRecord {
      HKClinicalRecord(
        type: HKClinicalType(.labResultRecord), displayName: "Result",
        resource: HKFHIRResource(
          version: .primaryR4(), type: type, identifier: identifier, data: Data(), sourceURL: nil),
        date: Trial.date(0), facts: ObjectFacts())
    }
    let (observation, condition) = (
      HKFHIRResourceType(rawValue: "Observation"), HKFHIRResourceType(rawValue: "Condition")
    )
    let objects = [record(observation, "1"), record(observation, "2"), record(condition, "1")]
    #expect(
      hits(HKQuery.predicateForClinicalRecords(withFHIRResourceType: observation), objects)
        == [true, true, false])
    let one = HKQuery.predicateForClinicalRecords(
      from: objects[0].sourceRevision.source, fhirResourceType: observation, identifier: "1")
    #expect(hits(one, objects) == [true, false, false])
    let other = HKQuery.predicateForClinicalRecords(
      from: HKSource(.init(name: "Clinic")), fhirResourceType: observation, identifier: "1")
    #expect(hits(other, objects) == [false, false, false])
    let explicit = NSPredicate(
      format: "%K == %@", HKPredicateKeyPathClinicalRecordFHIRResourceIdentifier, "1")
    #expect(hits(explicit, objects) == [true, false, true])
  }

  @Test func dosesAndMedicationsAreFoundByWhatTheyAre() {
    let concepts = ["a", "b"].map { HKHealthConceptIdentifier(domain: .medication, text: $0) }
    func dose(
      _ concept: HKHealthConceptIdentifier, _ status: HKMedicationDoseEvent.LogStatus,
      at scheduled: Double?
    ) -> HKMedicationDoseEvent {
      HKMedicationDoseEvent(
        HKMedicationDoseEvent.Content(
          medication: concept, schedule: scheduled == nil ? .asNeeded : .schedule, status: status,
          unit: .count(), dose: 1, scheduledDose: scheduled.map { _ in 1 },
          scheduledDate: scheduled.map(Trial.date)),
        start: Trial.date(5), end: Trial.date(5), facts: ObjectFacts())
    }
    let doses = [
      dose(concepts[0], .taken, at: 10), dose(concepts[1], .skipped, at: 20),
      dose(concepts[1], .taken, at: nil),
    ]
    typealias Status = HKMedicationDoseEvent.LogStatus
    let cases: [(NSPredicate, [Bool])] = [
      (HKQuery.predicateForMedicationDoseEvent(status: .taken), [true, false, true]),
      (
        HKQuery.predicateForMedicationDoseEvent(
          statuses: [Status.skipped, .snoozed].reduce(into: []) {
            $0.insert(NSNumber(value: $1.rawValue))
          }), [false, true, false]
      ),
      (
        HKQuery.predicateForMedicationDoseEvent(scheduledDate: Trial.date(20)),
        [false, true, false]
      ),
      (
        HKQuery.predicateForMedicationDoseEvent(scheduledDates: [Trial.date(10), Trial.date(30)]),
        [true, false, false]
      ),
      (
        HKQuery.predicateForMedicationDoseEvent(
          scheduledStart: Trial.date(10), end: Trial.date(20)),
        [true, false, false]
      ),
      (
        HKQuery.predicateForMedicationDoseEvent(scheduledStart: Trial.date(15), end: nil),
        [false, true, false]
      ),
      (
        HKQuery.predicateForMedicationDoseEvent(medicationConceptIdentifier: concepts[1]),
        [false, true, true]
      ),
      (
        HKQuery.predicateForMedicationDoseEvent(medicationConceptIdentifiers: Set(concepts)),
        [true, true, true]
      ),
    ]
    for (predicate, expected) in cases {
      #expect(hits(predicate, doses) == expected, "\(predicate.description)")
    }
    let medications = [(true, false), (false, true)].map { isArchived, hasSchedule in
      HKUserAnnotatedMedication(
        medication: HKMedicationConcept(
          identifier: concepts[0], displayText: "A", generalForm: .init(rawValue: "tablet"),
          relatedCodings: []),
        nickname: nil, isArchived: isArchived, hasSchedule: hasSchedule)
    }
    #expect(
      hits(HKQuery.predicateForUserAnnotatedMedications(isArchived: true), medications)
        == [true, false])
    #expect(
      hits(HKQuery.predicateForUserAnnotatedMedications(hasSchedule: true), medications)
        == [false, true])
  }

  @Test func descriptorsOfRecordsAreArchived() throws {
    let calendar = Calendar(identifier: .gregorian)
    let day = DateComponents(calendar: calendar, era: 1, year: 2024, month: 3, day: 9)
    let electrocardiogram = HKElectrocardiogram(
      .init(voltages: [1, 2]), start: Trial.date(0), end: Trial.date(30), facts: ObjectFacts())
    let configuration = HKWorkoutConfiguration()
    configuration.activityType = .running
    let activity = HKWorkoutActivity(
      workoutConfiguration: configuration, start: Trial.date(0), end: Trial.date(1), metadata: nil)
    let workout = workout(.running, minutes: 1, kilocalories: 3, activities: [activity])
    for predicate in [
      HKQuery.predicateForObjects(from: workout),
      HKQuery.predicateForWorkoutEffortSamplesRelated(workout: workout, activity: activity),
      HKQuery.predicateForObjectsAssociated(electrocardiogram: electrocardiogram),
      HKQuery.predicateForActivitySummary(with: day),
      HKQuery.predicateForWorkouts(
        activityPredicate: HKQuery.predicateForWorkoutActivities(
          start: Trial.date(0.5), end: nil, options: .strictStartDate)),
    ] {
      let data = try NSKeyedArchiver.archivedData(
        withRootObject: HKQueryDescriptor(sampleType: .workoutType(), predicate: predicate),
        requiringSecureCoding: true)
      let read = try NSKeyedUnarchiver.unarchivedObject(ofClass: HKQueryDescriptor.self, from: data)
      #expect(read?.predicate == predicate, "\(predicate.description)")
    }
  }

  @Test func typedPredicatesHaveTheTypesOfTheirClasses() {
    let predicate = NSPredicate(value: true)
    #expect(HKSamplePredicate.workout(predicate).sampleType == HKObjectType.workoutType())
    #expect(HKSamplePredicate.workoutRoute(predicate).sampleType == HKSeriesType.workoutRoute())
    #expect(HKSamplePredicate.heartbeatSeries(predicate).sampleType == HKSeriesType.heartbeat())
    #expect(
      HKSamplePredicate.electrocardiogram(predicate).sampleType
        == HKObjectType.electrocardiogramType())
    #expect(
      HKSamplePredicate.audiogram(predicate).sampleType == HKObjectType.audiogramSampleType())
    #expect(
      HKSamplePredicate.visionPrescription(predicate).sampleType
        == HKObjectType.visionPrescriptionType())
    #expect(HKSamplePredicate.stateOfMind(predicate).sampleType == HKObjectType.stateOfMindType())
    let record = HKClinicalType(.conditionRecord)
    #expect(HKSamplePredicate.clinicalRecord(type: record).sampleType == record)
    #expect(
      HKSamplePredicate.gad7Assessment(predicate).sampleType == HKScoredAssessmentType(.GAD7))
    #expect(
      HKSamplePredicate.phq9Assessment(predicate).sampleType == HKScoredAssessmentType(.PHQ9))
    let list: [HKSamplePredicate<HKWorkout>] = [.workout(predicate), .workout()]
    #expect(list.map { $0.nsPredicate === predicate } == [true, false])
  }

  /// Every key path and sort identifier of Apple's is one that predicates and sorts know.
  @Test func everyKeyOfAppleIsKnown() throws {
    let rows = try References.table("catalogue/other_constants.tsv").filter { row in
      let constant = row["constant"] ?? ""
      return constant.contains("PredicateKeyPath") || constant.contains("SortIdentifier")
    }
    #expect(rows.count > 50)
    for row in rows {
      let key = try #require(row["string_value"])
      #expect(PredicateKey.knows(FormatParser.keys(of: key)), "\(row["constant"] ?? "")")
      #expect(throws: Never.self) {
        try NSSortDescriptor(key: key, ascending: true).order(of: Trial.steps(), and: Trial.steps())
      }
    }
  }
}
