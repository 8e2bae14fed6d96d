// Tools/words writes this file, from Sources/CPage/words.tsv, which says what each text is about.

/// Every text of the page in one language, by group.
///
/// A text that the table lacks does not compile. Places are those of ``TextPattern``.
final class Words: Sendable {
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
  let activities: [String: String]
  let relations: Relations
  let sources: Sources
  let why: Why
  let print: Print
  let visit: Visit
  let phrases: Phrases
  let patterns: Patterns
  let dates: Dates

  init(_ language: ReportLanguage.Base) {
    page = Page(WordTable.group("page", in: language).text)
    sections = Sections(WordTable.group("sections", in: language).text)
    families = Families(WordTable.group("families", in: language).text)
    states = States(WordTable.group("states", in: language).text)
    overview = Overview(WordTable.group("overview", in: language).text)
    glance = Glance(WordTable.group("glance", in: language).text)
    year = Year(WordTable.group("year", in: language).text)
    explorer = Explorer(WordTable.group("explorer", in: language).text)
    figure = Figure(WordTable.group("figure", in: language).text)
    table = Table(WordTable.group("table", in: language).text)
    sleep = Sleep(WordTable.group("sleep", in: language).text)
    heart = Heart(WordTable.group("heart", in: language).text)
    pressure = Pressure(WordTable.group("pressure", in: language).text)
    glucose = Glucose(WordTable.group("glucose", in: language).text)
    cycle = Cycle(WordTable.group("cycle", in: language).text)
    medications = Medications(WordTable.group("medications", in: language).text)
    mind = Mind(WordTable.group("mind", in: language).text)
    workouts = Workouts(WordTable.group("workouts", in: language).text)
    activities = WordTable.group("activities", in: language).texts
    relations = Relations(WordTable.group("relations", in: language).text)
    sources = Sources(WordTable.group("sources", in: language).text)
    why = Why(WordTable.group("why", in: language).text)
    print = Print(WordTable.group("print", in: language).text)
    visit = Visit(WordTable.group("visit", in: language).text)
    phrases = Phrases(WordTable.group("phrases", in: language).text)
    patterns = Patterns(WordTable.group("patterns", in: language).text)
    dates = Dates(WordTable.group("dates", in: language).text)
  }
}

extension Words {
  /// Title, head and foot.
  struct Page: Sendable {
    let skip, navigation, title, titleWithoutName, measures, zone, zonesWithChanges: String
    let lastDayOpen, ofYear, ofDays, separator, made, clearText, noConnection, noDiagnosis: String
    let needsNewerBrowser, needsScript: String

    init(_ text: (String) -> String) {
      (skip, navigation, title) = (text("skip"), text("navigation"), text("title"))
      (titleWithoutName, measures) = (text("titleWithoutName"), text("measures"))
      (zone, zonesWithChanges) = (text("zone"), text("zonesWithChanges"))
      (lastDayOpen, ofYear, ofDays) = (text("lastDayOpen"), text("ofYear"), text("ofDays"))
      (separator, made, clearText) = (text("separator"), text("made"), text("clearText"))
      (noConnection, noDiagnosis) = (text("noConnection"), text("noDiagnosis"))
      (needsNewerBrowser, needsScript) = (text("needsNewerBrowser"), text("needsScript"))
    }
  }

  /// The sections, by their identifiers.
  struct Sections: Sendable {
    let overview, glance, year, days, sleep, heart, body, diary, workouts, relations: Section
    let sources: Section

    init(_ text: (String) -> String) {
      (overview, glance) = (Section("overview", text), Section("glance", text))
      (year, days, sleep) = (Section("year", text), Section("days", text), Section("sleep", text))
      (heart, body, diary) = (Section("heart", text), Section("body", text), Section("diary", text))
      (workouts, relations) = (Section("workouts", text), Section("relations", text))
      sources = Section("sources", text)
    }
  }

  /// The families of measures.
  struct Families: Sendable {
    let activity, heart, sleep, body, food, walk: String

    init(_ text: (String) -> String) {
      (activity, heart, sleep) = (text("activity"), text("heart"), text("sleep"))
      (body, food, walk) = (text("body"), text("food"), text("walk"))
    }
  }

  /// What is said where there is little or nothing.
  struct States: Sendable {
    let nothing, asked, askedFrom, askedTo, nothingChosen, chosen, whatToDo, noData, partial: String
    let soFar: String

