import HealthMerge
public import HealthQuery
import HealthSamples
import HealthStatistics
import HealthUnits
import _HealthNumerics

// The JSON of answers: what the command prints with --format json, with numbers as they were
// computed. Dates are texts in the zones of the answer.

extension QuestionAnswer: Encodable {
  /// Encodes the answer of one type as an object, of several as an array of them.
  public func encode(to encoder: any Encoder) throws {
    guard columns.count != 1 else { return try columns[0].encode(to: encoder) }
    var list = encoder.unkeyedContainer()
    for column in columns { try list.encode(column) }
  }
}

extension QuestionAnswer.Column: Encodable {
  /// Encodes the whole answer where it is of one quantity or category, and nothing is made of its
  /// intervals; else the main number of each.
  public func encode(to encoder: any Encoder) throws {
    var members = encoder.container(keyedBy: AnyKey.self)
    switch answer {
    case .quantity(let answer): try answer.encodeHead(to: &members, unit: series.unitText)
    case .category, .nights:
      try members.put(series.type.identifier, "type")
      try members.put(series.unitText, "unit")
      try members.put(zones: series.timeZone)
    }
    try members.put(series.name, "name")
    try members.put(series.statistic, "statistic")
    var offsets = OffsetCache(series.timeZone)
    if case .spread = derived {
      // One for the whole period.
      var object = members.object(listName)
      return try encode(row: 0, to: &object, &offsets)
    }
    if case .gaps = derived {
      try members.put(series.count, "intervals")
      try members.put(emptyCount, "empty")
    }
    var list = members.nestedUnkeyedContainer(forKey: AnyKey(listName))
    for row in 0..<rowCount {
      var object = list.nestedContainer(keyedBy: AnyKey.self)
      try encode(row: row, to: &object, &offsets)
    }
  }

  /// The key of the list of rows, or of the only one.
  package var listName: String {
    switch derived {
    case .groups: "groups"
    case .streaks: "streaks"
    case .gaps: "gaps"
    case .spread: "spread"
    case nil, .rows, .rolling, .compared: "intervals"
    }
  }

  /// How many intervals have no number.
  package var emptyCount: Int { series.values.count { $0 == nil } }

  /// The number of rows of what is made of the intervals.
  package var rowCount: Int {
    switch derived {
    case .groups(let groups): groups.count
    case .rows(let rows): rows.count
    case .streaks(let runs), .gaps(let runs): runs.count
    case .spread: 1
    case nil, .rolling, .compared: series.count
    }
  }

  private func encode(
    row: Int, to object: inout KeyedEncodingContainer<AnyKey>, _ offsets: inout OffsetCache
  ) throws {
    func interval(_ place: Int) throws {
      try object.put(instant: series.starts[place], "start", &offsets)
      try object.put(instant: series.ends[place], "end", &offsets)
      try object.put(number: series.values[place], "value")
    }
    switch derived {
    case nil: try interval(row)
    case .groups(let groups):
      try object.put(groups[row].label, "group")
      try object.put(number: groups[row].mean, "mean")
      try object.put(number: groups[row].min, "min")
      try object.put(number: groups[row].max, "max")
      try object.put(groups[row].count, "intervals")
    case .rolling(let means):
      try interval(row)
      try object.put(number: means[row].value, "rolling")
      try object.put(means[row].count, "rollingIntervals")
    case .rows(let rows): try interval(rows[row])
    case .streaks(let runs), .gaps(let runs):
      try object.put(instant: series.starts[runs[row].lowerBound], "start", &offsets)
      try object.put(instant: series.ends[runs[row].upperBound - 1], "end", &offsets)
      try object.put(runs[row].count, "intervals")
    case .spread(let spread):
      try object.put(instant: series.starts.first, "start", &offsets)
      try object.put(instant: series.ends.last, "end", &offsets)
      try object.put(spread.count, "count")
      try object.put(spread.emptyCount, "empty")
      for statistic in IntervalSpread.statistics {
        try object.put(number: spread[statistic], statistic.rawValue)
      }
    case .compared(let others):
      try interval(row)
      try object.put(instant: others[row]?.start, "comparedStart", &offsets)
      try object.put(instant: others[row]?.end, "comparedEnd", &offsets)
      try object.put(number: others[row]?.value, "compared")
      try object.put(number: change(row), "change")
      try object.put(number: changeShare(row), "changeShare")
    }
  }

