internal import HealthStatistics

/// Statistics of the samples of a type in an interval: a row of a table of the core.
///
/// Two are equal when type, interval and all quantities are.
open class HKStatistics: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
  let table: StatisticsTable
  let row: Int

  init(_ table: StatisticsTable, row: Int) {
    self.table = table
    self.row = row
  }

  /// Reads statistics from an archive.
  public required init?(coder: NSCoder) {
    guard let type = coder.decodeOne(HKQuantityType.self, "quantityType"),
      let unit = coder.decodeOne(HKUnit.self, "unit"),
      let intervals = coder.decodeRow("total"),
      let sources = coder.decodeMany(HKSource.self, "sources")
    else { return nil }
    let rows = sources.indices.compactMap { coder.decodeRow("source\($0)") }
    guard rows.count == sources.count else { return nil }
    table = StatisticsTable(
      type: type, unit: unit, intervals: intervals, sources: Array(zip(sources, rows)),
      separatesSources: coder.decodeBool(forKey: "separatesSources"))
    row = 0
  }

  /// Writes the row, and that of each source.
  open func encode(with coder: NSCoder) {
    coder.encode(table.type, forKey: "quantityType")
    coder.encode(table.unit, forKey: "unit")
    coder.encodeRow(row, of: table.intervals, "total")
    coder.encode(table.separatesSources, forKey: "separatesSources")
    coder.encodeMany(table.sources.map(\.source), "sources")
    for (index, source) in table.sources.enumerated() {
      coder.encodeRow(row, of: source.intervals, "source\(index)")
    }
  }

  /// Statistics are read from secure archives.
  open class var supportsSecureCoding: Bool { true }

  /// The statistics themselves, which do not change.
  open func copy(with zone: NSZone? = nil) -> Any { self }

  /// The type.
  open var quantityType: HKQuantityType { table.type }
  /// The start of the interval, or of the earliest sample.
  open var startDate: Date { table.start(row) }
  /// The end of the interval, or of the latest sample.
  open var endDate: Date { table.end(row) }
  /// The sources with samples in the interval; `nil` unless separated by source.
  open var sources: [HKSource]? {
    guard table.separatesSources else { return nil }
    return table.sources.filter { $0.intervals.hasData[row] }.map(\.source)
  }

  /// The sum; `nil` without samples, and when it was not asked for.
  open func sumQuantity() -> HKQuantity? { quantity(.sum) }
  /// The sum of a source; `nil` unless separated by source, too.
  open func sumQuantity(for source: HKSource) -> HKQuantity? { quantity(.sum, source) }
  /// The mean; `nil` without samples, and when it was not asked for.
  open func averageQuantity() -> HKQuantity? { quantity(.mean) }
  /// The mean of a source; `nil` unless separated by source, too.
  open func averageQuantity(for source: HKSource) -> HKQuantity? { quantity(.mean, source) }
  /// The smallest quantity; `nil` without samples, and when it was not asked for.
  open func minimumQuantity() -> HKQuantity? { quantity(.min) }
  /// The smallest quantity of a source; `nil` unless separated by source, too.
  open func minimumQuantity(for source: HKSource) -> HKQuantity? { quantity(.min, source) }
  /// The largest quantity; `nil` without samples, and when it was not asked for.
  open func maximumQuantity() -> HKQuantity? { quantity(.max) }
  /// The largest quantity of a source; `nil` unless separated by source, too.
  open func maximumQuantity(for source: HKSource) -> HKQuantity? { quantity(.max, source) }
  /// The latest quantity; `nil` without samples, and when it was not asked for.
  open func mostRecentQuantity() -> HKQuantity? { quantity(.recent) }
  /// The latest quantity of a source; `nil` unless separated by source, too.
  open func mostRecentQuantity(for source: HKSource) -> HKQuantity? { quantity(.recent, source) }
  /// The covered time; `nil` without samples, and when it was not asked for.
  open func duration() -> HKQuantity? { quantity(.duration) }
  /// The covered time of a source; `nil` unless separated by source, too.
  open func duration(for source: HKSource) -> HKQuantity? { quantity(.duration, source) }

  /// When the latest quantity was; `nil` where ``mostRecentQuantity()`` is.
  open func mostRecentQuantityDateInterval() -> DateInterval? {
    Self.recentInterval(of: table.intervals, row)
  }

  /// When the latest quantity of a source was.
  open func mostRecentQuantityDateInterval(for source: HKSource) -> DateInterval? {
    table.intervals(of: source).flatMap { Self.recentInterval(of: $0, row) }
  }

  private func quantity(_ statistic: Statistic) -> HKQuantity? {
    table.quantity(statistic, in: table.intervals, row)
  }

  private func quantity(_ statistic: Statistic, _ source: HKSource) -> HKQuantity? {
    table.intervals(of: source).flatMap { table.quantity(statistic, in: $0, row) }
  }

  private static func recentInterval(
    of intervals: StatisticsColumns, _ row: Int
  ) -> DateInterval? {
    guard intervals.value(.recent, row: row) != nil, let spans = intervals.spans(of: .recent),
      spans.starts[row] <= spans.ends[row]
    else { return nil }
    return DateInterval(
      start: Date(timeIntervalSinceReferenceDate: spans.starts[row]),
      end: Date(timeIntervalSinceReferenceDate: spans.ends[row]))
  }

  /// Whether the object is statistics of the same type and interval with the same quantities.
  open override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? HKStatistics else { return false }
    return self === other
      || table.type == other.table.type && table.unit == other.table.unit
        && table.separatesSources == other.table.separatesSources
        && Row(table.intervals, row) == Row(other.table.intervals, other.row)
        && table.rows(row) == other.table.rows(other.row)
  }

  /// Hashes type and interval.
  open override var hash: Int {
    var hasher = Hasher()
    hasher.combine(table.type)
    hasher.combine(startDate)
    hasher.combine(endDate)
    return hasher.finalize()
  }

  /// The numbers of one interval.
  struct Row: Hashable {
    var start: Double
    var end: Double
    var values: [Statistic: Double]
    var recentStart: Double?
    var recentEnd: Double?

    init(_ table: StatisticsColumns, _ row: Int) {
      start = table.starts[row]
      end = table.ends[row]
      let pairs = StatisticsTable.statistics.compactMap { statistic in
        table.value(statistic, row: row).map { (statistic, $0) }
      }
      values = Dictionary(pairs) { first, _ in first }
      if values[.recent] != nil, let spans = table.spans(of: .recent) {
        recentStart = spans.starts[row]
        recentEnd = spans.ends[row]
      }
    }
  }
}

