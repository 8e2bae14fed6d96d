public import Foundation
import Synchronization

/// A question to a store; the classes below it ask for samples, statistics and changes.
///
/// Its class methods make the predicates of all of them. A predicate is a tree: a store pushes down
/// what it can, and `evaluate(with:)` tells the same of an object in memory. What only a store
/// knows of an object (its workout, its correlation) has no value in memory.
open class HKQuery: NSObject, @unchecked Sendable {
  private let type: HKObjectType?
  private let condition: NSPredicate?
  private let execution = Mutex<QueryExecution?>(nil)
  private let client = Mutex<(any AnswerClient)?>(nil)

  /// Makes a query for objects of a type; of all objects without a predicate.
  init(objectType: HKObjectType?, predicate: NSPredicate?) {
    type = objectType
    condition = predicate
  }

  /// Makes a query for a sample.
  init(of sample: HKSample) {
    type = sample.sampleType
    condition = HKQuery.predicateForObject(with: sample.uuid)
  }

  /// The type of the objects.
  open var objectType: HKObjectType? { type }

  /// The type of the samples.
  ///
  /// Deprecated: use ``objectType``.
  #if AppleDeprecations
  @available(*, deprecated)
  #endif
  open var sampleType: HKSampleType? { type as? HKSampleType }

  /// What objects must be; all match without one.
  open var predicate: NSPredicate? { condition }

  // MARK: Execution

  /// Sets who takes the answers one by one; called before the query is executed.
  func setClient(_ client: any AnswerClient) { self.client.withLock { $0 = client } }

  /// Begins to answer.
  ///
  /// The execution keeps the query until its end.
  ///
  /// - Parameters:
  ///   - session: where
  ///   - isOfApp: whether the app executes it, so that a test records it
  /// - Throws: ``ObjectError`` for a query that was executed before, and for one that asks for no type
  func execute(in session: HealthSession, isOfApp: Bool = true) throws(ObjectError) {
    try check()
    let client = client.withLock { $0 }
    let new = QueryExecution(session, for: client) { [self] in releaseHandlers() }
    let isFirst = execution.withLock { execution in
      guard execution == nil else { return false }
      execution = new
      return true
    }
    guard isFirst else { throw ObjectError(.executedBefore) }
    session.scope?.add(self)
    client?.count(in: session.work)
    session.begin(isOfApp ? .query(self) : nil) { [self] _, error in
      if let error { new.fail(with: error) }
      new.perform { [self] in run(new) }
    }
  }

  /// Throws for a query that cannot be asked; the classes below this one say why.
  func check() throws(ObjectError) {}

  /// Throws for a query without descriptors.
  final func check(_ descriptors: [HKQueryDescriptor], of query: String) throws(ObjectError) {
    guard !descriptors.isEmpty else { throw ObjectError(.missingDataType(query: query)) }
  }

  /// Has an observed change read once more.
  func noteChange() { execution.withLock { $0 }?.noteChange() }

  /// Ends the answers.
  func stop() { execution.withLock { $0 }?.stop() }

  /// Answers, in a step of the execution; the classes below this one say how.
  func run(_ execution: QueryExecution) {}

  /// Releases the handlers, and what they hold, at the end of the query.
  func releaseHandlers() {}

  // MARK: Samples

  /// Samples of a period; without a start or an end it is open there.
  ///
  /// Without options those that overlap it: that end at or after its start and start before its end.
  open class func predicateForSamples(
    withStart startDate: Date?, end endDate: Date?, options: HKQueryOptions = []
  ) -> NSPredicate {
    period(
      from: startDate, to: endDate, options, start: HKPredicateKeyPathStartDate,
      end: HKPredicateKeyPathEndDate)
  }

  /// Samples whose quantity compares so with one.
  open class func predicateForQuantitySamples(
    with operatorType: PredicateOperator, quantity: HKQuantity
  ) -> NSPredicate {
    comparing(HKPredicateKeyPathQuantity, operatorType, quantity)
  }

