/// A workout with its events, parts and statistics.
open class HKWorkout: HKSample, @unchecked Sendable {
  /// What a workout has besides the facts of a sample.
  struct Content {
    var activity: HKWorkoutActivityType
    /// Seconds without pauses.
    var duration: TimeInterval
    var events: [HKWorkoutEvent]?
    var activities: [HKWorkoutActivity] = []
    var energy: HKQuantity?
    var distance: HKQuantity?
    var flights: HKQuantity?
    var strokes: HKQuantity?
    var statistics: [HKQuantityType: HKStatistics] = [:]
    var zones: [HKQuantityType: HKWorkoutZoneGroup] = [:]
  }

  let content: Content

  init(_ content: Content, start: Date, end: Date, facts: ObjectFacts) {
    self.content = content
    super.init(type: HKObjectType.workoutType(), start: start, end: end, facts: facts)
  }

  /// Makes a workout without pauses and totals.
  ///
  /// Deprecated: use ``HKWorkoutBuilder``.
  #if AppleDeprecations
  @available(*, deprecated)
  #endif
  public init(
    activityType workoutActivityType: HKWorkoutActivityType, start startDate: Date,
    end endDate: Date
  ) {
    content = Self.content(workoutActivityType, startDate, endDate)
    super.init(
      type: HKObjectType.workoutType(), start: startDate, end: endDate, facts: ObjectFacts())
  }

  /// Makes a workout with a duration; 0 is the time between the dates.
  ///
  /// Deprecated: use ``HKWorkoutBuilder``.
  #if AppleDeprecations
  @available(*, deprecated)
  #endif
  public init(
    activityType workoutActivityType: HKWorkoutActivityType, start startDate: Date,
    end endDate: Date, duration: TimeInterval, totalEnergyBurned: HKQuantity?,
    totalDistance: HKQuantity?, metadata: [String: Any]?
  ) {
    content = Self.content(
      workoutActivityType, startDate, endDate, duration: duration, energy: totalEnergyBurned,
      distance: totalDistance, metadata: metadata)
    super.init(
      type: HKObjectType.workoutType(), start: startDate, end: endDate,
      facts: ObjectFacts(metadata: metadata))
  }

  /// Makes a workout with a duration, of a device; a duration of 0 is the time between the dates.
  ///
  /// Deprecated: use ``HKWorkoutBuilder``.
  #if AppleDeprecations
  @available(*, deprecated)
  #endif
  public init(
    activityType workoutActivityType: HKWorkoutActivityType, start startDate: Date,
    end endDate: Date, duration: TimeInterval, totalEnergyBurned: HKQuantity?,
    totalDistance: HKQuantity?, device: HKDevice?, metadata: [String: Any]?
  ) {
    content = Self.content(
      workoutActivityType, startDate, endDate, duration: duration, energy: totalEnergyBurned,
      distance: totalDistance, metadata: metadata)
    super.init(
      type: HKObjectType.workoutType(), start: startDate, end: endDate,
      facts: ObjectFacts(device: device, metadata: metadata))
  }

  /// Makes a workout whose pauses are events.
  ///
  /// Deprecated: use ``HKWorkoutBuilder``.
  #if AppleDeprecations
  @available(*, deprecated)
  #endif
  public init(
    activityType workoutActivityType: HKWorkoutActivityType, start startDate: Date,
    end endDate: Date, workoutEvents: [HKWorkoutEvent]?, totalEnergyBurned: HKQuantity?,
    totalDistance: HKQuantity?, metadata: [String: Any]?
  ) {
    content = Self.content(
      workoutActivityType, startDate, endDate, events: workoutEvents, energy: totalEnergyBurned,
      distance: totalDistance, metadata: metadata)
    super.init(
      type: HKObjectType.workoutType(), start: startDate, end: endDate,
      facts: ObjectFacts(metadata: metadata))
  }

  /// Makes a workout of a device whose pauses are events.
  ///
  /// Deprecated: use ``HKWorkoutBuilder``.
  #if AppleDeprecations
  @available(*, deprecated)
  #endif
  public init(
    activityType workoutActivityType: HKWorkoutActivityType, start startDate: Date,
    end endDate: Date, workoutEvents: [HKWorkoutEvent]?, totalEnergyBurned: HKQuantity?,
    totalDistance: HKQuantity?, device: HKDevice?, metadata: [String: Any]?
  ) {
    content = Self.content(
      workoutActivityType, startDate, endDate, events: workoutEvents, energy: totalEnergyBurned,
      distance: totalDistance, metadata: metadata)
    super.init(
      type: HKObjectType.workoutType(), start: startDate, end: endDate,
      facts: ObjectFacts(device: device, metadata: metadata))
  }

