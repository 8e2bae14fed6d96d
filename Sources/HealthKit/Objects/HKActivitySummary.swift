internal import HealthSamples

/// The activity rings of a day.
///
/// Two summaries are equal when all their properties are.
open class HKActivitySummary: NSObject, NSCopying, NSSecureCoding {
  /// Active energy.
  open var activeEnergyBurned = HKQuantity(unit: .kilocalorie(), doubleValue: 0)
  /// The goal of the energy ring.
  open var activeEnergyBurnedGoal = HKQuantity(unit: .kilocalorie(), doubleValue: 0)
  /// Whether the person follows energy or the time of moving.
  open var activityMoveMode = HKActivityMoveMode.activeEnergy
  /// The time of moving.
  open var appleMoveTime = HKQuantity(unit: .minute(), doubleValue: 0)
  /// The goal of the time of moving.
  open var appleMoveTimeGoal = HKQuantity(unit: .minute(), doubleValue: 0)
  /// The time of exercise.
  open var appleExerciseTime = HKQuantity(unit: .minute(), doubleValue: 0)
  /// Hours with at least a minute of standing.
  open var appleStandHours = HKQuantity(unit: .count(), doubleValue: 0)
  /// The goal of the exercise ring; `nil` when there is none.
  open var exerciseTimeGoal: HKQuantity?
  /// The goal of the stand ring; `nil` when there is none.
  open var standHoursGoal: HKQuantity?
  /// Whether the rings were paused.
  open var isPaused = false

  /// The goal of the exercise ring, zero when there is none.
  ///
  /// Deprecated: use ``exerciseTimeGoal``.
  #if AppleDeprecations
  @available(*, deprecated)
  #endif
  open var appleExerciseTimeGoal: HKQuantity {
    get { exerciseTimeGoal ?? HKQuantity(unit: .minute(), doubleValue: 0) }
    set { exerciseTimeGoal = newValue }
  }

  /// The goal of the stand ring, zero when there is none.
  ///
  /// Deprecated: use ``standHoursGoal``.
  #if AppleDeprecations
  @available(*, deprecated)
  #endif
  open var appleStandHoursGoal: HKQuantity {
    get { standHoursGoal ?? HKQuantity(unit: .count(), doubleValue: 0) }
    set { standHoursGoal = newValue }
  }

  /// The local date, as days since 2001-01-01; `nil` for a summary that an app made.
  var day: Int?
  /// What the row of an import does not record, and its unit of energy.
  var row: ActivitySummaries.Row?

  /// Makes the summary of no day in particular, with zeros.
  public override init() { super.init() }

  /// Reads a summary from an archive.
  public required init?(coder: NSCoder) {
    super.init()
    for (key, path) in Self.quantities {
      // Before it is read, the property has a quantity in its unit.
      guard let quantity = coder.decodeQuantity(key, in: self[keyPath: path].unit) else {
        return nil
      }
      self[keyPath: path] = quantity
    }
    guard
      let mode = coder.decodeCase(HKActivityMoveMode.self, "activityMoveMode")
    else { return nil }
    activityMoveMode = mode
    exerciseTimeGoal = coder.decodeQuantity("exerciseTimeGoal", in: .minute())
    standHoursGoal = coder.decodeQuantity("standHoursGoal", in: .count())
    isPaused = coder.decodeBool(forKey: "isPaused")
    day = coder.decodeWhole("day")
  }

  /// Writes all properties.
  open func encode(with coder: NSCoder) {
    for (key, path) in Self.quantities { coder.encode(self[keyPath: path], forKey: key) }
    coder.encode(activityMoveMode.rawValue, forKey: "activityMoveMode")
    coder.encode(exerciseTimeGoal, forKey: "exerciseTimeGoal")
    coder.encode(standHoursGoal, forKey: "standHoursGoal")
    coder.encode(isPaused, forKey: "isPaused")
    if let day { coder.encode(day, forKey: "day") }
  }

  /// The properties that always have a quantity, by name.
  private static var quantities: [(String, ReferenceWritableKeyPath<HKActivitySummary, HKQuantity>)]
  {
    [
      ("activeEnergyBurned", \.activeEnergyBurned),
      ("activeEnergyBurnedGoal", \.activeEnergyBurnedGoal),
      ("appleMoveTime", \.appleMoveTime), ("appleMoveTimeGoal", \.appleMoveTimeGoal),
      ("appleExerciseTime", \.appleExerciseTime), ("appleStandHours", \.appleStandHours),
    ]
  }

  /// Summaries are read from secure archives.
  open class var supportsSecureCoding: Bool { true }

  /// A summary with the same properties, which changes on its own.
  open func copy(with zone: NSZone? = nil) -> Any {
    let copy = HKActivitySummary()
    for (_, path) in Self.quantities { copy[keyPath: path] = self[keyPath: path] }
    copy.activityMoveMode = activityMoveMode
    copy.exerciseTimeGoal = exerciseTimeGoal
    copy.standHoursGoal = standHoursGoal
    copy.isPaused = isPaused
    copy.day = day
    copy.row = row
    return copy
  }

  /// The day in a calendar, with era, year, month and day; only the calendar for a summary that an
  /// app made.
  open func dateComponents(for calendar: Calendar) -> DateComponents {
    guard let day else { return DateComponents(calendar: calendar) }
    var gregorian = Calendar(identifier: .gregorian)
    gregorian.timeZone = calendar.timeZone
    // Noon, which exists and has the date in every zone.
    let first = DateComponents(year: 2001, month: 1, day: 1, hour: 12)
    let noon = gregorian.date(from: first).flatMap {
      gregorian.date(byAdding: .day, value: day, to: $0)
    }
    guard let noon else { return DateComponents(calendar: calendar) }
    var components = calendar.dateComponents([.era, .year, .month, .day], from: noon)
    components.calendar = calendar
    return components
  }

  /// Whether the object is a summary with the same properties.
  open override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? HKActivitySummary else { return false }
    return day == other.day && isPaused == other.isPaused
      && activityMoveMode == other.activityMoveMode
      && exerciseTimeGoal == other.exerciseTimeGoal && standHoursGoal == other.standHoursGoal
      && Self.quantities.allSatisfy { self[keyPath: $0.1] == other[keyPath: $0.1] }
  }

  /// Hashes the day.
  open override var hash: Int { day.hashValue }
}