  /// Samples whose value compares so with one.
  ///
  /// Deprecated: use the enumeration of the values.
  #if AppleDeprecations
  @available(*, deprecated)
  #endif
  open class func predicateForCategorySamples(
    with operatorType: PredicateOperator, value: Int
  ) -> NSPredicate {
    comparing(HKPredicateKeyPathCategoryValue, operatorType, value)
  }

  // MARK: Objects

  /// The object with a UUID.
  open class func predicateForObject(with uuid: UUID) -> NSPredicate {
    comparing(HKPredicateKeyPathUUID, .equalTo, uuid)
  }

  /// The objects with UUIDs.
  open class func predicateForObjects(with uuids: Set<UUID>) -> NSPredicate {
    comparing(HKPredicateKeyPathUUID, .in, uuids)
  }

  /// Objects of a source.
  open class func predicateForObjects(from source: HKSource) -> NSPredicate {
    comparing(HKPredicateKeyPathSource, .equalTo, source)
  }

  /// Objects of any of some sources.
  open class func predicateForObjects(from sources: Set<HKSource>) -> NSPredicate {
    comparing(HKPredicateKeyPathSource, .in, sources)
  }

  /// Objects of any of some versions of sources.
  ///
  /// A revision with `HKSourceRevisionAnyVersion`, `HKSourceRevisionAnyProductType` or
  /// `HKSourceRevisionAnyOperatingSystem` stands for all of its source that have the other fields.
  open class func predicateForObjects(
    from sourceRevisions: Set<HKSourceRevision>
  ) -> NSPredicate {
    let patterns = sourceRevisions.filter(\.isPattern)
    let others = sourceRevisions.subtracting(patterns)
    let exact = comparing(HKPredicateKeyPathSourceRevision, .in, others)
    guard !patterns.isEmpty else { return exact }
    let trees = patterns.map(\.pattern).sorted { $0.format < $1.format }
    return TreePredicate(.any(others.isEmpty ? trees : [exact.tree] + trees))
  }

  /// Objects of any of some devices.
  open class func predicateForObjects(from devices: Set<HKDevice>) -> NSPredicate {
    comparing(HKPredicateKeyPathDevice, .in, devices)
  }

  /// Objects of devices with any of some values of a property (`HKDevicePropertyKeyName` …).
  ///
  /// Traps for a key that is none.
  open class func predicateForObjects(
    withDeviceProperty key: String, allowedValues: Set<String>
  ) -> NSPredicate {
    comparing(HKPredicateKeyPathDevice, key, .in, allowedValues)
  }

  /// Objects with a metadata entry.
  open class func predicateForObjects(withMetadataKey key: String) -> NSPredicate {
    Condition(HKPredicateKeyPathMetadata, key, operation: .notEqual, value: .null).predicate
  }

  /// Objects with any of some values of a metadata entry: texts, numbers, dates or quantities.
  open class func predicateForObjects(
    withMetadataKey key: String, allowedValues: [Any]
  ) -> NSPredicate {
    comparing(HKPredicateKeyPathMetadata, key, .in, allowedValues)
  }

  /// Objects whose metadata entry compares so with a value.
  ///
  /// An object without the entry is only unequal to it.
  open class func predicateForObjects(
    withMetadataKey key: String, operatorType: PredicateOperator, value: Any
  ) -> NSPredicate {
    comparing(HKPredicateKeyPathMetadata, key, operatorType, value)
  }

  /// Objects that are part of no correlation.
  open class func predicateForObjectsWithNoCorrelation() -> NSPredicate {
    Condition(HKPredicateKeyPathCorrelation, operation: .equal, value: .null).predicate
  }

  /// Objects that were added to a workout.
  open class func predicateForObjects(from workout: HKWorkout) -> NSPredicate {
    comparing(HKPredicateKeyPathWorkout, .equalTo, workout)
  }

  /// Samples of effort that are related to a workout, or to one of its activities.
  open class func predicateForWorkoutEffortSamplesRelated(
    workout: HKWorkout, activity: HKWorkoutActivity?
  ) -> NSPredicate {
    comparing(HKPredicateKeyPathWorkoutEffortRelationship, .equalTo, activity ?? workout)
  }

  // MARK: Workouts