    init(_ text: (String) -> String) {
      (nothing, asked, askedFrom) = (text("nothing"), text("asked"), text("askedFrom"))
      (askedTo, nothingChosen, chosen) = (text("askedTo"), text("nothingChosen"), text("chosen"))
      (whatToDo, noData, partial) = (text("whatToDo"), text("noData"), text("partial"))
      soFar = text("soFar")
    }
  }

  /// The first cards, and what is compared there.
  struct Overview: Sendable {
    let usual, above, below, weekOnWeek, yearOnYear, change, rings, closed, closedUnit: String
    let closedBefore, move, exercise, stand, ringGoal, goal, captionMeans, captionBand: String
    let captionWeek, captionYear, captionUsual, captionGap, captionPartial, captionOpenDay: String
    let captionCutDay, captionFirstDay: String

    init(_ text: (String) -> String) {
      (usual, above, below) = (text("usual"), text("above"), text("below"))
      (weekOnWeek, yearOnYear, change) = (text("weekOnWeek"), text("yearOnYear"), text("change"))
      (rings, closed, closedUnit) = (text("rings"), text("closed"), text("closedUnit"))
      (closedBefore, move, exercise) = (text("closedBefore"), text("move"), text("exercise"))
      (stand, ringGoal, goal) = (text("stand"), text("ringGoal"), text("goal"))
      (captionMeans, captionBand) = (text("captionMeans"), text("captionBand"))
      (captionWeek, captionYear) = (text("captionWeek"), text("captionYear"))
      (captionUsual, captionGap) = (text("captionUsual"), text("captionGap"))
      (captionPartial, captionOpenDay) = (text("captionPartial"), text("captionOpenDay"))
      (captionCutDay, captionFirstDay) = (text("captionCutDay"), text("captionFirstDay"))
    }
  }

  /// The table of all measures.
  struct Glance: Sendable {
    let measure, lastSevenDays, inYourYear, typicalWeek, weeks, years, shortYears, change: String
    let keyTypical, keyNow, keyUnusual, strip, sparkline: String

    init(_ text: (String) -> String) {
      (measure, lastSevenDays) = (text("measure"), text("lastSevenDays"))
      (inYourYear, typicalWeek, weeks) = (text("inYourYear"), text("typicalWeek"), text("weeks"))
      (years, shortYears, change) = (text("years"), text("shortYears"), text("change"))
      (keyTypical, keyNow, keyUnusual) = (text("keyTypical"), text("keyNow"), text("keyUnusual"))
      (strip, sparkline) = (text("strip"), text("sparkline"))
    }
  }

  /// The calendar, and the rings of four weeks.
  struct Year: Sendable {
    let calendar, most, under, from, weeksBegin, earlierYear, laterYear, rings, closed: String
    let keyMove, keyExercise, keyStand, keyFull, months: String

    init(_ text: (String) -> String) {
      (calendar, most, under, from) = (text("calendar"), text("most"), text("under"), text("from"))
      (weeksBegin, earlierYear) = (text("weeksBegin"), text("earlierYear"))
      (laterYear, rings, closed) = (text("laterYear"), text("rings"), text("closed"))
      (keyMove, keyExercise, keyStand) = (text("keyMove"), text("keyExercise"), text("keyStand"))
      (keyFull, months) = (text("keyFull"), text("months"))
    }
  }

  /// Any measure by hour, day, week, month and year; the script has them.
  struct Explorer: Sendable {
    let measure, interval, hour, day, week, month, year, earlier, later, byHour, byDay: String
    let byWeek, byMonth, byYear, weekFrom, meanOfDay, meanOfNight, middleHalfOfDays: String
    let leastToGreatestDay, mean, middleHalf, leastToGreatest, medianOfYear, olderWeeks: String

    init(_ text: (String) -> String) {
      (measure, interval, hour) = (text("measure"), text("interval"), text("hour"))
      (day, week, month, year) = (text("day"), text("week"), text("month"), text("year"))
      (earlier, later, byHour) = (text("earlier"), text("later"), text("byHour"))
      (byDay, byWeek, byMonth) = (text("byDay"), text("byWeek"), text("byMonth"))
      (byYear, weekFrom, meanOfDay) = (text("byYear"), text("weekFrom"), text("meanOfDay"))
      (meanOfNight, middleHalfOfDays) = (text("meanOfNight"), text("middleHalfOfDays"))
      (leastToGreatestDay, mean) = (text("leastToGreatestDay"), text("mean"))
      (middleHalf, leastToGreatest) = (text("middleHalf"), text("leastToGreatest"))
      (medianOfYear, olderWeeks) = (text("medianOfYear"), text("olderWeeks"))
    }
  }

