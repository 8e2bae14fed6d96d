internal import HealthSamples
internal import HealthStore

/// What every object has.
struct ObjectFacts: @unchecked Sendable {
  var uuid: UUID
  var sourceRevision: HKSourceRevision
  var device: HKDevice?
  var metadata: ObjectMetadata?
  /// What a row of the core has besides; `nil` for an object that an app made.
  var row: RowFacts?
  /// The element of an import that the object was made from, with words that no property has.
  var element: ElementBox?

  /// The facts of a new object of this app.
  init(device: HKDevice? = nil, metadata: [String: Any]? = nil) {
    self.init(
      uuid: UUID(), sourceRevision: HealthHost.revision, device: device,
      metadata: metadata.map { ObjectMetadata($0) })
  }

  init(
    uuid: UUID, sourceRevision: HKSourceRevision, device: HKDevice?, metadata: ObjectMetadata?,
    row: RowFacts? = nil
  ) {
    self.uuid = uuid
    self.sourceRevision = sourceRevision
    self.device = device
    self.metadata = metadata
    self.row = row
  }
}

/// An element of the core, shared by the object that was made from it.
final class ElementBox: Sendable {
  let row: any Sendable

  init(_ row: any Sendable) { self.row = row }
}

/// What a row of the core has and an object of Apple's does not show.
struct RowFacts: Sendable {
  /// The unit of a quantity or the constant of a category, as recorded.
  var label: String
  /// When the record was created; `nil` when not recorded.
  var created: Double?
  /// How many equal copies of the record an export has.
  var copies: UInt32
  /// The set of exports that contain the record, in a store.
  var memberSet: UInt32
  /// The serial in the store; `nil` for rows from elsewhere.
  var serial: Int64?
}

/// An object of a health store, with an identity for life.
///
/// Two objects are equal when their ``uuid`` and classes are.
open class HKObject: NSObject, NSSecureCoding, @unchecked Sendable {
  let facts: ObjectFacts

  init(facts: ObjectFacts) { self.facts = facts }

  /// Reads an object from an archive.
  public required init?(coder: NSCoder) {
    guard let text = coder.decodeText("uuid"), let uuid = UUID(uuidString: text),
      let revision = coder.decodeOne(HKSourceRevision.self, "sourceRevision")
    else { return nil }
    facts = ObjectFacts(
      uuid: uuid, sourceRevision: revision, device: coder.decodeOne(HKDevice.self, "device"),
      metadata: coder.decodeMetadata("metadata").map { ObjectMetadata($0) })
  }

  /// Writes the identity, the source, the device and metadata.
  open func encode(with coder: NSCoder) {
    coder.encodeText(uuid.uuidString, "uuid")
    coder.encode(sourceRevision, forKey: "sourceRevision")
    if let device { coder.encode(device, forKey: "device") }
    coder.encodeMetadata(metadata, "metadata")
  }

  /// Objects are read from secure archives.
  open class var supportsSecureCoding: Bool { true }

  /// The identity, which stays with the object for life.
  open var uuid: UUID { facts.uuid }

  /// The app and the versions that made the object; this app's until it is saved.
  open var sourceRevision: HKSourceRevision { facts.sourceRevision }

  /// The app that made the object.
  ///
  /// Deprecated: use ``sourceRevision``.
  #if AppleDeprecations
  @available(*, deprecated)
  #endif
  open var source: HKSource { sourceRevision.source }

  /// The device that measured.
  open var device: HKDevice? { facts.device }

  /// Texts, numbers, dates and quantities by key.
  open var metadata: [String: Any]? { facts.metadata?.dictionary }

  /// Whether the object is of the same class with the same identity.
  open override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? HKObject else { return false }
    return self === other || type(of: self) == type(of: other) && uuid == other.uuid
  }

  /// Hashes the identity.
  open override var hash: Int { uuid.hashValue }
}

/// What is left of an object that was deleted.
open class HKDeletedObject: NSObject, NSSecureCoding, @unchecked Sendable {
  private let identity: UUID
  private let entries: ObjectMetadata?

  init(uuid: UUID, metadata: ObjectMetadata? = nil) {
    identity = uuid
    entries = metadata
  }

  /// What a store has left of a sample.
  convenience init(_ row: DeletedRow) {
    let entries = [
      row.syncIdentifier.map { Metadata.Entry(key: HKMetadataKeySyncIdentifier, .string($0)) },
      row.syncVersion.map { Metadata.Entry(key: HKMetadataKeySyncVersion, .number($0)) },
    ].compactMap(\.self)
    self.init(
      uuid: row.uuid, metadata: entries.isEmpty ? nil : ObjectMetadata(Metadata(entries)))
  }