  /// Workouts of an activity.
  open class func predicateForWorkouts(
    with workoutActivityType: HKWorkoutActivityType
  ) -> NSPredicate {
    comparing(HKPredicateKeyPathWorkoutType, .equalTo, workoutActivityType.rawValue)
  }

  /// Workouts whose duration in seconds compares so with one.
  open class func predicateForWorkouts(
    with operatorType: PredicateOperator, duration: TimeInterval
  ) -> NSPredicate {
    comparing(HKPredicateKeyPathWorkoutDuration, operatorType, duration)
  }

  /// Workouts whose energy compares so with one.
  ///
  /// Deprecated: use the sum of the type.
  #if AppleDeprecations
  @available(*, deprecated)
  #endif
  open class func predicateForWorkouts(
    with operatorType: PredicateOperator, totalEnergyBurned: HKQuantity
  ) -> NSPredicate {
    comparing(HKPredicateKeyPathWorkoutTotalEnergyBurned, operatorType, totalEnergyBurned)
  }

  /// Workouts whose distance compares so with one.
  ///
  /// Deprecated: use the sum of the type.
  #if AppleDeprecations
  @available(*, deprecated)
  #endif
  open class func predicateForWorkouts(
    with operatorType: PredicateOperator, totalDistance: HKQuantity
  ) -> NSPredicate {
    comparing(HKPredicateKeyPathWorkoutTotalDistance, operatorType, totalDistance)
  }

  /// Workouts whose swimming strokes compare so.
  ///
  /// Deprecated: use the sum of the type.
  #if AppleDeprecations
  @available(*, deprecated)
  #endif
  open class func predicateForWorkouts(
    with operatorType: PredicateOperator, totalSwimmingStrokeCount: HKQuantity
  ) -> NSPredicate {
    comparing(
      HKPredicateKeyPathWorkoutTotalSwimmingStrokeCount, operatorType, totalSwimmingStrokeCount)
  }

  /// Workouts whose flights of stairs compare so.
  ///
  /// Deprecated: use the sum of the type.
  #if AppleDeprecations
  @available(*, deprecated)
  #endif
  open class func predicateForWorkouts(
    with operatorType: PredicateOperator, totalFlightsClimbed: HKQuantity
  ) -> NSPredicate {
    comparing(HKPredicateKeyPathWorkoutTotalFlightsClimbed, operatorType, totalFlightsClimbed)
  }

  /// Workouts whose average of a type compares so with a quantity.
  open class func predicateForWorkouts(
    operatorType: PredicateOperator, quantityType: HKQuantityType, averageQuantity: HKQuantity
  ) -> NSPredicate {
    comparing(
      HKPredicateKeyPathWorkoutAverageQuantity, quantityType.identifier, operatorType,
      averageQuantity)
  }

  /// Workouts whose highest value of a type compares so with a quantity.
  open class func predicateForWorkouts(
    operatorType: PredicateOperator, quantityType: HKQuantityType, maximumQuantity: HKQuantity
  ) -> NSPredicate {
    comparing(
      HKPredicateKeyPathWorkoutMaximumQuantity, quantityType.identifier, operatorType,
      maximumQuantity)
  }

  /// Workouts whose lowest value of a type compares so with a quantity.
  open class func predicateForWorkouts(
    operatorType: PredicateOperator, quantityType: HKQuantityType, minimumQuantity: HKQuantity
  ) -> NSPredicate {
    comparing(
      HKPredicateKeyPathWorkoutMinimumQuantity, quantityType.identifier, operatorType,
      minimumQuantity)
  }

  /// Workouts whose sum of a type compares so with a quantity.
  open class func predicateForWorkouts(
    operatorType: PredicateOperator, quantityType: HKQuantityType, sumQuantity: HKQuantity
  ) -> NSPredicate {
    comparing(
      HKPredicateKeyPathWorkoutSumQuantity, quantityType.identifier, operatorType, sumQuantity)
  }

  /// Workouts with any activity that matches a predicate.
  open class func predicateForWorkouts(activityPredicate: NSPredicate) -> NSPredicate {
    TreePredicate(.some([HKPredicateKeyPathWorkoutActivity], activityPredicate.tree))
  }

