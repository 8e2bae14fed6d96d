import Foundation
import HealthQuery
import HealthSamples
import HealthUnits

/// Samples as they were recorded, in the order of time, on their way out.
struct RecordedSamples {
  private let batches: [RecordedBatch]
  /// The rows to show: batch and row of each.
  private let rows: [(batch: Int, row: Int)]
  private let zone: ZoneTimeline

  /// Chooses and orders rows.
  ///
  /// - Complexity: O(*n* log *n*)
  init(
    batches: [RecordColumns], within range: Range<Double>, limit: Int?, unit: UnitExpression?,
    zone: ZoneTimeline
  ) throws(Failure) {
    self.zone = zone
    var rows: [(batch: Int, row: Int)] = []
    for (index, batch) in batches.enumerated() {
      for row in 0..<batch.count
      where batch.starts[row] < range.upperBound
        && max(batch.starts[row], batch.ends[row]) >= range.lowerBound
      {
        rows.append((index, row))
      }
    }
    rows.sort { left, right in
      let (a, b) = (batches[left.batch], batches[right.batch])
      return (a.starts[left.row], a.ends[left.row], left.batch, left.row)
        < (b.starts[right.row], b.ends[right.row], right.batch, right.row)
    }
    self.rows = limit.map { Array(rows.prefix($0)) } ?? rows
    self.batches = try batches.map { (batch) throws(Failure) in
      try RecordedBatch(batch, unit: unit, zone: zone)
    }
  }

  func writeTable(style: TextStyle, to output: StandardOutput) throws {
    var table = Table(columns: [
      .words("start"), .numbers("length"), .numbers("value"), .words("unit"), .words("source"),
      .words("device"),
    ])
    for (index, row) in rows {
      let recorded = batches[index]
      let batch = recorded.batch
      let start = LocalTime(batch.starts[row], in: zone)
      let length = max(0, batch.ends[row] - batch.starts[row])
      table.add([
        "\(start.dateText) \(start.clockText)", length == 0 ? "–" : AmountText.duration(length),
        recorded.isCategory
          ? Self.constant(recorded.label(row)) : NumberText.exact(recorded.value(row)),
        recorded.isCategory ? "" : recorded.label(row),
        batch.source.description, DeviceName.text(recorded.origin(row).device) ?? "",
      ])
    }
    guard !rows.isEmpty else { return try output.line("No samples.") }
    for line in table.lines(style: style) { try output.line(line) }
  }

  func writeCSV(to output: StandardOutput) throws {
    try output.write(CommaSeparated.line(RecordedBatch.fieldNames))
    for (index, row) in rows { try output.write(CommaSeparated.line(batches[index].fields(row))) }
  }

  func writeJSON(to output: StandardOutput) throws {
    try output.write(
      array: rows.lazy.map { JSON.object(batches[$0.batch].members($0.row)) })
  }

  func writeLines(to output: StandardOutput) throws {
    for (index, row) in rows { try output.line(JSON.object(batches[index].members(row)).text) }
  }

  /// The name of a category's constant without the words that every one begins with.
  private static func constant(_ name: String) -> String {
    let short = name.hasPrefix("HKCategoryValue") ? String(name.dropFirst(15)) : name
    return short.isEmpty ? "–" : short
  }
}
