import Foundation
public import HealthMerge
public import HealthSamples
public import HealthStatistics
public import HealthUnits

/// The answer to a ``StatisticsPlan``, with the rules by which it was found.
public struct StatisticsAnswer: Sendable {
  /// Which rule samples at the edges went by.
  public enum Rule: String, Sendable, Hashable {
    /// Intervals: cumulative samples that straddle an edge are shared out by time.
    case collection
    /// One row: every matching sample counts whole.
    case single
  }

  /// One source alone, unmerged.
  public struct SourceStatistics: Sendable, Hashable {
    /// The source.
    public let source: Source
    /// Rows as in ``StatisticsAnswer/intervals``.
    public let intervals: StatisticsColumns
    /// The sums by day or hour, where the plan asks for them.
    public internal(set) var averages: AverageColumns?
  }

  /// The type.
  public let type: SampleType
  /// The unit of all values below.
  public let unit: UnitExpression
  /// The zones whose calendar the intervals follow.
  public let timeZone: ZoneTimeline
  /// What happened where sources overlap; discrete types are not merged whatever the policy.
  public let policy: MergePolicy
  /// The aggregation style that was used: the type's own, or the one that the plan chose.
  public let style: AggregationStyle
  /// The version of the table that says ``style``; `nil` when the question said it.
  public let styleVersion: Catalogue.Version?
  /// How means were computed; `nil` for a cumulative type.
  public let method: MeanMethod?
  /// For how long a lone value stood, in seconds; `nil` where means are not temporally weighted.
  public let hold: Double?
  /// Whether sums and means are correctly rounded.
  public let isExact: Bool
  /// Which rule samples at the edges went by.
  public let rule: Rule
  /// The sources from the highest rank down, as used.
  public let priority: [Source]
  /// Sources of the data that the order did not list; they ranked last.
  public let unlistedSources: [Source]
  /// Names the plan prefers that no source of the type has.
  public let unmatchedPreferredSources: [String]
  /// What was computed, in the order asked for.
  public let statistics: [Statistic]
  /// One row an interval, in ``unit``.
  public let intervals: StatisticsColumns
  /// Each source alone, in the order of ``priority``; empty unless the plan separates sources.
  public internal(set) var sources: [SourceStatistics]
  /// Whether the plan asked what each source contributed.
  public let isExplained: Bool
  /// What each source contributed, in the order of ``priority``; empty unless the plan explains.
  public let contributions: [SourceContribution]
  /// The sums by day or hour, where the plan asks for them.
  public internal(set) var averages: AverageColumns?
}
