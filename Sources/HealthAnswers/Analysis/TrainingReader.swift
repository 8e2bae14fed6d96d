import HealthAnalysis
import HealthQuery
import HealthSamples
import HealthStore

/// Reads workouts with their heart rates, and the days that they amount to.
struct TrainingReader {
  private let parameters: TrainingParameters
  private let reader: QuestionReader
  private let store: SampleStore

  private static let day = Double.secondsPerDay
  private static let minute = 60.0
  /// How long after the end of a workout heart rates are read, for its recovery.
  private static let reach = 180.0

  init(_ parameters: TrainingParameters, _ reader: QuestionReader) {
    (self.parameters, self.reader, store) = (parameters, reader, reader.store)
  }

  func answer() throws(QueryError) -> TrainingAnswer {
    let (from, to) = (reader.from?.instant ?? -.infinity, reader.to?.instant ?? .infinity)
    guard from < to else { throw QueryError(.emptyPeriod(from: from, to: to)) }
    // Two days more, since days are longer where clocks go back and where a person flies west.
    let lower = from - Double(TrainingAnswer.lookBackDays + 2) * Self.day
    let rows = try store.stored { () throws(StoreError) in
      try store.workouts(in: lower..<to)
    }.rows.filter { $0.facts.start >= lower && $0.facts.start < to }
    return try answer(of: rows, from: from, to: to)
  }

  private func answer(
    of rows: [Workouts.Row], from: Double, to: Double
  ) throws(QueryError) -> TrainingAnswer {
    let types = try store.stored { () throws(StoreError) in try store.types() }
    let ends = types.map { max($0.lastEnd.nextDown, $0.lastStart) } + rows.map(\.facts.start)
    let first = from.isFinite ? from : rows.map(\.facts.start).min()
    guard let first, let last = ends.max().map({ min($0, to.nextDown) }), !rows.isEmpty,
      first <= last
    else { return TrainingAnswer(parameters) }
    let maximum = try maximum(at: last)
    let weighting = try weighting()
    let resting = try RestingRates(parameters, before: rows, in: store, zones: reader.zones)
    var rates = WorkoutHeartRates(of: rows.map(Self.extended), in: store)
    var workouts: [TrainingAnswer.Workout] = []
    for row in rows {
      workouts.append(
        try workout(
          row, rates: try rates.rates(in: Self.extended(row)),
          resting: resting.rate(before: row.facts.start).rate, maximum: maximum.rate,
          weighting: weighting))
    }
    let edges = try CalendarInterval(.day).boundaries(
      from: QueryDate(
        instant: from.isFinite ? lookBack(from: first) : first, alignsIntervals: true),
      to: QueryDate(instant: last.nextUp), in: reader.zones
    ).edges
    let own = workouts.filter { $0.start >= first }
    let earlier = workouts.filter { $0.start < first && $0.start >= edges[0] }
    return TrainingAnswer(
      parameters: parameters, workouts: own,
      days: try days(edges, of: workouts, from: first),
      weeks: try weeks(of: workouts, from: first, through: last),
      earlierCount: earlier.count { (try? $0.load.get()) != nil },
      earlierUnknownCount: earlier.count { (try? $0.load.get()) == nil },
      maximum: maximum.rate, maximumBasis: maximum.basis, weighting: weighting,
      assumedRestingCount: own.count { resting.rate(before: $0.start).isAssumed })
  }

  /// The midnight with which the first of the days before an instant begins over which loads count.
  private func lookBack(from instant: Double) -> Double {
    let first = instant - Double(TrainingAnswer.lookBackDays) * Self.day
    let clock = WallClock(of: reader.zones, over: first...instant)
    let day = clock.day(containing: instant) - TrainingAnswer.lookBackDays
    return clock.instant(ofDay: day, seconds: 0)
  }

  // MARK: - What loads are weighed by

  private func characteristic(
    _ identifier: HKCharacteristicTypeIdentifier
  ) throws(QueryError) -> String? {
    try store.stored { () throws(StoreError) in try store.profile() }
      .first { $0.identifier == identifier.rawValue }?.value
  }

  private func weighting() throws(QueryError) -> TrainingParameters.Weighting {
    if let weighting = parameters.weighting { return weighting }
    switch try characteristic(.biologicalSex) {
    case "HKBiologicalSexMale": return .men
    case "HKBiologicalSexFemale": return .women
    default: throw QueryError(.missingMember("weighting"))
    }
  }

  /// The greatest heart rate for workouts up to an instant.
  private func maximum(
    at last: Double
  ) throws(QueryError) -> (rate: Double, basis: TrainingAnswer.MaximumBasis) {
    if let maximum = parameters.maximum { return (maximum, .given) }
    if let birth = try characteristic(.dateOfBirth),
      let age = Self.age(bornOn: birth, at: LocalTime(last, in: reader.zones).date)
    {
      return (208 - 0.7 * Double(age), .age(age))
    }
    var question = try Question(types: ["heartRate.max:count/min"])
    (question.timeZone, question.zones) = (
      reader.question.timeZone, reader.question.zones
    )
    let answer = try QuestionReader(question, store: store, now: reader.now).answer()
    guard let greatest = answer.columns.first?.series.values.compactMap(\.self).max() else {
      throw QueryError(.missingMember("maximum"))
    }
    return (greatest, .measured)
  }

