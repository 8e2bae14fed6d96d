public import HealthMerge
public import HealthSamples
public import HealthStatistics
public import HealthStore
public import HealthUnits

/// Why a question has no answer.
public struct QueryError: Error, Sendable, Hashable {
  /// What went wrong, and where in the question.
  public enum Reason: Sendable, Hashable {
    /// No time zone has this identifier; similar ones, the nearest first.
    case unknownTimeZone(String, suggestions: [String])
    /// A line of a list of zones, counted from 1, is not as it should be.
    case timeline(line: Int, TimelineProblem)
    /// No sample names a time zone that this machine knows.
    case noRecordedZone
    /// The text is not a date in any form that is understood; what may be meant, as it is understood.
    case unreadableDate(String, suggestions: [String])
    /// A date of the question lies outside of the years 1 to 9999.
    case dateOutOfRange
    /// A sample lies outside of the years 1 to 9999, which no import lets in.
    case sampleOutOfRange
    /// The period ends at or before its start.
    case emptyPeriod(from: Double, to: Double)
    /// More intervals (times sources, when they are separated) than the limit.
    case tooManyIntervals(limit: Int)
    /// Statistics are computed for quantity types alone.
    case notAQuantity(SampleType)
    /// Durations of values are computed for category types alone.
    case notACategory(SampleType)
    /// The type's samples cannot be merged by this policy.
    case policyDoesNotFit(MergePolicy, SampleType)
    /// More different values of a category type than the limit.
    case tooManyValues(limit: Int)
    /// Sums by day or hour are computed for cumulative types alone.
    case averageDoesNotFit(SampleType)
    /// Means of the type cannot be computed by the rule of this style.
    case styleDoesNotFit(AggregationStyle, SampleType)
    /// The hold time lies outside of what makes sense, or the style has no use for one.
    case holdDoesNotFit(allowed: ClosedRange<Double>, AggregationStyle)
    /// The gap within a sleep lies outside of what makes sense.
    case gapOutOfRange(allowed: ClosedRange<Double>)
    /// The unit asked for does not measure what the type is measured in.
    case incompatibleUnit(UnitExpression, canonical: UnitExpression)
    /// The policy's sums cannot be correctly rounded.
    case notExact(MergePolicy)
    /// There are too many sources, samples and intervals to say who masked what.
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
    /// Only the first line may do without a date.
    case missingDate
    /// The line's moment is not after that of the line before.
    case notAscending
    /// The list ends without a zone.
    case noZone
  }

  /// What went wrong.
  public let reason: Reason

  /// Makes an error.
  public init(_ reason: Reason) { self.reason = reason }
}
