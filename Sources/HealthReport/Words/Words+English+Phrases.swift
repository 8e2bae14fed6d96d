extension Words.Phrases {
  static let english = Words.Phrases(
    fewer: "fewer {0}", moreCounted: "more {0}", less: "less {0}", moreMass: "more {0}",
    lower: .init("a lower {0}", plural: "lower {0}"),
    higher: .init("a higher {0}", plural: "higher {0}"),
    shorter: .init("a shorter {0}", plural: "shorter {0}"),
    longer: .init("a longer {0}", plural: "longer {0}"),
    smaller: .init("a smaller {0}", plural: "smaller {0}"),
    larger: .init("a greater {0}", plural: "greater {0}"),
    item: "{0} ({1})", comma: ", ",
    and: " and ", andBeforeI: " and ", thanUsual: "{0} than usual for you",
    rest: "{0} of {1} measures in their usual range",
    asInMostWeeks: "{0}, as in most weeks",
    fewerThanInMostWeeks: "{0}, fewer than in most weeks", outsideAndRest: "{0}; {1}.",
    outsideAlone: "{0}.",
    usualWeek: "A usual week: {0} of {0} measures in their usual range.",
    usualWeekOfOne: "A usual week for you: {0}.", named: "{0} {1}", aDay: "a day",
    aNight: "a night", yearAgainst: "Compared with {0} to the same day, {1}.",
    yearLower: "{0} is *{1} lower*", yearHigher: "{0} is *{1} higher*",
    yearFewer: "there are *{1} fewer* {0} {2}", yearMoreCounted: "there are *{1} more* {0} {2}",
    yearLess: "there is *{1} less* {0} {2}", yearMoreMass: "there is *{1} more* {0} {2}",
    weeksSoFar: """
      {0} week of data so far: from {1} weeks on it can be said what is usual.|{0} weeks of data \
      so far: from {1} weeks on it can be said what is usual.
      """,
    lastData: "The last data are from {0}.", space: " ")
}

extension Words.Patterns {
  static let english = Words.Patterns(
    numberAndUnit: "{0}\u{A0}{1}", percent: "{0}%",
    hoursAndMinutes: "{0}\u{A0}h\u{A0}{1}", minutes: "{0}\u{A0}min",
    numberRange: "{0}\u{A0}– {1}", perDay: "{0} a day", perNight: "{0} a night",
    perYear: "{0} a year", countInSentence: "{0}", daysOfDays: "{0} of {1} days",
    labelled: "{0}: {1}", dayTime: "{0}, {1}")
}

extension Words.Dates {
  static let english = Words.Dates(
    first: "1", weekdayDay: "{3} {0} {1}", weekdayDayYear: "{3}, {0} {1} {2}", dayMonth: "{0} {1}",
    dayMonthYear: "{0} {1} {2}", dayLongMonth: "{0} {4}", monthYear: "{4} {2}", year: "{2}",
    range: "{0} – {1}", beforeNoon: "{0} am", afterNoon: "{0} pm",
    months:
      "January|February|March|April|May|June|July|August|September|October|November|December",
    shortMonths: "Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sept|Oct|Nov|Dec",
    monthsInDates: "Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sept|Oct|Nov|Dec",
    longMonthsInDates:
      "January|February|March|April|May|June|July|August|September|October|November|December",
    weekdays: "Monday|Tuesday|Wednesday|Thursday|Friday|Saturday|Sunday",
    shortWeekdays: "Mon|Tue|Wed|Thu|Fri|Sat|Sun",
    weekdaysInDates: "Mon|Tue|Wed|Thu|Fri|Sat|Sun", narrowWeekdays: "M|T|W|T|F|S|S")
}

