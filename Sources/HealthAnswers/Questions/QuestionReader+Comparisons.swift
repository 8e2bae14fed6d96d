import HealthQuery
import HealthSamples

extension QuestionReader {
  /// An interval of the answer, and the one that it is compared with.
  private struct Pair {
    var own: Range<Double>
    var other: Range<Double>
    /// The number of the other, as far as it was asked for already.
    var value: Double?
    var isPartial = false
  }

  /// Each interval beside the one before, or that of a year before.
  ///
  /// Both end with the same day: the last one that is over and that the data cover, or that at which
  /// the period ends. An interval without such a day is compared with nothing, and neither is an amount
  /// where the data begin inside of one of both.
  ///
  /// - Returns: the intervals up to where they are compared, and those that they are compared with
  func compared(
    _ series: IntervalSeries, with comparison: IntervalComparison, of source: Source,
    by rule: WholeIntervals
  ) throws(QueryError) -> (series: IntervalSeries, others: [ComparedInterval?]) {
    var (ends, values) = (series.ends, series.values)
    var others: [ComparedInterval?] = []
    let isCut = try isCut(series).last
    for (row, pair) in try pairs(series, with: comparison, of: source).enumerated() {
      guard var pair else {
        others.append(nil)
        continue
      }
      let whole = pair.own
      let isCutHere = isCut && row == series.count - 1
      let reach = try lastWholeDay(in: pair.own, by: rule)
      if reach < pair.own.upperBound || isCutHere {
        let end = sameDay(as: dayTime(reach), from: pair.own.lowerBound, in: pair.other)
        pair.own = pair.own.clamped(to: -.infinity..<reach)
        // A year before, the period cuts both.
        pair.isPartial = isCutHere || end < pair.other.upperBound
        pair.other = pair.other.clamped(to: -.infinity..<end)
      }
      guard !pair.own.isEmpty, !pair.other.isEmpty,
        !series.isOfAmounts
          || [pair.own, pair.other].allSatisfy({ part in
            rule.lack(from: part.lowerBound, to: part.upperBound) == nil
          })
      else {
        others.append(nil)
        continue
      }
      func value(in part: Range<Double>) throws(QueryError) -> Double? {
        let edges = Boundaries(ascendingEdges: [part.lowerBound, part.upperBound])
        return try ask(source, named: series.name, over: edges).1.values.first ?? nil
      }
      if pair.own != whole {
        (ends[row], values[row]) = (pair.own.upperBound, try value(in: pair.own))
      }
      others.append(
        ComparedInterval(
          start: pair.other.lowerBound, end: pair.other.upperBound,
          value: pair.isPartial ? try value(in: pair.other) : pair.value,
          isPartial: pair.isPartial))
    }
    return (series.replacing(values, ends: ends), others)
  }

  /// The end of the last day of an interval that is over and that the data cover; of shorter intervals
  /// those that are whole, and else their beginning.
  private func lastWholeDay(
    in interval: Range<Double>, by rule: WholeIntervals
  ) throws(QueryError) -> Double {
    let reach = rule.reach(from: interval.lowerBound, to: interval.upperBound)
    guard reach < interval.upperBound else { return interval.upperBound }
    let isOfDays = question.interval.map { $0.months > 0 || $0.days > 0 } ?? true
    guard isOfDays, QueryDate.range.contains(reach) else { return interval.lowerBound }
    return max(
      interval.lowerBound, midnight(of: CivilDate(dayNumber: day(containing: reach))))
  }

  /// The intervals, each with the one before, or that of a year before; `nil` where there is none.
  private func pairs(
    _ series: IntervalSeries, with comparison: IntervalComparison, of source: Source
  ) throws(QueryError) -> [Pair?] {
    guard let first = series.starts.first, let last = series.ends.last else { return [] }
    func pair(_ row: Int, _ start: Double, _ end: Double, _ value: Double?) -> Pair? {
      guard start < end else { return nil }
      return Pair(own: series.starts[row]..<series.ends[row], other: start..<end, value: value)
    }
    switch comparison {
    case .previous:
      guard question.interval != nil else {
        // Whole samples may reach beyond the period, which decides.
        let (start, end) = (from?.instant ?? first, to?.instant ?? last)
        guard start < end, case let earlier = before(start, end), earlier < start else {
          return [nil]
        }
        let edges = Boundaries(ascendingEdges: [earlier, start])
        let value = try ask(source, named: series.name, over: edges).1.values.first ?? nil
        return [Pair(own: start..<end, other: earlier..<start, value: value)]
      }
      let longer = try earlier(series, by: 1, of: source)?.1 ?? series
      let offset = longer.count - series.count - 1
      return series.starts.indices.map { row in
        let other = row + offset
        guard other >= 0 else { return nil }
        return pair(row, longer.starts[other], longer.ends[other], longer.values[other])
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
      return series.starts.indices.map { row in
        guard edges[row] < edges[row + 1] else { return nil }
        while others.starts[place] < edges[row] { place += 1 }
        return pair(row, edges[row], edges[row + 1], others.values[place])
      }
    }
  }

  /// A day, and seconds of it.
  private typealias DayTime = (date: CivilDate, seconds: Double)

  private func dayTime(_ instant: Double) -> DayTime {
    let time = LocalTime(instant, in: zones)
    let seconds = time.hour * 3600 + time.minute * 60 + time.second
    return (time.date, Double(seconds) + time.fraction)
  }

  /// The day of another interval that is a day of one: the same date of the year before where it starts
  /// a year before, else as many days from its start.
  private func sameDay(
    as reach: DayTime, from start: Double, in other: Range<Double>
  ) -> Double {
    guard other.lowerBound != yearBefore(start) else { return yearBefore(reach) }
    let days = reach.date.dayNumber - day(containing: start)
    let date = CivilDate(dayNumber: day(containing: other.lowerBound) + days)
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