  /// What is read from figures, by eye and by ear; the script has them.
  struct Figure: Sendable {
    let label, calendarLabel, whyHint, lastDays, lastNights, lastWeeks, description, from: String
    let mean, median, middleHalf, hours, zone, device, noData, partial, soFar, part: String

    init(_ text: (String) -> String) {
      (label, calendarLabel, whyHint) = (text("label"), text("calendarLabel"), text("whyHint"))
      (lastDays, lastNights, lastWeeks) = (text("lastDays"), text("lastNights"), text("lastWeeks"))
      (description, from, mean) = (text("description"), text("from"), text("mean"))
      (median, middleHalf, hours) = (text("median"), text("middleHalf"), text("hours"))
      (zone, device, noData) = (text("zone"), text("device"), text("noData"))
      (partial, soFar, part) = (text("partial"), text("soFar"), text("part"))
    }
  }

  /// Tables under figures; the script has them.
  struct Table: Sendable {
    let days, weeks, months, nights, numbers, rings, readings, reasons, workouts, showMore: String
    let region, hour, day, week, month, year, night, sum, mean, median, least, greatest: String
    let lowerQuarter, upperQuarter, perDay, leastDay, greatestDay, lowerQuarterOfDays: String
    let upperQuarterOfDays, note: String

    init(_ text: (String) -> String) {
      (days, weeks, months, nights) = (text("days"), text("weeks"), text("months"), text("nights"))
      (numbers, rings, readings) = (text("numbers"), text("rings"), text("readings"))
      (reasons, workouts, showMore) = (text("reasons"), text("workouts"), text("showMore"))
      (region, hour, day, week) = (text("region"), text("hour"), text("day"), text("week"))
      (month, year, night, sum) = (text("month"), text("year"), text("night"), text("sum"))
      (mean, median, least) = (text("mean"), text("median"), text("least"))
      (greatest, lowerQuarter) = (text("greatest"), text("lowerQuarter"))
      (upperQuarter, perDay, leastDay) = (text("upperQuarter"), text("perDay"), text("leastDay"))
      (greatestDay, lowerQuarterOfDays) = (text("greatestDay"), text("lowerQuarterOfDays"))
      (upperQuarterOfDays, note) = (text("upperQuarterOfDays"), text("note"))
    }
  }

  /// Nights.
  struct Sleep: Sendable {
    let when, halfOfNights, captionWhen, stages, means, stage, deep, core, rem, awake: String
    let asleep, inBed, nap, fellAsleep, wokeUp, until, night, fromSamples, howRegular, index: String
    let indexCaption, weekendShift, weekendCaption, sevenHours, countOfNights: String
    let sevenHoursCaption: String

    init(_ text: (String) -> String) {
      (when, halfOfNights, captionWhen) = (text("when"), text("halfOfNights"), text("captionWhen"))
      (stages, means, stage, deep) = (text("stages"), text("means"), text("stage"), text("deep"))
      (core, rem, awake, asleep) = (text("core"), text("rem"), text("awake"), text("asleep"))
      (inBed, nap, fellAsleep) = (text("inBed"), text("nap"), text("fellAsleep"))
      (wokeUp, until, night) = (text("wokeUp"), text("until"), text("night"))
      (fromSamples, howRegular, index) = (text("fromSamples"), text("howRegular"), text("index"))
      (indexCaption, weekendShift) = (text("indexCaption"), text("weekendShift"))
      (weekendCaption, sevenHours) = (text("weekendCaption"), text("sevenHours"))
      (countOfNights, sevenHoursCaption) = (text("countOfNights"), text("sevenHoursCaption"))
    }
  }

  /// Ranges by day, trends, days that stand out.
  struct Heart: Sendable {
    let range, lastSevenDays, leastToGreatest, middleHalfOfTime, mean, trend, noTrend: String
    let noTrendInterval, points, keyWeek, keyTypical, keyTrend, unusual, unusualValue: String
    let higher, lower, noUnusual, unusualCaption: String

