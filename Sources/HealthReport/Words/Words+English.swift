extension Words {
  static let english = Words(
    page: .init(
      skip: "Skip to the report", navigation: "Sections", title: "{0}’s health report",
      titleWithoutName: "Health report", measures: "{0} measure|{0} measures",
      zone: "days in {0}",
      zonesWithChanges: "{0} to {1} with {2} change of zone|{0} to {1} with {2} changes of zone",
      lastDayOpen: "the last day may not be over",
      ofYear: "of the last 12 months",
      ofDays: "of the last day|of the last {0} days", separator: " · ",
      made: "Made on {0} with {1}.",
      clearText: "This file is clear text: whoever has it can read it.",
      noConnection: "It opens no connection and sends nothing.",
      noDiagnosis: "These are measurements, not a diagnosis.",
      needsNewerBrowser: "Tables need a newer browser.",
      needsScript: "Tables and other measures need scripts; all figures are here without them."),
    sections: .init(
      overview: .init("Overview", "Overview", "The last seven days beside the time before"),
      glance: .init(
        "All measures", "All measures",
        "Where the last seven days lie among the weeks of the last 12 months"),
      year: .init(
        "The year", "The year",
        "Each day, then any measure by hour, day, week, month or year"),
      days: .init(
        "The days", "The days",
        "Each day, then any measure by hour, day, week, month or year"),
      sleep: .init("Sleep", "Sleep", "How long, when, and how regular are your nights?"),
      heart: .init("Heart", "Heart", "What is usual, what is changing, and which days stand out?"),
      body: .init(
        "Body", "Body", "Weight, blood pressure and glucose: where they are and where they go"),
      diary: .init(
        "Diary", "Diary", "Cycles, medications and state of mind: what was written down"),
      workouts: .init("Workouts", "Workouts", "What you did, how hard it was, and where"),
      relations: .init(
        "What goes together", "What goes together",
        "Which measures move together, and how many pairs were tried?"),
      sources: .init(
        "Sources", "Where the numbers come from",
        "Who measured, whose measurement counts, and why a day has the number it has")),
    families: .init(
      activity: "Activity", heart: "Heart and breath", sleep: "Sleep", body: "Body",
      food: "Glucose and food", walk: "Walking and hearing"),
    states: .init(
      nothing: "There is nothing to show for this time.", asked: "Asked for: {0}.",
      askedFrom: "Asked for: from {0} on.",
      askedTo: "Asked for: to {0}.",
      nothingChosen: "There is nothing to show of what was asked for.",
      chosen: "{0} asks for {1} only; without it, all that is there is shown.",
      whatToDo: "Choose another time with --from and --to, or import an export first.",
      noData: "no data",
      partial: "partial", soFar: "so far"),
    overview: .init(
      usual: "Usual for you", above: "Above your usual", below: "Below your usual",
      weekOnWeek: "Week on week", yearOnYear: "Year on year", change: "*{0}* from {1}",
      rings: "Rings, {0}", closed: "{0} of {1}",
      closedUnit: "days with all rings closed", closedBefore: "7 days before: {0} of {1}",
      move: "Move", exercise: "Exercise", stand: "Stand",
      ringGoal: "Goal", goal: "*{0}* {1} of {2}",
      captionMeans: "Large numbers are means of the last seven days.",
      captionBand: """
        The band is the typical range of a day: nine of ten days {0}; the dashed line is the \
        median; underlined are the last seven days.
        """,
      captionWeek: "Week on week: against the seven days before.",
      captionYear: "Year on year: {0} to {1} against {2} to {1}.",
      captionUsual: "“Usual” compares these seven days with the 52 weeks before.",
      captionGap: "A small ring is a day without data.",
      captionPartial: "An outline is a day with data for a part of it.",
      captionOpenDay: "{0} is not over and is left out of every mean.",
      captionCutDay: "{0} is left out of every mean: the data end before that day does.",
      captionFirstDay: "A day in which the data of a measure begin is left out."),
    glance: .init(
      measure: "Measure", lastSevenDays: "Last 7 days", inYourYear: "In your year",
      typicalWeek: "Typical week", weeks: "52 weeks", years: "{0} against {1} to {2}",
      shortYears: "{0} against {1}:", change: "*{0}* ({1} → {2})",
      keyTypical: "typical: nine of ten weeks of the last 12 months; and the median",
      keyNow: "the last seven days", keyUnusual: "unusual for you",
      strip: "{0}; typical {1} to {2}, median {3}.",
      sparkline: "52 weeks from {0} to {1}, the last {2}."),
    year: .init(
      calendar: "{0}, day by day", most: "Most: *{0}* on {1}", under: "under {0}",
      from: "from {0}", weeksBegin: "weeks begin on {0}", earlierYear: "Earlier year",
      laterYear: "Later year", rings: "Rings, four weeks",
      closed: "Closed: move *{0}* · exercise *{1}* · stand *{2}* of {3} days",
      keyMove: "Move (outer)", keyExercise: "Exercise (middle)", keyStand: "Stand (inner)",
      keyFull: "a full circle is the goal or more", months: "Months"),
    explorer: .init(
      measure: "Measure", interval: "Interval", hour: "Hour", day: "Day", week: "Week",
      month: "Month", year: "Year", earlier: "Earlier", later: "Later", byHour: "{0}, by hour",
      byDay: "{0}, by day", byWeek: "{0}, by week", byMonth: "{0}, by month",
      byYear: "{0}, by year", weekFrom: "the week from {0}", meanOfDay: "mean of a day",
      meanOfNight: "mean of a night",
      middleHalfOfDays: "middle half of the days", leastToGreatestDay: "least to greatest day",
      mean: "mean", middleHalf: "middle half", leastToGreatest: "least to greatest",
      medianOfYear: "median {0}",
      olderWeeks: "Days are here from {0} on; before that there are weeks."),
    figure: .init(
      label: "{0}. Left and right arrow keys read the values.",
      calendarLabel: "{0}, day by day. Arrow keys read the days and weeks.",
      whyHint: "Enter says why.", lastDays: "last day|last {0} days",
      lastNights: "last night|last {0} nights", lastWeeks: "last week|last {0} weeks",
      description: "From {0} to {1}, median {2}, last {3}.",
      from: "{0} to {1}", mean: "mean {0}", median: "median {0}",
      middleHalf: "middle half {0} to {1}", hours: "{0} hours", zone: "in {0}",
      device: "from here on {0}", noData: "no data", partial: "partial", soFar: "so far",
      part: "{0} {1}"),
    table: .init(
      days: "The days as a table", weeks: "The weeks as a table", months: "The months as a table",
      nights: "The nights as a table", numbers: "These numbers as a table",
      rings: "The rings as a table", readings: "The readings as a table",
      reasons: "The reasons as a table",
      workouts: "All as a table ({0})",
      showMore: "Show {0} more", region: "{0}, table", hour: "Hour", day: "Day", week: "Week",
      month: "Month", year: "Year", night: "Night", sum: "sum", mean: "mean", median: "median",
      least: "least", greatest: "greatest", lowerQuarter: "lower quartile",
      upperQuarter: "upper quartile", perDay: "mean of a day", leastDay: "least day",
      greatestDay: "greatest day", lowerQuarterOfDays: "lower quartile of the days",
      upperQuarterOfDays: "upper quartile of the days", note: "note"),
    sleep: .init(
      when: "When you slept, {0} night|When you slept, {0} nights",
      halfOfNights: "Half of the nights begin by *{0}* and end by *{1}*",
      captionWhen: """
        A bar runs from falling asleep to waking, on the clock of where you were; a small ring is \
        a night without data. Lines are medians.
        """,
      stages: "Stages",
      means: "Means of {0} night: {1}|Means of {0} nights: {1}", stage: "{0} *{1}*", deep: "Deep",
      core: "Core", rem: "REM", awake: "Awake", asleep: "Asleep", inBed: "In bed", nap: "nap",
      fellAsleep: "fell asleep", wokeUp: "woke up", until: "until", night: "The night to {0}",
      fromSamples: "Drawn from single samples: only with {0}.", howRegular: "How regular",
      index: "Sleep regularity index",
      indexCaption: "100: asleep at the same times every day; 0: at random. {0} nights.",
      weekendShift: "Weekend shift",
      weekendCaption: "The middle of the nights to Saturday and Sunday, against the others.",
      sevenHours: "Nights of 7 hours or more", countOfNights: "{0} of {1}",
      sevenHoursCaption: "Shortest {0}, longest {1}."),
    heart: .init(
      range: "{0}, {1} days", lastSevenDays: "In the last seven days *{0}* {1}, mean *{2}*",
      leastToGreatest: "least to greatest", middleHalfOfTime: "middle half of the time",
      mean: "mean", trend: "Last 12 months *{0} a year* (95%: {1} to {2})",
      noTrend: "no clear trend", noTrendInterval: "no clear trend (95%: {0} to {1})",
      points: "{0}\u{A0}points",
      keyWeek: "week", keyTypical: "typical, last 12 months",
      keyTrend: "trend {0} and its 95% interval",
      unusual: "Unusual days of the last {0}", unusualValue: "{0} {1}",
      higher: "higher than usual for you: median {0} in {1} days before",
      lower: "lower than usual for you: median {0} in {1} days before",
      noUnusual: "No day stands out.",
      unusualCaption: """
        A day stands out when it lies more than {0} times the usual spread from the median of the \
        {1} days before, also without the rhythm of the week. Heart, sleep and body come first. \
        {2} daily values of {3} measures were looked at: a few stand out by chance.
        """),
    pressure: .init(
      title: "Blood pressure", systolic: "systolic", diastolic: "diastolic",
      lastYear: "Means of the last 12 months: {0}, {1}", mornings: "mornings *{0}* ({1})",
      evenings: "evenings *{0}* ({1})", noMornings: "no morning readings",
      noEvenings: "no evening readings",
      home: "Average at home, {3} – {4}: *{0}*, {1} ({2} readings, ESH 2021)",
      noHome: """
        No average at home (ESH 2021): too few readings of mornings and evenings in the seven days up \
        to the last one.
        """,
      lone: """
        {0} value without its other is not counted.|{0} values without their other are not \
        counted.
        """,
      implausible: """
        {0} reading whose lower value is not below the upper one is left out.|{0} readings \
        whose lower value is not below the upper one are left out.
        """,
      classes: "Single readings of the last 12 months by the classes of {0}",
      bothUnder: "under {0} and under {1}", betweenAndUnder: "{0}–{1} and under {2}",
      eitherBetween: "{0}–{1} or {2}–{3}", eitherFrom: "{0} or more, or {1} or more",
      caption: """
        Each line is a reading, from the lower to the upper number; mornings are {4}–{5}, evenings \
        {6}–{7}. Dotted are {0} and {1}, from which on {2} speaks of “{3}”.
        """,
      captionOfDays: """
        Each line is the mean of a morning ({4}–{5}) or an evening ({6}–{7}), from the lower to \
        the upper number; dotted are {0} and {1}, from which on {2} speaks of “{3}”.
        """,
      morning: "morning", evening: "evening", otherHours: "other hours",
      decides: "The higher class of the two numbers decides.",
      noDiagnosis: "These are readings at home, not a diagnosis.", optimal: "Optimal",
      normal: "Normal", highNormal: "High-normal", elevated: "Elevated",
      nonElevated: "Non-elevated", stage1: "Stage 1", stage2: "Stage 2",
      hypertension: "Hypertension", grade1: "Grade 1", grade2: "Grade 2", grade3: "Grade 3",
      belowHypertension: "Below hypertension"),
    glucose: .init(
      title: "Glucose by time of day",
      summary: "{0} days, {1} readings; mean *{2}* · GMI *{3}*", variation: "CV *{0}*",
      shares: "Share of time, by the limits of {0}", over: "over {0}", under: "under {0}",
      keyNineOfTen: "nine of ten readings", keyMiddleHalf: "middle half", keyMedian: "median",
      keyRange: "range", daysAndMedian: "Readings on {0} of {1} days, median *{2}*",
      captionOfHours: """
        For each hour of the clock: the readings of {0} days. Dotted: {1} and {2}, the limits of \
        the range.
        """,
      tooFew: """
        Without a sensor worn day and night there is no time in range: single readings do not say \
        how long a level lasted. It needs readings over at least {2} of {3} days; these cover {0} \
        of {1}.
        """),
    cycle: .init(
      title: "Cycles", days: "{0} days", summary: "Median *{0}* days, from {1} to {2}",
      day: "day {0}",
      caption: "A row is a cycle from its first day. Bars are days of flow: higher is heavier.",
      flow: "Flow", light: "light", medium: "medium", heavy: "heavy",
      unspecified: "not specified", length: "Length", began: "Began"),
    medications: .init(
      title: "Medications", taken: "taken", skipped: "skipped", notLogged: "not logged",
      caption: "Full: taken. Outline: skipped. Days that were not logged are empty."),
    mind: .init(
      title: "State of mind", veryUnpleasant: "very unpleasant", unpleasant: "unpleasant",
      slightlyUnpleasant: "slightly unpleasant", neutral: "neutral",
      slightlyPleasant: "slightly pleasant", pleasant: "pleasant",
      veryPleasant: "very pleasant", emotion: "emotion of a moment", mood: "mood of the day",
      entries: "Entries: {0}", caption: "Height: from very unpleasant to very pleasant."),
    workouts: .init(
      hoursByMonth: "Hours by month", wholeMonths: "Whole months, from {0} on.",
      inYear: "*{0}* workout in twelve months|*{0}* workouts in twelve months",
      count: "Workouts: *{0}*", day: "Day", kind: "Kind", times: "times",
      time: "time", distance: "distance", energy: "energy", meanHeartRate: "heart rate, mean",
      other: "other", title: "{0}, {1} at {2}", heart: "heart rate *{0}*, highest *{1}* {2}",
      splits: "Splits, from the route, {0}",
      zones: "Time in zones, {0}", zoneFrom: "{0} and more",
      zoneUnder: "under {0}",
      routeCaption: """
        Routes are in this page because it was made with {0}. The first and last {1} are left out. \
        Hollow: start; full: end; the line below is {2}, north is up.
        """,
      lastWithRoute: "This is the last workout with a route.",
      lastWithHeartRate: "This is the last workout with heart rates.",
      outsideZones: "Times without a heart rate are in no zone.",
      routes: "All routes {0}",
      routeCount: "Routes: *{0}*",
      routesCaption: "The line is {0}; north is up. The ends are left out.",
      placesShown: "The {0} places with most routes, of {1}.",
      last: "Latest workouts: {0}"),
    activities: .english,
    relations: .init(
      first: "On days with…", second: "you tend to have", when: "when",
      strength: "rank correlation, 95%", days: "days", chance: "q", sameDay: "the same day",
      nextDay: "the next day", laterDays: "{0} days later",
      held: "Pairs that hold: *{0}* of {1} tried",
      none: "None of {0} held. That is an answer, too.",
      notCause: "Going together is not cause.",
      caption: """
        A dot is the rank correlation, its line the 95% interval; q is the expected share of \
        chance finds among those at least as strong.
        """,
      shared: "Pairs that measure one thing, such as steps and distance, are not tried.",
      choice: """
        Of pairs between the same things, such as steps or distance with sleep, only the surest \
        stands here, and {0} in all at most.
        """,
      night: "A night belongs to the day on which it ends.",
      table: "All that hold as a table"),
    sources: .init(
      who: "Who measured", source: "Source", kind: "Kind", measures: "Measures",
      samples: "Samples", fromTo: "From – to", watch: "watch", wearable: "wearable", phone: "phone",
      other: "other",
      byHand: "by hand", counted: "{0}: what was counted",
      countedSummary: "Days: {0} · *{1}* counted, *{2}* masked",
      masked: "measured at the same time by a source that ranks lower: not added",
      press: "Press a day, or Enter on the chart, for *why {0} has {1}*.",
      gaps: "Gaps {0}",
      daysWithout: "{0} of {1} days without data", longestGap: "the longest: {0} days",
      noGaps: "No gaps.",
      noneJudged: "Too little was measured to speak of gaps.", zones: "Time zones and imports",
      daysOf: "Days in",
      zoneFrom: "{0} from {1}", imports: "Imports", imported: "{0}: {1} samples",
      ranks: """
        Where two measured at the same time, one counts: what was entered by hand, then watch, \
        then phone, then others.
        """,
      preferred: "Where two measured at the same time, one counts, in the order that you set.",
      ranking: "Whose measurement counts",
      more: "and {0} more",
      table: "All sources as a table",
      gapsRule: """
        Measures with data on at least a quarter of the days, {2} days or more after their \
        first: {0} of {1}; the others are not judged. The longest gap comes first.
        """,
      recorded: "Time zones that samples name"),
    why: .init(
      title: "Why {0} on {1}?",
      severalSources: """
        More than one source counted. Where two measured at the same time, the one that ranks \
        higher counts, so that nothing is counted twice.
        """,
      oneSource: "One source measured, and all of it counted.",
      oneSourceOfSeveral: """
        One source counted. What others measured at the same time is not added, so that nothing is \
        counted twice.
        """,
      nothing: "Nothing was measured on this day.", counted: "{0} counted",
      masked: "{0}: measured at the same time as a higher rank, not added", together: "Together",
      rawSum: "The raw sum would be", command: "The command that answers the same",
      close: "Close"),
    print: .english,
    visit: .english,
    phrases: .english,
    patterns: .english,
    dates: .english)
}
