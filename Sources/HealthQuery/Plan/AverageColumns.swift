import HealthSamples
public import HealthStatistics
import _HealthNumerics

/// The sums of intervals divided by their number of days, or hours, with data.
///
/// Days that are not whole are in neither (``WholeIntervals``): the mean of a running month is that of its
/// days so far without today.
public struct AverageColumns: Sendable, Hashable {
  /// The unit of the divisor.
  public enum Unit: String, Sendable, Hashable, Codable, CaseIterable {
    /// Calendar days of the plan's zones.
    case day
    /// Hours, counted from the local midnight before the first interval.
    case hour

    /// The intervals that have days or hours to divide by.
    package var divided: String {
      switch self {
      case .day: "days of the calendar and what is longer"
      case .hour: "intervals of an hour and longer ones"
      }
    }

    /// Whether intervals of a length are ``divided``; the only row of a period is.
    package func divides(_ interval: CalendarInterval?) -> Bool {
      guard let interval, interval.months == 0, interval.days == 0 else { return true }
      return self == .hour && interval.seconds >= 3600
    }
  }

  /// The unit of the divisor.
  public let unit: Unit
  /// The number of whole days or hours of each interval with data; one that an edge cuts counts on both
  /// sides.
  ///
  /// A single row over whole samples counts those of the plan's period.
  public let counts: [Int]
  /// The sum of these days or hours divided by ``counts``; `nil` where the count is 0.
  public let averages: [Double?]
  /// Statistics over the totals of the days or hours with data, in the order of the plan: the least
  /// day of a month, its quartiles, its standard deviation (of a sample, *n* − 1).
  public let spread: [Spread]
  /// The days or hours with data that are left out, in order.
  public let leftOut: [LeftOutInterval]

  /// One statistic over the totals of the days or hours of each interval.
  public struct Spread: Sendable, Hashable {
    /// The statistic: `min`, `max`, `median`, a percentile or the standard deviation.
    public let statistic: Statistic
    /// One an interval; `nil` without data, and for the standard deviation of one day.
    public let values: [Double?]
  }

  init(
    _ unit: Unit, _ parts: AverageParts, of table: StatisticsColumns, counted: StatisticsColumns,
    spread: [Statistic]
  ) {
    self.unit = unit
    let counts = parts.counts(of: counted, rows: table.count)
    self.counts = counts
    let sums = parts.sums(of: table, counted: counted)
    averages = zip(sums, counts).map { $1 == 0 ? nil : $0 / Double($1) }
    let totals =
      spread.isEmpty ? [] : parts.totals(of: counted, rows: table.count).map { $0.sorted() }
    self.spread = spread.map { statistic in
      Spread(statistic: statistic, values: totals.map(statistic.ofTotals))
    }
    leftOut = parts.leftOut(of: counted)
  }
}

/// The days or hours of the intervals of an answer, split at the edges of the intervals.
struct AverageParts {
  let unit: AverageColumns.Unit
  let boundaries: Boundaries
  /// The interval of each part.
  let rows: [Int]
  /// Why each part does not count; `nil` where it does.
  private let lacks: [WholeIntervals.Lack?]

  init(unit: AverageColumns.Unit, boundaries: Boundaries, rows: [Int], by rule: WholeIntervals) {
    (self.unit, self.boundaries, self.rows) = (unit, boundaries, rows)
    lacks = zip(boundaries.edges, boundaries.edges.dropFirst()).map { start, end in
      rule.lack(from: start, to: end)
    }
  }

  /// Whether all parts count.
  var areAllWhole: Bool { lacks.allSatisfy { $0 == nil } }

  /// The parts with data that do not count.
  fileprivate func leftOut(of counted: StatisticsColumns) -> [LeftOutInterval] {
    zip(boundaries.edges, lacks).enumerated().compactMap { part, found in
      guard counted.hasData.indices.contains(part), counted.hasData[part], let lack = found.1 else {
        return nil
      }
      return LeftOutInterval(start: found.0, lack: lack)
    }
  }

  /// The number of parts of each interval that have data and count.
  func counts(of table: StatisticsColumns, rows count: Int) -> [Int] {
    var counts = Array(repeating: 0, count: count)
    for (part, row) in rows.enumerated()
    where lacks[part] == nil && table.hasData.indices.contains(part) {
      if table.hasData[part] { counts[row] += 1 }
    }
    return counts
  }

