package import HealthAnswers
import HealthQuery
package import HealthStatistics

extension CategoryAnswer {
  /// What programs read: a row for each interval with how long and how often each value was.
  ///
  /// - Parameters:
  ///   - statistics: what of `duration` and `count` is asked for
  ///   - bySource: whether sources alone are beside it
  /// - Returns: the table
  package func table(
    statistics: [Statistic] = [.duration, .count], bySource: Bool = false
  ) -> AnswerTable {
    let names = SourceNames(priority + sources.map(\.source) + contributions.map(\.source))
    var table = AnswerTable(
      "categories", list: "intervals", count: starts.count, zones: timeZone,
      head: HeadMember.rules(members, areMerged: false),
      AnswerColumn.interval(.all(starts), .all(ends)) + [
        .group("values", .plain, columns(values, statistics))
      ])
    let parts = sources.map { source in
      AnswerTable.Split.Part(
        names[source.source], [.group("values", .plain, columns(source.values, statistics))])
    }
    if bySource, contributions.isEmpty {
      table.split = AnswerTable.Split(shared: 2, parts: parts)
    } else if bySource {
      table.columns.append(AnswerColumn.sources(parts))
    }
    if !contributions.isEmpty { table.columns.append(contributionColumn(names)) }
    return table
  }

  /// How long and how often each value was.
  private func columns(
    _ values: [ValueColumns], _ statistics: [Statistic]
  ) -> [AnswerColumn] {
    zip(self.values, values).map { value, counted in
      .group(
        name(of: value), .prefixed, naming: .verbatim,
        statistics.map { statistic in
          statistic == .duration
            ? .durations(
              "duration",
              hasData.contains(false)
                ? .known(counted.durations, hasData) : .all(counted.durations))
            : .counts("count", .all(counted.counts))
        })
    }
  }

  /// A value of which a source has samples in an interval.
  private struct Counted {
    let row: Int
    /// The place of the source from the highest rank down.
    let place: Int
    let value: String
    /// What of it counted, in seconds.
    let duration: Double
    /// What of it higher sources counted.
    let masked: Double
  }

  /// The values of which sources have samples in an interval, the highest rank first.
  private func counted(_ row: Int) -> [[Counted]] {
    contributions.indices.map { place in
      values.indices.compactMap { value in
        guard sources[place].values[value].counts[row] > 0 else { return nil }
        let duration = contributions[place].values[value].durations[row]
        let alone = sources[place].values[value].durations[row]
        return Counted(
          row: row, place: place, value: name(of: values[value]), duration: duration,
          masked: max(0, alone - duration))
      }
    }
  }

  /// What each source counted of each value in each interval: a row for each of the three.
  package var explanation: AnswerTable {
    let names = SourceNames(priority + contributions.map(\.source))
    let sources = contributions.map { names[$0.source] }
    let rows = AnswerRows(starts.indices.flatMap(counted).flatMap(\.self))
    return AnswerTable(
      "categories.explanation", list: "explanation", count: rows.count, zones: timeZone,
      head: HeadMember.rules(members, areMerged: false),
      rows.interval({ [starts] in starts[$0.row] }, { [ends] in ends[$0.row] }) + [
        rows.word("source", about: "the name of the source") { sources[$0.place] },
        rows.count("rank", about: "1 is the highest") { $0.place + 1 },
        rows.word("value", about: "the name of the value", \.value),
      ] + Self.amounts(rows))
  }

  /// What counted, and what did not.
  private static func amounts(_ rows: AnswerRows<Counted>) -> [AnswerColumn] {
    [
      rows.duration("duration", about: "what of it counted", \.duration),
      rows.duration("masked", about: "what of it higher sources counted", \.masked),
    ]
  }

  /// What each source counted of each value, and what of it was masked.
  private func contributionColumn(_ names: SourceNames) -> AnswerColumn {
    let sources = contributions.map { names[$0.source] }
    let lists = starts.indices.map { counted($0).filter { !$0.isEmpty } }
    return .list("contributions", .objects, lists) { rows in
      [
        rows.word("source") { $0.first.map { sources[$0.place] } },
        .list("values", .map, rows.rows) {
          [$0.word("value", \.value), .group("counted", .plain, Self.amounts($0))]
        },
      ]
    }
  }
}
