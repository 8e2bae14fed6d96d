// Constants have Apple's names and need no doc comment.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

/// A dose of a medication: taken, skipped, or still to come.
open class HKMedicationDoseEvent: HKSample, @unchecked Sendable {
  /// Why there is a dose.
  public enum ScheduleType: Int, Sendable {
    case asNeeded = 1
    case schedule = 2
  }

  /// What became of a dose.
  public enum LogStatus: Int, Sendable {
    case notInteracted = 1
    case notificationNotSent = 2
    case snoozed = 3
    case taken = 4
    case skipped = 5
    case notLogged = 6
  }

  /// What a dose has besides the facts of a sample.
  struct Content: Hashable {
    var medication: HKHealthConceptIdentifier
    var schedule: ScheduleType
    var status: LogStatus
    var unit: HKUnit
    var dose: Double?
    var scheduledDose: Double?
    var scheduledDate: Date?

    /// Whether the schedule says when, and how much, exactly when there is one.
    var isConsistent: Bool {
      let isScheduled = schedule == .schedule
      return (scheduledDate != nil) == isScheduled && (scheduledDose != nil) == isScheduled
    }
  }

  let content: Content

  init(_ content: Content, start: Date, end: Date, facts: ObjectFacts) {
    self.content = content
    super.init(
      type: HKObjectType.medicationDoseEventType(), start: start, end: end, facts: facts)
  }

  /// Reads a dose from an archive.
  public required init?(coder: NSCoder) {
    guard
      let medication = coder.decodeOne(
        HKHealthConceptIdentifier.self, "medicationConceptIdentifier"),
      let schedule = coder.decodeCase(ScheduleType.self, "scheduleType"),
      let status = coder.decodeCase(LogStatus.self, "logStatus"),
      let unit = coder.decodeOne(HKUnit.self, "unit")
    else { return nil }
    content = Content(
      medication: medication, schedule: schedule, status: status, unit: unit,
      dose: coder.decodeNumber("doseQuantity"),
      scheduledDose: coder.decodeNumber("scheduledDoseQuantity"),
      scheduledDate: coder.decodeDate("scheduledDate"))
    guard content.isConsistent else { return nil }
    super.init(coder: coder)
  }

  /// Writes all properties.
  open override func encode(with coder: NSCoder) {
    super.encode(with: coder)
    coder.encode(content.medication, forKey: "medicationConceptIdentifier")
    coder.encode(content.schedule.rawValue, forKey: "scheduleType")
    coder.encode(content.status.rawValue, forKey: "logStatus")
    coder.encode(content.unit, forKey: "unit")
    if let dose = content.dose { coder.encode(dose, forKey: "doseQuantity") }
    if let dose = content.scheduledDose { coder.encode(dose, forKey: "scheduledDoseQuantity") }
    coder.encodeDate(content.scheduledDate, "scheduledDate")
  }

  /// The type.
  open var medicationDoseEventType: HKMedicationDoseEventType {
    // Samples of this class are made with no other type.
    (sampleType as? HKMedicationDoseEventType) ?? HKObjectType.medicationDoseEventType()
  }

  /// The medication.
  open var medicationConceptIdentifier: HKHealthConceptIdentifier { content.medication }
  /// Why there is a dose.
  open var scheduleType: ScheduleType { content.schedule }
  /// What became of the dose.
  open var logStatus: LogStatus { content.status }
  /// The unit of both quantities.
  open var unit: HKUnit { content.unit }
  /// How much was taken; `nil` when none was.
  open var doseQuantity: Double? { content.dose }
  /// How much was to be taken; `nil` without a schedule.
  open var scheduledDoseQuantity: Double? { content.scheduledDose }
  /// When it was to be taken; `nil` without a schedule.
  open var scheduledDate: Date? { content.scheduledDate }
}

