import HealthMerge
package import HealthQuery

/// What a member of a question is, besides its name.
package struct MemberFacts: Sendable, Hashable {
  /// The form of a member's values.
  package enum Form: String, Sendable, Hashable {
    /// Names of types, or objects with what one type needs.
    case types
    case text
    /// A text, or several.
    case texts
    /// A text of a list.
    case word
    /// Texts of a list, one or several.
    case words
    /// A day or a moment as a person writes it.
    case date
    /// A zone by its name.
    case zone
    /// The zones of a traveller.
    case zones
    case truth
    /// A whole number from 1.
    case count
    /// A number, or a text with a unit.
    case number
    case numbers
    /// Seconds, or a text such as `5min`.
    case duration

    /// What an error says that a member must be.
    package var expected: QueryError.MemberForm {
      switch self {
      case .types: .types
      case .text, .word, .date, .zone: .text
      case .texts, .words: .texts
      case .zones: .zones
      case .truth: .truth
      case .count: .count
      case .number, .duration: .number
      case .numbers: .decimals
      }
    }
  }

  /// The form of its values.
  package let form: Form
  /// The values that it may have, where these are words of a list.
  package let words: [String]
  /// What it asks.
  package let about: String

  /// Says what a member is.
  package init(_ form: Form, _ about: String) { (self.form, words, self.about) = (form, [], about) }

  /// Says what a member is whose values are words of a list.
  package init(oneOf words: [String], _ about: String) {
    (form, self.words, self.about) = (.word, words, about)
  }

  /// Says what a member is whose values are some words of a list.
  package init(someOf words: [String], _ about: String) {
    (form, self.words, self.about) = (.words, words, about)
  }
}

extension Question.Member {
  /// Those that an analysis has, which say of what numbers it is; the others ask for other rows.
  package static let ofAnalyses: [Self] = [
    .type, .by, .from, .to, .anchor, .timezone, .zones, .stat, .per, .clip, .merge, .prefer,
    .source, .exclude, .style, .hold, .exact, .unit,
  ]

  /// The form of the member's values, and what it asks.
  package var facts: MemberFacts {
    switch self {
    case .type:
      MemberFacts(
        .types,
        "The type, or several: steps, heartRate.max, bodyMass:lb, sleep.deep, sleep for nights; "
          + "an object gives one type what only it needs.")
    case .by:
      MemberFacts(
        .text,
        "The length of an interval: hour, day, week, month, quarter, year, or a number of h, d, w, mo "
          + "or y such as 2w. Left out: one interval over the whole period.")
    case .from:
      MemberFacts(
        .date,
        "The first day or moment: 2024-03-09, 2024-03, 2024, 2024-03-09T10:00, today, yesterday, or "
          + "-30d for the last 30 days, today included.")
    case .to: MemberFacts(.date, "The end, which is not included: to 2024-04 is all of March.")
    case .anchor: MemberFacts(.date, "A moment at which an interval begins.")
    case .timezone: MemberFacts(.zone, "The zone whose days count: Europe/Paris, or recorded.")
    case .zones:
      MemberFacts(
        .zones,
        #"The zones of a traveller, in place of timezone: [{"from": null, "zone": "Europe/Paris"}, "#
          + #"{"from": "2026-05-01T09:00", "zone": "Asia/Tokyo"}]."#
      )
    case .stat:
      MemberFacts(
        .texts,
        "What to compute: sum, mean, min, max, count, median, a percentile over samples such as p90 "
          + "or by time such as timeP90, stddev, duration, coverage, recent, first.")
    case .per:
      MemberFacts(
        oneOf: AverageColumns.Unit.allCases.map(\.rawValue),
        "Sums also as the mean of the whole days or hours that have data; intervals are no "
          + "shorter.")
    case .clip:
      MemberFacts(.truth, "Exactly the period: intervals and samples are cut at its edges.")
    case .during:
      MemberFacts(
        oneOf: Question.SampleTime.allCases.map(\.rawValue),
        "Only the samples of this time, for one type that has means: sleep, with a row a night.")
    case .merge:
      MemberFacts(
        oneOf: MergePolicy.allCases.map(\.rawValue),
        "How sources that recorded the same time are merged; hk, as the Health app, if left out.")
    case .prefer: MemberFacts(.texts, "Sources to believe before all others, the highest first.")
    case .source: MemberFacts(.texts, "The only sources that count.")
    case .exclude: MemberFacts(.texts, "Sources that do not count.")
    case .style:
      MemberFacts(oneOf: QuestionWords.styles, "Another rule of means.")
    case .hold:
      MemberFacts(.duration, "How long a value counts in means weighted by time: 5min, or seconds.")
    case .bySource: MemberFacts(.truth, "Each source alone, beside the merged answer.")
    case .explain: MemberFacts(.truth, "What each source counted, and what of it was masked.")
    case .exact: MemberFacts(.truth, "Correctly rounded sums and means.")
    case .unit: MemberFacts(.text, "The unit of the answer: km, lb, count/min.")
    case .group:
      MemberFacts(
        oneOf: IntervalGroup.allCases.map(\.rawValue), "One row for each weekday, hour or month.")
    case .rolling: MemberFacts(.count, "The mean of the last so many intervals beside each.")
    case .top: MemberFacts(.count, "The so many intervals with the largest numbers.")
    case .least: MemberFacts(.truth, "With top, the smallest.")
    case .above: MemberFacts(.number, "The intervals with this or more: 10000, \"8h\", \"95 %\".")
    case .below: MemberFacts(.number, "The intervals with less than this.")
    case .streaks: MemberFacts(.truth, "With above or below, runs of such intervals.")
    case .gaps: MemberFacts(.truth, "Runs of intervals without data.")
    case .spread:
      MemberFacts(
        .truth,
        "How the numbers of the intervals are distributed: least, percentiles, median, greatest, "
          + "mean, standard deviation.")
    case .compare:
      MemberFacts(
        oneOf: IntervalComparison.allCases.map(\.rawValue),
        "Each interval beside the one before, or that of a year before.")
    }
  }
}
