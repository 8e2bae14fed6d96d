internal import HealthStore

/// A part of a workout, such as the cycling of a triathlon.
///
/// Two activities are equal when their UUIDs are.
open class HKWorkoutActivity: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
  /// What an activity is made of.
  struct Facts {
    var uuid = UUID()
    var configuration: HKWorkoutConfiguration
    var start: Date
    var end: Date?
    /// The recorded duration; without one it follows from the dates and the pauses.
    var duration: TimeInterval?
    var metadata: [String: Any]?
    var events: [HKWorkoutEvent] = []
    var statistics: [HKQuantityType: HKStatistics] = [:]
    var zones: [HKQuantityType: HKWorkoutZoneGroup] = [:]
  }

  let facts: Facts

  /// Makes an activity; without an end it is still going on.
  ///
  /// Traps for an end before the start and for metadata of a wrong kind;
  /// ``validated(workoutConfiguration:start:end:metadata:)`` throws.
  public init(
    workoutConfiguration: HKWorkoutConfiguration, start startDate: Date, end endDate: Date?,
    metadata: [String: Any]?
  ) {
    facts = raising { () throws(ObjectError) in
      try Self.checked(workoutConfiguration, startDate, endDate, metadata)
    }
  }

  init(facts: Facts) { self.facts = facts }

  /// Makes an activity.
  ///
  /// - Throws: ``ObjectError`` where the initializer traps
  public static func validated(
    workoutConfiguration: HKWorkoutConfiguration, start: Date, end: Date?,
    metadata: [String: Any]? = nil
  ) throws(ObjectError) -> HKWorkoutActivity {
    HKWorkoutActivity(facts: try checked(workoutConfiguration, start, end, metadata))
  }

  private static func checked(
    _ configuration: HKWorkoutConfiguration, _ start: Date, _ end: Date?,
    _ metadata: [String: Any]?
  ) throws(ObjectError) -> Facts {
    if let end, end < start { throw ObjectError(.endBeforeStart) }
    try ObjectMetadata.check(metadata, for: HKObjectType.workoutType())
    return Facts(
      configuration: configuration.duplicate, start: start, end: end, metadata: metadata)
  }

  /// Reads an activity from an archive.
  public required init?(coder: NSCoder) {
    guard let uuid = coder.decodeText("uuid").flatMap(UUID.init(uuidString:)),
      let configuration = coder.decodeOne(HKWorkoutConfiguration.self, "workoutConfiguration"),
      let start = coder.decodeDate("startDate"),
      let events = coder.decodeMany(HKWorkoutEvent.self, "workoutEvents"),
      let statistics = coder.decodeStatistics("allStatistics"),
      let zones = coder.decodeZones("zoneGroupsByType")
    else { return nil }
    facts = Facts(
      uuid: uuid, configuration: configuration, start: start, end: coder.decodeDate("endDate"),
      duration: coder.decodeNumber("duration"), metadata: coder.decodeMetadata("metadata"),
      events: events, statistics: statistics, zones: zones)
  }

  /// Writes all properties.
  open func encode(with coder: NSCoder) {
    coder.encodeText(facts.uuid.uuidString, "uuid")
    coder.encode(facts.configuration, forKey: "workoutConfiguration")
    coder.encodeDate(facts.start, "startDate")
    coder.encodeDate(facts.end, "endDate")
    if let duration = facts.duration { coder.encode(duration, forKey: "duration") }
    coder.encodeMetadata(facts.metadata, "metadata")
    coder.encodeMany(facts.events, "workoutEvents")
    coder.encodeStatistics(facts.statistics, "allStatistics")
    coder.encodeZones(facts.zones, "zoneGroupsByType")
  }

  /// Activities are read from secure archives.
  open class var supportsSecureCoding: Bool { true }

  /// The activity itself, which does not change.
  open func copy(with zone: NSZone? = nil) -> Any { self }

  /// What identifies the activity.
  open var uuid: UUID { facts.uuid }
  /// A copy of what the activity is and where it happens.
  open var workoutConfiguration: HKWorkoutConfiguration { facts.configuration.duplicate }
  /// When it started.
  open var startDate: Date { facts.start }
  /// When it ended; `nil` while it goes on.
  open var endDate: Date? { facts.end }
  /// More facts.
  open var metadata: [String: Any]? { facts.metadata }
  /// Pauses, laps and segments.
  open var workoutEvents: [HKWorkoutEvent] { facts.events }
  /// Statistics of the samples of the activity, by type; of a sample that goes beyond it the part
  /// within counts, an amount by its share of the time.
  open var allStatistics: [HKQuantityType: HKStatistics] { facts.statistics }

  /// The statistics of a type; `nil` without samples.
  open func statistics(for quantityType: HKQuantityType) -> HKStatistics? {
    facts.statistics[quantityType]
  }

  /// The seconds without pauses; those until now while it goes on.
  open var duration: TimeInterval {
    facts.duration
      ?? ActiveTime.seconds(
        from: facts.start, to: facts.end ?? Now.system.date, events: facts.events)
  }

  /// Whether the object is an activity with the same UUID.
  open override func isEqual(_ object: Any?) -> Bool {
    (object as? HKWorkoutActivity)?.facts.uuid == facts.uuid
  }

  /// Hashes the UUID.
  open override var hash: Int { facts.uuid.hashValue }
}

extension HKWorkoutConfiguration {
  /// A copy that changes on its own.
  var duplicate: HKWorkoutConfiguration {
    // Only a subclass can copy itself as something else.
    (copy() as? HKWorkoutConfiguration) ?? self
  }
}
