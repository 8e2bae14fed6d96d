import Foundation
import HealthAnswers
import HealthExchange
import HealthQuery
import HealthSamples
import HealthStore
import HealthUnits

extension WorkoutsCommand {
  /// Answers `--by`.
  func showTotals() throws {
    try query.ask { opened in
      let zones = try period.zone.zones(in: opened.store)
      let dates = try period.dates(in: zones, of: opened.store)
      let units = try opened.store.activityUnits(named: unit.unit)
      let plan = try questions.plan(
        activity: try activity.map { try opened.store.activity(named: $0) },
        over: ElementPeriod(
          timeZone: zones, interval: questions.by, from: dates.from, to: dates.to), in: units)
      return try Self.totals(plan, in: units, zone: period.zone, of: opened)
    } show: { (view: WorkoutTotalsView, notes: AnswerNotes) in
      let width = Terminal.columns(STDOUT_FILENO)
      try form.write(view.answerView(notes: notes).asking(period)) {
        view.chart(width: width, style: $0)
      }
    }
  }

  /// The totals of a plan, and how far their intervals reach; says on stderr which zone is assumed.
  static func totals(
    _ plan: WorkoutPlan, in units: ActivityUnits, zone: ZoneOptions, of opened: OpenedStore
  ) throws -> (WorkoutTotalsView, AnswerNotes) {
    let answer = try opened.store.workouts(plan)
    let period = plan.period
    if let first = answer.starts.first, let last = answer.ends.last,
      let note = try opened.zoneNote(zone, period.timeZone, from: first, to: last)
    {
      StandardError.note(note)
    }
    let view = WorkoutTotalsView(
      answer: answer, units: units, interval: period.interval, activity: plan.activity)
    return (view, .reach(of: period, first: answer.starts.first, last: answer.ends.last))
  }

  /// Answers `--splits`.
  func showSplits() throws {
    try query.ask { opened in
      let zones = try period.zone.zones(in: opened.store)
      let units = try opened.store.activityUnits(named: unit.unit)
      let workouts = try chosen(in: opened.store, zones: zones, units).map(\.workout)
      var length = units.splitLength
      if case .length(let asked)? = questions.splits { length = asked }
      return WorkoutSplitsView(
        workouts: workouts, splits: try opened.store.splits(of: workouts, every: length.metres),
        length: length,
        units: try ActivityUnits(
          distance: UnitExpression(length.rawValue), energy: units.energy), zones: zones)
    } show: { (view: WorkoutSplitsView) in
      let width = Terminal.columns(STDOUT_FILENO)
      try form.write(view.answerView.asking(period)) {
        view.chart(width: width, style: $0)
      }
    }
  }

  /// Answers `--places`.
  func showPlaces() throws {
    try query.ask { opened in
      let zones = try period.zone.zones(in: opened.store)
      let units = try opened.store.activityUnits(named: unit.unit)
      let workouts = try chosen(in: opened.store, zones: zones, units).map(\.workout)
      return WorkoutPlacesView(
        places: try opened.store.places(of: workouts), hasWorkouts: !workouts.isEmpty,
        units: units, zones: zones)
    } show: { (view: WorkoutPlacesView) in
      let width = Terminal.columns(STDOUT_FILENO)
      try form.write(view.answerView.asking(period)) {
        view.chart(width: width, style: $0)
      }
    }
  }

  /// The workouts of the period and the activity that meet the conditions, in order.
  func chosen(
    in store: SampleStore, zones: ZoneTimeline, _ units: ActivityUnits
  ) throws -> [WorkoutFacts] {
    let range = try period.period(in: zones, of: store).range
    let kind = try activity.map { try store.activity(named: $0) }
    let plan = try questions.plan(
      activity: kind, over: ElementPeriod(timeZone: zones), in: units)
    return try questions.chosen(of: try store.workouts(in: range).rows, for: plan, in: store)
  }
}
