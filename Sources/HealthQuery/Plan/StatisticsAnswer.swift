public import HealthMerge
public import HealthSamples
public import HealthStatistics
public import HealthUnits

/// The answer to a ``StatisticsPlan``, with the rules that were applied.
public struct StatisticsAnswer: Sendable {
  /// The rule for samples at the edges.
  public enum Rule: String, Sendable, Hashable {
    /// Intervals: cumulative samples that straddle an edge are divided by time.
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
    /// The averages per day or hour, if the plan requests them.
    public internal(set) var averages: AverageColumns?
  }

  /// The type.
  public let type: SampleType
  /// The unit of all values below.
  public let unit: UnitExpression
  /// The unit as programs print it, without the molar mass of a substance that the type names.
  public var unitText: String { type.printedUnit(unit.description) }
  /// The zones of the calendar of the intervals.
  public let timeZone: ZoneTimeline
  /// The policy for overlapping sources; discrete types are not merged whatever the policy.
  public let policy: MergePolicy
  /// The aggregation style that was used: the type's own, or the one chosen by the plan.
  public let style: AggregationStyle
  /// The version of the table with ``style``; `nil` when the plan chose the style.
  public let styleVersion: Catalogue.Version?
  /// How means were computed; `nil` for a cumulative type.
  public let method: MeanMethod?
  /// The hold time, in seconds; `nil` where means are not temporally weighted.
  public let hold: Double?
  /// Whether sums and means are correctly rounded.
  public let isExact: Bool
  /// The rule for samples at the edges.
  public let rule: Rule
  /// The sources from the highest rank down, as used.
  public let priority: [Source]
  /// Sources of the data that the order did not list; they ranked last.
  public let unlistedSources: [Source]
  /// Preferred names of the plan without a source of the type.
  public let unmatchedPreferredSources: [String]
  /// The computed statistics, in the requested order.
  public let statistics: [Statistic]
  /// One row per interval, in ``unit``.
  public let intervals: StatisticsColumns
  /// Each source alone, in the order of ``priority``; empty unless the plan separates sources.
  public internal(set) var sources: [SourceStatistics]
  /// Whether the plan requested the contributions of sources.
  public let isExplained: Bool
  /// The contribution of each source, in the order of ``priority``; empty unless the plan explains.
  public let contributions: [SourceContribution]
  /// The averages per day or hour, if the plan requests them.
  public internal(set) var averages: AverageColumns?
}