  /// The sums of the parts of each interval that have data and count.
  func totals(of table: StatisticsColumns, rows count: Int) -> [[Double]] {
    var totals: [[Double]] = Array(repeating: [], count: count)
    for (part, row) in rows.enumerated()
    where lacks[part] == nil && table.hasData.indices.contains(part) {
      if let sum = table.value(.sum, row: part) { totals[row].append(sum) }
    }
    return totals
  }

  /// The sum of each interval: its own where all parts count that have data, else that of those that
  /// count.
  fileprivate func sums(
    of table: StatisticsColumns, counted: StatisticsColumns
  ) -> [Double] {
    var sums = table[raw: .sum] ?? Array(repeating: 0, count: table.count)
    let lacking = rows.indices.filter { part in
      lacks[part] != nil && counted.hasData.indices.contains(part) && counted.hasData[part]
    }
    guard !lacking.isEmpty else { return sums }
    let totals = totals(of: counted, rows: table.count)
    for row in Set(lacking.map { rows[$0] }) {
      var sum = CompensatedSum()
      for total in totals[row] { sum.add(total) }
      sums[row] = sum.result
    }
    return sums
  }
}

extension Statistic {
  /// Whether the totals of days have the statistic, and a single sum has not.
  var isOfTotals: Bool {
    switch self {
    case .min, .max, .median, .percentile, .standardDeviation: true
    default: false
    }
  }

  /// The statistic of ascending totals; `nil` without any, and for the standard deviation of one.
  package func ofTotals(_ totals: [Double]) -> Double? {
    guard let least = totals.first, let greatest = totals.last else { return nil }
    if let percentile { return percentile.value(in: totals) }
    switch self {
    case .min: return least
    case .max: return greatest
    case .standardDeviation:
      guard totals.count > 1 else { return nil }
      let mean = totals.reduce(0, +) / Double(totals.count)
      let squares = totals.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
      return (squares / Double(totals.count - 1)).squareRoot()
    default: return nil
    }
  }
}

extension ResolvedPlan {
  /// The parts to count; `nil` when no average is requested, and without intervals.
  func averageParts(
    of table: StatisticsColumns, by rule: WholeIntervals
  ) throws(QueryError) -> AverageParts? {
    guard let unit = plan.average, var first = table.starts.first, var last = table.ends.last
    else { return nil }
    // Whole samples reach beyond the period, whose days alone are counted.
    if plan.isSingle {
      first = max(first, plan.from?.instant ?? first)
      last = min(last, plan.to?.instant.nextDown ?? last)
      guard first <= last else { return nil }
    }
    for instant in [first, last] where !QueryDate.range.contains(instant) {
      throw QueryError(.sampleOutOfRange)
    }
    let interval = CalendarInterval(unit == .day ? .day : .hour)
    let limit = StatisticsPlan.intervalLimit
    guard (last - first) / interval.meanSeconds <= Double(limit - table.count) else {
      throw QueryError(.tooManyIntervals(limit: limit))
    }
    let grid = IntervalGrid(
      interval, anchor: first, alignment: interval.alignment, zones: plan.timeZone,
      range: first...last)
    let whole = grid.boundaries(grid.index(containing: first)...grid.index(containing: last))
    guard let whole else { return nil }
    // A single row over whole samples has an instant at its end, and no edge to cut at.
    guard !plan.isSingle else {
      return AverageParts(
        unit: unit, boundaries: whole, rows: Array(repeating: 0, count: whole.count), by: rule)
    }
    let edges = Set(whole.edges.filter { first < $0 && $0 < last }).union(table.starts + [last])
    let boundaries = Boundaries(ascendingEdges: edges.sorted())
    var row = 0
    let rows = boundaries.edges.dropLast().map { edge in
      while row + 1 < table.count, table.starts[row + 1] <= edge { row += 1 }
      return row
    }
    return AverageParts(unit: unit, boundaries: boundaries, rows: rows, by: rule)
  }
}

extension StatisticsAnswer {
  /// The same answer with averages, from the counts of its parts.
  func averaged(
    by parts: AverageParts, counted: StatisticsAnswer, spread: [Statistic]
  ) -> StatisticsAnswer {
    func averages(_ table: StatisticsColumns, _ parted: StatisticsColumns) -> AverageColumns {
      AverageColumns(parts.unit, parts, of: table, counted: parted, spread: spread)
    }
    var answer = self
    answer.averages = averages(intervals, counted.intervals)
    answer.sources = sources.map { source in
      var source = source
      source.averages = counted.sources.first { $0.source == source.source }
        .map { averages(source.intervals, $0.intervals) }
      return source
    }
    return answer
  }
}
