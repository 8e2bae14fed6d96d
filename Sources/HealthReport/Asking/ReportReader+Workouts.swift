import Foundation
import HealthAnswers
import HealthQuery
import HealthSamples
import HealthStore
import HealthUnits

/// What the page knows of workouts.
struct WorkoutAnswers {
  /// The last workouts of the period, the last one first.
  let list: [WorkoutFacts]
  let listAsk: Ask
  /// How many workouts there are in the period.
  let count: Int
  /// The hours of each month of the last year, by kind; `nil` without workouts there.
  let months: (ask: Ask, answer: WorkoutAnswer, first: CivilDate)?
  /// One workout in full; `nil` unless samples may leave the store.
  let one: OneWorkout?
  /// Where the routes of the last year lie, and their shapes.
  let places: WorkoutPlaces?
  /// The unit of distances.
  let unit: SplitLength
}

/// The places with most routes that may be shown.
struct WorkoutPlaces {
  let ask: Ask
  /// Which place of the answer it is, how many routes it has, and those of them that are drawn.
  let shown: [(index: Int, routeCount: Int, shapes: [RouteShape])]
  /// How many places there are.
  let count: Int
}

/// One workout with what single samples say of it.
struct OneWorkout {
  let facts: WorkoutFacts
  /// The second in which it starts, which the questions ask for.
  let period: (from: String, to: String)
  /// Which of the workouts of that second it is.
  let place: Int
  /// Its routes, as far as they may be shown.
  let shapes: [RouteShape]
  /// The kilometres or miles that are whole.
  let splits: [WorkoutSplit]
  /// The splits of workouts before it in the answer.
  let firstSplit: Int
  /// Time in heart rate zones, the lowest first.
  let zones: [HeartRateZone]
}

/// A heart rate zone of a workout.
struct HeartRateZone {
  /// The bounds in beats a minute; `nil` where it is open.
  let lower: Double?
  let upper: Double?
  /// Seconds in it.
  let seconds: Double
  /// Where the time stands in the answer, within the workout.
  let place: String
}

extension ReportReader {
  /// The bounds between heart rate zones where the export has none.
  private static let zoneBounds = [120.0, 140, 155, 170]
  /// How many workouts a table holds.
  private static let most = 2000
  /// How many of the last workouts may be shown in full.
  private static let recent = 30
  /// How many kinds have a colour of their own.
  static let kindCount = 4
  /// How many places have a map.
  static let mapCount = 3

  /// Reads the workouts of the period; `nil` without any, and where types were asked for.
  func workouts() throws(ReportError) -> WorkoutAnswers? {
    guard plan.types.isEmpty else { return nil }
    let all = try rows(from: period.first)
    guard !all.isEmpty else { return nil }
    let unit = activityUnits.splitLength
    let list = try read { () throws(QueryError) in
      let last = try store.workouts(all, order: .reverse, limit: Self.most)
      // Heart rates are read along the time.
      return Array(
        try store.facts(
          of: last.reversed().map(\.workout),
          statistics: [.duration, .distance, .energy, .heartRate]
        ).reversed())
    }
    let first = firstOfYear
    let places = plan.includesSamples ? try routePlaces(from: first) : nil
    return WorkoutAnswers(
      list: list,
      listAsk: Ask(
        ["workouts"],
        [
          "from": period.first.text, "to": period.end.text, "sort": "start",
          "limit": "\(Self.most)", "unit": activityUnits.text,
        ]),
      count: all.count, months: try months(from: first),
      one: plan.includesSamples ? try oneWorkout(of: list, unit) : nil, places: places, unit: unit)
  }

  /// The first day of twelve months, of which the last one is that of the last day.
  private var firstOfYear: CivilDate {
    let month = period.last.adding(months: -11)
    let first = CivilDate(year: month.year, month: month.month, day: 1)
    return first < period.first ? period.first : first
  }

  /// The workouts from a day to the end of the period, as the command lists them.
  private func rows(from first: CivilDate) throws(ReportError) -> [Workouts.Row] {
    try read { () throws(QueryError) in
      let (start, end) = (try date(first.text).instant, try date(period.end.text).instant)
      guard start < end else { return [] }
      return try store.stored { () throws(StoreError) in
        try store.workouts(in: start..<end)
      }.rows
    }
  }

  private func date(_ text: String) throws(QueryError) -> QueryDate {
    try QueryDate(
      text, in: zones, now: now.timeIntervalSinceReferenceDate, boundsPeriod: true)
  }

  private func months(
    from first: CivilDate
  ) throws(ReportError) -> (ask: Ask, answer: WorkoutAnswer, first: CivilDate)? {
    let answer = try read { () throws(QueryError) in
      var plan = WorkoutPlan(
        ElementPeriod(
          timeZone: zones, interval: CalendarInterval(.month), from: try date(first.text),
          to: try date(period.end.text)))
      plan.statistics = [.count, .duration, .distance]
      plan.kinds = Self.kindCount
      return try store.workouts(plan)
    }
    guard answer.total.count > 0 else { return nil }
    let ask = Ask(
      ["workouts"],
      [
        "by": "month", "stat": "count,duration,distance", "kinds": "\(Self.kindCount)",
        "from": first.text, "to": period.end.text, "unit": activityUnits.text,
      ])
    return (ask, answer, first)
  }

