import ArgumentParser
import Foundation
import HealthAnswers
import HealthExchange
import HealthQuery
import HealthSamples
import HealthStore

/// `hkstats workouts`: workouts with their statistics, routes and heart rate zones.
struct WorkoutsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "workouts",
    abstract: "Workouts: distance, energy, heart rate and routes.",
    discussion: """
      Distance, energy and heart rates are those that the export wrote for a workout; heart rates \
      that it lacks are those of the samples in that time. Duration leaves out pauses.

      --zones takes the bounds between heart rate zones in beats a minute, and says how long the \
      samples of each workout were in each zone: a rate counts until the next one, for a minute at \
      most. Zones that the export itself has are in json and ndjson.

      --by totals the workouts of each interval, in which they start. Pace and speed are those of \
      all workouts with a distance together. A best time is the least over any stretch of that \
      length within one route, also between its locations. --splits follows the routes; climbs \
      are changes of altitude of 3 m and more. --places says where routes lie, to a hundredth of a \
      degree.

      EXAMPLES:
        hkstats workouts --from -30d
        hkstats workouts --limit 1
        hkstats workouts --by month --activity running --stat count,distance,pace,best5k
        hkstats workouts --by week --stat distance --format chart
        hkstats workouts --by month --kinds 4
        hkstats workouts --sort distance --limit 10
        hkstats workouts --activity running --sort best5k --limit 3
        hkstats workouts --where "distance>10 km" --where "duration<1 hr"
        hkstats workouts --activity running --from -7d --splits
        hkstats workouts --activity running --format csv
        hkstats workouts --zones 120,140,155,170
        hkstats workouts --from 2024-03-09 --to 2024-03-10 --format json
      """)

  @OptionGroup var period: PeriodOptions

  @Option(
    help: ArgumentHelp("Only workouts of this kind: running, cycling, …", valueName: "activity"),
    completion: .activities, transform: ActivityTitle.swiftName)
  var activity: String?

  @Option(
    help: ArgumentHelp(
      "Bounds between heart rate zones, ascending, such as 120,140,155,170.", valueName: "rates"),
    transform: Self.bounds)
  var zones: [Double] = []

  @OptionGroup var questions: WorkoutQuestions
  @OptionGroup var unit: ActivityUnitsOption

  @OptionGroup var query: QueryOptions
  @OptionGroup var form: FormatOptions<ChartFormat>

  private static func bounds(_ text: String) throws -> [Double] {
    let bounds = text.split(separator: ",", omittingEmptySubsequences: false).map {
      Double($0.trimmingCharacters(in: .whitespaces))
    }
    let known = bounds.compactMap(\.self)
    guard known.count == bounds.count, HeartRateZones.areBounds(known) else {
      throw ValidationError("give ascending beats a minute, such as 120,140,155,170")
    }
    return known
  }

  func validate() throws {
    if !zones.isEmpty, questions.by != nil || questions.splits != nil || questions.places {
      throw ValidationError(
        "--zones is for the list of workouts: leave --by, --splits and --places out.")
    }
  }

  func run() throws {
    if questions.by != nil { return try showTotals() }
    if questions.splits != nil { return try showSplits() }
    if questions.places { return try showPlaces() }
    try query.ask { opened in
      let store = opened.store
      let zone = try period.zone.zones(in: store)
      let units = try store.activityUnits(named: unit.unit)
      let chosen = try chosen(in: store, zones: zone, units)
      var view = try Self.view(
        of: chosen.map(\.workout), in: store, units, zones: zone, bounds: zones,
        keepsRoutes: form.format == .json || form.format == .ndjson)
      view.order = questions.sort?.statistic.map { WorkoutView.Order($0, of: chosen) }
      return view
    } show: { (view: WorkoutView) in
      let width = Terminal.columns(STDOUT_FILENO)
      try form.write(view.answerView.asking(period)) {
        view.chart(width: width, style: $0)
      }
    }
  }
}

extension WorkoutsCommand {
  /// The workouts of a period, of one activity if it is given.
  ///
  /// Locations of routes take memory; a brief view has nothing but the whole of each workout, and
  /// `check` may refuse their number.
  static func view(
    of activity: String?, in period: StoredPeriod, of store: SampleStore, bounds: [Double] = [],
    keepsRoutes: Bool, isBrief: Bool = false, check: (Int) throws -> Void = { _ in }
  ) throws -> WorkoutView {
    var plan = WorkoutPlan(ElementPeriod(timeZone: period.zones))
    plan.activity = try activity.map { try store.activity(named: $0) }
    let workouts = try store.workouts(in: period.range).rows.filter(plan.isAsked)
    try check(workouts.count)
    var view = try view(
      of: workouts, in: store, try store.activityUnits(), zones: period.zones, bounds: bounds,
      keepsRoutes: keepsRoutes)
    view.isBrief = isBrief
    return view
  }

  /// The view of some workouts, with what their routes and heart rates say.
  private static func view(
    of workouts: [Workouts.Row], in store: SampleStore, _ units: ActivityUnits,
    zones: ZoneTimeline, bounds: [Double], keepsRoutes: Bool
  ) throws -> WorkoutView {
    let rows = try WorkoutSummary.all(
      of: workouts, in: store, bounds: bounds, keepsRoutes: keepsRoutes)
    let end = try DataEnd(of: .elements(.workout, type: nil), in: store, zones: zones)
    return WorkoutView(rows: rows, units: units, bounds: bounds, zones: zones, dataEnd: end)
  }
}
