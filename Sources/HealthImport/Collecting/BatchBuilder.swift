import HealthSamples

/// A batch of records of one type and one source, with the indices of its repeated texts.
struct BatchBuilder {
  /// The common properties of the records of a batch.
  struct Key: Hashable {
    var type: Int
    var source: Source
  }

  /// The same properties as written.
  struct Name: Equatable {
    var type: Int
    var source: String
    var isUserEntered: Bool
  }

  /// The most rows of a batch, so that label indices fit into 16 bits.
  private static let mostRows = 1 << 16

  private(set) var rows: RecordColumns
  private var labels: [String: UInt16] = [:]
  private var origins: [Origin: UInt32] = [:]
  private var metadata: [Metadata: UInt32] = [Metadata(): 0]

  /// A batch that starts with these rows, which must be empty.
  init(rows: RecordColumns) { self.rows = rows }

  /// Whether another row may be added.
  var hasRoom: Bool { rows.count < Self.mostRows }

  mutating func append(
    _ record: RecordCollector.Record, start: Double, end: Double, value: Double, label: String
  ) {
    rows.starts.append(start)
    rows.ends.append(end)
    rows.created.append(record.created)
    rows.values.append(value)
    rows.labels.append(Self.place(of: label, in: &rows.labelTable, &labels))
    rows.origins.append(Self.place(of: record.origin, in: &rows.originTable, &origins))
    rows.metadata.append(Self.place(of: record.metadata, in: &rows.metadataTable, &metadata))
    rows.copies.append(record.isNested ? 0 : 1)
  }

  /// The index of a text in its table, to which it is appended if new.
  private static func place<Text: Hashable, Place: FixedWidthInteger>(
    of text: Text, in table: inout [Text], _ places: inout [Text: Place]
  ) -> Place {
    if let place = places[text] { return place }
    let place = Place(table.count)
    table.append(text)
    places[text] = place
    return place
  }
}
