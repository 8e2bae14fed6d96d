package import HealthAnswers
import HealthSamples
import HealthStatistics

// Answers about several types, about nights, and what is made of intervals.

extension QuestionAnswer {
  /// What json has: a document for each type.
  ///
  /// - Parameter asComputed: whether numbers keep the digits that the way into another unit adds
  /// - Returns: the documents
  package func documents(asComputed: Bool = false) -> [AnswerTable] {
    columns.map { $0.document(asComputed: asComputed) }
  }

  /// What csv, ndjson and Arrow have: the rows of all types, with the name of each.
  package var table: AnswerTable {
    let tables = columns.map { $0.table() }
    // The rules are those of one type.
    let head = tables.count == 1 ? tables[0].head : HeadMember.zones(timeZone)
    return AnswerTable(stacking: tables, by: ["name", "type", "statistic", "unit"], head: head)
      ?? AnswerTable("intervals", list: "intervals", count: 0, zones: timeZone, head: head, [])
  }

  /// A row for each interval with a column for each type; `nil` for what is made of intervals, and for
  /// a single type.
  package var wideTable: AnswerTable? {
    guard columns.count > 1, columns.allSatisfy({ $0.derived == nil }) else { return nil }
    let first = columns[0].series
    return AnswerTable(
      "series", list: "intervals", count: first.count, zones: timeZone,
      head: HeadMember.zones(timeZone),
      AnswerColumn.interval(.all(first.starts), .all(first.ends))
        + columns.map { column in
          let series = column.series
          return .numbers(
            series.name, unit: series.unitText, naming: .withUnit,
            facts: [
              .init("type", series.type.identifier), .init("statistic", series.statistic),
            ], series.cells())
        })
  }
}

extension IntervalSeries {
  /// The numbers as programs read them, or as they were computed.
  fileprivate func cells(asComputed: Bool = false) -> Cells<Double> {
    Cells.optional(values).printed(!asComputed && !printsAsComputed)
  }
}

extension QuestionAnswer.Column {
  /// The head of an answer about one type.
  package var head: [HeadMember] {
    var members =
      rules + [.fact("name", .string(series.name)), .init("statistic", .string(series.statistic))]
    if case .gaps = derived {
      members += [
        .fact("intervals", .integer(series.count)), .fact("empty", .integer(emptyCount)),
      ]
    }
    return members
  }

  /// What json has: the rows in a list, or what is of the whole period as an object of the head.
  package func document(asComputed: Bool = false) -> AnswerTable {
    let table = table(asComputed: asComputed)
    guard case .spread = derived else { return table }
    return AnswerTable(
      table.name, list: nil, count: table.count, zones: table.zones, head: table.head,
      [.group(listName, .plain, table.columns)])
  }

  /// The rows: an interval, a group or a run each.
  package func table(asComputed: Bool = false) -> AnswerTable {
    AnswerTable(
      listName, list: listName, count: rowCount, zones: series.timeZone, head: head,
      columns(asComputed))
  }

  private func columns(_ asComputed: Bool) -> [AnswerColumn] {
    let (series, unit) = (series, series.unitText)
    func shown(_ value: Double?) -> Double? {
      value.map { asComputed ? $0 : series.printing($0) }
    }
    var all: [AnswerColumn] {
      AnswerColumn.interval(.all(series.starts), .all(series.ends))
        + [
          .numbers(
            "value", unit: unit, about: "null without data", series.cells(asComputed: asComputed))
        ]
    }
    switch derived {
    case nil: return all
    case .groups(let groups):
      let rows = AnswerRows(groups)
      return [
        rows.word("group", about: "such as Monday", \.label),
        rows.number("mean", unit: unit, about: "of its intervals") { shown($0.mean) },
        rows.number("min", unit: unit) { shown($0.min) },
        rows.number("max", unit: unit) { shown($0.max) },
        rows.count("intervals", about: "how many have data", \.count),
      ]
    case .rolling(let means):
      let rows = AnswerRows(means)
      return all + [
        rows.number(
          "rolling", unit: unit, about: "the mean of this and the intervals before"
        ) { shown($0.value) },
        rows.count("rollingIntervals", about: "how many the mean is over", \.count),
      ]
    case .rows(let places):
      let rows = AnswerRows(places)
      return rows.interval({ series.starts[$0] }, { series.ends[$0] })
        + [
          rows.number("value", unit: unit, about: "null without data") { shown(series.values[$0]) }
        ]
    case .streaks(let runs), .gaps(let runs):
      let rows = AnswerRows(runs)
      return rows.interval(
        { series.starts[$0.lowerBound] }, { series.ends[$0.upperBound - 1] })
        + [rows.count("intervals", about: "how many", \.count)]
    case .spread(let spread):
      let rows = AnswerRows([spread])
      return rows.interval({ _ in series.starts.first }, { _ in series.ends.last }) + [
        rows.count("count", about: "intervals with data", \.count),
        rows.count("empty", about: "intervals without", \.emptyCount),
      ]
        + IntervalSpread.statistics.map { statistic in
          rows.number(statistic.rawValue, unit: unit, naming: .verbatim) { shown($0[statistic]) }
        }
    case .compared(let others):
      let rows = AnswerRows(Array(others.enumerated()))
      return all + [
        rows.instant("comparedStart", about: "null without another", \.element?.start),
        rows.instant("comparedEnd", \.element?.end),
        rows.number("compared", unit: unit, about: "its number") { shown($0.element?.value) },
        rows.number("change", unit: unit, about: "the difference") { shown(change($0.offset)) },
        rows.number(
          "changeShare", unit: "1",
          about: "the difference as a share of the other; null for temperatures and levels"
        ) { changeShare($0.offset) },
      ]
    }
  }
}