  // MARK: Activities of workouts

  /// Activities of a kind.
  open class func predicateForWorkoutActivities(
    workoutActivityType: HKWorkoutActivityType
  ) -> NSPredicate {
    comparing(HKPredicateKeyPathWorkoutActivityType, .equalTo, workoutActivityType.rawValue)
  }

  /// Activities whose duration in seconds compares so with one.
  open class func predicateForWorkoutActivities(
    operatorType: PredicateOperator, duration: TimeInterval
  ) -> NSPredicate {
    comparing(HKPredicateKeyPathWorkoutActivityDuration, operatorType, duration)
  }

  /// Activities of a period, as ``predicateForSamples(withStart:end:options:)`` has it.
  open class func predicateForWorkoutActivities(
    start startDate: Date?, end endDate: Date?, options: HKQueryOptions = []
  ) -> NSPredicate {
    period(
      from: startDate, to: endDate, options, start: HKPredicateKeyPathWorkoutActivityStartDate,
      end: HKPredicateKeyPathWorkoutActivityEndDate)
  }

  /// Activities whose average of a type compares so with a quantity.
  open class func predicateForWorkoutActivities(
    operatorType: PredicateOperator, quantityType: HKQuantityType, averageQuantity: HKQuantity
  ) -> NSPredicate {
    comparing(
      HKPredicateKeyPathWorkoutActivityAverageQuantity, quantityType.identifier, operatorType,
      averageQuantity)
  }

  /// Activities whose highest value of a type compares so with a quantity.
  open class func predicateForWorkoutActivities(
    operatorType: PredicateOperator, quantityType: HKQuantityType, maximumQuantity: HKQuantity
  ) -> NSPredicate {
    comparing(
      HKPredicateKeyPathWorkoutActivityMaximumQuantity, quantityType.identifier, operatorType,
      maximumQuantity)
  }

  /// Activities whose lowest value of a type compares so with a quantity.
  open class func predicateForWorkoutActivities(
    operatorType: PredicateOperator, quantityType: HKQuantityType, minimumQuantity: HKQuantity
  ) -> NSPredicate {
    comparing(
      HKPredicateKeyPathWorkoutActivityMinimumQuantity, quantityType.identifier, operatorType,
      minimumQuantity)
  }

  /// Activities whose sum of a type compares so with a quantity.
  open class func predicateForWorkoutActivities(
    operatorType: PredicateOperator, quantityType: HKQuantityType, sumQuantity: HKQuantity
  ) -> NSPredicate {
    comparing(
      HKPredicateKeyPathWorkoutActivitySumQuantity, quantityType.identifier, operatorType,
      sumQuantity)
  }

  // MARK: Activity summaries

  /// The summary of a day.
  ///
  /// Traps for components that are not those of a day of a calendar.
  open class func predicateForActivitySummary(
    with dateComponents: DateComponents
  ) -> NSPredicate {
    comparing(HKPredicateKeyPathDateComponents, .equalTo, dateComponents)
  }

  /// The summaries from a day to a day, both included.
  ///
  /// Traps for components that are not those of a day of a calendar.
  open class func predicate(
    forActivitySummariesBetweenStart startDateComponents: DateComponents,
    end endDateComponents: DateComponents
  ) -> NSPredicate {
    let path = [HKPredicateKeyPathDateComponents]
    return raising { () throws(ObjectError) in
      TreePredicate(
        .all([
          .condition(try .comparing(path, .greaterThanOrEqualTo, to: startDateComponents)),
          .condition(try .comparing(path, .lessThanOrEqualTo, to: endDateComponents)),
        ]))
    }
  }

  // MARK: Electrocardiograms, states of mind and clinical records

  /// Electrocardiograms of a classification.
  open class func predicateForElectrocardiograms(
    classification: HKElectrocardiogram.Classification
  ) -> NSPredicate {
    comparing(HKPredicateKeyPathECGClassification, .equalTo, classification.rawValue)
  }

  /// Electrocardiograms with symptoms or without.
  open class func predicateForElectrocardiograms(
    symptomsStatus: HKElectrocardiogram.SymptomsStatus
  ) -> NSPredicate {
    comparing(HKPredicateKeyPathECGSymptomsStatus, .equalTo, symptomsStatus.rawValue)
  }

