import Foundation

extension PredicateKey {
  /// A statistic of a workout or an activity, behind whose key stands that of a quantity type.
  enum Statistic: String {
    case average = "averageQuantity"
    case maximum = "maximumQuantity"
    case minimum = "minimumQuantity"
    case sum = "sumQuantity"
    case activityAverage = "activityAverageQuantity"
    case activityMaximum = "activityMaximumQuantity"
    case activityMinimum = "activityMinimumQuantity"
    case activitySum = "activitySumQuantity"

    /// The statistic of a type; no value where the object has none.
    func value(ofType identifier: String, in object: Any?) -> Operand {
      let type = HKObjectType.quantityType(
        forIdentifier: HKQuantityTypeIdentifier(rawValue: identifier))
      guard let type else { return .null }
      let statistics =
        (object as? HKWorkout)?.statistics(for: type)
        ?? (object as? HKWorkoutActivity)?.statistics(for: type)
      let quantity =
        switch self {
        case .average, .activityAverage: statistics?.averageQuantity()
        case .maximum, .activityMaximum: statistics?.maximumQuantity()
        case .minimum, .activityMinimum: statistics?.minimumQuantity()
        case .sum, .activitySum: statistics?.sumQuantity()
        }
      return .optional(quantity, Operand.quantity)
    }
  }

  static let workouts: [String: PredicateKey] = [
    HKPredicateKeyPathWorkoutType: activityType,
    "workoutActivityType": activityType,
    HKPredicateKeyPathWorkoutDuration: PredicateKey(
      { (one: HKWorkout) in .number(one.duration) },
      or: { (one: HKWorkoutActivity) in .number(one.duration) }),
    HKWorkoutSortIdentifierDuration: PredicateKey { (one: HKWorkout) in .number(one.duration) },
    HKPredicateKeyPathWorkoutTotalDistance: distance,
    HKWorkoutSortIdentifierTotalDistance: distance,
    HKPredicateKeyPathWorkoutTotalEnergyBurned: energy,
    HKWorkoutSortIdentifierTotalEnergyBurned: energy,
    HKPredicateKeyPathWorkoutTotalSwimmingStrokeCount: PredicateKey { (one: HKWorkout) in
      .optional(one.content.strokes, Operand.quantity)
    },
    HKPredicateKeyPathWorkoutTotalFlightsClimbed: PredicateKey { (one: HKWorkout) in
      .optional(one.content.flights, Operand.quantity)
    },
    HKPredicateKeyPathWorkoutActivity: parts,
    "workoutActivities": parts,
  ]

  private static let activityType = PredicateKey { (one: HKWorkout) in
    .number(Double(one.workoutActivityType.rawValue))
  }
  private static let distance = PredicateKey { (one: HKWorkout) in
    .optional(one.content.distance, Operand.quantity)
  }
  private static let energy = PredicateKey { (one: HKWorkout) in
    .optional(one.content.energy, Operand.quantity)
  }
  private static let parts = PredicateKey { (one: HKWorkout) in
    .list(OperandList(one.workoutActivities.map(Operand.object)))
  }

  static let activities: [String: PredicateKey] = [
    HKPredicateKeyPathWorkoutActivityType: PredicateKey { (one: HKWorkoutActivity) in
      .number(Double(one.workoutConfiguration.activityType.rawValue))
    },
    HKPredicateKeyPathWorkoutActivityDuration: PredicateKey { (one: HKWorkoutActivity) in
      .number(one.duration)
    },
    HKPredicateKeyPathWorkoutActivityStartDate: PredicateKey { (one: HKWorkoutActivity) in
      .date(one.startDate)
    },
    HKPredicateKeyPathWorkoutActivityEndDate: PredicateKey { (one: HKWorkoutActivity) in
      .optional(one.endDate, Operand.date)
    },
  ]

  static let records: [String: PredicateKey] = [
    HKPredicateKeyPathECGClassification: classification,
    "classification": classification,
    HKPredicateKeyPathECGSymptomsStatus: symptoms,
    "symptomsStatus": symptoms,
    HKPredicateKeyPathAverageHeartRate: heartRate,
    "averageHeartRate": heartRate,
    kind: PredicateKey { (one: HKStateOfMind) in .number(Double(one.kind.rawValue)) },
    valence: PredicateKey { (one: HKStateOfMind) in .number(one.valence) },
    labels: PredicateKey { (one: HKStateOfMind) in
      .list(OperandList(one.labels.map { .number(Double($0.rawValue)) }))
    },
    associations: PredicateKey { (one: HKStateOfMind) in
      .list(OperandList(one.associations.map { .number(Double($0.rawValue)) }))
    },
    "score": PredicateKey { (one: HKScoredAssessment) in .number(Double(one.score)) },
    resource: PredicateKey { (one: HKClinicalRecord) in .optional(one.fhirResource, Operand.object)
    },
    resourceType: PredicateKey { (one: HKFHIRResource) in .text(one.resourceType.rawValue) },
    identifier: PredicateKey(
      { (one: HKFHIRResource) in .text(one.identifier) },
      or: { (one: HKObjectType) in .text(one.identifier) }),
    HKPredicateKeyPathCDATitle: cda(\.title),
    HKPredicateKeyPathCDAPatientName: cda(\.patientName),
    HKPredicateKeyPathCDAAuthorName: cda(\.authorName),
    HKPredicateKeyPathCDACustodianName: cda(\.custodianName),
    HKPredicateKeyPathStatus: PredicateKey { (one: HKMedicationDoseEvent) in
      .number(Double(one.logStatus.rawValue))
    },
    HKPredicateKeyPathLogOrigin: unknownInMemory,
    HKPredicateKeyPathScheduledDate: PredicateKey { (one: HKMedicationDoseEvent) in
      .optional(one.scheduledDate, Operand.date)
    },
    HKPredicateKeyPathMedicationConceptIdentifier: PredicateKey { (one: HKMedicationDoseEvent) in
      .object(one.medicationConceptIdentifier)
    },
    HKUserAnnotatedMedicationPredicateKeyPathHasSchedule: PredicateKey {
      (one: HKUserAnnotatedMedication) in .number(one.hasSchedule ? 1 : 0)
    },
    HKUserAnnotatedMedicationPredicateKeyPathIsArchived: PredicateKey {
      (one: HKUserAnnotatedMedication) in .number(one.isArchived ? 1 : 0)
    },
    "displayName": PredicateKey { (one: HKClinicalRecord) in .text(one.displayName) },
  ]

  private static func cda(_ field: any KeyPath<HKCDADocument, String> & Sendable) -> PredicateKey {
    PredicateKey { (one: HKCDADocumentSample) in
      .optional(one.document) { .text($0[keyPath: field]) }
    }
  }

  private static let classification = PredicateKey { (one: HKElectrocardiogram) in
    .number(Double(one.classification.rawValue))
  }
  private static let symptoms = PredicateKey { (one: HKElectrocardiogram) in
    .number(Double(one.symptomsStatus.rawValue))
  }
  private static let heartRate = PredicateKey { (one: HKElectrocardiogram) in
    .optional(one.averageHeartRate, Operand.quantity)
  }

  static let summaries: [String: PredicateKey] = [
    // The day of a summary is compared in the calendar of the other side.
    HKPredicateKeyPathDateComponents: PredicateKey { (one: HKActivitySummary) in .object(one) }
  ]
}
