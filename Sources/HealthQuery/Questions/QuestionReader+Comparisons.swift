import HealthSamples

extension QuestionReader {
  /// Each interval beside the one before, or that of a year before.
  func compared(
    _ series: IntervalSeries, with comparison: IntervalComparison, of source: Source
  ) throws(QueryError) -> [ComparedInterval?] {
    guard let first = series.starts.first, let last = series.ends.last else { return [] }
    switch comparison {
    case .previous:
      guard question.interval != nil else {
        // Whole samples may reach beyond the period, which decides.
        let (start, end) = (from?.instant ?? first, to?.instant ?? last)
        return try compared(series, from: before(start, end), to: start, of: source)
      }
      let longer = try earlier(series, by: 1, of: source)
      let offset = longer.count - series.count
      return try series.starts.indices.map { row throws(QueryError) in
        let other = row + offset - 1
        guard other >= 0 else { return nil }
        return try partial(
          ComparedInterval(
            start: longer.starts[other], end: longer.ends[other], value: longer.values[other],
            isPartial: false), row, of: series, source)
      }
    case .year:
      let edges = (series.starts + [last]).map(yearBefore)
      var unique: [Double] = []
      for edge in edges where edge > unique.last ?? -.infinity { unique.append(edge) }
      guard unique.count > 1, QueryDate.range.contains(unique[0]) else {
        throw QueryError(.dateOutOfRange)
      }
      let others = try ask(
        source, named: series.name, over: Boundaries(ascendingEdges: unique)
      ).1
      var place = 0
      let isCut = try isLastCut(series)
      return try series.starts.indices.map { row throws(QueryError) in
        let (start, end) = (edges[row], edges[row + 1])
        guard start < end else {
          return ComparedInterval(start: start, end: end, value: nil, isPartial: false)
        }
        while others.starts[place] < start { place += 1 }
        return try partial(
          ComparedInterval(
            start: start, end: end, value: others.values[place],
            isPartial: isCut && row == series.count - 1), row, of: series, source)
      }
    }
  }

  /// A single period beside another.
  private func compared(
    _ series: IntervalSeries, from start: Double, to end: Double, of source: Source
  ) throws(QueryError) -> [ComparedInterval?] {
    let other = try ask(
      source, named: series.name, over: Boundaries(ascendingEdges: [start, end])
    ).1
    return [
      try partial(
        ComparedInterval(
          start: start, end: end, value: other.values.first ?? nil, isPartial: false), 0,
        of: series, source)
    ]
  }

  /// Whether the end of the period cuts the last interval.
  private func isLastCut(_ series: IntervalSeries) throws(QueryError) -> Bool {
    guard question.clips, question.interval != nil, let to, let first = series.starts.first,
      let last = series.ends.last, last == to.instant
    else { return false }
    let whole = try intervals(
      from: from ?? QueryDate(instant: first, alignsIntervals: true), to: to)
    return whole.edges.last.map { $0 > last } ?? false
  }

  /// A day, and seconds of it.
  private typealias DayTime = (date: CivilDate, seconds: Double)

  private func dayTime(_ instant: Double) -> DayTime {
    let time = LocalTime(instant, in: zones)
    let seconds = time.hour * 3600 + time.minute * 60 + time.second
    return (time.date, Double(seconds) + time.fraction)
  }

  /// Cuts the other interval at the day that is today in one that is not over yet, or at the time at
  /// which the end of the period cuts one.
  private func partial(
    _ other: ComparedInterval, _ row: Int, of series: IntervalSeries, _ source: Source
  ) throws(QueryError) -> ComparedInterval {
    let (start, end) = (series.starts[row], series.ends[row])
    var reach: DayTime?
    if row == series.count - 1, try isLastCut(series) { reach = dayTime(end) }
    if start <= now, now < end {
      let tomorrow = CivilDate(dayNumber: day(containing: now) + 1)
      if reach == nil || midnight(of: tomorrow) < end { reach = (tomorrow, 0) }
    }
    guard let reach else { return other }
    let cut = sameDay(as: reach, from: start, in: other)
    guard other.start < cut, cut < other.end else { return other }
    let edges = Boundaries(ascendingEdges: [other.start, cut])
    let value = try ask(source, named: series.name, over: edges).1.values.first ?? nil
    return ComparedInterval(start: other.start, end: cut, value: value, isPartial: true)
  }

  /// The day of another interval that is a day of one: the same date of the year before where it starts
  /// a year before, else as many days from its start.
  private func sameDay(
    as reach: DayTime, from start: Double, in other: ComparedInterval
  ) -> Double {
    guard other.start != yearBefore(start) else { return yearBefore(reach) }
    let days = reach.date.dayNumber - day(containing: start)
    let date = CivilDate(dayNumber: day(containing: other.start) + days)
    return instant(of: date, seconds: reach.seconds)
  }

  /// The start of the period that ends where one starts: as many months, else as many days.
  private func before(_ start: Double, _ end: Double) -> Double {
    let (first, last) = (LocalTime(start, in: zones), LocalTime(end, in: zones))
    guard first.isMidnight, last.isMidnight else { return start - (end - start) }
    let months = (last.date.year - first.date.year) * 12 + last.date.month - first.date.month
    if first.date.day == 1, last.date.day == 1 {
      return midnight(of: first.date.adding(months: -months))
    }
    let days = last.date.dayNumber - first.date.dayNumber
    return midnight(of: CivilDate(dayNumber: first.date.dayNumber - days))
  }

  private func day(containing instant: Double) -> Int {
    WallClock(of: zones, over: instant...instant).day(containing: instant)
  }

  private func midnight(of date: CivilDate) -> Double {
    instant(of: date, seconds: 0)
  }

  private func instant(of date: CivilDate, seconds: Double) -> Double {
    let day = date.dayNumber
    let near = Double(day * CivilDate.secondsPerDay)
    return WallClock(of: zones, over: near...near).instant(ofDay: day, seconds: seconds)
  }

  /// The same time a year before; for weeks the same weekday 52 weeks before.
  private func yearBefore(_ edge: Double) -> Double { yearBefore(dayTime(edge)) }

  private func yearBefore(_ time: DayTime) -> Double {
    let isWeeks = question.interval.map {
      $0.months == 0 && $0.seconds == 0 && $0.days.isMultiple(of: 7)
    }
    var date =
      isWeeks ?? false
      ? CivilDate(dayNumber: time.date.dayNumber - 364) : time.date.adding(months: -12)
    // The day after the last of February: the 29th has no day a year before.
    if !(isWeeks ?? false), date.day != time.date.day {
      date = CivilDate(dayNumber: date.dayNumber + 1)
    }
    return instant(of: date, seconds: time.seconds)
  }
}