  /// Whole years from a date as exports write it; `nil` for another text, and beyond 130.
  static func age(bornOn text: String, at date: CivilDate) -> Int? {
    CivilDate(text: text)?.birthdays(until: date).flatMap { $0 <= 130 ? $0 : nil }
  }

  // MARK: - Workouts

  private static func extended(_ row: Workouts.Row) -> Workouts.Row {
    var row = row
    row.facts.end = row.facts.time.upperBound + reach
    return row
  }

  private func workout(
    _ row: Workouts.Row, rates: [WorkoutHeartRates.Sample], resting: Double, maximum: Double,
    weighting: TrainingParameters.Weighting
  ) throws(QueryError) -> TrainingAnswer.Workout {
    let (start, end) = (row.facts.start, row.facts.end)
    let reserve: HeartRateReserve
    do throws(AnalysisError) {
      reserve = try HeartRateReserve(resting: resting, maximum: maximum)
    } catch {
      throw QueryError(.analysis(error))
    }
    let inside = rates.filter { $0.start < end }
    let (times, values) = Self.curve(rates, from: start)
    let curve = Result { () throws(AnalysisError) in
      try HeartRateCurve(times: times, rates: values)
    }
    let written = row.heartRates(among: inside.map(\.rate))
    var measured = 0.0
    for (place, time) in times.enumerated() where time < end {
      let next = place + 1 < times.count ? times[place + 1] : .infinity
      measured += min(HeartRateCurve.holdingTime, min(next, end) - time)
    }
    return TrainingAnswer.Workout(
      start: start, end: end, activity: row.activity, source: row.facts.source,
      duration: row.activeSeconds, meanRate: written.mean, greatestRate: written.highest,
      rateCount: inside.count, measuredSeconds: measured, resting: resting,
      load: Result { () throws(AnalysisError) in
        let curve = try curve.get()
        return TrainingAnswer.Load(
          impulse: try curve.trainingImpulse(
            reserve: reserve, weighting: weighting.curve, end: end),
          zoneMinutes: try curve.edwardsZones(maximum: maximum, end: end),
          edwards: try curve.edwardsLoad(maximum: maximum, end: end))
      },
      recoveries: TrainingAnswer.recoverySeconds.map { seconds in
        Result { () throws(AnalysisError) in try curve.get().recovery(from: end, after: seconds) }
      })
  }

  /// Heart rates from an instant on, in order of time; several at one time count as their mean.
  private static func curve(
    _ samples: [WorkoutHeartRates.Sample], from start: Double
  ) -> (times: [Double], rates: [Double]) {
    var times: [Double] = []
    var rates: [[Double]] = []
    for sample in samples.filter({ $0.start >= start && $0.rate > 0 })
      .sorted(by: { $0.start < $1.start })
    {
      if times.last == sample.start {
        rates[rates.count - 1].append(sample.rate * minute)
      } else {
        times.append(sample.start)
        rates.append([sample.rate * minute])
      }
    }
    return (times, rates.map { $0.reduce(0, +) / Double($0.count) })
  }

  // MARK: - Days

  private func days(
    _ edges: [Double], of workouts: [TrainingAnswer.Workout], from first: Double
  ) throws(QueryError) -> [TrainingAnswer.Day] {
    let sums = Sums.of(workouts, over: edges)
    let balance = try analysed { () throws(AnalysisError) in
      try RegularSeries(sums.map(\.load)).trainingBalance()
    }
    return sums.indices.filter { edges[$0 + 1] > first }.map { row in
      TrainingAnswer.Day(
        start: edges[row], end: edges[row + 1], workoutCount: sums[row].count,
        unknownCount: sums[row].unknownCount, load: sums[row].load ?? 0,
        fitness: balance.fitness[row], fatigue: balance.fatigue[row],
        balance: balance.balance[row])
    }
  }

  // MARK: - Weeks

  /// The weeks of the days from an instant to another.
  private func weeks(
    of workouts: [TrainingAnswer.Workout], from first: Double, through last: Double
  ) throws(QueryError) -> [TrainingAnswer.Week] {
    func edges(
      _ unit: CalendarInterval.Alignment, from start: Double, to end: Double
    ) throws(QueryError) -> [Double] {
      try CalendarInterval(unit).boundaries(
        from: QueryDate(instant: start, alignsIntervals: true), to: QueryDate(instant: end),
        in: reader.zones
      ).edges
    }
    let weeks = try edges(.week, from: first, to: last.nextUp)
    guard let start = weeks.first, let end = weeks.last else { return [] }
    let days = try edges(.day, from: start, to: end)
    let loads = Sums.of(workouts, over: days).map(\.load)
    let rule = try wholeIntervals(of: workouts)
    return Sums.of(workouts, over: weeks).enumerated().map { row, sums in
      let (start, end) = (weeks[row], weeks[row + 1])
      let isWhole =
        end <= reader.to?.instant ?? .infinity && rule.lack(from: start, to: end) == nil
      let isRest = isWhole && sums.count == 0
      let week = loads[days.lastEdge(notAfter: start)..<days.lastEdge(notAfter: end)]
      // A journey over the date line adds a day, or leaves one out.
      let isKnown =
        isWhole && sums.unknownCount == 0 && sums.sparseCount == 0 && week.count == 7
      let monotony = isKnown ? try? TrainingMonotony(loads: Array(week)) : nil
      return TrainingAnswer.Week(
        start: start, end: end, isWhole: isWhole, workoutCount: sums.count,
        unknownCount: sums.unknownCount, sparseCount: sums.sparseCount,
        load: isRest ? 0 : sums.load,
        zoneMinutes: isRest || sums.load != nil ? sums.zoneMinutes : nil,
        monotony: monotony?.monotony, strain: monotony?.strain)
    }
  }

