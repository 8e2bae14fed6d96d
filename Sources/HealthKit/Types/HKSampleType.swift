internal import HealthSamples
internal import HealthUnits

/// A type of sample: an object with a start and an end.
open class HKSampleType: HKObjectType, @unchecked Sendable {
  /// The longest that most samples may be: four days.
  ///
  /// Apple's interface publishes neither the limits nor the types that have them; the message of
  /// its exception states this number.
  static let maximumDuration: TimeInterval = 345_600

  /// Whether samples of the type have a maximum duration.
  open var isMaximumDurationRestricted: Bool { true }

  /// The maximum duration in seconds; infinite where there is none.
  open var maximumAllowedDuration: TimeInterval {
    isMaximumDurationRestricted ? Self.maximumDuration : .infinity
  }

  /// Whether samples of the type have a minimum duration.
  open var isMinimumDurationRestricted: Bool { false }

  /// The minimum duration in seconds; 0 where there is none.
  open var minimumAllowedDuration: TimeInterval { 0 }

  /// Whether a person can have the estimates of the type start anew.
  open var allowsRecalibrationForEstimates: Bool { false }
}

/// A type of sample with a number and a unit.
open class HKQuantityType: HKSampleType, @unchecked Sendable {
  let core: SampleType

  /// The type of an identifier.
  ///
  /// Traps for an identifier that is not in the catalogue;
  /// ``HKObjectType/quantityType(forIdentifier:)`` returns `nil`.
  public convenience init(_ identifier: HKQuantityTypeIdentifier) {
    guard let type = Self.types[identifier.rawValue] else {
      raise(ObjectError(.unknownType(identifier.rawValue)))
    }
    self.init(type.core)
  }

  init(_ core: SampleType) {
    self.core = core
    super.init(identifier: core.identifier)
  }

  /// Reads a type from an archive; `nil` for an identifier that is not in the catalogue.
  public required init?(coder: NSCoder) {
    guard let text = coder.decodeText("identifier"), let type = Self.types[text] else { return nil }
    core = type.core
    super.init(coder: coder)
  }

  /// Every type of the catalogue.
  static let types = Dictionary(
    Catalogue.quantityTypes.compactMap { row in
      Catalogue.type(row.identifier.rawValue).map { ($0.identifier, HKQuantityType($0)) }
    }, uniquingKeysWith: { first, _ in first })

  override class func knows(_ identifier: String) -> Bool { types[identifier] != nil }

  /// How samples of the type are combined over an interval.
  open var aggregationStyle: HKQuantityAggregationStyle {
    HKQuantityAggregationStyle(core.style ?? .discreteArithmetic)
  }

  /// Whether a unit measures what the type does.
  open func `is`(compatibleWith unit: HKUnit) -> Bool {
    canonicalScale.isCompatible(with: unit.scale)
  }

  /// The canonical unit of the type.
  var canonicalScale: HealthKitScale { Self.scales[identifier] ?? HealthKitScale(of: core.unit) }

  private static let scales = types.mapValues { HealthKitScale(of: $0.core.unit) }

  /// Sound levels are energies over time, so a sample of them lasts.
  open override var isMinimumDurationRestricted: Bool {
    core.style == .discreteEquivalentContinuousLevel
  }

  /// The minimum duration in seconds; 0 where there is none.
  open override var minimumAllowedDuration: TimeInterval {
    isMinimumDurationRestricted ? 0.001 : 0
  }

  /// Whether a person can have the estimates of the type start anew.
  open override var allowsRecalibrationForEstimates: Bool {
    identifier == HKQuantityTypeIdentifier.sixMinuteWalkTestDistance.rawValue
      || identifier == HKQuantityTypeIdentifier.appleWalkingSteadiness.rawValue
  }
}

extension SampleType {
  /// The canonical unit; the null unit of a category.
  var unit: UnitExpression { canonicalUnit ?? .null }
}

/// A type of sample with one constant of an enumeration.
open class HKCategoryType: HKSampleType, @unchecked Sendable {
  let core: SampleType

  /// The type of an identifier.
  ///
  /// Traps for an identifier that is not in the catalogue;
  /// ``HKObjectType/categoryType(forIdentifier:)`` returns `nil`.
  public convenience init(_ identifier: HKCategoryTypeIdentifier) {
    guard let type = Self.types[identifier.rawValue] else {
      raise(ObjectError(.unknownType(identifier.rawValue)))
    }
    self.init(type.core)
  }

  init(_ core: SampleType) {
    self.core = core
    super.init(identifier: core.identifier)
  }

  /// Reads a type from an archive; `nil` for an identifier that is not in the catalogue.
  public required init?(coder: NSCoder) {
    guard let text = coder.decodeText("identifier"), let type = Self.types[text] else { return nil }
    core = type.core
    super.init(coder: coder)
  }

  /// Every type of the catalogue.
  static let types = Dictionary(
    Catalogue.categoryTypes.compactMap { row in
      Catalogue.type(row.identifier.rawValue).map { ($0.identifier, HKCategoryType($0)) }
    }, uniquingKeysWith: { first, _ in first })

  override class func knows(_ identifier: String) -> Bool { types[identifier] != nil }

  /// States that last for weeks or months, and may have no end yet, have no maximum duration.
  private static let lastingTypes: Set<HKCategoryTypeIdentifier> = [
    .contraceptive, .infrequentMenstrualCycles, .irregularMenstrualCycles, .lactation,
    .persistentIntermenstrualBleeding, .pregnancy, .prolongedMenstrualPeriods,
  ]

