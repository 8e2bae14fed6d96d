import HealthAnswers
package import HealthQuery
import HealthStatistics

// What each source counted: nested in the intervals in json, rows of their own elsewhere.

extension AnswerColumn {
  /// Sources alone as an object in each row, for answers that csv and Arrow have other rows of.
  static func sources(_ parts: [AnswerTable.Split.Part]) -> Self {
    .group(
      "sources", .plain,
      parts.map { .group($0.name, .prefixed, naming: .verbatim, $0.members) })
  }
}

extension StatisticsAnswer {
  /// A source that has samples in an interval.
  private struct Counted {
    let row: Int
    /// Its place from the highest rank down.
    let place: Int
  }

  /// The sources that have samples in an interval, the highest rank first.
  private func counted(_ row: Int) -> [Counted] {
    contributions.indices.filter { contributions[$0].hasData[row] }
      .map { Counted(row: row, place: $0) }
  }

  /// What each source counted in each interval: a row for each of both.
  package var explanation: AnswerTable {
    let rows = AnswerRows((0..<intervals.count).flatMap(counted))
    var columns = columns(of: rows)
    columns.insert(
      rows.count("rank", about: "1 is the highest") { $0.place + 1 }, at: 1)
    return AnswerTable(
      "explanation", list: "explanation", count: rows.count, zones: timeZone, head: head,
      rows.interval(
        { [intervals] in intervals.starts[$0.row] }, { [intervals] in intervals.ends[$0.row] })
        + columns)
  }

  /// What json has of each interval: its sources, and what of them was masked and cut.
  var explanationColumns: [AnswerColumn] {
    [
      .list("contributions", .objects, (0..<intervals.count).map(counted), columns),
      AnswerColumn(
        AnswerField("masked", .number, unit: unitText, isOmitted: true),
        .numbers(.read { masked($0) })),
      AnswerColumn(
        AnswerField("cut", .number, unit: unitText, isOmitted: true), .numbers(.read { cut($0) })),
    ]
  }

  private func columns(of rows: AnswerRows<Counted>) -> [AnswerColumn] {
    let (names, contributions, unit) = (sourceNames, contributions, unitText)
    let masks = rows.rows.map { counted in
      contributions[counted.place].maskedBy.compactMap { mask in
        let amount = mask.amounts[counted.row]
        return amount == 0 ? nil : (source: names[mask.source], amount: amount)
      }
    }
    return [
      rows.word("source") { names[contributions[$0.place].source] },
      rows.number("sum", unit: unit, about: "what of it counted") {
        contributions[$0.place].sums[$0.row]
      },
      rows.number("masked", unit: unit, about: "what of it higher sources counted") {
        contributions[$0.place].masked[$0.row]
      },
      .list("maskedBy", .map, about: "which masked how much", masks) {
        [$0.word("source", \.source), $0.number("amount", unit: unit, \.amount)]
      },
    ]
  }
}
