import Foundation
public import HealthAnalysis
public import HealthQuery
import HealthStatistics
package import HealthStore

/// How rhythms are found.
public struct RhythmParameters: AnalysisParameters {
  /// A day of the week.
  public enum Weekday: String, Sendable, Hashable, CaseIterable {
    /// The days from Monday on, as `LocalTime` counts them.
    case monday, tuesday, wednesday, thursday, friday, saturday, sunday

    /// 0 is Monday.
    var number: Int { Self.allCases.firstIndex(of: self) ?? 0 }
  }

  /// The periods of the model, in hours where intervals are hours and in days where they are days; 24
  /// hours or 7 days when empty.
  public var periods: [Double] = []
  /// Whether other periods are looked for, too.
  public var search = false
  /// How often an interval of confidence of a type's rhythm holds the true number; the rhythm of rest
  /// and sleep has none, and refuses another number than the default.
  public var confidence = 0.95
  /// The days without work, for the shift of sleep; a type refuses other ones than the default.
  public var freeDays: [Weekday] = [.saturday, .sunday]

  /// The default parameters.
  public init() {}

  /// `rhythm`.
  public static let name = "rhythm"

  /// What the method answers.
  public static let about = "How regular are your days, and when are numbers high?"

  /// The method.
  public var method: AnalysisMethod { .rhythm(self) }

  /// `periods`, `search`, `confidence`, `freeDays`.
  public static var members: [Parameter<Self>] {
    [
      .numbers(
        "periods", \.periods, .above(0),
        about: "The periods of the model, in hours or days, by default 24 hours or 7 days."),
      .truth(
        "search", \.search,
        about:
          "Looks for other periods (Lomb and Scargle), with the chance of such a peak in noise."),
      .number(
        "confidence", \.confidence, .between(0, 1),
        about: "How often the ranges of amplitude and peak hold the truth."),
      .words("freeDays", \.freeDays, about: "The days without work.", read: weekdays),
    ]
  }

  /// An hour.
  public var defaultInterval: CalendarInterval? { CalendarInterval(.hour) }

  /// 365 by days, 28 by hours.
  public func defaultDays(by interval: CalendarInterval?) -> Int? {
    interval == CalendarInterval(.day) ? 365 : 28
  }

  /// Weekdays with commas between, each once.
  ///
  /// - Throws: `QueryError` for another word
  public static func weekdays(_ text: String) throws(QueryError) -> [Weekday] {
    let days: [Weekday] = try QuestionWords.each(text) { word throws(QueryError) in
      try QuestionWords.word(.weekday, word.trimmingCharacters(in: .whitespaces).lowercased())
    }
    return days.sorted { $0.number < $1.number }
  }
}

extension RhythmParameters {
  /// How often a rhythm is said to be there that is not.
  ///
  /// Measured on series without a rhythm, whose neighbours are independent or keep up to 0.7 of one
  /// another, with and without outliers: see the documentation.
  package enum FalseAlarms {
    /// In how many of 100 such series at most the chance of a rhythm, or of the highest peak of a search,
    /// is below 5 %.
    package static let percent = 7
  }
}

/// The rhythm of a type: its mean day or week, and a model of known periods.
public struct RhythmAnswer: Sendable, Hashable {
  /// The numbers of hours or days; of amounts with 0 for an hour without samples on a day with data.
  public let subject: AnalysedSeries
  /// The parameters, with the periods that were used.
  public let parameters: RhythmParameters
  /// Whether the profile is by hours of the day or by weekdays.
  public let group: IntervalGroup
  /// One for each hour of the day or weekday, those without data too.
  public let profile: [RhythmProfile]
  /// Time 0 of the model, in seconds since 2001-01-01 UTC: the first midnight of the data by hours,
  /// and the midnight before the Monday of the first week by days.
  ///
  /// Times of the model are in hours or days of the clock on the wall: an hour that clocks skip is
  /// missing, and the two that they repeat have one time.
  public let origin: Double
  /// The model, or why there is none.
  ///
  /// Values near one another in time go together: ``HealthAnalysis/Cosinor/Rhythm/dependent`` allows for
  /// that.
  public let cosinor: Result<Cosinor, AnalysisError>
  /// The search for other periods, of what a straight line and the interval before leave of the numbers;
  /// `nil` where it is not asked.
  public let periodogram: Result<Periodogram, AnalysisError>?
  /// How many days have data.
  public let dayCount: Int
  /// How many days are left out, since the data of amounts begin or end inside of them.
  public let partialDayCount: Int
}