  /// Makes a workout with strokes.
  ///
  /// Deprecated: use ``HKWorkoutBuilder``.
  #if AppleDeprecations
  @available(*, deprecated)
  #endif
  public init(
    activityType workoutActivityType: HKWorkoutActivityType, start startDate: Date,
    end endDate: Date, workoutEvents: [HKWorkoutEvent]?, totalEnergyBurned: HKQuantity?,
    totalDistance: HKQuantity?, totalSwimmingStrokeCount: HKQuantity?, device: HKDevice?,
    metadata: [String: Any]?
  ) {
    content = Self.content(
      workoutActivityType, startDate, endDate, events: workoutEvents, energy: totalEnergyBurned,
      distance: totalDistance, strokes: totalSwimmingStrokeCount, metadata: metadata)
    super.init(
      type: HKObjectType.workoutType(), start: startDate, end: endDate,
      facts: ObjectFacts(device: device, metadata: metadata))
  }

  /// Makes a workout with flights of stairs.
  ///
  /// Deprecated: use ``HKWorkoutBuilder``.
  #if AppleDeprecations
  @available(*, deprecated)
  #endif
  public init(
    activityType workoutActivityType: HKWorkoutActivityType, start startDate: Date,
    end endDate: Date, workoutEvents: [HKWorkoutEvent]?, totalEnergyBurned: HKQuantity?,
    totalDistance: HKQuantity?, totalFlightsClimbed: HKQuantity?, device: HKDevice?,
    metadata: [String: Any]?
  ) {
    content = Self.content(
      workoutActivityType, startDate, endDate, events: workoutEvents, energy: totalEnergyBurned,
      distance: totalDistance, flights: totalFlightsClimbed, metadata: metadata)
    super.init(
      type: HKObjectType.workoutType(), start: startDate, end: endDate,
      facts: ObjectFacts(device: device, metadata: metadata))
  }

  /// What the initializers make of what they take: they are designated, so that doubles inherit them.
  private static func content(
    _ activity: HKWorkoutActivityType, _ start: Date, _ end: Date,
    events: [HKWorkoutEvent]? = nil, duration: TimeInterval = 0, energy: HKQuantity? = nil,
    distance: HKQuantity? = nil, strokes: HKQuantity? = nil, flights: HKQuantity? = nil,
    metadata: [String: Any]? = nil
  ) -> Content {
    raising { () throws(ObjectError) in
      try checked(
        activity, start, end, events, duration, energy, distance, strokes, flights, metadata)
    }
  }

  /// Makes a workout with what any of the initializers takes.
  ///
  /// - Throws: ``ObjectError`` where the initializers trap: for an end before the start, a negative
  ///   duration, a total in a unit of something else, metadata of a wrong kind
  public static func validated(
    activityType: HKWorkoutActivityType, start: Date, end: Date,
    workoutEvents: [HKWorkoutEvent]? = nil, duration: TimeInterval = 0,
    totalEnergyBurned: HKQuantity? = nil, totalDistance: HKQuantity? = nil,
    totalSwimmingStrokeCount: HKQuantity? = nil, totalFlightsClimbed: HKQuantity? = nil,
    device: HKDevice? = nil, metadata: [String: Any]? = nil
  ) throws(ObjectError) -> HKWorkout {
    let content = try checked(
      activityType, start, end, workoutEvents, duration, totalEnergyBurned, totalDistance,
      totalSwimmingStrokeCount, totalFlightsClimbed, metadata)
    return HKWorkout(
      content, start: start, end: end, facts: ObjectFacts(device: device, metadata: metadata))
  }

  private static func checked(
    _ activity: HKWorkoutActivityType, _ start: Date, _ end: Date, _ events: [HKWorkoutEvent]?,
    _ duration: TimeInterval, _ energy: HKQuantity?, _ distance: HKQuantity?,
    _ strokes: HKQuantity?, _ flights: HKQuantity?, _ metadata: [String: Any]?
  ) throws(ObjectError) -> Content {
    try check(type: HKObjectType.workoutType(), start: start, end: end, metadata: metadata)
    guard duration.isFinite, duration >= 0 else { throw ObjectError(.negativeDuration) }
    try HKQuantity.check(energy, in: .kilocalorie(), "Energy", of: "HKWorkout")
    try HKQuantity.check(distance, in: .meter(), "Length", of: "HKWorkout")
    try HKQuantity.check(strokes, in: .count(), "Count", of: "HKWorkout")
    try HKQuantity.check(flights, in: .count(), "Count", of: "HKWorkout")
    return Content(
      activity: activity,
      duration: duration > 0
        ? duration : ActiveTime.seconds(from: start, to: end, events: events ?? []),
      events: events, energy: energy, distance: distance, flights: flights, strokes: strokes)
  }

