import HealthMerge
package import HealthQuery

extension Question.Member {
  /// What a member is, besides its name.
  package struct Facts: Sendable, Hashable {
    /// The form of its values.
    package let form: QueryError.MemberForm
    /// The values that it may have, where these are words of a list.
    package let words: [String]
    /// What it asks.
    package let about: String

    init(_ form: QueryError.MemberForm, _ about: String, words: [String] = []) {
      (self.form, self.words, self.about) = (form, words, about)
    }
  }

  /// The form of the member's values, and what it asks.
  package var facts: Facts {
    switch self {
    case .type:
      Facts(
        .types,
        "The type, or several: steps, heartRate.max, bodyMass:lb, sleep.deep, sleep for nights; "
          + "an object gives one type what only it needs.")
    case .by:
      Facts(
        .text,
        "The length of an interval: hour, day, week, month, quarter, year, or a number of h, d, w, mo "
          + "or y such as 2w. Left out: one interval over the whole period.")
    case .from:
      Facts(
        .text,
        "The first day or moment: 2024-03-09, 2024-03, 2024, 2024-03-09T10:00, today, yesterday, or "
          + "-30d for the last 30 days, today included.")
    case .to: Facts(.text, "The end, which is not included: to 2024-04 is all of March.")
    case .anchor: Facts(.text, "A moment at which an interval begins.")
    case .timezone: Facts(.text, "The zone whose days count: Europe/Paris, or recorded.")
    case .zones: Facts(.zones, "The zones of a traveller, in place of timezone.")
    case .stat:
      Facts(
        .texts,
        "What to compute: sum, mean, min, max, count, median, a percentile over samples such as p90 "
          + "or by time such as timeP90, stddev, duration, coverage.")
    case .per:
      Facts(
        .text,
        "Sums also as the mean of the whole days or hours that have data; intervals are no shorter.",
        words: AverageColumns.Unit.allCases.map(\.rawValue))
    case .clip:
      Facts(.truth, "Exactly the period: intervals and samples are cut at its edges.")
    case .merge:
      Facts(
        .text,
        "How sources that recorded the same time are merged; hk, as the Health app, if left out.",
        words: MergePolicy.allCases.map(\.rawValue))
    case .prefer: Facts(.texts, "Sources to believe before all others, the highest first.")
    case .source: Facts(.texts, "The only sources that count.")
    case .exclude: Facts(.texts, "Sources that do not count.")
    case .style:
      Facts(
        .text, "Another rule of means.",
        words: QuestionWords.styles)
    case .hold:
      Facts(.number, "How long a value counts in means weighted by time: 5min, or seconds.")
    case .bySource: Facts(.truth, "Each source alone, beside the merged answer.")
    case .explain: Facts(.truth, "What each source counted, and what of it was masked.")
    case .exact: Facts(.truth, "Correctly rounded sums and means.")
    case .unit: Facts(.text, "The unit of the answer: km, lb, count/min.")
    case .group:
      Facts(
        .text, "One row for each weekday, hour or month.",
        words: IntervalGroup.allCases.map(\.rawValue))
    case .rolling: Facts(.count, "The mean of the last so many intervals beside each.")
    case .top: Facts(.count, "The so many intervals with the largest numbers.")
    case .least: Facts(.truth, "With top, the smallest.")
    case .above: Facts(.number, "The intervals with this or more: 10000, \"8h\", \"95 %\".")
    case .below: Facts(.number, "The intervals with less than this.")
    case .streaks: Facts(.truth, "With above or below, runs of such intervals.")
    case .gaps: Facts(.truth, "Runs of intervals without data.")
    case .spread:
      Facts(
        .truth,
        "How the numbers of the intervals are distributed: least, percentiles, median, greatest, "
          + "mean, standard deviation.")
    case .compare:
      Facts(
        .text, "Each interval beside the one before, or that of a year before.",
        words: IntervalComparison.allCases.map(\.rawValue))
    }
  }
}
