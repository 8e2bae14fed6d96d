import HealthExchange
import HealthQuery

extension AnswerView {
  /// Writes the answer; csv and ndjson have its notes on stderr.
  func write(as format: ListFormat, style: TextStyle, to output: TextOutput) throws {
    if format != .table, format != .json { notes.writeToStandardError() }
    switch format {
    case .table: for line in lines(style: style) { try output.line(line) }
    case .csv, .tsv: try (records ?? answer).writeRecords(to: output)
    case .json:
      // Who reads the file later knows what made it.
      let version = JSON.Member("version", .string(EngineVersion.text))
      try answer.writeDocument([version], notes: notes.members, to: output, object: object)
    case .ndjson: try answer.writeLines(to: output, object: object)
    }
  }
}

// MARK: - For people

extension AnswerView {
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
    let page = page()
    // A list ends with where its data end.
    let ending = isDated ? notes.sentences + [extent] : []
    return (title.map { style.fitted($0).map(style.strong) + [""] } ?? [])
      + page.table.lines(style: style)
      + (page.notes + ending).flatMap(style.fitted).map(style.faint).afterBlank
      + (isDated ? [] : notes.lines(style: style))
  }

  /// Whether there are times whose zone no title names.
  private var isDated: Bool {
    title == nil && count > 0 && answer.head.contains { $0.key == ZoneTimeline.memberName }
  }

  private var extent: String { DataEnd.sentence(dataEnd, zones: answer.zones) }
}
