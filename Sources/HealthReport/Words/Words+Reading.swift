extension Words {
  /// Any measure by hour, day, week, month and year; the script has them.
  struct Explorer: Sendable {
    let measure: String
    let interval: String
    let hour: String
    let day: String
    let week: String
    let month: String
    let year: String
    let earlier: String
    let later: String
    /// 0 the measure.
    let byHour: String
    /// 0 the measure.
    let byDay: String
    /// 0 the measure.
    let byWeek: String
    /// 0 the measure.
    let byMonth: String
    /// 0 the measure.
    let byYear: String
    /// 0 the first day of the week.
    let weekFrom: String
    let meanOfDay: String
    let meanOfNight: String
    let middleHalfOfDays: String
    let leastToGreatestDay: String
    let mean: String
    let middleHalf: String
    let leastToGreatest: String
    /// 0 of which time.
    let medianOfYear: String
    /// 0 the first day.
    let olderWeeks: String
  }

  /// What is read from figures, by eye and by ear; the script has them.
  struct Figure: Sendable {
    /// 0 what is drawn.
    let label: String
    /// 0 the measure.
    let calendarLabel: String
    let whyHint: String
    /// One, or others: 0 their number.
    let lastDays: String
    /// One, or others: 0 their number.
    let lastNights: String
    /// One, or others: 0 their number.
    let lastWeeks: String
    /// 0 least, 1 greatest, 2 median, 3 last.
    let description: String
    /// 0 least, 1 greatest.
    let from: String
    /// 0 the amount.
    let mean: String
    /// 0 the amount.
    let median: String
    /// 0 the first, 1 the last.
    let middleHalf: String
    /// 0 their number.
    let hours: String
    /// 0 the time zone.
    let zone: String
    /// 0 the device.
    let device: String
    let noData: String
    let partial: String
    let soFar: String
    /// A part of a whole: 0 its name, 1 its amount.
    let part: String
  }

  /// Tables under figures; the script has them.
  struct Table: Sendable {
    let days: String
    let weeks: String
    let months: String
    let nights: String
    let numbers: String
    let rings: String
    let readings: String
    let reasons: String
    /// 0 their number.
    let workouts: String
    /// 0 how many.
    let showMore: String
    /// 0 what the table holds.
    let region: String
    let hour: String
    let day: String
    let week: String
    let month: String
    let year: String
    let night: String
    let sum: String
    let mean: String
    let median: String
    let least: String
    let greatest: String
    let lowerQuarter: String
    let upperQuarter: String
    let perDay: String
    let leastDay: String
    let greatestDay: String
    let lowerQuarterOfDays: String
    let upperQuarterOfDays: String
    let note: String
  }

  /// Why a day has its number; the script has them.
  struct Why: Sendable {
    /// 0 the amount with its unit, 1 the day.
    let title: String
    let severalSources: String
    let oneSource: String
    let oneSourceOfSeveral: String
    let nothing: String
    /// 0 the source.
    let counted: String
    /// 0 the source.
    let masked: String
    let together: String
    let rawSum: String
    let command: String
    let close: String
  }
}