  /// Whether samples of the type have a maximum duration.
  open override var isMaximumDurationRestricted: Bool {
    !Self.lastingTypes.contains(HKCategoryTypeIdentifier(rawValue: identifier))
  }
}

/// A type of sample that holds samples of other types.
open class HKCorrelationType: HKSampleType, @unchecked Sendable {
  /// The type of an identifier.
  ///
  /// Traps for an identifier that is not in the catalogue;
  /// ``HKObjectType/correlationType(forIdentifier:)`` returns `nil`.
  public convenience init(_ identifier: HKCorrelationTypeIdentifier) {
    self.init(identifier: Self.checked(identifier.rawValue))
  }

  private static let rows = Dictionary(
    Catalogue.correlationTypes.map { ($0.identifier.rawValue, $0) },
    uniquingKeysWith: { first, _ in first })

  override class func knows(_ identifier: String) -> Bool { rows[identifier] != nil }

  /// What a correlation of the type holds.
  var row: Catalogue.CorrelationType? { Self.rows[identifier] }
}

/// The type of ``HKWorkout``.
open class HKWorkoutType: HKSampleType, @unchecked Sendable {
  override class func knows(_ identifier: String) -> Bool {
    identifier == workoutType().identifier
  }
}

/// A type of sample whose data come one after the other.
public class HKSeriesType: HKSampleType, @unchecked Sendable {
  required override init(identifier: String) { super.init(identifier: identifier) }

  /// Reads a type from an archive; `nil` for an identifier that is not that of a series.
  public required init?(coder: NSCoder) { super.init(coder: coder) }

  /// The type of heartbeat series.
  public class func heartbeat() -> Self {
    self.init(identifier: HKDataTypeIdentifierHeartbeatSeries)
  }

  /// The type of workout routes.
  public class func workoutRoute() -> Self { self.init(identifier: HKWorkoutRouteTypeIdentifier) }

  override class func knows(_ identifier: String) -> Bool {
    [HKDataTypeIdentifierHeartbeatSeries, HKWorkoutRouteTypeIdentifier].contains(identifier)
  }
}

/// A type of document.
open class HKDocumentType: HKSampleType, @unchecked Sendable {
  /// The type of an identifier.
  ///
  /// Traps for an identifier that is not in the catalogue;
  /// ``HKObjectType/documentType(forIdentifier:)`` returns `nil`.
  public convenience init(_ identifier: HKDocumentTypeIdentifier) {
    self.init(identifier: Self.checked(identifier.rawValue))
  }

  override class func knows(_ identifier: String) -> Bool {
    hasOtherType(identifier, "HKDocumentType")
  }
}

/// A type of record of a health institution.
open class HKClinicalType: HKSampleType, @unchecked Sendable {
  /// The type of an identifier.
  ///
  /// Traps for an identifier that is not in the catalogue;
  /// ``HKObjectType/clinicalType(forIdentifier:)`` returns `nil`.
  public convenience init(_ identifier: HKClinicalTypeIdentifier) {
    self.init(identifier: Self.checked(identifier.rawValue))
  }

  override class func knows(_ identifier: String) -> Bool {
    hasOtherType(identifier, "HKClinicalType")
  }

  /// Records tell when they were received; they have no duration.
  open override var isMaximumDurationRestricted: Bool { false }
}

/// A type of questionnaire with a score.
open class HKScoredAssessmentType: HKSampleType, @unchecked Sendable {
  /// The type of an identifier.
  ///
  /// Traps for an identifier that is not in the catalogue.
  public convenience init(_ identifier: HKScoredAssessmentTypeIdentifier) {
    self.init(identifier: Self.checked(identifier.rawValue))
  }

  override class func knows(_ identifier: String) -> Bool {
    hasOtherType(identifier, "HKScoredAssessmentType")
  }
}

/// The type of ``HKElectrocardiogram``.
open class HKElectrocardiogramType: HKSampleType, @unchecked Sendable {
  override class func knows(_ identifier: String) -> Bool {
    identifier == electrocardiogramType().identifier
  }
}

/// The type of ``HKAudiogramSample``.
open class HKAudiogramSampleType: HKSampleType, @unchecked Sendable {
  override class func knows(_ identifier: String) -> Bool {
    identifier == audiogramSampleType().identifier
  }
}

/// The type of ``HKStateOfMind``.
open class HKStateOfMindType: HKSampleType, @unchecked Sendable {
  override class func knows(_ identifier: String) -> Bool {
    identifier == stateOfMindType().identifier
  }
}

/// The type of ``HKVisionPrescription``.
open class HKPrescriptionType: HKSampleType, @unchecked Sendable {
  override class func knows(_ identifier: String) -> Bool {
    identifier == visionPrescriptionType().identifier
  }

  /// A person shows single prescriptions to an app.
  open override func requiresPerObjectAuthorization() -> Bool { true }

  /// A prescription holds until it expires.
  open override var isMaximumDurationRestricted: Bool { false }
}

/// The type of doses of medications, taken or not.
open class HKMedicationDoseEventType: HKSampleType, @unchecked Sendable {
  override class func knows(_ identifier: String) -> Bool {
    identifier == medicationDoseEventType().identifier
  }

  /// A person shows the doses of single medications to an app.
  open override func requiresPerObjectAuthorization() -> Bool { true }
}

extension HKSampleType {
  /// Whether the catalogue has an identifier for a class of types.
  fileprivate static func hasOtherType(_ identifier: String, _ typeClass: String) -> Bool {
    Catalogue.otherTypes.contains { $0.identifier == identifier && $0.typeClass == typeClass }
  }
}