  /// Samples of symptoms that a person gave with an electrocardiogram.
  open class func predicateForObjectsAssociated(
    electrocardiogram: HKElectrocardiogram
  ) -> NSPredicate {
    comparing(PredicateKey.electrocardiogram, .equalTo, electrocardiogram)
  }

  /// Moments or days.
  open class func predicateForStatesOfMind(with kind: HKStateOfMind.Kind) -> NSPredicate {
    comparing(PredicateKey.kind, .equalTo, kind.rawValue)
  }

  /// States of mind with a label.
  open class func predicateForStatesOfMind(with label: HKStateOfMind.Label) -> NSPredicate {
    Condition(PredicateKey.labels, operation: .contains, value: .number(Double(label.rawValue)))
      .predicate
  }

  /// States of mind with an association.
  open class func predicateForStatesOfMind(
    with association: HKStateOfMind.Association
  ) -> NSPredicate {
    Condition(
      PredicateKey.associations, operation: .contains, value: .number(Double(association.rawValue))
    ).predicate
  }

  /// States of mind whose valence, from -1 to 1, compares so with one.
  open class func predicateForStatesOfMind(
    withValence valence: Double, operatorType: PredicateOperator
  ) -> NSPredicate {
    comparing(PredicateKey.valence, operatorType, valence)
  }

  /// Clinical records of a type of FHIR resource.
  open class func predicateForClinicalRecords(
    withFHIRResourceType resourceType: HKFHIRResourceType
  ) -> NSPredicate {
    comparing(
      PredicateKey.resource, PredicateKey.resourceType, .equalTo, resourceType.rawValue)
  }

  /// The clinical record of a source with a type and an identifier of its FHIR resource.
  open class func predicateForClinicalRecords(
    from source: HKSource, fhirResourceType resourceType: HKFHIRResourceType, identifier: String
  ) -> NSPredicate {
    TreePredicate(
      .all([
        .condition(
          Condition(HKPredicateKeyPathSource, operation: .equal, value: .object(source))),
        .condition(
          Condition(
            PredicateKey.resource, PredicateKey.resourceType, operation: .equal,
            value: .text(resourceType.rawValue))),
        .condition(
          Condition(
            PredicateKey.resource, PredicateKey.identifier, operation: .equal,
            value: .text(identifier))),
      ]))
  }

  /// Verifiable clinical records whose relevant date is within an interval.
  open class func predicateForVerifiableClinicalRecords(
    withRelevantDateWithin dateInterval: DateInterval
  ) -> NSPredicate {
    Condition(
      PredicateKey.relevantDate, operation: .between,
      value: .list([.date(dateInterval.start), .date(dateInterval.end)])
    ).predicate
  }

  // MARK: Medications

  /// Doses with a status.
  open class func predicateForMedicationDoseEvent(
    status: HKMedicationDoseEvent.LogStatus
  ) -> NSPredicate {
    comparing(HKPredicateKeyPathStatus, .equalTo, status.rawValue)
  }

  /// Doses with any of some statuses, as raw values.
  open class func predicateForMedicationDoseEvent(statuses: Set<NSNumber>) -> NSPredicate {
    comparing(HKPredicateKeyPathStatus, .in, statuses)
  }

  /// Doses that were to be taken at a time.
  open class func predicateForMedicationDoseEvent(scheduledDate: Date) -> NSPredicate {
    comparing(HKPredicateKeyPathScheduledDate, .equalTo, scheduledDate)
  }

  /// Doses that were to be taken at any of some times.
  open class func predicateForMedicationDoseEvent(scheduledDates: Set<Date>) -> NSPredicate {
    comparing(HKPredicateKeyPathScheduledDate, .in, scheduledDates)
  }

  /// Doses that were to be taken in a period; without a start or an end it is open there.
  ///
  /// Whether Apple's period contains its end is not published; here, as everywhere, it does not.
  open class func predicateForMedicationDoseEvent(
    scheduledStart startDate: Date?, end endDate: Date?
  ) -> NSPredicate {
    period(
      from: startDate, to: endDate, [.strictStartDate, .strictEndDate],
      start: HKPredicateKeyPathScheduledDate, end: HKPredicateKeyPathScheduledDate)
  }

