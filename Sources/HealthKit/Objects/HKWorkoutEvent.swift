/// A moment or a stretch of a workout: a pause, a lap, a segment and so on.
///
/// Two events are equal when type, interval and metadata are.
open class HKWorkoutEvent: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
  private let kind: HKWorkoutEventType
  private let interval: DateInterval
  private let entries: [String: Any]?

  /// Makes an event at an instant.
  ///
  /// Deprecated: use ``init(type:dateInterval:metadata:)``.
  #if AppleDeprecations
  @available(*, deprecated)
  #endif
  public convenience init(type: HKWorkoutEventType, date: Date) {
    self.init(type: type, dateInterval: DateInterval(start: date, duration: 0), metadata: nil)
  }

  /// Makes an event at an instant, with metadata.
  ///
  /// Deprecated: use ``init(type:dateInterval:metadata:)``.
  #if AppleDeprecations
  @available(*, deprecated)
  #endif
  public convenience init(type: HKWorkoutEventType, date: Date, metadata: [String: Any]) {
    self.init(type: type, dateInterval: DateInterval(start: date, duration: 0), metadata: metadata)
  }

  /// Makes an event; only laps and segments may have a duration.
  ///
  /// Traps otherwise; ``validated(type:dateInterval:metadata:)`` throws.
  public convenience init(
    type: HKWorkoutEventType, dateInterval: DateInterval, metadata: [String: Any]?
  ) {
    raising { () throws(ObjectError) in
      try Self.check(type: type, dateInterval: dateInterval, metadata: metadata)
    }
    self.init(unchecked: type, dateInterval, metadata)
  }

  init(unchecked type: HKWorkoutEventType, _ interval: DateInterval, _ metadata: [String: Any]?) {
    kind = type
    self.interval = interval
    entries = metadata
  }

  /// Makes an event.
  ///
  /// - Throws: ``ObjectError`` where the initializer traps
  public static func validated(
    type: HKWorkoutEventType, dateInterval: DateInterval, metadata: [String: Any]? = nil
  ) throws(ObjectError) -> HKWorkoutEvent {
    try check(type: type, dateInterval: dateInterval, metadata: metadata)
    return HKWorkoutEvent(unchecked: type, dateInterval, metadata)
  }

  private static func check(
    type: HKWorkoutEventType, dateInterval: DateInterval, metadata: [String: Any]?
  ) throws(ObjectError) {
    guard dateInterval.duration == 0 || type == .lap || type == .segment else {
      throw ObjectError(.eventWithDuration)
    }
    try ObjectMetadata.check(metadata, for: HKObjectType.workoutType())
  }

  /// Reads an event from an archive.
  public required init?(coder: NSCoder) {
    guard let kind = coder.decodeCase(HKWorkoutEventType.self, "type"),
      let interval = coder.decodeInterval("dateInterval")
    else { return nil }
    self.kind = kind
    self.interval = interval
    entries = coder.decodeMetadata("metadata")
  }

  /// Writes all properties.
  open func encode(with coder: NSCoder) {
    coder.encode(kind.rawValue, forKey: "type")
    coder.encodeInterval(interval, "dateInterval")
    coder.encodeMetadata(entries, "metadata")
  }

  /// Events are read from secure archives.
  open class var supportsSecureCoding: Bool { true }

  /// The event itself, which does not change.
  open func copy(with zone: NSZone? = nil) -> Any { self }

  /// The kind of event.
  open var type: HKWorkoutEventType { kind }
  /// When it began.
  ///
  /// Deprecated: use ``dateInterval``.
  #if AppleDeprecations
  @available(*, deprecated)
  #endif
  open var date: Date { interval.start }
  /// When it was.
  open var dateInterval: DateInterval { interval }
  /// More facts.
  open var metadata: [String: Any]? { entries }

  /// Whether the object is an event with the same properties.
  open override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? HKWorkoutEvent else { return false }
    return kind == other.kind && interval == other.interval
      && entries.map { ObjectMetadata($0).columns }
        == other.entries.map { ObjectMetadata($0).columns }
  }

  /// Hashes type and interval.
  open override var hash: Int {
    var hasher = Hasher()
    hasher.combine(kind)
    hasher.combine(interval)
    return hasher.finalize()
  }
}

/// The rule by which pauses shorten a workout.
///
/// A workout starts active. A pause makes it inactive and a resumption active again, whether the
/// person or the system is the cause; a pause of an inactive workout and a resumption of an active
/// one change nothing.
enum ActiveTime {
  /// The seconds from `start` to `end` without the pauses between them.
  ///
  /// - Complexity: O(*n* log *n*) in the number of events
  static func seconds(
    from start: Date, to end: Date, events: some Sequence<HKWorkoutEvent>
  ) -> TimeInterval {
    let paused = pauses(from: start, to: end, events: events).reduce(0) { $0 + $1.duration }
    return end.timeIntervalSince(start) - paused
  }

  /// The pauses between `start` and `end`, in order.
  ///
  /// - Complexity: O(*n* log *n*) in the number of events
  static func pauses(
    from start: Date, to end: Date, events: some Sequence<HKWorkoutEvent>
  ) -> [DateInterval] {
    // Events of one instant keep their order.
    let changes = events.filter {
      isPause($0.type) != nil && !$0.dateInterval.start.timeIntervalSinceReferenceDate.isNaN
    }.enumerated().sorted {
      ($0.element.dateInterval.start, $0.offset) < ($1.element.dateInterval.start, $1.offset)
    }
    // No pause is outside of a workout that ends before it starts.
    guard start <= end else { return [] }
    var pauses: [DateInterval] = []
    var pauseStart: Date?
    for (_, event) in changes {
      let instant = min(max(event.dateInterval.start, start), end)
      if isPause(event.type) == true {
        pauseStart = pauseStart ?? instant
      } else if let began = pauseStart {
        pauses.append(DateInterval(start: began, end: instant))
        pauseStart = nil
      }
    }
    if let began = pauseStart { pauses.append(DateInterval(start: began, end: end)) }
    return pauses
  }

  /// Whether an event ends or begins activity; `nil` for one that does neither.
  private static func isPause(_ type: HKWorkoutEventType) -> Bool? {
    switch type {
    case .pause, .motionPaused: true
    case .resume, .motionResumed: false
    default: nil
    }
  }
}
