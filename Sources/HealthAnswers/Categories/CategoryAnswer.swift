public import HealthMerge
public import HealthQuery
public import HealthSamples

/// The answer to a `StatisticsPlan` for a category type: durations and counts of each value.
public struct CategoryAnswer: Sendable {
  /// One value in each interval.
  public struct ValueColumns: Sendable, Hashable {
    /// The raw value of the constant.
    public let value: Double
    /// The constant, such as `HKCategoryValueAppleStandHourStood`; `nil` when it is unknown.
    public let constant: String?
    /// Seconds; overlapping samples count once.
    public let durations: [Double]
    /// How many samples contribute; a sample counts once in each interval that it overlaps.
    public let counts: [Int]
  }

  /// One source alone.
  public struct SourceColumns: Sendable, Hashable {
    /// The source.
    public let source: Source
    /// Columns as in ``CategoryAnswer/values``.
    public let values: [ValueColumns]
  }

  /// The type.
  public let type: SampleType
  /// The zones of the calendar of the intervals.
  public let timeZone: ZoneTimeline
  /// The policy for overlapping samples: `hk`, or `none`.
  public let policy: MergePolicy
  /// The rule for samples at the edges.
  public let rule: StatisticsAnswer.Rule
  /// The sources from the highest rank down, as used.
  public let priority: [Source]
  /// Preferred names of the plan without a source of the type.
  public let unmatchedPreferredSources: [String]
  /// The start of each interval.
  public let starts: [Double]
  /// The end of each interval.
  public let ends: [Double]
  /// Whether any sample lies in the interval.
  public let hasData: [Bool]
  /// Each value that occurs, ascending.
  public let values: [ValueColumns]
  /// Each source alone, in the order of ``priority``; empty unless the plan separates sources or
  /// explains.
  public let sources: [SourceColumns]
  /// What each source contributed to ``values``, in the order of ``priority``; empty unless the
  /// plan explains.
  public let contributions: [SourceColumns]
}