  /// Doses of a medication.
  open class func predicateForMedicationDoseEvent(
    medicationConceptIdentifier: HKHealthConceptIdentifier
  ) -> NSPredicate {
    comparing(
      HKPredicateKeyPathMedicationConceptIdentifier, .equalTo, medicationConceptIdentifier)
  }

  /// Doses of any of some medications.
  open class func predicateForMedicationDoseEvent(
    medicationConceptIdentifiers: Set<HKHealthConceptIdentifier>
  ) -> NSPredicate {
    comparing(HKPredicateKeyPathMedicationConceptIdentifier, .in, medicationConceptIdentifiers)
  }

  /// Medications that a person no longer takes, or still takes.
  open class func predicateForUserAnnotatedMedications(isArchived: Bool) -> NSPredicate {
    comparing(HKUserAnnotatedMedicationPredicateKeyPathIsArchived, .equalTo, isArchived)
  }

  /// Medications with a schedule, or without.
  open class func predicateForUserAnnotatedMedications(hasSchedule: Bool) -> NSPredicate {
    comparing(HKUserAnnotatedMedicationPredicateKeyPathHasSchedule, .equalTo, hasSchedule)
  }

  // MARK: Building

  static func comparing(
    _ key: String, _ operatorType: PredicateOperator, _ value: Any
  ) -> NSPredicate {
    raising { () throws(ObjectError) in
      try Condition.comparing([key], operatorType, to: value).predicate
    }
  }

  private static func comparing(
    _ key: String, _ inner: String, _ operatorType: PredicateOperator, _ value: Any
  ) -> NSPredicate {
    raising { () throws(ObjectError) in
      try Condition.comparing([key, inner], operatorType, to: value).predicate
    }
  }

  /// What has a start and an end in a period.
  private static func period(
    from: Date?, to: Date?, _ options: HKQueryOptions, start: String, end: String
  ) -> NSPredicate {
    // A start is never after its end, so one bound of each kind says it all.
    var parts: [Condition] = []
    if let from {
      let first = options.contains(.strictStartDate) ? start : end
      parts.append(Condition(first, operation: .greaterOrEqual, value: .date(from)))
    }
    if let to {
      let last = options.contains(.strictEndDate) ? end : start
      parts.append(Condition(last, operation: .less, value: .date(to)))
    }
    if parts.count == 1 { return parts[0].predicate }
    return TreePredicate(parts.isEmpty ? .always(true) : .all(parts.map(PredicateTree.condition)))
  }
}

extension HKSourceRevision {
  /// Whether the system's version is the constant for every version.
  private var isOfAnySystem: Bool {
    let (own, any) = (operatingSystemVersion, HKSourceRevisionAnyOperatingSystem)
    return own.majorVersion == any.majorVersion && own.minorVersion == any.minorVersion
      && own.patchVersion == any.patchVersion
  }

  /// Whether the revision stands for several.
  fileprivate var isPattern: Bool {
    version == HKSourceRevisionAnyVersion || productType == HKSourceRevisionAnyProductType
      || isOfAnySystem
  }

  /// What objects of the revisions have that it stands for.
  fileprivate var pattern: PredicateTree {
    func has(_ path: String..., value: Operand) -> PredicateTree {
      .condition(Condition(left: .path(path), operation: .equal, right: .value(value)))
    }
    var parts = [has(HKPredicateKeyPathSource, value: .object(source))]
    let revision = HKPredicateKeyPathSourceRevision
    if version != HKSourceRevisionAnyVersion {
      parts.append(has(revision, PredicateKey.version, value: .optional(version, Operand.text)))
    }
    if productType != HKSourceRevisionAnyProductType {
      parts.append(
        has(revision, PredicateKey.productType, value: .optional(productType, Operand.text)))
    }
    if !isOfAnySystem {
      parts.append(has(revision, PredicateKey.system, value: .text(operatingSystemVersion.words)))
    }
    return .all(parts)
  }
}