  /// The difference of an interval to the one it is compared with; `nil` where one has no data.
  package func change(_ row: Int) -> Double? {
    guard case .compared(let others) = derived, let value = series.values[row],
      let other = others[row]?.value
    else { return nil }
    return value - other
  }

  /// The difference as a share of the other; `nil` for temperatures and levels, which have no ratio: it
  /// would be another in °C than in °F.
  package func changeShare(_ row: Int) -> Double? {
    guard case .compared(let others) = derived, let other = others[row]?.value, other != 0,
      !series.unit.isOfIntervals
    else { return nil }
    return change(row).map { $0 / abs(other) }
  }
}

extension StatisticsAnswer: Encodable {
  /// Encodes an object with the rules that were applied, and `intervals`.
  public func encode(to encoder: any Encoder) throws {
    var members = encoder.container(keyedBy: AnyKey.self)
    try encodeHead(to: &members, unit: unitText)
    var offsets = OffsetCache(timeZone)
    var list = members.nestedUnkeyedContainer(forKey: AnyKey("intervals"))
    for row in 0..<intervals.count {
      var object = list.nestedContainer(keyedBy: AnyKey.self)
      try object.put(instant: intervals.starts[row], "start", &offsets)
      try object.put(instant: intervals.ends[row], "end", &offsets)
      try encode(row, of: intervals, averages, to: &object, &offsets)
      if !sources.isEmpty {
        var alone = object.object("sources")
        for source in sources {
          var part = alone.object(sourceNames[source.source])
          try encode(row, of: source.intervals, source.averages, to: &part, &offsets)
        }
      }
      if isExplained { try encodeContributions(row, to: &object) }
    }
  }

  /// Unique names of the sources.
  package var sourceNames: SourceNames {
    SourceNames(priority + sources.map(\.source) + contributions.map(\.source))
  }

  /// The sources that have samples in the interval, the highest rank first.
  private func encodeContributions(
    _ row: Int, to object: inout KeyedEncodingContainer<AnyKey>
  ) throws {
    var list = object.nestedUnkeyedContainer(forKey: AnyKey("contributions"))
    for contribution in contributions where contribution.hasData[row] {
      var part = list.nestedContainer(keyedBy: AnyKey.self)
      try part.put(sourceNames[contribution.source], "source")
      try part.put(number: contribution.sums[row], "sum")
      try part.put(number: contribution.masked[row], "masked")
      var masks = part.object("maskedBy")
      for mask in contribution.maskedBy where mask.amounts[row] != 0 {
        try masks.put(number: mask.amounts[row], sourceNames[mask.source])
      }
    }
    if let masked = masked(row) { try object.put(number: masked, "masked") }
    if let cut = cut(row) { try object.put(number: cut, "cut") }
  }

  /// What sources measured and higher ones counted, of all sources together; `nil` without samples.
  package func masked(_ row: Int) -> Double? {
    let known = contributions.filter { $0.hasData[row] }
    guard !known.isEmpty else { return nil }
    var total = CompensatedSum()
    for contribution in known { total.add(contribution.masked[row]) }
    return total.result
  }

  /// What was cut from the sum to make it whole; `nil` under a policy that cuts nothing.
  package func cut(_ row: Int) -> Double? {
    guard policy.truncates(type), let sum = intervals.value(.sum, row: row) else { return nil }
    var total = CompensatedSum()
    for contribution in contributions { total.add(contribution.sums[row]) }
    return total.result - sum
  }

  /// How statistics that have several definitions were computed.
  package var statisticMethods: [(key: String, name: String)] {
    var methods: [(key: String, name: String)] = []
    if statistics.contains(where: { $0.percentile != nil }) {
      methods.append(("percentileMethod", "linear (Hyndman-Fan type 7)"))
    }
    if statistics.contains(.standardDeviation) {
      methods.append(("stddevMethod", "sample (n - 1)"))
    }
    if statistics.contains(.coverage) {
      let isWeighted = method == .temporallyWeighted
      methods.append(("coverageMethod", isWeighted ? "time of the curve" : "covered time"))
    }
    return methods
  }