  /// Which weeks count, by the data of all types.
  private func wholeIntervals(
    of workouts: [TrainingAnswer.Workout]
  ) throws(QueryError) -> WholeIntervals {
    let told = try store.stored { () throws(StoreError) in
      try store.toldTime(until: reader.now)
    }
    let own = workouts.map { SampleTime.closed(from: $0.start, to: $0.end) }
    return WholeIntervals(at: reader.now, told: told.values.joined() + own)
  }
}

/// What the workouts of an interval add up to.
private struct Sums {
  private(set) var count = 0
  private(set) var unknownCount = 0
  private(set) var sparseCount = 0
  /// The training impulses; `nil` where no workout has one.
  private(set) var load: Double?
  private(set) var zoneMinutes = [Double](repeating: 0, count: 5)

  private mutating func add(_ workout: TrainingAnswer.Workout) {
    count += 1
    sparseCount += workout.isSparse ? 1 : 0
    guard let load = try? workout.load.get() else {
      unknownCount += 1
      return
    }
    self.load = (self.load ?? 0) + load.impulse
    for zone in zoneMinutes.indices { zoneMinutes[zone] += load.zoneMinutes[zone] }
  }

  /// Those of the intervals between edges, of the workouts that start in each.
  static func of(
    _ workouts: [TrainingAnswer.Workout], over edges: [Double]
  ) -> [Self] {
    var sums = [Self](repeating: Self(), count: max(0, edges.count - 1))
    for workout in workouts {
      let row = edges.lastEdge(notAfter: workout.start)
      if sums.indices.contains(row) { sums[row].add(workout) }
    }
    return sums
  }
}

extension TrainingAnswer {
  /// An answer without workouts.
  fileprivate init(_ parameters: TrainingParameters) {
    self.init(
      parameters: parameters, workouts: [], days: [], weeks: [], earlierCount: 0,
      earlierUnknownCount: 0, maximum: nil, maximumBasis: nil, weighting: nil,
      assumedRestingCount: 0)
  }
}

/// The resting heart rate before the day of each workout, in beats a minute.
///
/// That of the day itself does not count: watches measure it over the whole day, the time after the
/// workout included.
private struct RestingRates {
  private let given: Double?
  private let zones: ZoneTimeline
  /// The number of the local day on which each sample starts.
  private var days: [Int] = []
  private var rates: [Double] = []
  private var mean = 0.0

  init(
    _ parameters: TrainingParameters, before workouts: [Workouts.Row], in store: SampleStore,
    zones: ZoneTimeline
  ) throws(QueryError) {
    given = parameters.resting
    self.zones = zones
    guard given == nil, let first = workouts.map(\.facts.start).min(),
      let last = workouts.map(\.facts.start).max()
    else { return }
    // Two days more, as for the days over which loads count.
    let range = first - Double(TrainingAnswer.restingDays + 2) * .secondsPerDay..<last.nextUp
    let columns = try store.stored { () throws(StoreError) in
      try store.samples(of: SampleType(.restingHeartRate), in: range)
    }
    var offsets = OffsetCache(zones)
    let firstDay = LocalTime(first, in: &offsets).date.dayNumber - TrainingAnswer.restingDays
    for row in columns.starts.indices.sorted(by: { columns.starts[$0] < columns.starts[$1] }) {
      let day = LocalTime(columns.starts[row], in: &offsets).date.dayNumber
      guard day >= firstDay, columns.starts[row] <= last else { continue }
      days.append(day)
      // Its canonical unit is count/min, unlike that of heart rates.
      rates.append(columns.values[row])
    }
    guard !rates.isEmpty else { throw QueryError(.missingMember("resting")) }
    mean = rates.reduce(0, +) / Double(rates.count)
  }

  /// The mean of the 28 days before the day of an instant, or else of all.
  func rate(before instant: Double) -> (rate: Double, isAssumed: Bool) {
    if let given { return (given, false) }
    let day = LocalTime(instant, in: zones).date.dayNumber
    let known = days.indices.filter { (day - TrainingAnswer.restingDays..<day).contains(days[$0]) }
    guard !known.isEmpty else { return (mean, true) }
    return (known.reduce(0) { $0 + rates[$1] } / Double(known.count), false)
  }
}