/// The numbers of one hour of the day, or of one weekday, over all days.
public struct RhythmProfile: Sendable, Hashable {
  /// `13`, `Monday`.
  public let label: String
  /// The mean; `nil` without numbers.
  public let mean: Double?
  /// The median.
  public let median: Double?
  /// The quartile below which a quarter of the numbers lie (type 7, as `Percentile`).
  public let lowerQuartile: Double?
  /// The quartile above which a quarter of the numbers lie.
  public let upperQuartile: Double?
  /// How many numbers there are.
  public let count: Int

  init(label: String, values: [Double]) {
    let sorted = values.sorted()
    func percentile(_ percent: Double) -> Double? {
      sorted.isEmpty ? nil : Percentile(percent)?.value(in: sorted)
    }
    self.label = label
    mean = values.isEmpty ? nil : values.reduce(0, +) / Double(values.count)
    (median, lowerQuartile, upperQuartile) = (percentile(50), percentile(25), percentile(75))
    count = values.count
  }
}

/// The rhythm of rest and activity, and that of sleep.
public struct RestAndSleepAnswer: Sendable, Hashable {
  /// The parameters.
  public let parameters: RhythmParameters
  /// Rest and activity by hourly steps, or by active energy where there are none; or why not.
  public let activity: Result<ActivityRhythm, AnalysisError>
  /// The nights, or why not.
  public let sleep: Result<SleepRhythm, AnalysisError>
}

/// Rest and activity by the amounts of hours.
public struct ActivityRhythm: Sendable, Hashable {
  /// The amounts of hours; 0 for an hour without samples on a day with data.
  public let subject: AnalysedSeries
  /// Stability, variability, and the quietest and the most active hours.
  public let measures: RestAndActivity
  /// How many days have data.
  public let dayCount: Int
  /// How many days of the period have none: gaps.
  public let emptyDayCount: Int
  /// How many days are left out, since they are not whole (`WholeIntervals`).
  public let partialDayCount: Int
}

/// How regular nights are.
public struct SleepRhythm: Sendable, Hashable {
  /// How many nights have sleep.
  public let nightCount: Int
  /// How many days of the period have no night.
  public let emptyNightCount: Int
  /// Bedtimes, midpoints, wake-ups and the shift of free days, in local hours.
  public let timing: SleepTiming
  /// The sleep regularity index of days from noon to noon, naps included; or why there is none.
  public let regularity: Result<SleepRegularityIndex, AnalysisError>
  /// The same by weeks of the calendar.
  public let weeks: [SleepWeek]
}

/// How regular the sleep of a week is.
public struct SleepWeek: Sendable, Hashable {
  /// How many pairs of days an index needs, of the seven that a week has.
  public static let leastPairs = 4

  /// The midnight before Monday, in seconds since 2001-01-01 UTC, and that before the next one.
  public let start, end: Double
  /// How many nights end on a day of the week that is over.
  public let nightCount: Int
  /// How many days of the week, each from noon to noon, could be compared with the day before.
  ///
  /// Monday's is compared with that of the week before, so that each pair of days belongs to one week.
  public let comparedDayCount: Int
  /// The sleep regularity index of these pairs; `nil` for fewer than ``leastPairs``.
  public let regularity: SleepRegularityIndex?
}

extension RhythmParameters: MethodParameters {
  package static var uses: [AnalysisUse] {
    [
      AnalysisUse("At which hour or weekday is it high?", "rhythm TYPE", needs: "a few days"),
      AnalysisUse("How regular are my nights and days?", "rhythm", needs: "a week"),
    ]
  }

  package func lists(of question: Question) -> [String] {
    question.types.isEmpty ? ["numbers", "hours", "weeks"] : ["profile", "rhythms"]
  }

  package func answer(
    _ plan: AnalysisPlan, in store: SampleStore, now: Double
  ) throws(QueryError) -> AnalysisAnswer {
    try RhythmReader(plan, self, store: store, now: now).answer()
  }
}