/// What identifies a concept of a domain, such as a medication.
open class HKHealthConceptIdentifier: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
  private let area: HKHealthConceptDomain
  let text: String

  init(domain: HKHealthConceptDomain, text: String) {
    area = domain
    self.text = text
  }

  /// Reads an identifier from an archive.
  public required init?(coder: NSCoder) {
    guard let area = coder.decodeText("domain"), let text = coder.decodeText("identifier")
    else { return nil }
    self.area = HKHealthConceptDomain(rawValue: area)
    self.text = text
  }

  /// Writes the identifier.
  open func encode(with coder: NSCoder) {
    coder.encodeText(area.rawValue, "domain")
    coder.encodeText(text, "identifier")
  }

  /// Identifiers are read from secure archives.
  open class var supportsSecureCoding: Bool { true }

  /// The identifier itself, which does not change.
  open func copy(with zone: NSZone? = nil) -> Any { self }

  /// What the concept is a concept of.
  open var domain: HKHealthConceptDomain { area }

  /// Whether the object identifies the same concept.
  open override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? HKHealthConceptIdentifier else { return false }
    return area == other.area && text == other.text
  }

  /// Hashes domain and identifier.
  open override var hash: Int {
    var hasher = Hasher()
    hasher.combine(area)
    hasher.combine(text)
    return hasher.finalize()
  }
}

/// A code of a terminology such as RxNorm.
open class HKClinicalCoding: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
  private let terminology: String
  private let edition: String?
  private let symbol: String

  /// Makes a code of a terminology.
  public init(system: String, version: String?, code: String) {
    terminology = system
    edition = version
    symbol = code
  }

  /// Reads a code from an archive.
  public required init?(coder: NSCoder) {
    guard let terminology = coder.decodeText("system"), let symbol = coder.decodeText("code")
    else { return nil }
    self.terminology = terminology
    self.symbol = symbol
    edition = coder.decodeText("version")
  }

  /// Writes all properties.
  open func encode(with coder: NSCoder) {
    coder.encodeText(terminology, "system")
    coder.encodeText(edition, "version")
    coder.encodeText(symbol, "code")
  }

  /// Codes are read from secure archives.
  open class var supportsSecureCoding: Bool { true }

  /// The code itself, which does not change.
  open func copy(with zone: NSZone? = nil) -> Any { self }

  /// The terminology, by its URL.
  open var system: String { terminology }
  /// The version of the terminology; `nil` when not recorded.
  open var version: String? { edition }
  /// The code.
  open var code: String { symbol }

  private var texts: [String?] { [terminology, edition, symbol] }

  /// Whether the object is the same code.
  open override func isEqual(_ object: Any?) -> Bool {
    (object as? HKClinicalCoding)?.texts == texts
  }

  /// Hashes all properties.
  open override var hash: Int { texts.hashValue }
}

/// The form in which a medication is made.
public struct HKMedicationGeneralForm: RawRepresentable, Hashable, Sendable {
  public let rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }

  public static let capsule = Self(rawValue: "capsule")
  public static let cream = Self(rawValue: "cream")
  public static let device = Self(rawValue: "device")
  public static let drops = Self(rawValue: "drops")
  public static let foam = Self(rawValue: "foam")
  public static let gel = Self(rawValue: "gel")
  public static let inhaler = Self(rawValue: "inhaler")
  public static let injection = Self(rawValue: "injection")
  public static let liquid = Self(rawValue: "liquid")
  public static let lotion = Self(rawValue: "lotion")
  public static let ointment = Self(rawValue: "ointment")
  public static let patch = Self(rawValue: "patch")
  public static let powder = Self(rawValue: "powder")
  public static let spray = Self(rawValue: "spray")
  public static let suppository = Self(rawValue: "suppository")
  public static let tablet = Self(rawValue: "tablet")
  public static let topical = Self(rawValue: "topical")
  public static let unknown = Self(rawValue: "unknown")
}

