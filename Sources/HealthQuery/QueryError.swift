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
    /// What should be now is no date with a time and an offset from UTC.
    case notAMoment(String)
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
    /// The text is no unit of the type.
    case unit(UnitError, named: String, of: SampleType)
    /// The policy's sums cannot be correctly rounded.
    case notExact(MergePolicy)
    /// The product of sources, samples and intervals exceeds what an explanation may take.
    case tooMuchToExplain
    /// A word of a question is none of a known list; with similar ones.
    case unknownWord(Term, String, suggestions: [String], known: [String])
    /// No type has this name; with similar ones.
    case unknownType(String, suggestions: [String])
    /// No source has this name, or none of the type; with similar ones.
    case unknownSource(String, SampleType?, suggestions: [String])
    /// No workout has this activity; with similar ones, and those of the store.
    case unknownActivity(String, suggestions: [String], known: [String])
    /// The text is no bound of the numbers of a column.
    case unreadableBound(String)
    /// A part of a condition on samples is wrong.
    case condition(String, ConditionProblem)
    /// The question is not an object of JSON.
    case notJSON
    /// A member of a question has another form.
    case wrongMember(String, MemberForm)
    /// A question lacks a member.
    case missingMember(String)
    /// Two members of a question that exclude each other.
    case membersExclude(String, String)
    /// A member about one type's own numbers, in a question about several types or about what is made
    /// of intervals.
    case needsOneType(String)
    /// Samples of the type are not merged, so that none masks another.
    case notMerged(SampleType)
    /// Averages per day or hour divide intervals of that length or more.
    case intervalsTooShort(AverageColumns.Unit)
    /// Intervals are too long to lie in one group each.
    case groupDoesNotFit(IntervalGroup)
    /// Nights lie in intervals of a day or more.
    case nightsNeedDays
    /// A statistic that categories do not have.
    case notOfCategories(Statistic, SampleType)
    /// A member does not fit the type, which has no such thing.
    case memberDoesNotFit(String, SampleType)
    /// A member that another analysis has.
    case memberOfAnother(String, analysis: String)
    /// The numbers do not carry the analysis.
    case analysis(AnalysisError)
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

  /// What a word of a question names.
  public enum Term: String, Sendable, Hashable {
    case interval, statistic, policy, style, duration, group, comparison, member, analysis, model
    /// What a relation compares.
    case comparisonOfTypes = "comparison of types"
    /// A classification of blood pressure, and where readings are taken.
    case guideline, place
    /// How p-values of many tests are adjusted.
    case adjustment
    case weighting, weekday
    /// A column of a table, the form of its times, and the order of its rows.
    case column, times, order
    /// The time of which samples count.
    case sampleTime = "time of samples"
    /// A kind of elements.
    case kind
    /// What a condition is on, and the constant of a category with which it compares.
    case condition = "condition on"
    case value
    /// One of several lists of an answer.
    case list
    /// The unit by which averages divide.
    case averageUnit = "unit to divide by"
    /// A column of nights.
    case nightPart = "column of nights"
  }

  /// What is wrong with a part of a condition on samples.
  public enum ConditionProblem: Sendable, Hashable {
    /// The condition has no sign after the property, which is given here.
    case nothingCompared(String)
    /// The text is no UUID.
    case noUUID
    /// The property is a text, which is equal or not.
    case noOrder
    /// The text after the beginning that is given here is no number.
    case noNumber(String)
    /// The text after a number is no unit.
    case noUnit(UnitError)
  }

  /// The form that a member of a question has.
  public enum MemberForm: String, Sendable, Hashable {
    case text = "a text"
    case texts = "a text, or a list of texts"
    case truth = "true or false"
    case count = "a whole number from 1"
    case number = "a number, or a text with a unit"
    case decimal = "a number"
    case decimals = "a number, or a list of numbers"
    case rates = "a list of ascending beats a minute, such as [120, 140, 155, 170]"
    case whole = "a whole number"
    case types = "a name, a list of names, or objects with a member type"
    case zones = "a list of objects with the members from and zone"
  }

  /// What went wrong.
  public let reason: Reason

  /// Makes an error.
  public init(_ reason: Reason) { self.reason = reason }
}
