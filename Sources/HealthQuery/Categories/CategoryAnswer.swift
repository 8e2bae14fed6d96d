public import HealthMerge
public import HealthSamples

/// The answer to a ``StatisticsPlan`` for a category type: how long and how often each value was.
public struct CategoryAnswer: Sendable {
  /// What one value had in each interval.
  public struct ValueColumns: Sendable, Hashable {
    /// The raw value of the constant.
    public let value: Double
    /// The constant, such as `HKCategoryValueAppleStandHourStood`; `nil` when it is unknown.
    public let constant: String?
    /// Seconds; where samples overlap they count once.
    public let durations: [Double]
    /// How many samples contribute; a sample counts once in each interval it reaches.
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
  /// The zones whose calendar the intervals follow.
  public let timeZone: ZoneTimeline
  /// What happened where samples overlap: `hk`, or `none`.
  public let policy: MergePolicy
  /// Which rule samples at the edges went by.
  public let rule: StatisticsAnswer.Rule
  /// The sources from the highest rank down, as used.
  public let priority: [Source]
  /// Names the plan prefers that no source of the type has.
  public let unmatchedPreferredSources: [String]
  /// Where each interval starts.
  public let starts: [Double]
  /// Where each interval ends.
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
