import HealthAnalysis
import HealthQuery
import HealthSamples
import HealthStore

/// Reads hours, days and nights for their rhythms.
struct RhythmReader {
  private let plan: AnalysisPlan
  private let parameters: RhythmParameters
  private let reader: QuestionReader
  private let store: SampleStore

  init(
    _ plan: AnalysisPlan, _ parameters: RhythmParameters, store: SampleStore, now: Double
  ) throws(QueryError) {
    var plan = plan
    let interval = plan.question.interval ?? parameters.defaultInterval
    let isOfDays = interval == CalendarInterval(.day)
    guard isOfDays && !plan.question.types.isEmpty || interval == CalendarInterval(.hour) else {
      throw QueryError(
        .unknownWord(
          .interval, interval?.text ?? "", suggestions: [],
          known: plan.question.types.isEmpty ? ["hour"] : ["hour", "day"]))
    }
    plan.question.interval = interval
    reader = try plan.reader(in: store, now: now)
    self.store = reader.store
    self.plan = plan
    var parameters = parameters
    if plan.question.types.isEmpty {
      guard parameters.periods.isEmpty, !parameters.search,
        parameters.confidence == RhythmParameters().confidence
      else { throw QueryError(.missingMember("type")) }
    } else {
      guard parameters.freeDays == RhythmParameters().freeDays else {
        throw QueryError(.membersExclude("type", "freeDays"))
      }
      if parameters.periods.isEmpty { parameters.periods = isOfDays ? [7] : [24] }
    }
    self.parameters = parameters
  }

  func answer() throws(QueryError) -> AnalysisAnswer {
    if plan.question.types.isEmpty { return try restAndSleep() }
    let answer = try wholeDays(of: try reader.answer())
    var found: [Result<RhythmAnswer, AnalysisError>] = []
    for column in answer.columns {
      let days = column.wholeDays
      found.append(Result { () throws(AnalysisError) in try rhythm(of: days) })
    }
    return AnalysisAnswer(plan: plan, numbers: answer, results: .rhythms(found))
  }

  /// The numbers of which hours count with their days.
  private func wholeDays(of answer: QuestionAnswer) throws(QueryError) -> QuestionAnswer {
    let rules = try store.wholeIntervals(at: reader.now)
    return QuestionAnswer(
      timeZone: answer.timeZone,
      columns: answer.columns.map { column in
        guard column.series.isOfHours else { return column }
        return column.lacking(
          rules(column.series.type).lacks(
            of: column.series, counts: column.answer.sampleCounts, isOfWholeDays: true))
      })
  }

  // MARK: - A type

  private func rhythm(of days: WholeDays) throws(AnalysisError) -> RhythmAnswer {
    let series = days.subject.series
    let group: IntervalGroup = plan.question.interval == CalendarInterval(.day) ? .weekday : .hour
    let column = try days.subject.column()
    let rows = column.presentRows
    guard let first = rows.first else { throw AnalysisError(.tooFewPoints(count: 0, needed: 4)) }
    let firstDay = days.times[first].date.dayNumber
    let originDay = group == .hour ? firstDay : firstDay.floorDivided(by: 7) * 7
    let times = rows.map { row -> Double in
      let time = days.times[row]
      let day = Double(time.date.dayNumber - originDay)
      return group == .hour
        ? day * 24 + Double(time.hour) + Double(time.minute) / 60 + 0.5 : day + 0.5
    }
    let values = column.presentValues
    var members: [[Double]] = Array(repeating: [], count: group.labels.count)
    for row in rows { members[group.place(of: days.times[row])].append(column.values[row]) }
    let clock = WallClock(
      of: series.timeZone, over: series.starts[first]...series.starts[first])
    return RhythmAnswer(
      subject: days.subject, parameters: parameters, group: group,
      profile: zip(group.labels, members).map { RhythmProfile(label: $0, values: $1) },
      origin: clock.instant(ofDay: originDay, seconds: 0),
      cosinor: Result { () throws(AnalysisError) in
        try Cosinor(times: times, values: values, periods: parameters.periods, rows: rows)
      },
      periodogram: parameters.search
        ? Result { () throws(AnalysisError) in try Self.search(times, values, rows) } : nil,
      dayCount: days.count, partialDayCount: days.partialCount)
  }