  /// Reads a workout from an archive.
  public required init?(coder: NSCoder) {
    guard
      let activity = coder.decodeWhole("workoutActivityType").flatMap({
        HKWorkoutActivityType(rawValue: UInt(bitPattern: $0))
      }),
      let duration = coder.decodeNumber("duration"),
      let activities = coder.decodeMany(HKWorkoutActivity.self, "workoutActivities"),
      let statistics = coder.decodeStatistics("allStatistics"),
      let zones = coder.decodeZones("zoneGroupsByType")
    else { return nil }
    content = Content(
      activity: activity, duration: duration,
      events: coder.decodeMany(HKWorkoutEvent.self, "workoutEvents"), activities: activities,
      energy: coder.decodeQuantity("totalEnergyBurned", in: .kilocalorie()),
      distance: coder.decodeQuantity("totalDistance", in: .meter()),
      flights: coder.decodeQuantity("totalFlightsClimbed", in: .count()),
      strokes: coder.decodeQuantity("totalSwimmingStrokeCount", in: .count()),
      statistics: statistics, zones: zones)
    super.init(coder: coder)
  }

  /// Writes all properties.
  open override func encode(with coder: NSCoder) {
    super.encode(with: coder)
    coder.encode(Int(bitPattern: content.activity.rawValue), forKey: "workoutActivityType")
    coder.encode(content.duration, forKey: "duration")
    if let events = content.events { coder.encodeMany(events, "workoutEvents") }
    coder.encodeMany(content.activities, "workoutActivities")
    coder.encode(content.energy, forKey: "totalEnergyBurned")
    coder.encode(content.distance, forKey: "totalDistance")
    coder.encode(content.flights, forKey: "totalFlightsClimbed")
    coder.encode(content.strokes, forKey: "totalSwimmingStrokeCount")
    coder.encodeStatistics(content.statistics, "allStatistics")
    coder.encodeZones(content.zones, "zoneGroupsByType")
  }

  /// What the person did.
  open var workoutActivityType: HKWorkoutActivityType { content.activity }
  /// Seconds without pauses.
  open var duration: TimeInterval { content.duration }
  /// Pauses, laps and segments; `nil` when the workout was made without any.
  open var workoutEvents: [HKWorkoutEvent]? { content.events }
  /// The parts of a multisport or interval workout.
  open var workoutActivities: [HKWorkoutActivity] { content.activities }
  /// Active energy.
  ///
  /// Deprecated: use ``statistics(for:)``.
  #if AppleDeprecations
  @available(*, deprecated)
  #endif
  open var totalEnergyBurned: HKQuantity? { content.energy }
  /// The distance.
  ///
  /// Deprecated: use ``statistics(for:)``.
  #if AppleDeprecations
  @available(*, deprecated)
  #endif
  open var totalDistance: HKQuantity? { content.distance }
  /// Flights of stairs.
  ///
  /// Deprecated: use ``statistics(for:)``.
  #if AppleDeprecations
  @available(*, deprecated)
  #endif
  open var totalFlightsClimbed: HKQuantity? { content.flights }
  /// Strokes of a swimmer.
  ///
  /// Deprecated: use ``statistics(for:)``.
  #if AppleDeprecations
  @available(*, deprecated)
  #endif
  open var totalSwimmingStrokeCount: HKQuantity? { content.strokes }
  /// Statistics of the samples of the workout, by type.
  open var allStatistics: [HKQuantityType: HKStatistics] { content.statistics }

  /// The statistics of a type; `nil` without samples.
  open func statistics(for quantityType: HKQuantityType) -> HKStatistics? {
    content.statistics[quantityType]
  }
}

/// The samples of effort that belong to a workout or to a part of one.
open class HKWorkoutEffortRelationship: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
  private let relatedWorkout: HKWorkout
  private let part: HKWorkoutActivity?
  private let members: [HKSample]?

  init(workout: HKWorkout, activity: HKWorkoutActivity?, samples: [HKSample]?) {
    relatedWorkout = workout
    part = activity
    members = samples
  }

  /// Reads a relationship from an archive.
  public required init?(coder: NSCoder) {
    guard let workout = coder.decodeOne(HKWorkout.self, "workout") else { return nil }
    relatedWorkout = workout
    part = coder.decodeOne(HKWorkoutActivity.self, "activity")
    members = coder.decodeMany(HKSample.self, "samples")
  }

  /// Writes all properties.
  open func encode(with coder: NSCoder) {
    coder.encode(relatedWorkout, forKey: "workout")
    coder.encode(part, forKey: "activity")
    if let members { coder.encodeMany(members, "samples") }
  }

  /// Relationships are read from secure archives.
  open class var supportsSecureCoding: Bool { true }

  /// The relationship itself, which does not change.
  open func copy(with zone: NSZone? = nil) -> Any { self }

  /// The workout.
  open var workout: HKWorkout { relatedWorkout }
  /// The part of the workout; `nil` for the whole.
  open var activity: HKWorkoutActivity? { part }
  /// The samples of effort.
  open var samples: [HKSample]? { members }

  /// Whether the object relates the same samples, workout and activity.
  open override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? HKWorkoutEffortRelationship else { return false }
    return relatedWorkout == other.relatedWorkout && part == other.part
      && members == other.members
  }

  /// Hashes the workout.
  open override var hash: Int { relatedWorkout.hash }
}
