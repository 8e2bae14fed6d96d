internal import HealthSamples

/// A type of object in a health store, by its identifier.
///
/// Two types are equal when their classes and identifiers are.
open class HKObjectType: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
  private let text: String

  init(identifier: String) { text = identifier }

  /// Reads a type from an archive; `nil` for an identifier that the class does not have.
  public required init?(coder: NSCoder) {
    guard let text = coder.decodeText("identifier") else { return nil }
    self.text = text
    super.init()
    guard Self.knows(text) else { return nil }
  }

  /// Writes the identifier.
  open func encode(with coder: NSCoder) { coder.encodeText(text, "identifier") }

  /// Types are read from secure archives.
  open class var supportsSecureCoding: Bool { true }

  /// The type itself, which does not change.
  open func copy(with zone: NSZone? = nil) -> Any { self }

  /// Whether an identifier is that of a type of the class.
  class func knows(_ identifier: String) -> Bool { false }

  /// The full identifier, such as `HKQuantityTypeIdentifierStepCount`.
  open var identifier: String { text }

  /// Whether a person allows to read single objects of the type, not all of it.
  open func requiresPerObjectAuthorization() -> Bool { false }

  /// Whether the object is the same type.
  open override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? HKObjectType else { return false }
    return self === other || type(of: self) == type(of: other) && identifier == other.identifier
  }

  /// Hashes the identifier.
  open override var hash: Int { identifier.hashValue }

  /// The identifier.
  open override var description: String { identifier }

  // MARK: Types by identifier

  /// The quantity type of an identifier; `nil` when there is none.
  open class func quantityType(
    forIdentifier identifier: HKQuantityTypeIdentifier
  ) -> HKQuantityType? {
    HKQuantityType.types[identifier.rawValue]
  }

  /// The category type of an identifier; `nil` when there is none.
  open class func categoryType(
    forIdentifier identifier: HKCategoryTypeIdentifier
  ) -> HKCategoryType? {
    HKCategoryType.types[identifier.rawValue]
  }

  /// The characteristic type of an identifier; `nil` when there is none.
  open class func characteristicType(
    forIdentifier identifier: HKCharacteristicTypeIdentifier
  ) -> HKCharacteristicType? {
    HKCharacteristicType(known: identifier.rawValue)
  }

  /// The correlation type of an identifier; `nil` when there is none.
  open class func correlationType(
    forIdentifier identifier: HKCorrelationTypeIdentifier
  ) -> HKCorrelationType? {
    HKCorrelationType(known: identifier.rawValue)
  }

  /// The document type of an identifier; `nil` when there is none.
  open class func documentType(
    forIdentifier identifier: HKDocumentTypeIdentifier
  ) -> HKDocumentType? {
    HKDocumentType(known: identifier.rawValue)
  }

  /// The clinical type of an identifier; `nil` when there is none.
  open class func clinicalType(
    forIdentifier identifier: HKClinicalTypeIdentifier
  ) -> HKClinicalType? {
    HKClinicalType(known: identifier.rawValue)
  }

  /// The series type of an identifier; `nil` when there is none.
  open class func seriesType(forIdentifier identifier: String) -> HKSeriesType? {
    HKSeriesType(known: identifier)
  }

  /// The type of workouts.
  open class func workoutType() -> HKWorkoutType {
    HKWorkoutType(identifier: HKWorkoutTypeIdentifier)
  }

  /// The type of activity summaries.
  open class func activitySummaryType() -> HKActivitySummaryType {
    HKActivitySummaryType(identifier: "HKActivitySummaryTypeIdentifier")
  }

  /// The type of audiograms.
  open class func audiogramSampleType() -> HKAudiogramSampleType {
    HKAudiogramSampleType(identifier: "HKDataTypeIdentifierAudiogram")
  }

  /// The type of electrocardiograms.
  open class func electrocardiogramType() -> HKElectrocardiogramType {
    HKElectrocardiogramType(identifier: "HKDataTypeIdentifierElectrocardiogram")
  }

  /// The type of states of mind.
  open class func stateOfMindType() -> HKStateOfMindType {
    HKStateOfMindType(identifier: HKDataTypeIdentifierStateOfMind)
  }

  /// The type of vision prescriptions.
  open class func visionPrescriptionType() -> HKPrescriptionType {
    HKPrescriptionType(identifier: HKVisionPrescriptionTypeIdentifier)
  }

  /// The type of doses of medications.
  open class func medicationDoseEventType() -> HKMedicationDoseEventType {
    HKMedicationDoseEventType(identifier: "HKMedicationDoseEventTypeIdentifierMedicationDoseEvent")
  }

  /// The type of medications with what the person noted about them.
  open class func userAnnotatedMedicationType() -> HKUserAnnotatedMedicationType {
    HKUserAnnotatedMedicationType(identifier: HKDataTypeIdentifierUserAnnotatedMedicationConcept)
  }

  /// The types that an app can ask for; not correlations, whose types it asks for in their place.
  package static var permittable: [HKObjectType] {
    let quantities = Catalogue.quantityTypes.map(\.identifier)
    let categories = Catalogue.categoryTypes.map(\.identifier)
    let characteristics = Catalogue.characteristicTypes.map(\.identifier)
    let others = Catalogue.otherTypes.compactMap(\.identifier)
    return quantities.compactMap { quantityType(forIdentifier: $0) }
      + categories.compactMap { categoryType(forIdentifier: $0) }
      + characteristics.compactMap { characteristicType(forIdentifier: $0) }
      + others.compactMap { clinicalType(forIdentifier: .init(rawValue: $0)) }
      + [
        workoutType(), HKSeriesType.workoutRoute(), HKSeriesType.heartbeat(),
        activitySummaryType(), electrocardiogramType(), audiogramSampleType(), stateOfMindType(),
        medicationDoseEventType(), userAnnotatedMedicationType(), visionPrescriptionType(),
        HKDocumentType(.CDA), HKScoredAssessmentType(.GAD7), HKScoredAssessmentType(.PHQ9),
      ]
  }

  /// A type of the class; `nil` when the catalogue does not have it.
  convenience init?(known identifier: String) {
    guard Self.knows(identifier) else { return nil }
    self.init(identifier: identifier)
  }

  /// The identifier of a type of the class; traps when the catalogue does not have it.
  static func checked(_ identifier: String) -> String {
    guard knows(identifier) else { raise(ObjectError(.unknownType(identifier))) }
    return identifier
  }
}

