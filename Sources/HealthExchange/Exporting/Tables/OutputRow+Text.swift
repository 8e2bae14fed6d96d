package import HealthQuery

extension OutputRow.Cell {
  /// The cell as a field of comma-separated text.
  func field(in zone: ZoneTimeline, as csv: CommaSeparated) -> String {
    switch self {
    case .none: ""
    case .text(let text): text
    case .integer(let number): String(number)
    case .real(let number): csv.field(number)
    case .truth(let truth): truth ? "true" : "false"
    case .instant(let instant): LocalTime(instant, in: zone).isoText
    case .json(let json): json.text
    }
  }

  /// The cell as a member of an object; `nil` if it is empty.
  func json(in zone: ZoneTimeline) -> JSON? {
    switch self {
    case .none: nil
    case .text(let text): .string(text)
    case .integer(let number): .integer(number)
    case .real(let number): .number(number)
    case .truth(let truth): .bool(truth)
    case .instant(let instant): .string(LocalTime(instant, in: zone).isoText)
    case .json(let json): json
    }
  }
}

extension OutputRow {
  /// The facts as the members of an object, without empty ones.
  package func members(of table: OutputTable, in zone: ZoneTimeline) -> [JSON.Member] {
    zip(table.columns, cells).compactMap { column, cell in
      cell.json(in: zone).map { JSON.Member(column.key, $0) }
    }
  }

  /// Writes the row with its lists as an object on one line, in pieces, because a series may be
  /// long.
  ///
  /// - Parameters:
  ///   - table: the table of the row
  ///   - zone: the time zones of instants
  ///   - leading: members before all others
  ///   - trailing: members after all others
  ///   - lists: additional lists, by the names of their tables
  ///   - take: gets the pieces
  /// - Throws: errors of `take`
  package func writeObject(
    of table: OutputTable, in zone: ZoneTimeline, leading: [JSON.Member] = [],
    trailing: [JSON.Member] = [], lists: [(table: OutputTable, list: List)] = [],
    to take: (String) throws(OutputError) -> Void
  ) throws(OutputError) {
    var isFirst = true
    func begin(_ key: String) throws(OutputError) {
      try take((isFirst ? "{" : ",") + JSON.string(key).text + ":")
      isFirst = false
    }
    for member in leading + members(of: table, in: zone) {
      try begin(member.key)
      try take(member.value.text)
    }
    for (part, list) in Array(zip(table.parts, parts)) + lists where list.count > 0 {
      try begin(part.key)
      try Self.writeArray(of: part, list, in: zone, to: take)
    }
    for member in trailing {
      try begin(member.key)
      try take(member.value.text)
    }
    try take(isFirst ? "{}" : "}")
  }

  /// Writes a list as an array.
  static func writeArray(
    of table: OutputTable, _ list: List, in zone: ZoneTimeline,
    to take: (String) throws(OutputError) -> Void
  ) throws(OutputError) {
    try take("[")
    for index in 0..<list.count {
      if index > 0 { try take(",") }
      let row = list.row(index)
      if let column = table.listedColumn {
        try take(row.cells[column].json(in: zone)?.text ?? "null")
      } else {
        try row.writeObject(of: table, in: zone, to: take)
      }
    }
    try take("]")
  }
}
