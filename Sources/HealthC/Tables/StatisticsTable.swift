import Foundation
import HealthAnswers
import HealthExchange
import HealthMerge
import HealthQuery
import HealthSamples
import HealthStatistics
import HealthStore
import HealthUnits

// Columns have the names of the csv of `hkstats stats`, and its numbers.

/// A question about intervals, as a table.
enum StatisticsTable {
  /// Asks a store, in one snapshot of it.
  ///
  /// - Throws: `QueryError`
  static func answer(_ question: Question, in store: SampleStore) throws -> Table {
    let question = question.withParts
    guard question.hasOnePlan else {
      return try table(of: try store.answer(question), to: question)
    }
    if question.explains { return try explanation(question, in: store) }
    let asked = question.types[0]
    let chosen = try store.choosingSources(of: question)
    guard let plan = try chosen.plan(of: question, for: asked) else {
      throw QueryError(.missingMember("type"))
    }
    let isCategory = if case .category = plan.type.kind { true } else { false }
    let table =
      isCategory
      ? try Self.table(
        of: chosen.categoryStatistics(plan), statistics: asked.statistics,
        bySource: question.separatesSources)
      : try Self.table(of: chosen.statistics(plan))
    try chosen.endWatching()
    return table
  }

  // MARK: - Quantities

  private static func table(of answer: StatisticsAnswer) throws -> Table {
    let (whole, sources) = (answer.intervals, answer.sources)
    let names = answer.sourceNames
    let parts = Parts(
      tables: [(whole, answer.averages)] + sources.map { ($0.intervals, $0.averages) })
    var columns = interval(
      parts.rows { _, _ in whole.starts }, parts.rows { _, _ in whole.ends }, answer.timeZone)
    if !sources.isEmpty {
      let texts = [nil] + sources.map { String?(names[$0.source]) }
      columns.append(
        Column(
          Field("source", .word), .words((0..<whole.count).flatMap { _ in texts })))
    }
    for statistic in answer.statistics {
      columns += column(statistic, of: answer, parts)
    }
    if let averages = answer.averages {
      columns += self.columns(averages, of: answer, parts)
    }
    return Table(
      "statistics", columns, count: whole.count * parts.tables.count,
      head: JSON.object(
        answer.members + JSON.Member.leftOut(answer.averages?.leftOutSentence(in: answer.timeZone))
      ).text)
  }

  /// The answers of all sources together and of each alone: a row for each interval, then one for
  /// each source of it.
  private struct Parts {
    let tables: [(intervals: StatisticsColumns, averages: AverageColumns?)]

    /// The column of each table, interval by interval.
    func rows<Value>(_ column: (StatisticsColumns, AverageColumns?) -> [Value]) -> [Value] {
      let columns = tables.map(column)
      guard let whole = columns.first, columns.count > 1 else { return columns.first ?? [] }
      return whole.indices.flatMap { row in columns.map { $0[row] } }
    }
  }

  private static func column(
    _ statistic: Statistic, of answer: StatisticsAnswer, _ parts: Parts
  ) -> [Column] {
    let name = statistic.rawValue
    let facts = [Fact("statistic", name), Fact("type", answer.type.identifier)]
    guard statistic != .count else {
      let counts = parts.rows { table, _ in
        zip(table.hasData, table.counts).map { $0 ? Int64($1) : 0 }
      }
      return [Column(Field(name, .integer, facts), .integers(counts))]
    }
    let known = parts.rows { table, _ in table.values(of: statistic).map { $0 != nil } }
    var values = parts.rows { table, _ in table[raw: statistic] ?? [] }
    if !answer.printsAsComputed {
      for row in values.indices where known[row] { values[row] = NumberText.shortest(values[row]) }
    }
    let isWhole = !known.contains(false)
    let unit: String? =
      switch statistic {
      case .duration: "s"
      case .coverage: "1"
      default: answer.unitText
      }
    guard answer.intervals.spans(of: statistic) != nil else {
      return [
        Column(.real(name, unit: unit, facts), .reals(values, known: isWhole ? nil : known))
      ]
    }
    let dates = parts.rows { table, _ in
      let spans = table.spans(of: statistic)
      return (statistic == .recent ? spans?.ends : spans?.starts) ?? []
    }
    return [
      Column(
        .real(name + "_value", unit: unit, facts), .reals(values, known: isWhole ? nil : known)),
      Column(
        .instant(name + "_date", in: answer.timeZone),
        .instants(dates, known: isWhole ? nil : known)),
    ]
  }

