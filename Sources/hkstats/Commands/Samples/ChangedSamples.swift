import Foundation
import HealthExchange
import HealthQuery
import HealthSamples
import HealthStore

/// What was added to a type and deleted from it since an anchor, as rows of a view.
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

  private func answerView(of type: SampleType, in zones: ZoneTimeline) -> AnswerView {
    let (batches, added, deleted, uuids) = (batches, added, deleted, uuids)
    /// What samples say; deleted ones say less.
    func cells<Value>(
      _ read: @escaping (RecordedBatch, Int) -> Value?,
      orDeleted: @escaping (DeletedRow) -> Value? = { _ in nil }
    ) -> Cells<Value> {
      .read { place in
        guard place < added.count else { return orDeleted(deleted[place - added.count]) }
        return read(batches[Int(added[place].batch)], Int(added[place].row))
      }
    }
    func column(
      _ key: String, _ form: AnswerField.Form, _ values: AnswerColumn.Values
    ) -> AnswerColumn {
      AnswerColumn(AnswerField(key, form, isOmitted: true), values)
    }
    let numbers = cells { $0.value($1) }
    let units = cells { $0.label($1) }
    let table = AnswerTable(
      "samples", list: "samples", count: added.count + deleted.count, zones: zones,
      head: [.type(type), .init("anchor", .string(anchor.description), .head)],
      [
        column(
          "kind", .word,
          .texts(
            cells({ batch, _ in batch.isCategory ? "category" : "quantity" }) { _ in "deleted" })),
        column(
          "uuid", .text,
          .texts(
            .read {
              ($0 < uuids.count ? uuids[$0] : deleted[$0 - uuids.count].uuid).uuidString
            })),
        column("start", .instant, .numbers(cells { $0.batch.starts[$1] })),
        column("end", .instant, .numbers(cells { $0.batch.ends[$1] })),
        column("value", .number, .numbers(numbers)), column("unit", .word, .texts(units)),
        column(
          "source", .word,
          .texts(cells({ batch, _ in batch.batch.source.name }) { $0.source?.name })),
        column(
          "device", .word,
          .texts(
            cells { batch, row in
              let device = batch.origin(row).device
              return device.isEmpty ? nil : device
            })),
        column("created", .instant, .numbers(cells { $0.batch.creation(row: $1) })),
        column("metadata", .json, .json(cells { $0.metadata($1) })),
      ])
    var view = AnswerView(
      table,
      showing: [
        table.shown("kind"), table.shown("uuid"), table.shown("start"),
        .init("value", isNumber: true) { place in
          numbers[place].map { number in
            units[place].flatMap { DisplayUnit(label: $0) }?.number(number)
              ?? NumberText.rounded(number)
          }
        },
        table.shown("unit"), table.shown("source"),
      ])
    view.emptySentence = "Nothing was added or deleted."
    return view
  }

  /// Writes the rows, then the anchor: json has it in its head, csv has no place for it.
  func write(
    of type: SampleType, in zones: ZoneTimeline, as format: ListFormat,
    form: FormatOptions<ChartFormat>
  ) throws {
    try form.write(answerView(of: type, in: zones))
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
