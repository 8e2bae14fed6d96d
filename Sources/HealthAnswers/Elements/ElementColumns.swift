public import HealthQuery

/// The answer to a question about elements: rows in order of time, and named columns.
///
/// ```swift
/// let months = try store.bloodPressure(plan)
/// months["systolic"]      // the means of each month, nil where nothing was measured
/// ```
public struct ElementColumns: Sendable, Hashable {
  /// What the rows are.
  public enum Rows: String, Sendable, Hashable {
    /// Adjacent intervals, those without elements too.
    case intervals
    /// Elements, or what follows from them, at ``ElementColumns/starts``.
    case elements
  }

  /// One column.
  public struct Column: Sendable, Hashable {
    /// Its name, such as `systolicMax`.
    public let name: String
    /// The unit of its numbers; `nil` for counts, texts and numbers without one.
    public let unit: String?
    /// Its values.
    public let values: Values
  }

  /// The values of a column, one for each row.
  public enum Values: Sendable, Hashable {
    /// How many.
    case counts([Int])
    /// Numbers; `nil` where unknown.
    case numbers([Double?])
    /// Texts; empty where unknown.
    case texts([String])
  }

  /// What was asked, such as `bloodPressure`.
  public let question: String
  /// What the rows are.
  public let rows: Rows
  /// The zones of the calendar.
  public let timeZone: ZoneTimeline
  /// The start of each row, in seconds since 2001-01-01 UTC.
  public let starts: [Double]
  /// The end of each row.
  public let ends: [Double]
  /// The columns, in the order of their importance.
  public private(set) var columns: [Column] = []
  /// How many elements could not be read and are in no row.
  public internal(set) var unreadable = 0

  /// The number of rows. - Complexity: O(1)
  public var count: Int { starts.count }

  /// Makes an answer without columns.
  init(
    _ question: String, rows: Rows, in zones: ZoneTimeline, starts: [Double], ends: [Double]
  ) {
    (self.question, self.rows, timeZone) = (question, rows, zones)
    (self.starts, self.ends) = (starts, ends)
  }

  /// The numbers of a column, counts too; `nil` if there is no column of the name, or it has texts.
  public subscript(name: String) -> [Double?]? {
    switch columns.first(where: { $0.name == name })?.values {
    case .numbers(let numbers): numbers
    case .counts(let counts): counts.map(Double.init)
    case .texts, nil: nil
    }
  }

  /// The texts of a column; `nil` if there is no column of the name, or it has numbers.
  public func texts(_ name: String) -> [String]? {
    if case .texts(let texts)? = columns.first(where: { $0.name == name })?.values {
      texts
    } else {
      nil
    }
  }

  /// Adds a column with a value for each row.
  mutating func add(_ name: String, unit: String? = nil, _ values: Values) {
    columns.append(Column(name: name, unit: unit, values: values))
  }
}

extension ElementColumns {
  /// An answer by intervals: for each the places of the elements that start in it.
  init(
    _ question: String, over period: ElementPeriod, starts: [Double],
    _ fill: (inout Self, [[Int]]) -> Void
  ) throws(QueryError) {
    let intervals = try period.intervals(of: starts)
    var groups = [[Int]](repeating: [], count: intervals.count)
    for (place, start) in starts.enumerated() {
      if let row = intervals.row(of: start) { groups[row].append(place) }
    }
    self.init(
      question, rows: .intervals, in: period.timeZone, starts: intervals.starts,
      ends: intervals.ends)
    fill(&self, groups)
  }

  /// Adds mean, least and greatest of the numbers of each row: `name`, `nameMin`, `nameMax`.
  mutating func addSpread(
    _ name: String, unit: String?, of groups: [[Int]], _ value: (Int) -> Double?
  ) {
    let numbers = groups.map { $0.compactMap(value) }
    add(name, unit: unit, .numbers(numbers.map(\.mean)))
    add(name + "Min", unit: unit, .numbers(numbers.map { $0.min() }))
    add(name + "Max", unit: unit, .numbers(numbers.map { $0.max() }))
  }

  /// Adds a column for each of the words of elements, the most frequent first: how many have it.
  mutating func addCounts(of groups: [[Int]], _ words: (Int) -> [String]) {
    var totals: [String: Int] = [:]
    let counts = groups.map { group in
      group.flatMap(words).reduce(into: [String: Int]()) { counts, word in
        counts[word, default: 0] += 1
        totals[word, default: 0] += 1
      }
    }
    for (word, _) in totals.sorted(by: { ($1.value, $0.key) < ($0.value, $1.key) }) {
      add(word, .counts(counts.map { $0[word, default: 0] }))
    }
  }
}

extension [Double] {
  /// The arithmetic mean; `nil` of none.
  var mean: Double? { isEmpty ? nil : reduce(0, +) / Double(count) }
}
