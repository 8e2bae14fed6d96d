/// Workouts with their events, activities and statistics.
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
    /// Statistics over the whole workout, one entry per type.
    public var statistics: [Statistics] = []
    /// Pauses, laps, segments, in the order of the file; they may overlap.
    public var events: [Event] = []
    /// The parts of a multisport or interval workout.
    public var activities: [Activity] = []
    /// Time in zones, such as those of the heart rate.
    public var zoneGroups: [ZoneGroup] = []
    /// Records inside the workout, such as effort scores.
    public var records: [RecordLink] = []

    /// An empty workout.
    public init() {}
  }

  /// Statistics of one type over a workout or a part of it, in ``unit``.
  public struct Statistics: Sendable, Hashable {
    /// The identifier of the type.
    public var type = ""
    /// The canonical unit of the type; the recorded one where the catalogue does not have the type.
    public var unit = ""
    /// The unit of the numbers in the export.
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

    /// Statistics without values.
    public init() {}
  }

  /// An event, at an instant or with a duration.
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
    /// The identifier in the export, which may differ between exports.
    public var identifier = ""
    /// The activity, such as `HKWorkoutActivityTypeCycling`; empty in exports, which do not name it.
    public var activity = ""
    /// Where it takes place, by the names of HealthKit; empty in exports, which have metadata for it.
    public var place = Metadata()
    /// The start instant, in seconds since 2001-01-01 UTC.
    public var start = 0.0
    /// The end; `nil` when not recorded.
    public var end: Double?
    /// Seconds without pauses; `nil` when not recorded.
    public var duration: Double?
    /// Statistics over the part, one entry per type.
    public var statistics: [Statistics] = []
    /// Pauses, laps and segments of the part.
    public var events: [Event] = []
    /// Metadata entries.
    public var metadata = Metadata()
    /// Time in zones during the part; no export has it.
    public var zoneGroups: [ZoneGroup] = []

    /// An empty part.
    public init() {}
  }

  /// Time spent in each of several zones.
  public struct ZoneGroup: Sendable, Hashable {
    /// The quantity of the zones, as written.
    public var type = ""
    /// Who defined the zones, as written.
    public var source = ""
    /// The unit of the bounds, as written.
    public var unit = ""
    /// The zones, from the lowest up.
    public var zones: [Zone] = []

    /// No zones.
    public init() {}

    /// The identifier of the type: exports write its end alone, such as `heartRate`.
    public var typeIdentifier: String {
      let prefix = "HKQuantityTypeIdentifier"
      return type.isEmpty || type.hasPrefix(prefix)
        ? type : prefix + type.prefix(1).uppercased() + type.dropFirst()
    }
  }

  /// A range of values and the time spent in it.
  public struct Zone: Sendable, Hashable {
    /// The lower bound; `nil` when open.
    public var minimum: Double?
    /// The upper bound; `nil` when open.
    public var maximum: Double?
    /// Seconds; `nil` when not recorded.
    public var duration: Double?

    /// A zone without bounds.
    public init() {}
  }
}