  // MARK: - Routes

  /// The routes from a day to the end of the period: of each only its shape is kept.
  private func routePlaces(from first: CivilDate) throws(ReportError) -> WorkoutPlaces? {
    let workouts = try rows(from: first)
    var shapes: [(place: Int, shape: RouteShape)] = []
    let places = try read { () throws(QueryError) in
      try store.places(of: workouts) { route, track, place in
        guard let shape = RouteShape(track, along: route.locations) else { return }
        shapes.append((place, shape))
        if shapes.count > 2 * RouteMap.mostRoutes { shapes.removeFirst(RouteMap.mostRoutes) }
      }
    }
    let shown = places.enumerated().map { index, place in
      (
        index: index, routeCount: place.count,
        shapes: shapes.filter { $0.place == place.number }.map(\.shape)
      )
    }.filter { !$0.shapes.isEmpty }.prefix(Self.mapCount)
    guard !shown.isEmpty else { return nil }
    let ask = Ask(["workouts"], ["from": first.text, "to": period.end.text])
    return WorkoutPlaces(
      ask: ask.flagged("places"), shown: Array(shown), count: places.count)
  }

  // MARK: - One workout

  /// The last of the last workouts that has a route, else the last one with a heart rate.
  private func oneWorkout(
    of list: [WorkoutFacts], _ unit: SplitLength
  ) throws(ReportError) -> OneWorkout? {
    let recent = list.prefix(Self.recent)
    var routes: (key: WorkoutKey, shapes: [RouteShape])?
    try read { () throws(QueryError) in
      try store.eachRoute(of: recent.map(\.workout)) { route, track in
        let key = WorkoutKey(route)
        if let known = routes, key != known.key, key.start < known.key.start { return }
        guard let shape = RouteShape(track, along: route.locations) else { return }
        routes = (key, (routes?.key == key ? routes?.shapes ?? [] : []) + [shape])
      }
    }
    let chosen =
      recent.first { WorkoutKey($0.workout) == routes?.key }
      ?? recent.first { $0.value(.heartRate) != nil }
    guard let chosen else { return nil }
    return try read { () throws(QueryError) in
      try oneWorkout(chosen.workout, shapes: routes?.shapes ?? [], unit)
    }
  }

  private func oneWorkout(
    _ workout: Workouts.Row, shapes: [RouteShape], _ unit: SplitLength
  ) throws(QueryError) -> OneWorkout? {
    let second = workout.facts.start.rounded(.down)
    let same = try store.stored { () throws(StoreError) in
      try store.workouts(in: second..<max(second + 1, second.nextUp))
    }.rows
    guard let place = same.firstIndex(where: { WorkoutKey($0) == WorkoutKey(workout) }),
      let facts = try store.facts(
        of: [workout], statistics: [.duration, .distance, .energy, .heartRate, .heartRateMax]
      ).first
    else { return nil }
    let splits = try store.splits(of: Array(same[...place]), every: unit.metres)
    return OneWorkout(
      facts: facts,
      period: (LocalTime(second, in: zones).isoText, LocalTime(second + 1, in: zones).isoText),
      place: place, shapes: shapes,
      splits: (splits.last ?? []).filter { $0.distance == unit.metres },
      firstSplit: splits.dropLast().reduce(0) { $0 + $1.count },
      zones: try heartRateZones(of: workout))
  }

  /// The zones that the export has, else those of the page.
  private func heartRateZones(of workout: Workouts.Row) throws(QueryError) -> [HeartRateZone] {
    let own = workout.zoneGroups.firstIndex { group in
      group.typeIdentifier == SampleType(.heartRate).identifier && group.unit == "count/min"
        && group.zones.contains { ($0.duration ?? 0) > 0 }
    }
    if let own {
      return workout.zoneGroups[own].zones.prefix(10).enumerated().compactMap { place, zone in
        zone.duration.map {
          HeartRateZone(
            lower: zone.minimum, upper: zone.maximum, seconds: $0,
            place: "zoneGroups[\(own)].zones[\(place)].duration")
        }
      }
    }
    var rates = WorkoutHeartRates(of: [workout], in: store)
    let samples = try rates.rates(in: workout)
    guard !samples.isEmpty else { return [] }
    let bounds = Self.zoneBounds
    return workout.seconds(inZones: bounds, among: samples).enumerated().map { place, seconds in
      HeartRateZone(
        lower: place > 0 ? bounds[place - 1] : nil,
        // Rates are whole beats: a zone ends below the next one.
        upper: place < bounds.count ? bounds[place] - 1 : nil, seconds: seconds,
        place: "zones[\(place)].duration")
    }
  }

  /// The bounds as the command has them.
  static let zoneText = zoneBounds.map { "\(Int($0))" }.joined(separator: ",")
}

extension ActivityUnits {
  /// The units as the option `--unit` names them.
  var text: String { "\(splitLength.rawValue),\(energy.shortDescription)" }
}

extension Ask {
  /// The question with an option that has no value.
  fileprivate func flagged(_ option: String) -> Ask { Ask(arguments + ["--\(option)"]) }
}