    init(_ text: (String) -> String) {
      (range, lastSevenDays) = (text("range"), text("lastSevenDays"))
      (leastToGreatest, middleHalfOfTime) = (text("leastToGreatest"), text("middleHalfOfTime"))
      (mean, trend, noTrend) = (text("mean"), text("trend"), text("noTrend"))
      (noTrendInterval, points) = (text("noTrendInterval"), text("points"))
      (keyWeek, keyTypical, keyTrend) = (text("keyWeek"), text("keyTypical"), text("keyTrend"))
      (unusual, unusualValue, higher) = (text("unusual"), text("unusualValue"), text("higher"))
      (lower, noUnusual) = (text("lower"), text("noUnusual"))
      unusualCaption = text("unusualCaption")
    }
  }

  /// Readings of blood pressure.
  struct Pressure: Sendable {
    let title, systolic, diastolic, lastYear, mornings, evenings, noMornings, noEvenings: String
    let home, noHome, lone, implausible, classes, bothUnder, betweenAndUnder, eitherBetween: String
    let eitherFrom, caption, captionOfDays, morning, evening, otherHours, decides: String
    let noDiagnosis, optimal, normal, highNormal, elevated, nonElevated, stage1, stage2: String
    let hypertension, grade1, grade2, grade3, belowHypertension: String

    init(_ text: (String) -> String) {
      (title, systolic, diastolic) = (text("title"), text("systolic"), text("diastolic"))
      (lastYear, mornings, evenings) = (text("lastYear"), text("mornings"), text("evenings"))
      (noMornings, noEvenings, home) = (text("noMornings"), text("noEvenings"), text("home"))
      (noHome, lone, implausible) = (text("noHome"), text("lone"), text("implausible"))
      (classes, bothUnder) = (text("classes"), text("bothUnder"))
      (betweenAndUnder, eitherBetween) = (text("betweenAndUnder"), text("eitherBetween"))
      (eitherFrom, caption) = (text("eitherFrom"), text("caption"))
      (captionOfDays, morning, evening) = (text("captionOfDays"), text("morning"), text("evening"))
      (otherHours, decides) = (text("otherHours"), text("decides"))
      (noDiagnosis, optimal, normal) = (text("noDiagnosis"), text("optimal"), text("normal"))
      (highNormal, elevated) = (text("highNormal"), text("elevated"))
      (nonElevated, stage1, stage2) = (text("nonElevated"), text("stage1"), text("stage2"))
      (hypertension, grade1, grade2) = (text("hypertension"), text("grade1"), text("grade2"))
      (grade3, belowHypertension) = (text("grade3"), text("belowHypertension"))
    }
  }

  /// Readings of glucose.
  struct Glucose: Sendable {
    let title, summary, variation, shares, over, under, keyNineOfTen, keyMiddleHalf: String
    let keyMedian, keyRange, daysAndMedian, captionOfHours, tooFew: String

    init(_ text: (String) -> String) {
      (title, summary, variation) = (text("title"), text("summary"), text("variation"))
      (shares, over, under) = (text("shares"), text("over"), text("under"))
      (keyNineOfTen, keyMiddleHalf) = (text("keyNineOfTen"), text("keyMiddleHalf"))
      (keyMedian, keyRange) = (text("keyMedian"), text("keyRange"))
      (daysAndMedian, captionOfHours) = (text("daysAndMedian"), text("captionOfHours"))
      tooFew = text("tooFew")
    }
  }

  /// Menstrual cycles.
  struct Cycle: Sendable {
    let title, days, summary, day, caption, flow, light, medium, heavy, unspecified, length: String
    let began: String

    init(_ text: (String) -> String) {
      (title, days, summary, day) = (text("title"), text("days"), text("summary"), text("day"))
      (caption, flow, light) = (text("caption"), text("flow"), text("light"))
      (medium, heavy, unspecified) = (text("medium"), text("heavy"), text("unspecified"))
      (length, began) = (text("length"), text("began"))
    }
  }

  /// Doses.
  struct Medications: Sendable {
    let title, taken, skipped, notLogged, caption: String

    init(_ text: (String) -> String) {
      (title, taken, skipped) = (text("title"), text("taken"), text("skipped"))
      (notLogged, caption) = (text("notLogged"), text("caption"))
    }
  }

