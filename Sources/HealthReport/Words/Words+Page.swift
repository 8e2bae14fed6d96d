extension Words {
  /// Title, head and foot.
  struct Page: Sendable {
    let skip: String
    let navigation: String
    /// 0 the name.
    let title: String
    let titleWithoutName: String
    /// One, or others: 0 their number.
    let measures: String
    /// 0 the time zone.
    let zone: String
    /// Instead of one zone, which changes once, or more often: 0 the first, 1 the last, 2 how often.
    let zonesWithChanges: String
    let lastDayOpen: String
    /// What is of the last twelve months: stands after what it is.
    let ofYear: String
    /// The same of a shorter period: 0 its days; one, or others.
    let ofDays: String
    /// Between facts in one line.
    let separator: String
    /// 0 the date, 1 the program and its version.
    let made: String
    let clearText: String
    let noConnection: String
    let noDiagnosis: String
    let needsNewerBrowser: String
    let needsScript: String
  }

  /// A section: its name in the navigation, its head, and what it answers.
  struct Section: Sendable {
    let name: String
    let head: String
    let question: String

    init(_ name: String, _ head: String, _ question: String) {
      (self.name, self.head, self.question) = (name, head, question)
    }
  }

  /// The sections, by their identifiers.
  struct Sections: Sendable {
    let overview: Section
    let glance: Section
    let year: Section
    /// The same of a period shorter than a year.
    let days: Section
    let sleep: Section
    let heart: Section
    let body: Section
    /// Cycles, medications and state of mind.
    let diary: Section
    let workouts: Section
    let relations: Section
    let sources: Section
  }

  /// The families of measures.
  struct Families: Sendable {
    let activity: String
    let heart: String
    let sleep: String
    let body: String
    let food: String
    let walk: String
  }

  /// What is said where there is little or nothing.
  struct States: Sendable {
    let nothing: String
    /// 0 the period.
    let asked: String
    /// 0 the first day.
    let askedFrom: String
    /// 0 the last day.
    let askedTo: String
    /// In place of ``nothing`` where types or sections were chosen.
    let nothingChosen: String
    /// 0 the option, 1 what it chooses.
    let chosen: String
    let whatToDo: String
    let noData: String
    let partial: String
    let soFar: String
  }

  /// The first cards, and what is compared there.
  struct Overview: Sendable {
    let usual: String
    let above: String
    let below: String
    let weekOnWeek: String
    let yearOnYear: String
    /// 0 the difference, 1 what it was before.
    let change: String
    /// 0 the day.
    let rings: String
    /// 0 days closed, 1 days.
    let closed: String
    let closedUnit: String
    /// 0 days closed, 1 days.
    let closedBefore: String
    let move: String
    let exercise: String
    let stand: String
    let ringGoal: String
    /// 0 the share, 1 what was reached, 2 the goal with its unit.
    let goal: String
    let captionMeans: String
    /// 0 of which time.
    let captionBand: String
    let captionWeek: String
    /// 0 this year, 1 the day, 2 the last year.
    let captionYear: String
    let captionUsual: String
    let captionGap: String
    let captionPartial: String
    /// 0 the day.
    let captionOpenDay: String
    /// 0 the last day of the data, which end before it does.
    let captionCutDay: String
    /// Of several measures, each with a day of its own.
    let captionFirstDay: String
  }

  /// The table of all measures.
  struct Glance: Sendable {
    let measure: String
    let lastSevenDays: String
    let inYourYear: String
    let typicalWeek: String
    let weeks: String
    /// 0 this year, 1 the last year, 2 the day.
    let years: String
    /// 0 this year, 1 the last year.
    let shortYears: String
    /// 0 the difference, 1 what it was, 2 what it is.
    let change: String
    let keyTypical: String
    let keyNow: String
    let keyUnusual: String
    /// For screen readers: 0 now, 1 and 2 the typical range, 3 the median.
    let strip: String
    /// For screen readers: 0 least, 1 greatest, 2 last.
    let sparkline: String
  }

  /// The calendar, and the rings of four weeks.
  struct Year: Sendable {
    /// 0 the measure.
    let calendar: String
    /// 0 the amount, 1 the day.
    let most: String
    /// 0 the amount.
    let under: String
    /// 0 the amount.
    let from: String
    /// 0 the weekday.
    let weeksBegin: String
    let earlierYear: String
    let laterYear: String
    let rings: String
    /// 0, 1, 2 days on which each was closed, 3 days.
    let closed: String
    let keyMove: String
    let keyExercise: String
    let keyStand: String
    let keyFull: String
    let months: String
  }
}