  private static func columns(
    _ averages: AverageColumns, of answer: StatisticsAnswer, _ parts: Parts
  ) -> [Column] {
    let unit = answer.unitText
    let printing = answer.printing
    /// A column of averages; a source without any has none.
    func rows<Value>(_ values: (AverageColumns) -> [Value?]) -> [Value?] {
      parts.rows { table, averages in
        averages.map(values) ?? Array(repeating: nil, count: table.count)
      }
    }
    func real(_ name: String, _ values: (AverageColumns) -> [Double?]) -> Column {
      Column(
        .real(name, unit: unit, [Fact("type", answer.type.identifier)]),
        .reals(rows(values).map { $0.map(printing) }))
    }
    return [
      real(averages.names.average) { $0.averages },
      .integers(averages.names.count, rows { $0.counts }),
    ]
      + averages.spread.indices.map { place in
        real(averages.name(of: averages.spread[place])) { $0.spread[place].values }
      }
  }

  // MARK: - Categories

  private static func table(
    of answer: CategoryAnswer, statistics: [Statistic]?, bySource: Bool
  ) throws -> Table {
    let statistics = statistics ?? [.duration, .count]
    let sources = bySource ? answer.sources : []
    let names = SourceNames(answer.priority + sources.map(\.source))
    let parts = [answer.values] + sources.map(\.values)
    let rows = answer.starts.count
    func interleaved<Value>(_ cell: ([CategoryAnswer.ValueColumns], Int) -> Value) -> [Value] {
      (0..<rows).flatMap { row in parts.map { cell($0, row) } }
    }
    var columns = interval(
      interleaved { answer.starts[$1] }, interleaved { answer.ends[$1] }, answer.timeZone)
    if bySource {
      let texts = [nil] + sources.map { String?(names[$0.source]) }
      columns.append(
        Column(Field("source", .word), .words((0..<rows).flatMap { _ in texts })))
    }
    for value in answer.values {
      let name = answer.name(of: value)
      func cell<Value>(
        _ part: [CategoryAnswer.ValueColumns], _ row: Int,
        _ column: KeyPath<CategoryAnswer.ValueColumns, [Value]>
      ) -> Value? {
        part.first { $0.value == value.value }?[keyPath: column][row]
      }
      if statistics.contains(.duration) {
        columns.append(
          Column(
            .real("\(name)_duration", unit: "s"),
            .reals(
              interleaved { part, row in
                answer.hasData[row] ? cell(part, row, \.durations) ?? 0 : nil
              })))
      }
      if statistics.contains(.count) {
        columns.append(
          Column(
            Field("\(name)_count", .integer),
            .integers(interleaved { part, row in cell(part, row, \.counts) ?? 0 })))
      }
    }
    return Table(
      "categories", columns, count: rows * parts.count, head: JSON.object(answer.members).text)
  }

  // MARK: - Several types, and what is made of intervals

  private static func table(of answer: QuestionAnswer, to question: Question) throws -> Table {
    guard let first = answer.columns.first else { throw QueryError(.missingMember("type")) }
    let leftOut = answer.columns.filter { $0.derived != nil }.flatMap(\.leftOut)
    let head = JSON.object(
      [
        .init("timezone", .string(answer.timeZone.identifier)),
        .init(
          "columns",
          .array(
            answer.columns.map { column in
              .object([
                .init("name", .string(column.series.name)),
                .init("type", .string(column.series.type.identifier)),
                .init("statistic", .string(column.series.statistic)),
                .init("unit", .string(column.series.unitText)),
              ])
            })),
      ] + JSON.Member.leftOut(leftOut.sentence(by: question.interval, in: answer.timeZone)))
    guard answer.columns.contains(where: { $0.derived != nil }) else {
      let series = first.series
      return Table(
        "series",
        interval(series.starts, series.ends, answer.timeZone)
          + answer.columns.map { Self.column($0.series, named: $0.series.name) },
        count: series.count, head: head.text)
    }
    return try derived(answer, head: head.text)
  }

  private static func column(_ series: IntervalSeries, named name: String) -> Column {
    Column(
      .real(
        name, unit: series.unitText,
        [Fact("type", series.type.identifier), Fact("statistic", series.statistic)]),
      .reals(series.printed))
  }