  /// States of mind.
  struct Mind: Sendable {
    let title, veryUnpleasant, unpleasant, slightlyUnpleasant, neutral, slightlyPleasant: String
    let pleasant, veryPleasant, emotion, mood, entries, caption: String

    init(_ text: (String) -> String) {
      (title, veryUnpleasant) = (text("title"), text("veryUnpleasant"))
      (unpleasant, slightlyUnpleasant) = (text("unpleasant"), text("slightlyUnpleasant"))
      (neutral, slightlyPleasant) = (text("neutral"), text("slightlyPleasant"))
      (pleasant, veryPleasant, emotion) = (text("pleasant"), text("veryPleasant"), text("emotion"))
      (mood, entries, caption) = (text("mood"), text("entries"), text("caption"))
    }
  }

  /// Workouts.
  struct Workouts: Sendable {
    let hoursByMonth, wholeMonths, inYear, count, day, kind, times, time, distance, energy: String
    let meanHeartRate, other, title, heart, splits, zones, zoneFrom, zoneUnder, routeCaption: String
    let lastWithRoute, lastWithHeartRate, outsideZones, routes, routeCount, routesCaption: String
    let placesShown, last: String

    init(_ text: (String) -> String) {
      (hoursByMonth, wholeMonths) = (text("hoursByMonth"), text("wholeMonths"))
      (inYear, count, day, kind) = (text("inYear"), text("count"), text("day"), text("kind"))
      (times, time, distance) = (text("times"), text("time"), text("distance"))
      (energy, meanHeartRate, other) = (text("energy"), text("meanHeartRate"), text("other"))
      (title, heart, splits, zones) = (text("title"), text("heart"), text("splits"), text("zones"))
      (zoneFrom, zoneUnder) = (text("zoneFrom"), text("zoneUnder"))
      (routeCaption, lastWithRoute) = (text("routeCaption"), text("lastWithRoute"))
      (lastWithHeartRate, outsideZones) = (text("lastWithHeartRate"), text("outsideZones"))
      (routes, routeCount) = (text("routes"), text("routeCount"))
      (routesCaption, placesShown) = (text("routesCaption"), text("placesShown"))
      last = text("last")
    }
  }

  /// What goes with what.
  struct Relations: Sendable {
    let first, second, when, strength, days, chance, sameDay, nextDay, laterDays, held, none: String
    let notCause, caption, shared, choice, night, table: String

    init(_ text: (String) -> String) {
      (first, second, when) = (text("first"), text("second"), text("when"))
      (strength, days, chance) = (text("strength"), text("days"), text("chance"))
      (sameDay, nextDay, laterDays) = (text("sameDay"), text("nextDay"), text("laterDays"))
      (held, none, notCause) = (text("held"), text("none"), text("notCause"))
      (caption, shared, choice) = (text("caption"), text("shared"), text("choice"))
      (night, table) = (text("night"), text("table"))
    }
  }

  /// Who measured, what counted, what is missing.
  struct Sources: Sendable {
    let who, source, kind, measures, samples, fromTo, watch, wearable, phone, other, byHand: String
    let counted, countedSummary, masked, press, gaps, daysWithout, longestGap, noGaps: String
    let noneJudged, zones, daysOf, zoneFrom, imports, imported, ranks, preferred, ranking: String
    let more, table, gapsRule, recorded: String

    init(_ text: (String) -> String) {
      (who, source, kind, measures) = (text("who"), text("source"), text("kind"), text("measures"))
      (samples, fromTo, watch) = (text("samples"), text("fromTo"), text("watch"))
      (wearable, phone, other) = (text("wearable"), text("phone"), text("other"))
      (byHand, counted, countedSummary) = (text("byHand"), text("counted"), text("countedSummary"))
      (masked, press, gaps) = (text("masked"), text("press"), text("gaps"))
      (daysWithout, longestGap, noGaps) = (text("daysWithout"), text("longestGap"), text("noGaps"))
      (noneJudged, zones, daysOf) = (text("noneJudged"), text("zones"), text("daysOf"))
      (zoneFrom, imports, imported) = (text("zoneFrom"), text("imports"), text("imported"))
      (ranks, preferred, ranking) = (text("ranks"), text("preferred"), text("ranking"))
      (more, table, gapsRule) = (text("more"), text("table"), text("gapsRule"))
      recorded = text("recorded")
    }
  }