/// A type that a person has once, such as the date of birth.
open class HKCharacteristicType: HKObjectType, @unchecked Sendable {
  /// The type of an identifier.
  ///
  /// Traps for an identifier that is not in the catalogue;
  /// ``HKObjectType/characteristicType(forIdentifier:)`` returns `nil`.
  public convenience init(_ identifier: HKCharacteristicTypeIdentifier) {
    self.init(identifier: Self.checked(identifier.rawValue))
  }

  private static let identifiers = Set(
    Catalogue.characteristicTypes.filter { $0.introduced != nil }.map(\.identifier.rawValue))

  override class func knows(_ identifier: String) -> Bool { identifiers.contains(identifier) }
}

/// The type of ``HKActivitySummary``.
open class HKActivitySummaryType: HKObjectType, @unchecked Sendable {
  override class func knows(_ identifier: String) -> Bool {
    identifier == activitySummaryType().identifier
  }
}

/// The type of medications, which an app asks to read one by one.
open class HKUserAnnotatedMedicationType: HKObjectType, @unchecked Sendable {
  override class func knows(_ identifier: String) -> Bool {
    identifier == userAnnotatedMedicationType().identifier
  }

  /// A person shows single medications to an app.
  open override func requiresPerObjectAuthorization() -> Bool { true }
}
