import ArgumentParser
import Foundation
import HealthExchange
import HealthQuery
import HealthSamples
import HealthStore

/// `hkstats workouts`: workouts with their statistics, routes and heart rate zones.
struct WorkoutsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "workouts",
    abstract: "Workouts with distance, energy, heart rate, routes and time in zones.",
    discussion: """
      Distance, energy and heart rates are those that the export wrote for a workout; heart rates \
      that it lacks are those of the samples in that time. Duration leaves out pauses.

      --zones takes the bounds between heart rate zones in beats a minute, and says how long the \
      samples of each workout were in each zone: a rate counts until the next one, for a minute at \
      most. Zones that the export itself has are in json and ndjson.

      EXAMPLES:
        hkstats workouts --from -30d
        hkstats workouts --activity running --format csv
        hkstats workouts --zones 120,140,155,170
        hkstats workouts --from 2024-03-09 --to 2024-03-10 --format json
      """)

  @OptionGroup var period: PeriodOptions

  @Option(
    help: ArgumentHelp("Only workouts of this kind: running, cycling, …", valueName: "name"),
    completion: .activities)
  var activity: String?

  @Option(
    help: ArgumentHelp(
      "Bounds between heart rate zones, ascending, such as 120,140,155,170.", valueName: "rates"),
    transform: Self.bounds)
  var zones: [Double] = []

  @OptionGroup var query: QueryOptions
  @OptionGroup var form: ReportOptions<ListFormat>

  private static func bounds(_ text: String) throws -> [Double] {
    let bounds = text.split(separator: ",", omittingEmptySubsequences: false).map {
      Double($0.trimmingCharacters(in: .whitespaces))
    }
    let known = bounds.compactMap(\.self).filter { $0 > 0 && $0 < 1000 }
    guard known.count == bounds.count, zip(known, known.dropFirst()).allSatisfy({ $0 < $1 }) else {
      throw ValidationError("give ascending beats a minute, such as 120,140,155,170")
    }
    return known
  }

  func run() throws {
    try query.ask { opened in
      let store = opened.store
      let zone = try period.zone.zones(in: store)
      return try Self.report(
        of: activity, in: try period.period(in: zone), of: store, bounds: zones,
        keepsRoutes: form.format == .json || form.format == .ndjson
      ).report
    } show: { (report: Report) in
      try form.write(report)
    }
  }
}

extension WorkoutsCommand {
  /// The workouts of a period, of one activity if it is given.
  ///
  /// Locations of routes take memory; a brief report has nothing but the whole of each workout, and
  /// `check` may refuse their number.
  static func report(
    of activity: String?, in period: StoredPeriod, of store: SampleStore, bounds: [Double] = [],
    keepsRoutes: Bool, isBrief: Bool = false, check: (Int) throws -> Void = { _ in }
  ) throws -> WorkoutReport {
    let kind = try activity.map { try Self.kind($0, in: store) }
    let workouts = try store.workouts(in: period.range).rows
      .filter { kind == nil || ActivityName.short($0.activity).lowercased() == kind }
    try check(workouts.count)
    let rows = try workouts.map { workout in
      let time = workout.facts.start..<max(workout.facts.start, workout.facts.end).nextUp
      return WorkoutSummary(
        isBrief ? workout.brief : workout,
        routes: try store.routes(in: time).rows.filter { $0.belongs(to: workout) },
        keepsRoutes: keepsRoutes,
        heartRates: try store.samples(of: SampleType(.heartRate), in: time), zones: bounds)
    }
    let end = try DataEnd(
      of: .elements(.workout, type: nil), in: store, zones: period.zones)
    return WorkoutReport(rows: rows, bounds: bounds, zones: period.zones, dataEnd: end)
  }

  /// The activity of a name, in lower case; throws with similar names if there is none.
  private static func kind(_ name: String, in store: SampleStore) throws -> String {
    let kind = name.lowercased().filter(\.isLetter)
    let known = Catalogue.workoutActivities.map(\.swiftName)
    guard !known.contains(where: { $0.lowercased() == kind }) else { return kind }
    let stored = try store.workouts().rows.map { ActivityName.short($0.activity) }
    guard !stored.contains(where: { $0.lowercased() == kind }) else { return kind }
    let here = Set(stored).sorted()
    let near = NearNames.of(name, among: here + known)
    let advice = DidYouMean.advice(
      near, else: here.isEmpty ? "" : "Workouts here are: \(here.joined(separator: ", ")).")
    throw Failure(
      "There is no activity \"\(name.printable)\". \(advice)", .usage)
  }
}

extension Workouts.Row {
  /// The workout as a whole: without its parts, the samples in it, and what others wrote into it.
  fileprivate var brief: Self {
    var brief = self
    (brief.events, brief.activities, brief.records) = ([], [], [])
    brief.facts.metadata = Metadata()
    return brief
  }
}

extension Routes.Row {
  /// Whether the route belongs to a workout.
  fileprivate func belongs(to workout: Workouts.Row) -> Bool {
    workoutStart == workout.facts.start && workoutEnd == workout.facts.end
      && activity == workout.activity
  }
}
