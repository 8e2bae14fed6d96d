public import HealthMerge
public import HealthSamples
public import HealthStatistics
public import HealthStore
public import HealthUnits

/// Why a query has no answer.
public struct QueryError: Error, Sendable, Hashable {
  /// The cause, and where in the query.
  public enum Reason: Sendable, Hashable {
    /// No time zone has this identifier; similar ones, the nearest first.
    case unknownTimeZone(String, suggestions: [String])
    /// A line of a list of zones, counted from 1, is invalid.
    case timeline(line: Int, TimelineProblem)
    /// No sample names a time zone that is known on this machine.
    case noRecordedZone
    /// The text is not a date in any accepted form; with suggestions.
    case unreadableDate(String, suggestions: [String])
    /// A date of the query is outside the years 1 to 9999.
    case dateOutOfRange
    /// A sample is outside the years 1 to 9999, which imports reject.
    case sampleOutOfRange
    /// The period ends at or before its start.
    case emptyPeriod(from: Double, to: Double)
    /// More intervals (times sources, if they are separated) than the limit.
    case tooManyIntervals(limit: Int)
    /// Statistics are only available for quantity types.
    case notAQuantity(SampleType)
    /// Durations of values are only available for category types.
    case notACategory(SampleType)
    /// The type's samples cannot be merged by this policy.
    case policyDoesNotFit(MergePolicy, SampleType)
    /// More different values of a category type than the limit.
    case tooManyValues(limit: Int)
    /// Averages per day or hour are only available for cumulative types.
    case averageDoesNotFit(SampleType)
    /// Means of the type cannot be computed by the rule of this style.
    case styleDoesNotFit(AggregationStyle, SampleType)
    /// The hold time is out of range, or the style does not use one.
    case holdDoesNotFit(allowed: ClosedRange<Double>, AggregationStyle)
    /// The gap within a sleep is out of range.
    case gapOutOfRange(allowed: ClosedRange<Double>)
    /// The requested unit measures another quantity than the type.
    case incompatibleUnit(UnitExpression, canonical: UnitExpression)
    /// The policy's sums cannot be correctly rounded.
    case notExact(MergePolicy)
    /// The product of sources, samples and intervals exceeds what an explanation may take.
    case tooMuchToExplain
    /// The store could not be read.
    case store(StoreError)
    /// The sources could not be merged.
    case merge(MergeError)
    /// The statistics could not be computed, or do not fit the style of the type.
    case statistics(StatisticsError)
  }

  /// What is wrong with a line of a list of zones.
  public enum TimelineProblem: Sendable, Hashable {
    /// No time zone has this identifier; similar ones, the nearest first.
    case unknownTimeZone(String, suggestions: [String])
    /// The text before the zone is no date.
    case unreadableDate(String)
    /// Only the first line may omit the date.
    case missingDate
    /// The line's moment is not after that of the previous line.
    case notAscending
    /// The list ends without a zone.
    case noZone
  }

  /// What went wrong.
  public let reason: Reason

  /// Makes an error.
  public init(_ reason: Reason) { self.reason = reason }
}
