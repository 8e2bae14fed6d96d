import HealthQuery
import HealthSamples

/// Samples of one type or kind as a table for people, written while they come.
final class SampleTable: ExportWriter {
  private var table: FlowingTable
  private let zone: ZoneTimeline
  private let output: TextOutput

  init(
    of kind: ElementKind?, in zone: ZoneTimeline, style: TextStyle, to output: TextOutput
  ) {
    let columns: [Table.Column] =
      kind == nil
      ? [.numbers("value"), .words("unit"), .words("source"), .words("device")]
      : [.words("what"), .words("more"), .words("source")]
    table = FlowingTable(
      columns: [.words("start"), .numbers("length")] + columns, style: style, to: output)
    self.zone = zone
    self.output = output
  }

  func begin() {}

  func write(_ recorded: RecordedBatch) throws {
    let batch = recorded.batch
    for row in recorded.rows {
      try table.add([
        moment(batch.starts[row]), Self.length(from: batch.starts[row], to: batch.ends[row]),
        recorded.isCategory
          ? Self.constant(recorded.label(row)) : NumberText.exact(recorded.value(row)),
        recorded.isCategory ? "" : recorded.label(row),
        batch.source.shortName, DeviceName.text(recorded.origin(row).device) ?? "",
      ])
    }
  }

  func write(_ elements: ExportBatch) throws {
    for line in ElementLine.lines(of: elements) {
      try table.add([
        line.start.map(moment) ?? line.day ?? "",
        line.start.map { Self.length(from: $0, to: line.end ?? $0) } ?? "",
        line.what, line.more, line.source?.shortName ?? "",
      ])
    }
  }

  func end() throws {
    if table.isEmpty { try output.line("No samples.") } else { try table.end() }
    try output.finish()
  }

  private func moment(_ instant: Double) -> String {
    let time = LocalTime(instant, in: zone)
    return "\(time.dateText) \(time.clockText)"
  }

  private static func length(from start: Double, to end: Double) -> String {
    end > start ? AmountText.duration(end - start) : "–"
  }

  /// The name of a category's constant without the words that every one begins with.
  private static func constant(_ name: String) -> String {
    let short = name.hasPrefix("HKCategoryValue") ? String(name.dropFirst(15)) : name
    return short.isEmpty ? "–" : short
  }
}
