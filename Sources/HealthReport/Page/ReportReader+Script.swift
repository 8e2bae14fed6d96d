import HealthQuery
import HealthSamples

extension ReportReader {
  /// What the script needs besides numbers: the language, the zone, and its words by their keys.
  var payloadHead: [(String, JSONText)] {
    [
      ("language", .text(plan.language.base.rawValue)),
      ("dateLocale", .text(plan.language.dateLocale)),
      ("dir", .text(plan.language.direction)), ("zone", .text(zones.identifier)),
      ("made", .text(period.last.text)),
      // The script counts from 1 for Sunday.
      ("firstWeekday", .number((plan.language.firstWeekday + 1) % 7 + 1)),
      ("twelveHours", .flag(plan.language.has12HourClock)), ("words", .words(scriptWords)),
    ]
  }

  private var scriptWords: [(String, String)] {
    let (explorer, figure, table, why) = (words.explorer, words.figure, words.table, words.why)
    let families = Measure.Family.allCases.map {
      ("family.\($0.rawValue)", words.families.name($0))
    }
    // The names and orders of dates, which both write.
    let dates = WordTable.group("dates", in: plan.language.base).texts
      .map { ("date.\($0.key)", $0.value) }.sorted { $0.0 < $1.0 }
    let hour = UnitNames.name(of: Measure.of(""), in: "hr", writer.language.base).other
    return families + dates + [
      ("family.source", words.sections.sources.head),
      ("minutes", words.patterns.minutes), ("hours", words.patterns.hoursAndMinutes),
      ("unit", words.patterns.numberAndUnit), ("percent", words.patterns.percent),
      ("noData", figure.noData), ("partial", figure.partial), ("readFigure", figure.label),
      ("readCalendar", figure.calendarLabel), ("range", words.dates.range),
      ("wholeHours", writer.withUnit("{0}", hour)), ("dayTime", words.patterns.dayTime),
      ("comma", words.phrases.comma),
      ("calendar", words.year.calendar),
      ("under", words.year.under), ("from", words.year.from),
      ("measure", explorer.measure), ("interval", explorer.interval), ("hour", explorer.hour),
      ("day", explorer.day), ("week", explorer.week), ("month", explorer.month),
      ("year", explorer.year), ("earlier", explorer.earlier), ("later", explorer.later),
      ("by.hour", explorer.byHour), ("by.day", explorer.byDay), ("by.week", explorer.byWeek),
      ("by.month", explorer.byMonth), ("by.year", explorer.byYear),
      ("weekFrom", explorer.weekFrom),
      ("meanOfDay", explorer.meanOfDay), ("halfDays", explorer.middleHalfOfDays),
      ("leastDay", explorer.leastToGreatestDay), ("mean", explorer.mean),
      ("half", explorer.middleHalf), ("least", explorer.leastToGreatest),
      ("medianYear", TextPattern.filled(explorer.medianOfYear, ofLastYear)),
      ("showMore", table.showMore),
      ("nightTo", words.sleep.night), ("why", why.title), ("whyMany", why.severalSources),
      ("whyOne", why.oneSource), ("whyMasked", why.oneSourceOfSeveral), ("counted", why.counted),
      ("masked", why.masked), ("together", why.together), ("raw", why.rawSum),
      ("close", why.close), ("old", words.page.needsNewerBrowser),
    ]
  }
}
