/// Workouts with what happened in them.
///
/// Exports up to iOS 15 write totals as attributes, later ones as statistics; both become
/// ``Row/statistics``.
public struct Workouts: Elements {
  /// The kind of all rows.
  public static let kind = ElementKind.workout
  /// The elements.
  public var rows: [Row] = []
  /// No workouts.
  public init() {}

  /// One workout.
  public struct Row: Sendable, Hashable {
    /// Source, times and metadata.
    public var facts = ElementFacts()
    /// The activity as written, such as `HKWorkoutActivityTypeRunning`.
    public var activity = ""
    /// Seconds without pauses; `nil` when not recorded.
    public var duration: Double?
    /// What was measured over the whole workout, one entry a type.
    public var statistics: [Statistics] = []
    /// Pauses, laps, segments, in the order of the file; they may overlap.
    public var events: [Event] = []
    /// The parts of a workout of several sports or intervals.
    public var activities: [Activity] = []
    /// Time in zones, such as those of the heart rate.
    public var zoneGroups: [ZoneGroup] = []
    /// Records written inside the workout, such as effort scores.
    public var records: [RecordLink] = []

    /// An empty workout.
    public init() {}
  }

  /// What was measured of one type over a workout or a part of it, in ``unit``.
  public struct Statistics: Sendable, Hashable {
    /// The identifier of the type.
    public var type = ""
    /// The canonical unit of the type; the recorded one where the catalogue does not know it.
    public var unit = ""
    /// The unit in which the export wrote the numbers.
    public var recordedUnit = ""
    /// The start instant, in seconds since 2001-01-01 UTC.
    public var start = 0.0
    /// The end instant, in seconds since 2001-01-01 UTC.
    public var end = 0.0
    /// The sum; `nil` when not recorded.
    public var sum: Double?
    /// The mean; `nil` when not recorded.
    public var average: Double?
    /// The smallest value; `nil` when not recorded.
    public var minimum: Double?
    /// The largest value; `nil` when not recorded.
    public var maximum: Double?

    /// Statistics without a number.
    public init() {}
  }

  /// Something that happened at one instant, or lasted.
  public struct Event: Sendable, Hashable {
    /// The kind as written, such as `HKWorkoutEventTypePause`.
    public var type = ""
    /// The instant, in seconds since 2001-01-01 UTC.
    public var date = 0.0
    /// Seconds; `nil` when not recorded.
    public var duration: Double?
    /// Metadata entries.
    public var metadata = Metadata()

    /// An event at the beginning of 2001.
    public init() {}
  }

  /// A part of a workout.
  public struct Activity: Sendable, Hashable {
    /// The identifier that the export gives; it need not last from export to export.
    public var identifier = ""
    /// The start instant, in seconds since 2001-01-01 UTC.
    public var start = 0.0
    /// The end; `nil` when not recorded.
    public var end: Double?
    /// Seconds without pauses; `nil` when not recorded.
    public var duration: Double?
    /// What was measured over the part, one entry a type.
    public var statistics: [Statistics] = []
    /// Pauses, laps and segments of the part.
    public var events: [Event] = []
    /// Metadata entries.
    public var metadata = Metadata()

    /// An empty part.
    public init() {}
  }

  /// Time spent in each of several zones.
  public struct ZoneGroup: Sendable, Hashable {
    /// What the zones are about, as written.
    public var type = ""
    /// Who set the zones, as written.
    public var source = ""
    /// The unit of the bounds, as written.
    public var unit = ""
    /// The zones, from the lowest up.
    public var zones: [Zone] = []

    /// No zones.
    public init() {}
  }

  /// A range of values and the time spent in it.
  public struct Zone: Sendable, Hashable {
    /// The lower bound; `nil` when open.
    public var minimum: Double?
    /// The upper bound; `nil` when open.
    public var maximum: Double?
    /// Seconds; `nil` when not recorded.
    public var duration: Double?

    /// A zone open on both sides.
    public init() {}
  }
}