extension Words.Activities {
  static let english = Words.Activities(
    walking: "Walking", running: "Running", cycling: "Cycling", swimming: "Swimming",
    hiking: "Hiking", yoga: "Yoga", functionalStrengthTraining: "Functional strength training",
    traditionalStrengthTraining: "Traditional strength training",
    highIntensityIntervalTraining: "High-intensity interval training",
    coreTraining: "Core training", elliptical: "Elliptical", rowing: "Rowing",
    stairClimbing: "Stair climbing", stairs: "Stairs", pilates: "Pilates", dance: "Dance",
    cooldown: "Cooldown", soccer: "Soccer", tennis: "Tennis", tableTennis: "Table tennis",
    badminton: "Badminton", basketball: "Basketball", volleyball: "Volleyball", golf: "Golf",
    climbing: "Climbing", boxing: "Boxing", martialArts: "Martial arts",
    downhillSkiing: "Downhill skiing", crossCountrySkiing: "Cross-country skiing",
    snowboarding: "Snowboarding", skatingSports: "Skating", paddleSports: "Paddling",
    surfingSports: "Surfing", equestrianSports: "Riding", mindAndBody: "Mind and body",
    mixedCardio: "Mixed cardio", flexibility: "Flexibility", crossTraining: "Cross training",
    jumpRope: "Jump rope", swimBikeRun: "Swim bike run", other: "Other",
    americanFootball: "American football", archery: "Archery",
    australianFootball: "Australian football", baseball: "Baseball", bowling: "Bowling",
    cricket: "Cricket", curling: "Curling",
    danceInspiredTraining: "Dance-inspired training", fencing: "Fencing",
    fishing: "Fishing", gymnastics: "Gymnastics", handball: "Handball", hockey: "Hockey",
    hunting: "Hunting", lacrosse: "Lacrosse",
    mixedMetabolicCardioTraining: "Mixed metabolic cardio training", play: "Play",
    preparationAndRecovery: "Preparation and recovery", racquetball: "Racquetball",
    rugby: "Rugby", sailing: "Sailing", snowSports: "Snow sports", softball: "Softball",
    squash: "Squash", trackAndField: "Track and field", waterFitness: "Water fitness",
    waterPolo: "Water polo", waterSports: "Water sports", wrestling: "Wrestling",
    barre: "Barre", kickboxing: "Kickboxing", stepTraining: "Step training",
    wheelchairWalkPace: "Wheelchair at walking pace",
    wheelchairRunPace: "Wheelchair at running pace", taiChi: "Tai chi",
    handCycling: "Hand cycling", discSports: "Disc sports", fitnessGaming: "Fitness gaming",
    cardioDance: "Cardio dance", socialDance: "Social dance", pickleball: "Pickleball",
    transition: "Transition", underwaterDiving: "Underwater diving")
}

extension Words.Print {
  static let english = Words.Print(
    name: "Name", born: "Born", summary: "Summary of {0} · measured at home · made on {1}",
    table: "The last 28 days and the year", measure: "Measure", median: "Median, 28 days",
    range: "5–95%", days: "Days", yearAgo: "A year ago", trend: "Trend of the year",
    trendInterval: "(95%)", weeks: "52 weeks",
    caption: """
      Medians of days. Fewer than ten days: least – greatest. Trend: straight line through \
      weekly values, scaled to a year. 52 weeks: each line has its own scale.
      """,
    courses: "Courses", asleep: "When asleep, {0} night|When asleep, {0} nights",
    medians: "{0} – {1} (medians)",
    heartRate: "Heart rate by day, {0} days",
    heartRateKey: "line: least to greatest; bar: middle half of the time; dot: mean",
    howMade: "How this was made", measuredBy: "Measured by {0}.",
    source: "{0} ({1}, samples: {2})",
    oneCounts: """
      Where devices measured at the same time, one counts: what was entered by hand, then watch, \
      then phone, then others.
      """,
    method: """
      Days are those of the time zone {0}. Days without data are left out of every mean. “Unusual” \
      means unusual for this person, by the rules above; nothing here is a diagnosis.
      """,
    sameNumbers: "The same numbers: {0}")
}
