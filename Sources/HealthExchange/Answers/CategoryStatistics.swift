package import HealthAnswers
import HealthMerge
import HealthQuery
import HealthSamples
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

  /// What each source counted of each value, and what of it was masked.
  private func contributionColumn(_ names: SourceNames) -> AnswerColumn {
    struct Counted {
      let row: Int
      let source: Int
      /// The values that the source has.
      let values: [Int]
    }
    let (contributions, sources) = (contributions, sources)
    let texts = values.map(name)
    let lists = starts.indices.map { row in
      sources.indices.compactMap { source -> Counted? in
        let known = values.indices.filter { sources[source].values[$0].counts[row] > 0 }
        return known.isEmpty ? nil : Counted(row: row, source: source, values: known)
      }
    }
    return .list("contributions", .objects, lists) { rows in
      let parts = rows.rows.map { counted in
        counted.values.map { place in
          let seconds = contributions[counted.source].values[place].durations[counted.row]
          let alone = sources[counted.source].values[place].durations[counted.row]
          return (name: texts[place], duration: seconds, masked: max(0, alone - seconds))
        }
      }
      return [
        rows.word("source") { names[contributions[$0.source].source] },
        .list("values", .map, parts) {
          [
            $0.word("value", \.name),
            .group(
              "counted", .plain,
              [
                $0.duration("duration", \.duration), $0.duration("masked", \.masked),
              ]),
          ]
        },
      ]
    }
  }
}
