import Foundation
import HealthExchange
import HealthQuery
import HealthSamples
import HealthStore

/// What was added to a type and deleted from it since an anchor, as rows of a report.
struct ChangedSamples {
  private enum Row {
    case added(RecordedBatch, Int)
    case deleted(DeletedRow)
  }

  private let rows: [Row]
  private let uuids: [UUID]
  private let anchor: StoreAnchor
  private let isComplete: Bool

  /// Asks a store.
  init(_ query: SampleQuery, in store: SampleStore, as form: RecordedForm) throws {
    let changes = try store.changes(query)
    var rows: [Row] = []
    for batch in changes.added {
      let recorded = try RecordedBatch(batch, as: form)
      rows += recorded.rows.map { .added(recorded, $0) }
    }
    self.rows = rows + changes.deleted.map { .deleted($0) }
    uuids =
      try store.uuids(of: changes.added.flatMap(\.serials)) + changes.deleted.map(\.uuid)
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
    let (rows, uuids) = (rows, uuids)
    func cell(_ added: @escaping (RecordedBatch, Int) -> Report.Cell) -> (Int) -> Report.Cell {
      { if case .added(let batch, let row) = rows[$0] { added(batch, row) } else { .absent } }
    }
    var report = Report(
      head: [.type(type), .init("anchor", .string(anchor.description), isInRows: false)],
      list: "samples", count: rows.count, zones: zones,
      columns: [
        .init("kind") {
          switch rows[$0] {
          case .added(let batch, _): .text(batch.isCategory ? "category" : "quantity")
          case .deleted: .text("deleted")
          }
        },
        .init("uuid") { .text(uuids[$0].uuidString) },
        .init("start", nil, cell { .instant($0.batch.starts[$1]) }),
        .machine("end", cell { .instant($0.batch.ends[$1]) }),
        .init("value", isNumber: true, cell { .number($0.value($1)) }),
        .init("unit", nil, cell { .text($0.label($1)) }),
        .init("source") {
          switch rows[$0] {
          case .added(let batch, _): .text(batch.batch.source.name)
          case .deleted(let row): row.source.map { .text($0.name) } ?? .absent
          }
        },
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
    let output = form.csv.output
    let next = "--changed-since \(anchor)"
    switch format {
    case .table: try output.line("Next: \(next)")
    case .csv: StandardError.note("next: \(next)")
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
