import ArgumentParser
import HealthAnswers
import HealthExchange
import HealthQuery

/// `hkstats summary`: the activity rings, day by day.
struct SummaryCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "summary",
    abstract: "The activity rings by day, beside their goals.",
    discussion: """
      These are the summaries that the export holds, day by day as the watch lived them. Of a \
      day that stands in it twice, with other goals, the last is shown; hkstats export has both.

      --streaks gives the runs of days on which every ring with a goal was closed.

      EXAMPLES:
        hkstats summary --from -14d
        hkstats summary --streaks
        hkstats summary --from 2024-03-01 --to 2024-04-01 --format csv
      """)

  @OptionGroup var period: PeriodOptions
  @OptionGroup var unit: ActivityUnitsOption

  @Flag(help: "Runs of days with all rings closed, the longest first.")
  var streaks = false

  @OptionGroup var query: QueryOptions
  @OptionGroup var form: FormatOptions<ListFormat>

  func run() throws {
    try query.withStore { opened in
      let zone = try period.zone.zones(in: opened.store)
      let view = try RingView(
        over: try period.dates(in: zone, of: opened.store), zones: zone, of: opened.store,
        units: try opened.store.activityUnits(named: unit.unit))
      try form.write((streaks ? view.streaks : view.answerView).asking(period))
    }
  }
}