/// A medication as such, like ibuprofen.
///
/// Two concepts are equal when their identifiers are.
open class HKMedicationConcept: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
  private let identity: HKHealthConceptIdentifier
  private let name: String
  private let form: HKMedicationGeneralForm
  private let codes: Set<HKClinicalCoding>

  init(
    identifier: HKHealthConceptIdentifier, displayText: String,
    generalForm: HKMedicationGeneralForm, relatedCodings: Set<HKClinicalCoding>
  ) {
    identity = identifier
    name = displayText
    form = generalForm
    codes = relatedCodings
  }

  /// Reads a concept from an archive.
  public required init?(coder: NSCoder) {
    guard let identity = coder.decodeOne(HKHealthConceptIdentifier.self, "identifier"),
      let name = coder.decodeText("displayText"), let form = coder.decodeText("generalForm"),
      let codes = coder.decodeMany(HKClinicalCoding.self, "relatedCodings")
    else { return nil }
    self.identity = identity
    self.name = name
    self.form = HKMedicationGeneralForm(rawValue: form)
    self.codes = Set(codes)
  }

  /// Writes all properties.
  open func encode(with coder: NSCoder) {
    coder.encode(identity, forKey: "identifier")
    coder.encodeText(name, "displayText")
    coder.encodeText(form.rawValue, "generalForm")
    coder.encodeMany(
      codes.sorted { ($0.system, $0.code) < ($1.system, $1.code) }, "relatedCodings")
  }

  /// Concepts are read from secure archives.
  open class var supportsSecureCoding: Bool { true }

  /// The concept itself, which does not change.
  open func copy(with zone: NSZone? = nil) -> Any { self }

  /// What identifies the medication.
  open var identifier: HKHealthConceptIdentifier { identity }
  /// What people call it.
  open var displayText: String { name }
  /// The form in which it is made.
  open var generalForm: HKMedicationGeneralForm { form }
  /// Its codes in terminologies.
  open var relatedCodings: Set<HKClinicalCoding> { codes }

  /// Whether the object is the same medication.
  open override func isEqual(_ object: Any?) -> Bool {
    (object as? HKMedicationConcept)?.identity == identity
  }

  /// Hashes the identifier.
  open override var hash: Int { identity.hash }
}

/// A medication that a person takes, with what the person says about it.
///
/// Two are equal when all their properties are.
open class HKUserAnnotatedMedication: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
  private let concept: HKMedicationConcept
  private let name: String?
  private let isOld: Bool
  private let isScheduled: Bool

  init(medication: HKMedicationConcept, nickname: String?, isArchived: Bool, hasSchedule: Bool) {
    concept = medication
    name = nickname
    isOld = isArchived
    isScheduled = hasSchedule
  }

  /// Reads a medication from an archive.
  public required init?(coder: NSCoder) {
    guard let concept = coder.decodeOne(HKMedicationConcept.self, "medication") else { return nil }
    self.concept = concept
    name = coder.decodeText("nickname")
    isOld = coder.decodeBool(forKey: "isArchived")
    isScheduled = coder.decodeBool(forKey: "hasSchedule")
  }

  /// Writes all properties.
  open func encode(with coder: NSCoder) {
    coder.encode(concept, forKey: "medication")
    coder.encodeText(name, "nickname")
    coder.encode(isOld, forKey: "isArchived")
    coder.encode(isScheduled, forKey: "hasSchedule")
  }

  /// Medications are read from secure archives.
  open class var supportsSecureCoding: Bool { true }

  /// The medication itself, which does not change.
  open func copy(with zone: NSZone? = nil) -> Any { self }

  /// The medication.
  open var medication: HKMedicationConcept { concept }
  /// The name that the person gave; `nil` without one.
  open var nickname: String? { name }
  /// Whether the person does not take it any more.
  open var isArchived: Bool { isOld }
  /// Whether the person takes it at certain times.
  open var hasSchedule: Bool { isScheduled }

  /// Whether the object has the same properties.
  open override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? HKUserAnnotatedMedication else { return false }
    return concept == other.concept && name == other.name && isOld == other.isOld
      && isScheduled == other.isScheduled
  }

  /// Hashes the medication.
  open override var hash: Int { concept.hash }
}