  /// Why a day has its number; the script has them.
  struct Why: Sendable {
    let title, severalSources, oneSource, oneSourceOfSeveral, nothing, counted, masked: String
    let together, rawSum, command, close: String

    init(_ text: (String) -> String) {
      (title, severalSources) = (text("title"), text("severalSources"))
      (oneSource, oneSourceOfSeveral) = (text("oneSource"), text("oneSourceOfSeveral"))
      (nothing, counted, masked) = (text("nothing"), text("counted"), text("masked"))
      (together, rawSum, command) = (text("together"), text("rawSum"), text("command"))
      close = text("close")
    }
  }

  /// The document for a visit.
  struct Print: Sendable {
    let name, born, summary, table, measure, median, range, days, yearAgo, trend: String
    let trendInterval, weeks, caption, courses, asleep, medians, heartRate, heartRateKey: String
    let howMade, measuredBy, source, oneCounts, method, sameNumbers: String

    init(_ text: (String) -> String) {
      (name, born, summary, table) = (text("name"), text("born"), text("summary"), text("table"))
      (measure, median, range) = (text("measure"), text("median"), text("range"))
      (days, yearAgo, trend) = (text("days"), text("yearAgo"), text("trend"))
      (trendInterval, weeks, caption) = (text("trendInterval"), text("weeks"), text("caption"))
      (courses, asleep, medians) = (text("courses"), text("asleep"), text("medians"))
      (heartRate, heartRateKey) = (text("heartRate"), text("heartRateKey"))
      (howMade, measuredBy, source) = (text("howMade"), text("measuredBy"), text("source"))
      (oneCounts, method, sameNumbers) = (text("oneCounts"), text("method"), text("sameNumbers"))
    }
  }

  /// The two sheets for a visit: what a doctor looks for, in words about the person, not to her.
  struct Visit: Sendable {
    let age, female, male, otherSex, index, bloodType, ofDay, thanUsual, usualWeekOfOne: String
    let higher, lower, electrocardiograms, countSince, sinusRhythm, atrialFibrillation: String
    let lowHeartRate, highHeartRate, poorRecording, inconclusive, notClassified, events: String
    let highHeartRateEvent, lowHeartRateEvent, irregularHeartRhythmEvent, hypertensionEvent: String
    let sleepApneaEvent, lowCardioFitnessEvent, walkingSteadinessEvent, last, labs, test: String
    let result, reference, day, above, below, unreadable, dosesSince, notes: String

    init(_ text: (String) -> String) {
      (age, female, male, otherSex) = (text("age"), text("female"), text("male"), text("otherSex"))
      (index, bloodType, ofDay) = (text("index"), text("bloodType"), text("ofDay"))
      (thanUsual, usualWeekOfOne) = (text("thanUsual"), text("usualWeekOfOne"))
      (higher, lower) = (text("higher"), text("lower"))
      (electrocardiograms, countSince) = (text("electrocardiograms"), text("countSince"))
      (sinusRhythm, atrialFibrillation) = (text("sinusRhythm"), text("atrialFibrillation"))
      (lowHeartRate, highHeartRate) = (text("lowHeartRate"), text("highHeartRate"))
      (poorRecording, inconclusive) = (text("poorRecording"), text("inconclusive"))
      (notClassified, events) = (text("notClassified"), text("events"))
      highHeartRateEvent = text("highHeartRateEvent")
      lowHeartRateEvent = text("lowHeartRateEvent")
      irregularHeartRhythmEvent = text("irregularHeartRhythmEvent")
      (hypertensionEvent, sleepApneaEvent) = (text("hypertensionEvent"), text("sleepApneaEvent"))
      lowCardioFitnessEvent = text("lowCardioFitnessEvent")
      (walkingSteadinessEvent, last) = (text("walkingSteadinessEvent"), text("last"))
      (labs, test, result) = (text("labs"), text("test"), text("result"))
      (reference, day, above) = (text("reference"), text("day"), text("above"))
      (below, unreadable, dosesSince) = (text("below"), text("unreadable"), text("dosesSince"))
      notes = text("notes")
    }
  }