  /// Reads an object from an archive.
  public required init?(coder: NSCoder) {
    guard let text = coder.decodeText("uuid"), let uuid = UUID(uuidString: text) else { return nil }
    identity = uuid
    entries = coder.decodeMetadata("metadata").map { ObjectMetadata($0) }
  }

  /// Writes the identity and metadata.
  open func encode(with coder: NSCoder) {
    coder.encodeText(uuid.uuidString, "uuid")
    coder.encodeMetadata(metadata, "metadata")
  }

  /// Objects are read from secure archives.
  open class var supportsSecureCoding: Bool { true }

  /// The identity of the object.
  open var uuid: UUID { identity }

  /// The identifier and the version under which the object was synchronised when it was deleted, if it
  /// had them; nothing else is left of its metadata.
  open var metadata: [String: Any]? { entries?.dictionary }

  /// Whether the object has the same identity.
  open override func isEqual(_ object: Any?) -> Bool {
    (object as? HKDeletedObject).map { $0 === self || $0.uuid == uuid } ?? false
  }

  /// Hashes the identity.
  open override var hash: Int { uuid.hashValue }
}

/// An object with a start and an end.
open class HKSample: HKObject, @unchecked Sendable {
  private let ownType: HKSampleType
  private let start: Date
  private let end: Date

  init(type: HKSampleType, start: Date, end: Date, facts: ObjectFacts) {
    ownType = type
    self.start = start
    self.end = end
    super.init(facts: facts)
  }

  /// Reads a sample from an archive.
  public required init?(coder: NSCoder) {
    guard
      let type = coder.decodeObject(of: Self.typeClasses, forKey: "sampleType") as? HKSampleType,
      let start = coder.decodeDate("startDate"), let end = coder.decodeDate("endDate")
    else { return nil }
    ownType = type
    self.start = start
    self.end = end
    super.init(coder: coder)
  }

  static let typeClasses: [AnyClass] = [
    HKQuantityType.self, HKCategoryType.self, HKCorrelationType.self, HKWorkoutType.self,
    HKSeriesType.self, HKDocumentType.self, HKClinicalType.self, HKScoredAssessmentType.self,
    HKElectrocardiogramType.self, HKAudiogramSampleType.self, HKStateOfMindType.self,
    HKPrescriptionType.self, HKMedicationDoseEventType.self,
  ]

  /// Writes the sample.
  open override func encode(with coder: NSCoder) {
    super.encode(with: coder)
    coder.encode(sampleType, forKey: "sampleType")
    coder.encodeDate(startDate, "startDate")
    coder.encodeDate(endDate, "endDate")
  }

  /// The type.
  open var sampleType: HKSampleType { ownType }

  /// When the sample starts.
  open var startDate: Date { start }

  /// When the sample ends; not before it starts.
  open var endDate: Date { end }

  /// Whether the sample has not ended yet: its end is in the distant future.
  open var hasUndeterminedDuration: Bool { endDate == .distantFuture }

  /// Checks what holds for samples of every class: the order of dates, the durations of the type,
  /// and metadata.
  ///
  /// - Throws: ``ObjectError``
  static func check(
    type: HKSampleType, start: Date, end: Date, metadata: [String: Any]?
  ) throws(ObjectError) {
    try check(type: type, start: start, end: end)
    try ObjectMetadata.check(metadata, for: type)
  }

  /// Checks the order of dates, and the durations of the type.
  ///
  /// - Throws: ``ObjectError``
  static func check(type: HKSampleType, start: Date, end: Date) throws(ObjectError) {
    let instants = (start.timeIntervalSinceReferenceDate, end.timeIntervalSinceReferenceDate)
    guard instants.0.isFinite, instants.1.isFinite else {
      throw ObjectError(.dateOutOfRange)
    }
    guard SampleTime.isInOrder(from: instants.0, to: instants.1) else {
      throw ObjectError(.endBeforeStart)
    }
    if type.isMaximumDurationRestricted {
      guard end < .distantFuture else { throw ObjectError(.dateOutOfRange) }
      guard instants.1 - instants.0 <= type.maximumAllowedDuration else {
        throw ObjectError(.tooLong(type: type.identifier, maximum: type.maximumAllowedDuration))
      }
    }
    if type.isMinimumDurationRestricted,
      instants.1 - instants.0 < type.minimumAllowedDuration
    {
      throw ObjectError(.tooShort(type: type.identifier, minimum: type.minimumAllowedDuration))
    }
  }
}