  /// The periodogram of what a line and the row before leave, up to half a period an interval.
  ///
  /// Where each row keeps much of the one before, slow periods are high by themselves: without whitening
  /// nearly every series would have a period. A model of one row before takes no single period out.
  static func search(
    _ times: [Double], _ values: [Double], _ rows: [Int]
  ) throws(AnalysisError) -> Periodogram {
    let line = try LinearTrend(x: times, y: values)
    var rests = [Double?](repeating: nil, count: (rows.last ?? -1) + 1)
    for (place, row) in rows.enumerated() {
      rests[row] = values[place] - line.value(at: times[place])
    }
    let whitened = try RegularSeries(rests).whitened(mostLags: 1).series
    return try Periodogram(
      times: times, values: whitened.presentValues, highestFrequency: 0.5)
  }

  // MARK: - Rest, activity and sleep

  private func restAndSleep() throws(QueryError) -> AnalysisAnswer {
    var question = plan.question
    question.types = [TypeQuestion(try activityType())]
    var asked = try QuestionReader(question, store: store, now: reader.now)
    if reader.to?.isLimit ?? false { try asked.endToday() }
    let numbers = try wholeDays(of: try asked.answer())
    var activity: Result<ActivityRhythm, AnalysisError> = .failure(
      AnalysisError(.tooFewPoints(count: 0, needed: 2)))
    if let column = numbers.columns.first {
      let days = column.wholeDays
      activity = Result { () throws(AnalysisError) in try days.activity() }
    }
    var nights = SleepPlan(timeZone: reader.zones)
    (nights.from, nights.to) = (reader.from, reader.to)
    let sleep = try store.sleep(nights)
    let leftOut = sleep.nights.sleepSpans.contains { $0 != nil } ? 0 : try emptySleepCount()
    return AnalysisAnswer(
      plan: plan, numbers: numbers,
      results: .restAndSleep(
        RestAndSleepAnswer(
          parameters: parameters, activity: activity,
          sleep: Result { () throws(AnalysisError) in
            guard leftOut == 0 else { throw AnalysisError(.allLeftOut(count: leftOut)) }
            return try sleep.rhythm(
              freeDays: Set(parameters.freeDays.map(\.number)), until: reader.now)
          })))
  }

  /// How many samples of sleep in the period last no time, so that they make no night.
  private func emptySleepCount() throws(QueryError) -> Int {
    let (from, to) = (reader.from?.instant ?? -.infinity, reader.to?.instant ?? .infinity)
    guard from < to else { return 0 }
    let samples = try store.stored { () throws(StoreError) in
      try store.samples(of: SleepPlan.type, in: from..<to)
    }
    return samples.starts.indices.count { row in
      samples.starts[row] >= from && samples.starts[row] < to
        && samples.ends[row] <= samples.starts[row]
    }
  }

  /// Steps, unless the store has none in the period and has active energy.
  private func activityType() throws(QueryError) -> SampleType {
    let (steps, energy) = (SampleType(.stepCount), SampleType(.activeEnergyBurned))
    for type in [steps, energy] {
      let known = try store.stored { () throws(StoreError) in try store.sources(of: type) }
      guard let span = SampleSpan(of: known) else { continue }
      if span.firstStart < reader.to?.instant ?? .infinity,
        max(span.lastEnd, span.lastStart) >= reader.from?.instant ?? -.infinity
      {
        return type
      }
    }
    return steps
  }
}

/// Hours or days with their local times; of hourly amounts only whole days, with zeros.
struct WholeDays {
  let subject: AnalysedSeries
  /// The local times of the starts.
  let times: [LocalTime]
  /// How many days have data.
  let count: Int
  /// How many days are left out, since they are not whole.
  let partialCount: Int

  /// Rest and activity of hours.
  ///
  /// - Throws: `AnalysisError` for fewer than two days, and as `restAndActivity` does
  func activity() throws(AnalysisError) -> ActivityRhythm {
    let series = subject.series
    let known = times.indices.filter { series.values[$0] != nil }.map { times[$0].date.dayNumber }
    guard let first = known.first, let last = known.last else {
      throw AnalysisError(.tooFewPoints(count: 0, needed: 48))
    }
    // One row for each hour of the clock: an hour that clocks skip is a gap, and of one that they
    // repeat the mean counts.
    var sums = [(sum: Double, count: Int)](repeating: (0, 0), count: (last - first + 1) * 24)
    for (row, time) in times.enumerated() {
      let place = (time.date.dayNumber - first) * 24 + time.hour
      guard let value = series.values[row], sums.indices.contains(place) else { continue }
      sums[place].sum += value
      sums[place].count += 1
    }
    let hours = try RegularSeries(sums.map { $0.count == 0 ? nil : $0.sum / Double($0.count) })
    let days = Set(times.map(\.date.dayNumber)).count
    return ActivityRhythm(
      subject: subject, measures: try hours.restAndActivity(), dayCount: count,
      emptyDayCount: days - count - partialCount, partialDayCount: partialCount)
  }
}

