internal import HealthSamples

/// A sample that holds samples which belong together, such as the two of a blood pressure.
open class HKCorrelation: HKSample, @unchecked Sendable {
  private let ownType: HKCorrelationType
  private let members: Set<HKSample>

  init(
    _ type: HKCorrelationType, _ objects: Set<HKSample>, start: Date, end: Date, facts: ObjectFacts
  ) {
    ownType = type
    members = objects
    super.init(type: type, start: start, end: end, facts: facts)
  }

  /// Makes a correlation.
  ///
  /// Traps without objects, for an object that the type does not take, lacks or takes once, an end
  /// before the start, or a duration that the type does not allow;
  /// ``validated(type:start:end:objects:device:metadata:)`` throws.
  public init(
    type correlationType: HKCorrelationType, start startDate: Date, end endDate: Date,
    objects: Set<HKSample>
  ) {
    (ownType, members) = Self.checked(correlationType, objects, start: startDate, end: endDate)
    super.init(type: correlationType, start: startDate, end: endDate, facts: ObjectFacts())
  }

  /// Makes a correlation with metadata; see ``init(type:start:end:objects:)``.
  public init(
    type correlationType: HKCorrelationType, start startDate: Date, end endDate: Date,
    objects: Set<HKSample>, metadata: [String: Any]?
  ) {
    (ownType, members) = Self.checked(
      correlationType, objects, start: startDate, end: endDate, metadata)
    super.init(
      type: correlationType, start: startDate, end: endDate,
      facts: ObjectFacts(metadata: metadata))
  }

  /// Makes a correlation with a device and metadata; see ``init(type:start:end:objects:)``.
  public init(
    type correlationType: HKCorrelationType, start startDate: Date, end endDate: Date,
    objects: Set<HKSample>, device: HKDevice?, metadata: [String: Any]?
  ) {
    (ownType, members) = Self.checked(
      correlationType, objects, start: startDate, end: endDate, metadata)
    super.init(
      type: correlationType, start: startDate, end: endDate,
      facts: ObjectFacts(device: device, metadata: metadata))
  }

  /// Reads a correlation from an archive.
  public required init?(coder: NSCoder) {
    let classes: [AnyClass] = [
      NSArray.self, HKCumulativeQuantitySample.self, HKDiscreteQuantitySample.self,
      HKQuantitySample.self, HKCategorySample.self,
    ]
    guard let type = coder.decodeOne(HKCorrelationType.self, "sampleType"),
      let objects = coder.decodeObject(of: classes, forKey: "objects") as? [HKSample]
    else { return nil }
    ownType = type
    members = Set(objects)
    super.init(coder: coder)
  }

  /// Writes the correlation with its objects.
  open override func encode(with coder: NSCoder) {
    super.encode(with: coder)
    coder.encodeMany(objects.sorted { $0.uuid.uuidString < $1.uuid.uuidString }, "objects")
  }

  /// The type.
  open var correlationType: HKCorrelationType { ownType }

  /// The samples that belong together.
  open var objects: Set<HKSample> { members }

  /// The samples of a type.
  open func objects(for objectType: HKObjectType) -> Set<HKSample> {
    objects.filter { $0.sampleType == objectType }
  }

  /// Makes a correlation.
  ///
  /// - Throws: ``ObjectError``
  public static func validated(
    type: HKCorrelationType, start: Date, end: Date, objects: Set<HKSample>,
    device: HKDevice? = nil, metadata: [String: Any]? = nil
  ) throws(ObjectError) -> HKCorrelation {
    try check(type, objects, start: start, end: end, metadata: metadata)
    return HKCorrelation(
      type, objects, start: start, end: end, facts: ObjectFacts(device: device, metadata: metadata))
  }

  /// What the initializers take, when it is right; they are designated, so that doubles inherit them.
  private static func checked(
    _ type: HKCorrelationType, _ objects: Set<HKSample>, start: Date, end: Date,
    _ metadata: [String: Any]? = nil
  ) -> (HKCorrelationType, Set<HKSample>) {
    raising { () throws(ObjectError) in
      try check(type, objects, start: start, end: end, metadata: metadata)
    }
    return (type, objects)
  }

  private static func check(
    _ type: HKCorrelationType, _ objects: Set<HKSample>, start: Date, end: Date,
    metadata: [String: Any]?
  ) throws(ObjectError) {
    guard !objects.isEmpty else { throw ObjectError(.emptyCorrelation) }
    if let row = type.row {
      let allowed = Set(row.allowed.map(\.rawValue))
      for object in objects where !allowed.contains(object.sampleType.identifier) {
        throw ObjectError(
          .invalidObject(type: type.identifier, object: object.sampleType.identifier))
      }
      for required in row.required {
        switch objects.count(where: { $0.sampleType.identifier == required.rawValue }) {
        case 0: throw ObjectError(.missingObject(type: type.identifier, object: required.rawValue))
        case 1: break
        default:
          throw ObjectError(.repeatedObject(type: type.identifier, object: required.rawValue))
        }
      }
    }
    try check(type: type, start: start, end: end, metadata: metadata)
  }
}
