/// Every text of the page in one language.
///
/// A group has a property for each text, without defaults: a text that a language lacks does not
/// compile. Places are those of ``TextPattern``.
struct Words: Sendable {
  let page: Page
  let sections: Sections
  let families: Families
  let states: States
  let overview: Overview
  let glance: Glance
  let year: Year
  let explorer: Explorer
  let figure: Figure
  let table: Table
  let sleep: Sleep
  let heart: Heart
  let pressure: Pressure
  let glucose: Glucose
  let cycle: Cycle
  let medications: Medications
  let mind: Mind
  let workouts: Workouts
  let activities: Activities
  let relations: Relations
  let sources: Sources
  let why: Why
  let print: Print
  let visit: Visit
  let phrases: Phrases
  let patterns: Patterns
  let dates: Dates

  /// The words of a language.
  static func of(_ language: ReportLanguage.Base) -> Words {
    switch language {
    case .english: english
    case .german: german
    case .french: french
    case .spanish: spanish
    case .japanese: japanese
    }
  }
}

extension Words {
  /// How numbers stand with units, in durations and in ranges; the script has them, too.
  struct Patterns: Sendable {
    /// 0 the number, 1 the unit.
    let numberAndUnit: String
    /// 0 the number.
    let percent: String
    /// 0 hours, 1 minutes in two digits, 2 minutes.
    let hoursAndMinutes: String
    /// 0 minutes.
    let minutes: String
    /// 0 the first number, 1 the last.
    let numberRange: String
    /// What is added up over a day: 0 the amount.
    let perDay: String
    /// What is added up over a night: 0 the amount.
    let perNight: String
    /// 0 a difference.
    let perYear: String
    /// A count in the sentence, whose noun stands beside it: 0 the number, 1 its unit.
    let countInSentence: String
    /// 0 the number of days with data, 1 of days.
    let daysOfDays: String
    /// 0 a name, 1 what it has.
    let labelled: String
    /// 0 the day, 1 the time.
    let dayTime: String
  }

  /// Names and orders of dates; the script has them, too.
  ///
  /// Lists are divided by `|`. Orders have the places 0 day, 1 month, 2 year, 3 weekday and 4 long
  /// month.
  struct Dates: Sendable {
    /// The first day of a month, where others have their number.
    let first: String
    let weekdayDay: String
    let weekdayDayYear: String
    let dayMonth: String
    let dayMonthYear: String
    let dayLongMonth: String
    let monthYear: String
    let year: String
    /// 0 the first day, 1 the last.
    let range: String
    /// 0 the hours and minutes.
    let beforeNoon: String
    /// 0 the hours and minutes.
    let afterNoon: String
    let months: String
    let shortMonths: String
    let monthsInDates: String
    let longMonthsInDates: String
    let weekdays: String
    let shortWeekdays: String
    let weekdaysInDates: String
    let narrowWeekdays: String
  }
}
