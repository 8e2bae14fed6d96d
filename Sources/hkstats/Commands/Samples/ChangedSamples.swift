import Foundation
import HealthExchange
import HealthQuery
import HealthSamples
import HealthStore

/// What was added to a type and deleted from it since an anchor, as rows of a report.
struct ChangedSamples {
  /// A row of one of ``batches``.
  private struct Added {
    let batch: Int32
    let row: Int32
  }

  private let batches: [RecordedBatch]
  private let added: [Added]
  private let uuids: [UUID]
  private let deleted: [DeletedRow]
  private let anchor: StoreAnchor
  private let isComplete: Bool

  /// Asks a store.
  init(_ query: SampleQuery, in store: SampleStore, as form: RecordedForm) throws {
    var batches: [RecordedBatch] = []
    var places: [Source: (serials: [Int64], batch: Int)] = [:]
    var added: [Added] = []
    var serials: [Int64] = []
    let changes = try store.changes(query) { batch, rows in
      // Sources alternate: a batch is kept once.
      if places[batch.source]?.serials != batch.serials {
        places[batch.source] = (batch.serials, batches.count)
        batches.append(try RecordedBatch(batch, as: form))
      }
      let place = Int32(places[batch.source]?.batch ?? 0)
      for row in rows {
        added.append(Added(batch: place, row: Int32(row)))
        serials.append(batch.serials[row])
      }
    }
    (self.batches, self.added, deleted) = (batches, added, changes.deleted)
    uuids = try store.identities(of: serials)
    (anchor, isComplete) = (changes.anchor, changes.isComplete)
  }

  /// The anchor of a text of the command line; for `0` the one before everything.
  static func anchor(_ text: String, in store: SampleStore) throws -> StoreAnchor {
    if text == "0" { return StoreAnchor(before: try store.anchor()) }
    guard let anchor = StoreAnchor(text) else {
      throw Failure(
        "\"\(text.printable)\" is no anchor. Give the one that the last "
          + "--changed-since ended with, or 0 for everything.", .usage)
    }
    return anchor
  }

  private func report(of type: SampleType, in zones: ZoneTimeline) -> Report {
    let (batches, added, deleted, uuids) = (batches, added, deleted, uuids)
    func cell(
      _ cell: @escaping (RecordedBatch, Int) -> Report.Cell,
      orDeleted: @escaping (DeletedRow) -> Report.Cell = { _ in .absent }
    ) -> (Int) -> Report.Cell {
      { place in
        guard place < added.count else { return orDeleted(deleted[place - added.count]) }
        return cell(batches[Int(added[place].batch)], Int(added[place].row))
      }
    }
    var report = Report(
      head: [.type(type), .init("anchor", .string(anchor.description), .head)],
      list: "samples", count: added.count + deleted.count, zones: zones,
      columns: [
        .init(
          "kind", nil,
          cell({ batch, _ in .text(batch.isCategory ? "category" : "quantity") }) { _ in
            .text("deleted")
          }),
        .init("uuid") {
          .text(($0 < uuids.count ? uuids[$0] : deleted[$0 - uuids.count].uuid).uuidString)
        },
        .init("start", nil, cell { .instant($0.batch.starts[$1]) }),
        .machine("end", cell { .instant($0.batch.ends[$1]) }),
        .init(
          "value", isNumber: true,
          cell { batch, row in
            let value = batch.value(row)
            return SpokenUnit(label: batch.label(row)).map { .quantity(value, $0) }
              ?? .number(value)
          }),
        .init("unit", nil, cell { .text($0.label($1)) }),
        .init(
          "source", nil,
          cell({ batch, _ in .text(batch.batch.source.name) }) { deleted in
            deleted.source.map { .text($0.name) } ?? .absent
          }),
        .machine(
          "device",
          cell { batch, row in
            let device = batch.origin(row).device
            return device.isEmpty ? .absent : .text(device)
          }),
        .machine("created", cell { $0.batch.creation(row: $1).map { .instant($0) } ?? .absent }),
        .machine("metadata", cell { $0.metadata($1).map { .json($0) } ?? .absent }),
      ])
    report.emptySentence = "Nothing was added or deleted."
    return report
  }

  /// Writes the rows, then the anchor: json has it in its head, csv has no place for it.
  func write(
    of type: SampleType, in zones: ZoneTimeline, as format: ListFormat,
    form: ReportOptions<ChartFormat>
  ) throws {
    try form.write(report(of: type, in: zones))
    let output = form.output
    let next = "--changed-since \(anchor)"
    switch format {
    case .table: try output.line("Next: \(next)")
    case .csv, .tsv: StandardError.note("next: \(next)")
    case .ndjson:
      let line = JSON.object([
        .init("kind", .string("anchor")), .init("anchor", .string(anchor.description)),
      ])
      try output.line(line.text)
    case .json: break
    }
    try output.flush()
    if !isComplete { StandardError.note("there is more than --limit; go on with \(next)") }
  }
}