  fileprivate func encodeHead(
    to members: inout KeyedEncodingContainer<AnyKey>, unit: String
  ) throws {
    try members.put(type.identifier, "type")
    try members.put(unit, "unit")
    try members.put(zones: timeZone)
    try members.put(policy.rawValue, "merge")
    try members.put(style.rawValue, "style")
    try members.put(rule.rawValue, "rule")
    if let method {
      try members.put(method.rawValue, "method")
      try members.put(styleVersion.map { "sdk\($0.rawValue)" }, "styleVersion")
    }
    if let hold { try members.put(hold, "hold") }
    for method in statisticMethods { try members.put(method.name, method.key) }
    if isExact { try members.put(true, "exact") }
    try members.put(priority.map { sourceNames[$0] }, "priority")
  }

  private func encode(
    _ row: Int, of table: StatisticsColumns, _ averages: AverageColumns?,
    to object: inout KeyedEncodingContainer<AnyKey>, _ offsets: inout OffsetCache
  ) throws {
    for statistic in statistics {
      let name = statistic.rawValue
      guard statistic != .count else {
        try object.put(table.hasData[row] ? table.counts[row] : 0, name)
        continue
      }
      let value = table.value(statistic, row: row)
      guard let value, let spans = table.spans(of: statistic) else {
        try object.put(number: value, name)
        continue
      }
      var reading = object.object(name)
      try reading.put(number: value, "value")
      try reading.put(
        instant: statistic == .recent ? spans.ends[row] : spans.starts[row], "date", &offsets)
    }
    guard let averages else { return }
    let names = averages.names
    try object.put(number: averages.averages[row], names.average)
    try object.put(averages.counts[row], names.count)
    for spread in averages.spread {
      try object.put(number: spread.values[row], averages.name(of: spread))
    }
  }
}

extension AverageColumns {
  /// The names of the averages, and of how many days or hours they are over, for programs.
  package var names: (average: String, count: String) {
    unit == .day ? ("perDay", "days") : ("perHour", "hours")
  }

  /// The name of a statistic over totals for programs: `dayMedian`.
  package func name(of spread: Spread) -> String {
    let name = spread.statistic.rawValue
    return unit.rawValue + name.prefix(1).uppercased() + name.dropFirst()
  }
}

extension CategoryAnswer: Encodable {
  /// Encodes an object with the rules that were applied, and `intervals` with how long and how often
  /// each value was.
  public func encode(to encoder: any Encoder) throws {
    var members = encoder.container(keyedBy: AnyKey.self)
    try encodeHead(to: &members)
    var offsets = OffsetCache(timeZone)
    var list = members.nestedUnkeyedContainer(forKey: AnyKey("intervals"))
    for row in starts.indices {
      var object = list.nestedContainer(keyedBy: AnyKey.self)
      try object.put(instant: starts[row], "start", &offsets)
      try object.put(instant: ends[row], "end", &offsets)
      var each = object.object("values")
      for value in values {
        var part = each.object(name(of: value))
        try part.put(number: hasData[row] ? value.durations[row] : nil, "duration")
        try part.put(value.counts[row], "count")
      }
    }
  }

  fileprivate func encodeHead(to members: inout KeyedEncodingContainer<AnyKey>) throws {
    try members.put(type.identifier, "type")
    try members.put("s", "unit")
    try members.put(zones: timeZone)
    try members.put(policy.rawValue, "merge")
    try members.put("category", "style")
    try members.put(rule.rawValue, "rule")
    let names = SourceNames(priority)
    try members.put(priority.map { names[$0] }, "priority")
  }

  /// The name of a value, without the words that every constant of the type begins with.
  package func name(of column: ValueColumns) -> String {
    guard let constant = column.constant else {
      return column.value == column.value.rounded() && abs(column.value) < 1e15
        ? "\(Int(column.value))" : "\(column.value)"
    }
    let enumerations = Catalogue.categoryTypes
      .filter { $0.identifier.rawValue == type.identifier }.map(\.enumeration)
    for enumeration in enumerations where constant.hasPrefix(enumeration) {
      return Catalogue.swiftName(of: constant.dropFirst(enumeration.count))
    }
    return constant
  }
}