extension QuestionAnswer.Column {
  /// The numbers of whole days.
  fileprivate var wholeDays: WholeDays {
    var offsets = OffsetCache(series.timeZone)
    let times = series.starts.map { LocalTime($0, in: &offsets) }
    func dayCount(_ values: [Double?]) -> Int {
      Set(zip(times, values).filter { $1 != nil }.map { $0.0.date.dayNumber }).count
    }
    var subject = analysed(by: nil)
    if series.isOfHours {
      subject = subject.replacing(
        subject.series.valuesWithQuietHours(at: times), isOfDays: false)
    }
    let count = dayCount(subject.series.values)
    return WholeDays(
      subject: subject, times: times, count: count,
      partialCount: dayCount(series.values) - count)
  }
}

extension SleepAnswer {
  /// How regular the nights are whose days are over.
  ///
  /// - Parameters:
  ///   - freeDays: the weekdays without work, where 0 is Monday
  ///   - now: a day from noon to noon that is not over yet is not compared
  /// - Returns: how regular they are
  /// - Throws: `AnalysisError` without a night
  func rhythm(freeDays: Set<Int>, until now: Double) throws(AnalysisError) -> SleepRhythm {
    var offsets = OffsetCache(timeZone)
    func hours(_ time: LocalTime) -> Double {
      Double(time.hour) + Double(time.minute) / 60 + (Double(time.second) + time.fraction) / 3600
    }
    let spans = nights.sleepSpans.prefix(overCount).compactMap(\.self)
    let onsets = spans.map { hours(LocalTime($0.lowerBound, in: &offsets)) }
    let wakes = spans.map { LocalTime($0.upperBound, in: &offsets) }
    let timing = try SleepTiming(
      onsets: onsets, wakes: wakes.map(hours), weekdays: wakes.map(\.weekday), freeDays: freeDays)
    let asleep = nights.stretches.joined().filter(\.stage.isAsleep).map(\.span)
    let noons = noons.filter { $0 <= now }
    return SleepRhythm(
      nightCount: spans.count, emptyNightCount: overCount - spans.count, timing: timing,
      regularity: Result { () throws(AnalysisError) in
        try SleepRegularityIndex(
          starts: asleep.map(\.lowerBound), ends: asleep.map(\.upperBound), dayBoundaries: noons)
      },
      weeks: weeks(of: asleep, noons: noons))
  }

  /// The weeks from the first night to the last day that is over.
  private func weeks(of asleep: [Range<Double>], noons: [Double]) -> [SleepWeek] {
    guard let first = nights.days.first, let last = nights.days.last else { return [] }
    let clock = WallClock(of: timeZone, over: first - .secondsPerDay...last + 8 * .secondsPerDay)
    let days = nights.days.prefix(overCount).map { clock.day(containing: $0) }
    var weeks: [SleepWeek] = []
    var begin = 0
    while begin < days.count {
      // Day 0 is a Monday.
      let monday = days[begin].floorDivided(by: 7) * 7
      let end = days[begin...].firstIndex { $0 >= monday + 7 } ?? days.count
      // A day goes from its number among noons to the next one; the one before is compared as well.
      let boundaries = Array(noons.dropFirst(max(0, begin - 1)).prefix(end + 1 - max(0, begin - 1)))
      var spans: [Range<Double>] = []
      if let from = boundaries.first, let to = boundaries.last {
        spans = asleep.filter { $0.upperBound > from && $0.lowerBound < to }
      }
      let index = try? SleepRegularityIndex(
        starts: spans.map(\.lowerBound), ends: spans.map(\.upperBound), dayBoundaries: boundaries)
      weeks.append(
        SleepWeek(
          start: clock.instant(ofDay: monday, seconds: 0),
          end: clock.instant(ofDay: monday + 7, seconds: 0),
          nightCount: nights.sleepSpans[begin..<end].count { $0 != nil },
          comparedDayCount: index?.dayPairCount ?? 0,
          regularity: index.flatMap { $0.dayPairCount < SleepWeek.leastPairs ? nil : $0 }))
      begin = end
    }
    return weeks
  }

  /// The noon before each night and the one after the last.
  private var noons: [Double] {
    guard let first = nights.days.first, let last = nights.days.last else { return [] }
    let clock = WallClock(of: timeZone, over: first - .secondsPerDay...last + .secondsPerDay)
    let days = nights.days.map { clock.day(containing: $0) }
    return ([(days.first ?? 0) - 1] + days).map { clock.instant(ofDay: $0, seconds: 43_200) }
  }
}