  /// Rows of all types, one after the other, with the name of each.
  private static func derived(_ answer: QuestionAnswer, head: String) throws -> Table {
    var names: [String?] = []
    var instants: [(name: String, values: [Double?])] = []
    var numbers: [(name: String, values: [Double?])] = []
    var counts: [(name: String, values: [Int?])] = []
    var words: [(name: String, values: [String?])] = []
    func add<Value>(
      _ name: String, _ values: [Value?], to columns: inout [(name: String, values: [Value?])]
    ) {
      if let index = columns.firstIndex(where: { $0.name == name }) {
        columns[index].values += values
      } else {
        columns.append((name, values))
      }
    }
    for column in answer.columns {
      let series = column.series
      names += Array(repeating: series.name, count: column.rowCount)
      func interval(_ rows: some Sequence<Int>) {
        let rows = Array(rows)
        add("start", rows.map { series.starts[$0] }, to: &instants)
        add("end", rows.map { series.ends[$0] }, to: &instants)
        add("value", rows.map { series.values[$0].map(series.printing) }, to: &numbers)
      }
      switch column.derived {
      case nil: interval(0..<series.count)
      case .groups(let groups):
        add("group", groups.map { $0.label }, to: &words)
        add("mean", groups.map { $0.mean.map(series.printing) }, to: &numbers)
        add("min", groups.map { $0.min.map(series.printing) }, to: &numbers)
        add("max", groups.map { $0.max.map(series.printing) }, to: &numbers)
        add("intervals", groups.map { $0.count }, to: &counts)
      case .rolling(let means):
        interval(0..<series.count)
        add("rolling", means.map { $0.value.map(series.printing) }, to: &numbers)
        add("rolling_intervals", means.map { $0.count }, to: &counts)
      case .rows(let rows): interval(rows)
      case .streaks(let runs), .gaps(let runs):
        add("start", runs.map { series.starts[$0.lowerBound] }, to: &instants)
        add("end", runs.map { series.ends[$0.upperBound - 1] }, to: &instants)
        add("intervals", runs.map { $0.count }, to: &counts)
      case .spread(let spread):
        add("start", [series.starts.first], to: &instants)
        add("end", [series.ends.last], to: &instants)
        add("count", [spread.count], to: &counts)
        add("empty", [spread.emptyCount], to: &counts)
        for statistic in IntervalSpread.statistics {
          add(statistic.rawValue, [spread[statistic].map(series.printing)], to: &numbers)
        }
      case .compared(let others):
        interval(0..<series.count)
        add("compared_start", others.map { $0?.start }, to: &instants)
        add("compared_end", others.map { $0?.end }, to: &instants)
        add("compared", others.map { $0?.value.map(series.printing) }, to: &numbers)
        add(
          "change", (0..<series.count).map { column.change($0).map(series.printing) },
          to: &numbers)
        add("change_share", (0..<series.count).map { column.changeShare($0) }, to: &numbers)
      }
    }
    let unit = answer.columns.count == 1 ? answer.columns[0].series.unitText : nil
    let columns =
      [Column(Field("name", .word), .words(names))]
      + words.map { Column(Field($0.name, .word), .words($0.values)) }
      + instants.map { Column(.instant($0.name, in: answer.timeZone), .instants($0.values)) }
      + numbers.map {
        Column(.real($0.name, unit: $0.name == "change_share" ? "1" : unit), .reals($0.values))
      } + counts.map { Column(Field($0.name, .integer), .integers($0.values)) }
    return Table(
      answer.columns.first?.listName ?? "intervals", columns, count: names.count, head: head)
  }

  // MARK: - Explanations

  /// What each source counted in each interval: a row for each of both.
  static func explanation(_ question: Question, in store: SampleStore) throws -> Table {
    var question = question
    question.explains = true
    let chosen = try store.choosingSources(of: question)
    guard let plan = try chosen.plan(of: question, for: question.types[0]) else {
      throw QueryError(.missingMember("type"))
    }
    guard plan.type.canonicalUnit != nil else { throw QueryError(.notAQuantity(plan.type)) }
    let answer = try chosen.statistics(plan)
    try chosen.endWatching()
    let names = answer.sourceNames
    var (starts, ends, sources): ([Double], [Double], [String?]) = ([], [], [])
    var (ranks, sums, masked): ([Int?], [Double], [Double]) = ([], [], [])
    var offsets: [Int32] = [0]
    var (maskers, amounts): ([String?], [Double]) = ([], [])
    for row in 0..<answer.intervals.count {
      for (rank, contribution) in answer.contributions.enumerated() where contribution.hasData[row]
      {
        starts.append(answer.intervals.starts[row])
        ends.append(answer.intervals.ends[row])
        sources.append(names[contribution.source])
        ranks.append(rank + 1)
        sums.append(contribution.sums[row])
        masked.append(contribution.masked[row])
        for mask in contribution.maskedBy where mask.amounts[row] != 0 {
          maskers.append(names[mask.source])
          amounts.append(mask.amounts[row])
        }
        offsets.append(Int32(clamping: maskers.count))
      }
    }
    let unit = answer.unitText
    return Table(
      "explanation",
      interval(starts, ends, answer.timeZone) + [
        Column(Field("source", .word), .words(sources)),
        Column(Field("rank", .integer), .integers(ranks)),
        Column(.real("sum", unit: unit), .reals(sums)),
        Column(.real("masked", unit: unit), .reals(masked)),
        Column(
          Field(
            "masked_by", .list([Field("source", .word), .real("amount", unit: unit)])),
          .lists(offsets: offsets, [.words(maskers), .reals(amounts)])),
      ], count: starts.count, head: JSON.object(answer.members).text)
  }

  /// Start and end of intervals.
  static func interval(
    _ starts: [Double], _ ends: [Double], _ zones: ZoneTimeline
  ) -> [Column] {
    [
      Column(.instant("start", in: zones), .instants(starts)),
      Column(.instant("end", in: zones), .instants(ends)),
    ]
  }
}
