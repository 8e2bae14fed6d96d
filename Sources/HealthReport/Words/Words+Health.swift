extension Words {
  /// Nights.
  struct Sleep: Sendable {
    /// One, or others: 0 their number.
    let when: String
    /// 0 when half of the nights have begun, 1 have ended.
    let halfOfNights: String
    let captionWhen: String
    let stages: String
    /// One, or others: 0 their number, 1 the stages.
    let means: String
    /// 0 the stage, 1 the duration.
    let stage: String
    let deep: String
    let core: String
    let rem: String
    let awake: String
    let asleep: String
    let inBed: String
    let nap: String
    let fellAsleep: String
    let wokeUp: String
    /// The end of a stage.
    let until: String
    /// 0 the day.
    let night: String
    /// 0 the option.
    let fromSamples: String
    let howRegular: String
    let index: String
    /// 0 nights.
    let indexCaption: String
    let weekendShift: String
    let weekendCaption: String
    let sevenHours: String
    /// 0 nights, 1 of nights.
    let countOfNights: String
    /// 0 the shortest, 1 the longest.
    let sevenHoursCaption: String
  }

  /// Ranges by day, trends, days that stand out.
  struct Heart: Sendable {
    /// 0 the measure, 1 days.
    let range: String
    /// 0 the range, 1 the unit, 2 the mean.
    let lastSevenDays: String
    let leastToGreatest: String
    let middleHalfOfTime: String
    let mean: String
    /// 0 the slope a year, 1 and 2 its interval.
    let trend: String
    let noTrend: String
    /// 0 and 1 the interval.
    let noTrendInterval: String
    /// 0 a difference between percentages.
    let points: String
    let keyWeek: String
    let keyTypical: String
    /// 0 of which time.
    let keyTrend: String
    /// 0 days.
    let unusual: String
    /// 0 the measure, 1 the amount.
    let unusualValue: String
    /// 0 the median, 1 days.
    let higher: String
    /// 0 the median, 1 days.
    let lower: String
    let noUnusual: String
    /// 0 the limit, 1 days before, 2 daily numbers looked at, 3 measures.
    let unusualCaption: String
  }

  /// Readings of blood pressure.
  struct Pressure: Sendable {
    let title: String
    let systolic: String
    let diastolic: String
    /// 0 mornings, 1 evenings.
    let lastYear: String
    /// 0 the means, 1 readings.
    let mornings: String
    /// 0 the means, 1 readings.
    let evenings: String
    let noMornings: String
    let noEvenings: String
    /// 0 the means, 1 the class, 2 readings, 3 the first day, 4 the last.
    let home: String
    let noHome: String
    /// One value, or others: 0 their number.
    let lone: String
    /// One reading, or others: 0 their number.
    let implausible: String
    /// 0 the guideline.
    let classes: String
    /// 0 systolic, 1 diastolic.
    let bothUnder: String
    /// 0 and 1 systolic, 2 diastolic.
    let betweenAndUnder: String
    /// 0 and 1 systolic, 2 and 3 diastolic.
    let eitherBetween: String
    /// 0 systolic, 1 diastolic.
    let eitherFrom: String
    /// 0 and 1 the edges, 2 the guideline, 3 the class, 4 and 5 when a morning begins and ends, 6 and 7
    /// an evening.
    let caption: String
    /// 0 and 1 the edges, 2 the guideline, 3 the class, 4 and 5 when a morning begins and ends, 6 and 7
    /// an evening.
    let captionOfDays: String
    let morning: String
    let evening: String
    let otherHours: String
    let decides: String
    let noDiagnosis: String
    let optimal: String
    let normal: String
    let highNormal: String
    let elevated: String
    let nonElevated: String
    let stage1: String
    let stage2: String
    let hypertension: String
    let grade1: String
    let grade2: String
    let grade3: String
    let belowHypertension: String
  }

  /// Readings of glucose.
  struct Glucose: Sendable {
    let title: String
    /// 0 days, 1 readings, 2 the mean with its unit, 3 the indicator.
    let summary: String
    /// 0 the coefficient of variation.
    let variation: String
    /// 0 whose edges.
    let shares: String
    /// 0 the edge.
    let over: String
    /// 0 the edge.
    let under: String
    let keyNineOfTen: String
    let keyMiddleHalf: String
    let keyMedian: String
    let keyRange: String
    /// 0 days with readings, 1 of days, 2 the median with its unit.
    let daysAndMedian: String
    /// 0 days, 1 and 2 the edges.
    let captionOfHours: String
    /// 0 the share covered, 1 days, 2 the share needed, 3 days needed.
    let tooFew: String
  }

  /// Menstrual cycles.
  struct Cycle: Sendable {
    let title: String
    /// 0 days.
    let days: String
    /// 0 the median, 1 the shortest, 2 the longest.
    let summary: String
    /// 0 the day.
    let day: String
    let caption: String
    let flow: String
    let light: String
    let medium: String
    let heavy: String
    let unspecified: String
    let length: String
    let began: String
  }

  /// Doses.
  struct Medications: Sendable {
    let title: String
    let taken: String
    let skipped: String
    let notLogged: String
    let caption: String
  }

  /// States of mind.
  struct Mind: Sendable {
    let title: String
    let veryUnpleasant: String
    let unpleasant: String
    let slightlyUnpleasant: String
    let neutral: String
    let slightlyPleasant: String
    let pleasant: String
    let veryPleasant: String
    let emotion: String
    let mood: String
    /// 0 entries.
    let entries: String
    let caption: String
  }
}
