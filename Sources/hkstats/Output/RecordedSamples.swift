import Foundation
import HealthQuery
import HealthSamples
import HealthUnits

/// Samples as they were recorded, in the order of time, on their way out.
struct RecordedSamples {
  private let batches: [RecordColumns]
  /// The rows to show: batch and row of each.
  private let rows: [(batch: Int, row: Int)]
  /// The unit asked for, and for each batch and label how to come to it; empty for recorded units.
  private let unit: UnitExpression?
  private let conversions: [[UnitConversion?]]
  private let zone: ZoneTimeline

  /// Chooses and orders rows.
  ///
  /// - Complexity: O(*n* log *n*)
  init(
    batches: [RecordColumns], within range: Range<Double>, limit: Int?, unit: UnitExpression?,
    zone: ZoneTimeline
  ) throws(Failure) {
    self.batches = batches
    self.unit = unit
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
    conversions = try batches.map { (batch) throws(Failure) in
      try Self.conversions(of: batch, to: unit)
    }
  }

  private static func conversions(
    of batch: RecordColumns, to unit: UnitExpression?
  ) throws(Failure) -> [UnitConversion?] {
    guard let unit else { return [] }
    guard batch.type.canonicalUnit != nil else {
      throw Failure(
        "\(TypeName.short(batch.type.identifier)) has categories, which have no unit; leave --unit "
          + "out.", .usage)
    }
    return try batch.labelTable.map { (label) throws(Failure) in
      do throws(UnitError) {
        return try UnitConversion(from: try UnitExpression(label), to: unit)
      } catch {
        throw Failure(error, from: label, to: unit.description)
      }
    }
  }

  func writeTable(style: TextStyle, to output: StandardOutput) throws {
    var table = Table(columns: [
      .words("start"), .numbers("length"), .numbers("value"), .words("unit"), .words("source"),
      .words("device"),
    ])
    for (index, row) in rows {
      let batch = batches[index]
      let start = LocalTime(batch.starts[row], in: zone)
      let length = max(0, batch.ends[row] - batch.starts[row])
      let value = value(index, row)
      let isCategory = batch.type.canonicalUnit == nil
      table.add([
        "\(start.dateText) \(start.clockText)", length == 0 ? "–" : AmountText.duration(length),
        isCategory ? constant(batch, row) : NumberText.exact(value),
        isCategory ? "" : label(index, row),
        batch.source.description, DeviceName.text(origin(batch, row).device) ?? "",
      ])
    }
    guard !rows.isEmpty else { return try output.line("No samples.") }
    for line in table.lines(style: style) { try output.line(line) }
  }

  func writeCSV(to output: StandardOutput) throws {
    try output.write(
      CommaSeparated.line([
        "start", "end", "value", "unit", "source", "entered_by_hand", "source_version", "device",
        "created", "copies", "metadata",
      ]))
    for (index, row) in rows {
      let batch = batches[index]
      let origin = origin(batch, row)
      let metadata = batch.metadataTable[Int(batch.metadata[row])]
      try output.write(
        CommaSeparated.line([
          iso(batch.starts[row]), iso(batch.ends[row]), NumberText.exact(value(index, row)),
          label(index, row), batch.source.name, batch.source.isUserEntered ? "true" : "false",
          origin.sourceVersion, origin.device, created(batch, row) ?? "",
          String(batch.copies[row]), metadata.isEmpty ? "" : json(metadata).text,
        ]))
    }
  }

  func writeJSON(to output: StandardOutput) throws {
    try output.write("[")
    for (position, place) in rows.enumerated() {
      try output.write((position == 0 ? "" : ",") + "\n  " + object(place.batch, place.row).text)
    }
    try output.write("]\n")
  }

  func writeLines(to output: StandardOutput) throws {
    for (index, row) in rows { try output.line(object(index, row).text) }
  }

  private func object(_ index: Int, _ row: Int) -> JSON {
    let batch = batches[index]
    let origin = origin(batch, row)
    var members: [JSON.Member] = [
      .init("start", .string(iso(batch.starts[row]))), .init("end", .string(iso(batch.ends[row]))),
      .init("value", .number(value(index, row))),
      .init(batch.type.canonicalUnit == nil ? "constant" : "unit", .string(label(index, row))),
      .init("source", .string(batch.source.name)),
      .init("enteredByHand", .bool(batch.source.isUserEntered)),
    ]
    if !origin.sourceVersion.isEmpty {
      members.append(.init("sourceVersion", .string(origin.sourceVersion)))
    }
    if !origin.device.isEmpty { members.append(.init("device", .string(origin.device))) }
    if let created = created(batch, row) { members.append(.init("created", .string(created))) }
    if batch.copies[row] > 1 { members.append(.init("copies", .integer(Int(batch.copies[row])))) }
    let metadata = batch.metadataTable[Int(batch.metadata[row])]
    if !metadata.isEmpty { members.append(.init("metadata", json(metadata))) }
    return .object(members)
  }

  /// A list of pairs, since keys may repeat.
  private func json(_ metadata: Metadata) -> JSON {
    .array(
      metadata.entries.map {
        .object([.init("key", .string($0.key)), .init("value", .string($0.value))])
      })
  }

  private func value(_ index: Int, _ row: Int) -> Double {
    let batch = batches[index]
    guard unit != nil else { return batch.values[row] }
    return conversions[index][Int(batch.labels[row])]?(batch.values[row]) ?? batch.values[row]
  }

  private func label(_ index: Int, _ row: Int) -> String {
    unit?.description ?? batches[index].labelTable[Int(batches[index].labels[row])]
  }

  /// The name of a category's constant without the words that every one begins with.
  private func constant(_ batch: RecordColumns, _ row: Int) -> String {
    let name = batch.labelTable[Int(batch.labels[row])]
    let short = name.hasPrefix("HKCategoryValue") ? String(name.dropFirst(15)) : name
    return short.isEmpty ? "–" : short
  }

  private func origin(_ batch: RecordColumns, _ row: Int) -> Origin {
    batch.originTable[Int(batch.origins[row])]
  }

  private func created(_ batch: RecordColumns, _ row: Int) -> String? {
    batch.created[row] == RecordColumns.notRecorded ? nil : iso(batch.created[row])
  }

  private func iso(_ instant: Double) -> String { LocalTime(instant, in: zone).isoText }
}
