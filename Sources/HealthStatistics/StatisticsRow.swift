extension StatisticsColumns {
  /// The table as rows, for reading and encoding a few of them.
  ///
  /// - Complexity: O(rows)
  public var rows: [StatisticsRow] { (0..<count).map { StatisticsRow(of: self, at: $0) } }
}

/// One interval of a table with its statistics.
///
/// ```swift
/// days.rows[3][.mean]  // nil on a day without a sample
/// ```
public struct StatisticsRow: Sendable, Hashable {
  /// The start of the interval, in seconds since 2001-01-01 UTC.
  public let start: Double
  /// Its end.
  public let end: Double
  /// How many samples contribute.
  public let count: Int
  private let values: [Statistic: Double]

  init(of table: StatisticsColumns, at row: Int) {
    (start, end, count) = (table.starts[row], table.ends[row], table.counts[row])
    var values: [Statistic: Double] = [:]
    for statistic in table.columns.keys { values[statistic] = table.value(statistic, row: row) }
    self.values = values
  }

  /// A statistic of the interval; `nil` where ``StatisticsColumns/value(_:row:)`` is.
  public subscript(statistic: Statistic) -> Double? {
    statistic == .count ? Double(count) : values[statistic.columnKey]
  }
}

extension StatisticsRow: Codable {
  /// `start`, `end`, `count` and the names of statistics.
  private struct Key: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(_ name: String) { stringValue = name }
    init?(stringValue: String) { self.init(stringValue) }
    init?(intValue: Int) { nil }
  }

  /// Decodes what ``encode(to:)`` encodes.
  public init(from decoder: any Decoder) throws {
    let members = try decoder.container(keyedBy: Key.self)
    start = try members.decode(Double.self, forKey: Key("start"))
    end = try members.decode(Double.self, forKey: Key("end"))
    count = try members.decode(Int.self, forKey: Key(Statistic.count.rawValue))
    var values: [Statistic: Double] = [:]
    for key in members.allKeys {
      guard let statistic = Statistic(rawValue: key.stringValue), statistic != .count else {
        continue
      }
      values[statistic.columnKey] = try members.decodeIfPresent(Double.self, forKey: key)
    }
    self.values = values
  }

  /// Encodes an object with the members `start`, `end`, `count` and one for each statistic that has
  /// a value, by its ``Statistic/rawValue``.
  ///
  /// A sum that is out of the range of `Double` is null, which decodes as no value.
  public func encode(to encoder: any Encoder) throws {
    var members = encoder.container(keyedBy: Key.self)
    try members.encode(start, forKey: Key("start"))
    try members.encode(end, forKey: Key("end"))
    try members.encode(count, forKey: Key(Statistic.count.rawValue))
    for (statistic, value) in values {
      let key = Key(statistic.rawValue)
      if value.isFinite {
        try members.encode(value, forKey: key)
      } else {
        try members.encodeNil(forKey: key)
      }
    }
  }
}
