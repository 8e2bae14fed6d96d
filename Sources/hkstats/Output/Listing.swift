import Foundation
import HealthExchange
import HealthQuery

/// Rows of named cells that can be shown in every ``ListFormat``.
struct Listing {
  /// A column: its key for programs and its title for people.
  struct Column {
    let key: String
    let title: String
    let isNumber: Bool

    init(_ key: String, _ title: String? = nil, isNumber: Bool = false) {
      self.key = key
      self.title = title ?? key
      self.isNumber = isNumber
    }
  }

  /// One fact: exact for programs, rounded for people.
  enum Cell {
    case none
    case text(String)
    /// Words for people where programs want an identifier.
    case name(String, short: String)
    case count(Int)
    /// A share of a whole, 0 to 1.
    case share(Double)
    case instant(Double, ZoneTimeline)
  }

  let columns: [Column]
  var rows: [[Cell]] = []

  init(_ columns: [Column]) { self.columns = columns }

  /// Writes all rows; the json form is one array.
  func write(as format: ListFormat, style: TextStyle, to output: TextOutput) throws {
    switch format {
    case .table:
      var table = Table(
        columns: columns.map { Table.Column(title: $0.title, isNumber: $0.isNumber) })
      for row in rows { table.add(row.map(\.forPeople)) }
      for line in table.lines(style: style) { try output.line(line) }
    case .csv:
      try output.record(columns.map(\.key))
      for row in rows { try output.record(row.map(\.exact)) }
    case .json: try output.write(array: rows.lazy.map(object))
    case .ndjson:
      for row in rows { try output.line(object(row).text) }
    }
  }

  private func object(_ row: [Cell]) -> JSON {
    .object(zip(columns, row).map { JSON.Member($0.key, $1.json) })
  }
}

extension Listing.Cell {
  var forPeople: String {
    switch self {
    case .none: "–"
    case .text(let text): text
    case .name(_, let short): short
    case .count(let count): NumberText.grouped(count)
    case .share(let share): NumberText.rounded(share * 100, decimals: 1) + " %"
    case .instant(let instant, let zone): LocalTime(instant, in: zone).dateText
    }
  }

  var exact: String {
    switch self {
    case .none: ""
    case .text(let text), .name(let text, _): text
    case .count(let count): String(count)
    case .share(let share): NumberText.exact(share)
    case .instant(let instant, let zone): LocalTime(instant, in: zone).isoText
    }
  }

  var json: JSON {
    switch self {
    case .none: .null
    case .text(let text), .name(let text, _): .string(text)
    case .count(let count): .integer(count)
    case .share(let share): .number(share)
    case .instant(let instant, let zone): .string(LocalTime(instant, in: zone).isoText)
    }
  }
}
