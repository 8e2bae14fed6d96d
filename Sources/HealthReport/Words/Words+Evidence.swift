extension Words {
  /// Workouts.
  struct Workouts: Sendable {
    let hoursByMonth: String
    /// What is counted where the first month begins before the period.
    ///
    /// {0}: its first day.
    let wholeMonths: String
    /// One, or others: 0 their number.
    let inYear: String
    /// 0 their number, of a time that is no year.
    let count: String
    let day: String
    let kind: String
    let times: String
    let time: String
    let distance: String
    let energy: String
    let meanHeartRate: String
    let other: String
    /// 0 the kind, 1 the day, 2 the clock time.
    let title: String
    /// 0 the mean, 1 the most, 2 the unit.
    let heart: String
    /// 0 the unit.
    let splits: String
    /// 0 the unit.
    let zones: String
    /// 0 the edge.
    let zoneFrom: String
    /// 0 the edge.
    let zoneUnder: String
    /// 0 the option, 1 how much of both ends, 2 how long the line is.
    let routeCaption: String
    /// Which workout is shown in full.
    let lastWithRoute: String
    let lastWithHeartRate: String
    /// Where the zones are shorter than the workout.
    let outsideZones: String
    /// 0 of which time.
    let routes: String
    /// 0 their number.
    let routeCount: String
    /// 0 how long the line is.
    let routesCaption: String
    /// 0 how many places have a map, 1 of how many.
    let placesShown: String
    /// 0 their number.
    let last: String
  }

  /// What goes with what.
  struct Relations: Sendable {
    let first: String
    let second: String
    let when: String
    let strength: String
    let days: String
    let chance: String
    let sameDay: String
    let nextDay: String
    /// 0 days.
    let laterDays: String
    /// 0 how many hold, 1 of how many.
    let held: String
    /// 0 how many were tried.
    let none: String
    let notCause: String
    let caption: String
    let shared: String
    /// Which of those that hold are shown: 0 how many at most.
    let choice: String
    /// Where a night is one of the two.
    let night: String
    let table: String
  }

  /// Who measured, what counted, what is missing.
  struct Sources: Sendable {
    let who: String
    let source: String
    let kind: String
    let measures: String
    let samples: String
    let fromTo: String
    let watch: String
    let wearable: String
    let phone: String
    let other: String
    let byHand: String
    /// 0 the measure.
    let counted: String
    /// 0 days, 1 what counted, 2 what was masked.
    let countedSummary: String
    let masked: String
    /// 0 the day, 1 the number; what is bold is the button.
    let press: String
    /// 0 of which time.
    let gaps: String
    /// 0 days without data, 1 days.
    let daysWithout: String
    /// 0 days.
    let longestGap: String
    let noGaps: String
    /// Where no measure has enough days.
    let noneJudged: String
    let zones: String
    let daysOf: String
    /// 0 the zone, 1 the day.
    let zoneFrom: String
    let imports: String
    /// 0 the day, 1 samples.
    let imported: String
    let ranks: String
    let preferred: String
    let ranking: String
    /// 0 how many.
    let more: String
    let table: String
    /// 0 measures judged, 1 of how many, 2 the days that they need.
    let gapsRule: String
    let recorded: String
  }

  /// The document for a visit.
  struct Print: Sendable {
    let name: String
    let born: String
    /// 0 the period, 1 the day it was made.
    let summary: String
    let table: String
    let measure: String
    let median: String
    let range: String
    let days: String
    let yearAgo: String
    let trend: String
    let trendInterval: String
    let weeks: String
    let caption: String
    let courses: String
    /// 0 nights.
    let asleep: String
    /// 0 when they begin, 1 end.
    let medians: String
    /// 0 days.
    let heartRate: String
    let heartRateKey: String
    let howMade: String
    /// 0 the sources.
    let measuredBy: String
    /// 0 a source, 1 its kind, 2 samples.
    let source: String
    let oneCounts: String
    /// 0 the time zone.
    let method: String
    /// 0 the command.
    let sameNumbers: String
  }
}
