import HealthExchange
import HealthQuery

extension Report {
  /// Writes the report; csv and ndjson have its notes on stderr.
  func write(as format: ListFormat, style: TextStyle, to output: TextOutput) throws {
    if format != .table, format != .json { notes.writeToStandardError() }
    let isOfColumns = object == nil || format == .csv || format == .tsv
    if var table = answer, format != .table, isOfColumns {
      table.head = head
      switch format {
      case .table: return
      case .csv, .tsv: return try (records ?? table).writeRecords(to: output)
      case .json: return try table.writeDocument([Self.version], notes: notes.members, to: output)
      case .ndjson: return try table.writeLines(to: output)
      }
    }
    switch format {
    case .table: for line in lines(style: style) { try output.line(line) }
    case .csv, .tsv: try writeRecords(to: output)
    case .json: try writeDocument(to: output)
    case .ndjson:
      let facts = head.filter { $0.place != .head }.map(\.json)
      var offsets = OffsetCache(zones)
      for row in 0..<count {
        try writeObject(row, trailing: facts, to: output, &offsets)
        try output.write("\n")
      }
    }
  }
}

// MARK: - For people

extension Report {
  /// The lines of a chart, or why there is none.
  func lines(of chart: (TextStyle) -> [String], style: TextStyle) -> [String] {
    emptyLines(style: style) ?? chart(style) + notes.lines(style: style)
  }

  /// The text instead of an empty table or chart.
  private func emptyLines(style: TextStyle) -> [String]? {
    guard count == 0 || notes.absence != nil else { return nil }
    let lines =
      title.map(notes.lines(under:))
      ?? emptySentence.map { [([$0] + (dataEnd == nil ? [] : [extent])).joined(separator: " ")] }
    return lines?.flatMap(style.fitted)
  }

  private func lines(style: TextStyle) -> [String] {
    if let lines = emptyLines(style: style) { return lines }
    let page = page?() ?? Page(table: table)
    // A list ends with where its data end.
    let ending = isDated ? notes.sentences + [extent] : []
    return (title.map { style.fitted($0).map(style.strong) + [""] } ?? [])
      + page.table.lines(style: style)
      + (page.notes + ending).flatMap(style.fitted).map(style.faint).afterBlank
      + (isDated ? [] : notes.lines(style: style))
  }

  /// Whether there are times whose zone no title names.
  private var isDated: Bool {
    title == nil && count > 0 && head.contains { $0.key == ZoneTimeline.memberName }
  }

  private var extent: String { DataEnd.sentence(dataEnd, zones: zones) }

  /// The columns with a title.
  var table: Table {
    let shown = columns.filter { $0.title != nil }
    var table = Table(
      columns: shown.map { Table.Column(title: $0.title ?? "", isNumber: $0.isNumber) })
    var offsets = OffsetCache(zones)
    let cells = shown.map(\.cell)
    for row in 0..<count { table.add(cells.map { $0(row).forPeople(&offsets) }) }
    return table
  }
}

// MARK: - Comma-separated text

extension Report {
  private func writeRecords(to output: TextOutput) throws(OutputError) {
    let csv = output.csv
    let facts = head.filter { $0.place == .rows }
    let fields = columns.flatMap(\.leaves)
    try output.record(fields.compactMap(\.field) + facts.map(\.key))
    // The fields common to all records are quoted once.
    var ending: [UInt8] = []
    for fact in facts {
      csv.append(separatorTo: &ending)
      fact.value.append(to: &ending, as: csv)
    }
    ending.append(mark: "\n")
    let record = fields.map(\.cell)
    var offsets = OffsetCache(zones)
    for row in 0..<count {
      try output.append { bytes in
        csv.append(record, of: row, to: &bytes, &offsets)
        bytes.append(contentsOf: ending)
      }
    }
  }
}

// MARK: - JSON

extension Report {
  /// Who reads the file later knows what made it.
  private static let version = JSON.Member("version", .string(EngineVersion.text))

  private func writeDocument(to output: TextOutput) throws {
    let members = head.map(\.json) + [Self.version]
    var offsets = OffsetCache(zones)
    guard let list else {
      for row in 0..<count {
        try writeObject(row, leading: members, trailing: notes.members, to: output, &offsets)
      }
      return try output.write("\n")
    }
    let facts = members + notes.members
    try output.write(JSON.object(facts).text.dropLast() + (facts.isEmpty ? "" : ",\n "))
    try output.write("\(JSON.string(list).text):[")
    for row in 0..<count {
      try output.write(row == 0 ? "\n  " : ",\n  ")
      try writeObject(row, to: output, &offsets)
    }
    try output.write("]}\n")
  }

  private func writeObject(
    _ row: Int, leading: [JSON.Member] = [], trailing: [JSON.Member] = [], to output: TextOutput,
    _ offsets: inout OffsetCache
  ) throws {
    if let object { return try object(row, leading, trailing, output) }
    try output.append { bytes in
      columns.append(
        objectOf: row, leading: leading, trailing: trailing, to: &bytes, &offsets)
    }
  }
}