/// A table of the core with what Apple's vocabulary needs besides: the type, the unit and sources.
final class StatisticsTable: Sendable {
  /// The type of all rows.
  let type: HKQuantityType
  /// The unit of all numbers.
  let unit: HKUnit
  /// All sources together.
  let intervals: StatisticsColumns
  /// Each source alone, with rows as in ``intervals``; none unless asked for.
  let sources: [(source: HKSource, intervals: StatisticsColumns)]
  /// Whether ``sources`` was asked for.
  let separatesSources: Bool

  /// The statistics that an ``HKStatistics`` can show.
  static let statistics: [Statistic] = [.sum, .mean, .min, .max, .recent, .duration]

  init(
    type: HKQuantityType, unit: HKUnit, intervals: StatisticsColumns,
    sources: [(HKSource, StatisticsColumns)] = [], separatesSources: Bool = false
  ) {
    self.type = type
    self.unit = unit
    self.intervals = intervals
    self.sources = separatesSources ? sources.map { (source: $0.0, intervals: $0.1) } : []
    self.separatesSources = separatesSources
  }

  /// An interval without samples.
  func empty(from start: Double, to end: Double) -> StatisticsTable {
    StatisticsTable(
      type: type, unit: unit,
      intervals: StatisticsColumns(start: start, end: end, count: 0, values: [:]),
      separatesSources: separatesSources)
  }

  func start(_ row: Int) -> Date { Date(timeIntervalSinceReferenceDate: intervals.starts[row]) }
  func end(_ row: Int) -> Date { Date(timeIntervalSinceReferenceDate: intervals.ends[row]) }

  /// The rows of a source; `nil` for a source without samples.
  func intervals(of source: HKSource) -> StatisticsColumns? {
    sources.first { $0.source == source }?.intervals
  }

  func quantity(
    _ statistic: Statistic, in intervals: StatisticsColumns, _ row: Int
  ) -> HKQuantity? {
    intervals.value(statistic, row: row).map {
      HKQuantity(unit: statistic == .duration ? .second() : unit, doubleValue: $0)
    }
  }

  /// One row of every source that has samples in it.
  func rows(_ row: Int) -> [HKSource: HKStatistics.Row] {
    let pairs = sources.filter { $0.intervals.hasData[row] }
      .map { ($0.source, HKStatistics.Row($0.intervals, row)) }
    return Dictionary(pairs) { first, _ in first }
  }
}

extension NSCoder {
  /// Writes one row of a table.
  fileprivate func encodeRow(_ row: Int, of table: StatisticsColumns, _ key: String) {
    let numbers = HKStatistics.Row(table, row)
    encodeColumns(
      [[numbers.start], [numbers.end], [Double(table.counts[row])]], "\(key).interval")
    encode(table.hasData[row], forKey: "\(key).hasData")
    for (statistic, value) in numbers.values {
      encodeColumns([[value]], "\(key).\(statistic.rawValue)")
    }
    if let start = numbers.recentStart, let end = numbers.recentEnd {
      encodeColumns([[start], [end]], "\(key).span")
    }
  }

  /// Reads a table of one row.
  fileprivate func decodeRow(_ key: String) -> StatisticsColumns? {
    guard let interval = decodeColumns(3, "\(key).interval"), let start = interval[0].first,
      let end = interval[1].first, let count = interval[2].first.flatMap(Int.init(exactly:))
    else { return nil }
    var values: [Statistic: Double] = [:]
    for statistic in StatisticsTable.statistics {
      values[statistic] = decodeColumns(1, "\(key).\(statistic.rawValue)")?[0].first
    }
    let span = decodeColumns(2, "\(key).span")
    return StatisticsColumns(
      start: start, end: end, count: count, hasData: decodeBool(forKey: "\(key).hasData"),
      values: values,
      recent: (span?[0].first).flatMap { start in (span?[1].first).map { (start, $0) } })
  }

  /// Writes statistics by type.
  func encodeStatistics(_ statistics: [HKQuantityType: HKStatistics], _ key: String) {
    encodeMany(
      statistics.values.sorted { $0.quantityType.identifier < $1.quantityType.identifier }, key)
  }

  /// Reads statistics by type.
  func decodeStatistics(_ key: String) -> [HKQuantityType: HKStatistics]? {
    decodeMany(HKStatistics.self, key).map { statistics in
      Dictionary(statistics.map { ($0.quantityType, $0) }) { first, _ in first }
    }
  }
}