  /// The parts of the sentence at the top, and the comparisons of relations.
  struct Phrases: Sendable {
    let fewer, moreCounted, less, moreMass: String
    let lower, higher, shorter, longer, smaller, larger: Agreement
    let item, comma, and, andBeforeI, thanUsual, rest, asInMostWeeks, fewerThanInMostWeeks: String
    let outsideAndRest, outsideAlone, usualWeek, usualWeekOfOne, named, aDay, aNight: String
    let yearAgainst, yearLower, yearHigher, yearFewer, yearMoreCounted, yearLess: String
    let yearMoreMass, weeksSoFar, lastData, space: String

    init(_ text: (String) -> String) {
      (fewer, moreCounted, less) = (text("fewer"), text("moreCounted"), text("less"))
      (moreMass, lower) = (text("moreMass"), Agreement("lower", text))
      (higher, shorter) = (Agreement("higher", text), Agreement("shorter", text))
      (longer, smaller) = (Agreement("longer", text), Agreement("smaller", text))
      (larger, item, comma) = (Agreement("larger", text), text("item"), text("comma"))
      (and, andBeforeI, thanUsual) = (text("and"), text("andBeforeI"), text("thanUsual"))
      (rest, asInMostWeeks) = (text("rest"), text("asInMostWeeks"))
      fewerThanInMostWeeks = text("fewerThanInMostWeeks")
      (outsideAndRest, outsideAlone) = (text("outsideAndRest"), text("outsideAlone"))
      (usualWeek, usualWeekOfOne) = (text("usualWeek"), text("usualWeekOfOne"))
      (named, aDay, aNight) = (text("named"), text("aDay"), text("aNight"))
      (yearAgainst, yearLower) = (text("yearAgainst"), text("yearLower"))
      (yearHigher, yearFewer) = (text("yearHigher"), text("yearFewer"))
      (yearMoreCounted, yearLess) = (text("yearMoreCounted"), text("yearLess"))
      (yearMoreMass, weeksSoFar) = (text("yearMoreMass"), text("weeksSoFar"))
      (lastData, space) = (text("lastData"), text("space"))
    }
  }

  /// How numbers stand with units, in durations and in ranges; the script has them, too.
  struct Patterns: Sendable {
    let numberAndUnit, percent, hoursAndMinutes, minutes, numberRange, perDay, perNight: String
    let perYear, countInSentence, daysOfDays, labelled, dayTime: String

    init(_ text: (String) -> String) {
      (numberAndUnit, percent) = (text("numberAndUnit"), text("percent"))
      (hoursAndMinutes, minutes) = (text("hoursAndMinutes"), text("minutes"))
      (numberRange, perDay, perNight) = (text("numberRange"), text("perDay"), text("perNight"))
      (perYear, countInSentence) = (text("perYear"), text("countInSentence"))
      (daysOfDays, labelled, dayTime) = (text("daysOfDays"), text("labelled"), text("dayTime"))
    }
  }

  /// Names and orders of dates; the script has them, too.
  ///
  /// Lists are divided by `|`. Orders have the places 0 day, 1 month, 2 year, 3 weekday and 4 long
  /// month.
  struct Dates: Sendable {
    let first, weekdayDay, weekdayDayYear, dayMonth, dayMonthYear, dayLongMonth, monthYear: String
    let year, range, beforeNoon, afterNoon, months, shortMonths, monthsInDates: String
    let longMonthsInDates, weekdays, shortWeekdays, weekdaysInDates, narrowWeekdays: String

    init(_ text: (String) -> String) {
      (first, weekdayDay) = (text("first"), text("weekdayDay"))
      (weekdayDayYear, dayMonth) = (text("weekdayDayYear"), text("dayMonth"))
      (dayMonthYear, dayLongMonth) = (text("dayMonthYear"), text("dayLongMonth"))
      (monthYear, year, range) = (text("monthYear"), text("year"), text("range"))
      (beforeNoon, afterNoon, months) = (text("beforeNoon"), text("afterNoon"), text("months"))
      (shortMonths, monthsInDates) = (text("shortMonths"), text("monthsInDates"))
      (longMonthsInDates, weekdays) = (text("longMonthsInDates"), text("weekdays"))
      (shortWeekdays, weekdaysInDates) = (text("shortWeekdays"), text("weekdaysInDates"))
      narrowWeekdays = text("narrowWeekdays")
    }
  }
}
