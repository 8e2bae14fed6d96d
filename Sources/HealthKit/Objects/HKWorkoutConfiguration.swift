/// What a workout is and where it happens.
open class HKWorkoutConfiguration: NSObject, NSCopying, NSSecureCoding {
  /// The activity.
  open var activityType = HKWorkoutActivityType.other
  /// Indoors or outdoors.
  open var locationType = HKWorkoutSessionLocationType.unknown
  /// Where a swimmer swims.
  open var swimmingLocationType = HKWorkoutSwimmingLocationType.unknown
  /// The length of a lap of a pool.
  open var lapLength: HKQuantity?

  /// Makes the configuration of another activity somewhere.
  public override init() { super.init() }

  /// Reads a configuration from an archive.
  public required init?(coder: NSCoder) {
    guard
      let activity = coder.decodeWhole("activityType").flatMap({
        HKWorkoutActivityType(rawValue: UInt(bitPattern: $0))
      }),
      let location = coder.decodeCase(HKWorkoutSessionLocationType.self, "locationType"),
      let swimming = coder.decodeCase(HKWorkoutSwimmingLocationType.self, "swimmingLocationType")
    else { return nil }
    activityType = activity
    locationType = location
    swimmingLocationType = swimming
    lapLength = coder.decodeQuantity("lapLength", in: .meter())
    super.init()
  }

  /// Writes all properties.
  open func encode(with coder: NSCoder) {
    coder.encode(Int(bitPattern: activityType.rawValue), forKey: "activityType")
    coder.encode(locationType.rawValue, forKey: "locationType")
    coder.encode(swimmingLocationType.rawValue, forKey: "swimmingLocationType")
    coder.encode(lapLength, forKey: "lapLength")
  }

  /// Configurations are read from secure archives.
  open class var supportsSecureCoding: Bool { true }

  /// A configuration with the same properties, which changes on its own.
  open func copy(with zone: NSZone? = nil) -> Any {
    let copy = HKWorkoutConfiguration()
    copy.activityType = activityType
    copy.locationType = locationType
    copy.swimmingLocationType = swimmingLocationType
    copy.lapLength = lapLength
    return copy
  }

  /// Whether the object is a configuration with the same properties.
  open override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? HKWorkoutConfiguration else { return false }
    return activityType == other.activityType && locationType == other.locationType
      && swimmingLocationType == other.swimmingLocationType && lapLength == other.lapLength
  }

  /// Hashes the activity and the locations.
  open override var hash: Int {
    var hasher = Hasher()
    hasher.combine(activityType)
    hasher.combine(locationType)
    hasher.combine(swimmingLocationType)
    return hasher.finalize()
  }
}
