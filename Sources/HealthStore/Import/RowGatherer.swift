import HealthSamples

/// Rows of one type and one source that come from batches or segments with tables of their own.
struct RowGatherer {
  private(set) var rows: RecordColumns
  /// The values of ``rows`` in the canonical unit.
  private(set) var canonical: [Double] = []
  /// The bytes of text in the tables, roughly.
  private(set) var textBytes = 0
  /// Marks the maps that lead into the tables of these rows.
  private let tables = TableOwner()
  private var labelPlaces: [String: UInt16] = [:]
  private var originPlaces: [Origin: UInt32] = [:]
  private var metadataPlaces: [Metadata: UInt32] = [:]

  init(type: SampleType, source: Source) { rows = RecordColumns(type: type, source: source) }

  var count: Int { rows.count }

  /// The memory that the rows take, roughly.
  var bytes: Int { 2_048 + count * 54 + textBytes }

  /// Whether a table is so full that the rows should go.
  var isHeavy: Bool { textBytes > 8 << 20 || rows.labelTable.count > 1 << 15 }

  /// Whether so many further labels fit into the table of labels.
  func hasRoom(for labels: Int) -> Bool { rows.labelTable.count + labels <= 1 << 16 }

  func key(_ row: Int) -> RowKey {
    RowKey(start: rows.starts[row], end: rows.ends[row], canonical: canonical[row])
  }

  /// Adds rows of a batch.
  mutating func append(_ batch: RecordColumns, _ range: Range<Int>, canonical values: [Double]) {
    var map = TableMap(
      labels: batch.labelTable.count, origins: batch.originTable.count,
      metadata: batch.metadataTable.count)
    rows.starts += batch.starts[range]
    rows.ends += batch.ends[range]
    rows.created += batch.created[range]
    rows.values += batch.values[range]
    rows.copies += batch.copies[range]
    canonical += values[range]
    for row in range {
      rows.labels.append(
        map.labels.place(of: batch.labels[row]) { place(ofLabel: batch.labelTable[$0]) })
      rows.origins.append(
        map.origins.place(of: batch.origins[row]) { place(of: batch.originTable[$0]) })
      rows.metadata.append(
        map.metadata.place(of: batch.metadata[row]) { place(of: batch.metadataTable[$0]) })
    }
  }

  /// Adds rows of the block that a cursor stands on.
  ///
  /// Where tellings change, `met` says for each row of the block whether the import tells it too.
  mutating func append(
    _ range: Range<Int>, of cursor: RowCursor, met: [Bool] = []
  ) throws(SegmentDamage) {
    let block = cursor.block
    rows.starts.append(contentsOf: block.starts[range])
    rows.ends.append(contentsOf: block.ends[range])
    rows.created.append(contentsOf: block.created[range])
    rows.values.append(contentsOf: block.values[range])
    rows.copies.append(contentsOf: block.copies[range])
    canonical.append(contentsOf: cursor.canonical[range])
    var map = cursor.takeMap(for: tables)
    defer { cursor.map = map }
    for row in range {
      rows.labels.append(
        map.labels.place(of: block.labels[row]) { place(ofLabel: cursor.labelTable[$0]) })
    }
    if let retelling = cursor.retelling, !met.isEmpty {
      for row in range {
        let origin = block.origins[row]
        rows.origins.append(
          met[row]
            ? map.origins.place(of: origin) {
              place(of: cursor.originTable[$0], told: retelling.told[$0])
            }
            : map.lackedOrigins.place(of: origin) {
              place(of: cursor.originTable[$0], told: retelling.lacked[$0])
            })
      }
    } else {
      for row in range {
        rows.origins.append(
          map.origins.place(of: block.origins[row]) { place(of: cursor.originTable[$0]) })
      }
    }
    for row in range {
      rows.metadata.append(
        try map.metadata.place(of: block.metadata[row]) { place throws(SegmentDamage) in
          self.place(of: try cursor.metadata(place))
        })
    }
  }

  /// Adds one row.
  mutating func append(_ row: CandidateRow) throws(SegmentDamage) {
    rows.starts.append(row.key.start)
    rows.ends.append(row.key.end)
    rows.created.append(row.created)
    rows.values.append(row.value)
    rows.copies.append(UInt32(clamping: row.copies))
    canonical.append(row.key.canonical)
    let cursor = row.cursor
    var map = cursor.takeMap(for: tables)
    defer { cursor.map = map }
    rows.labels.append(
      map.labels.place(of: row.label) { place(ofLabel: cursor.labelTable[$0]) })
    rows.origins.append(
      map.origins.place(of: row.origin) { place(of: cursor.originTable[$0]) })
    rows.metadata.append(
      try map.metadata.place(of: row.metadata) { place throws(SegmentDamage) in
        self.place(of: try cursor.metadata(place))
      })
  }

  /// Gives the row added last another telling.
  mutating func retellLast(_ telling: UInt32) {
    guard let last = rows.origins.indices.last else { return }
    let origin = rows.originTable[Int(rows.origins[last])]
    if origin.telling != telling { rows.origins[last] = place(of: origin, told: telling) }
  }

  /// Notes that an export held more copies of a row.
  mutating func addCopies(_ count: Int, to row: Int) {
    rows.copies[row] = UInt32(clamping: Int(rows.copies[row]) + count)
  }

  /// Leaves out the first `count` rows, and what only they used of the tables.
  mutating func removeFirst(_ count: Int) {
    var rest = RowGatherer(type: rows.type, source: rows.source)
    if count < rows.count { rest.append(rows, count..<rows.count, canonical: canonical) }
    self = rest
  }

  private mutating func place(ofLabel label: String) -> UInt16 {
    if let place = labelPlaces[label] { return place }
    let place = UInt16(rows.labelTable.count)
    labelPlaces[label] = place
    rows.labelTable.append(label)
    textBytes += label.utf8.count
    return place
  }

  private mutating func place(of origin: Origin) -> UInt32 {
    if let place = originPlaces[origin] { return place }
    let place = UInt32(rows.originTable.count)
    originPlaces[origin] = place
    rows.originTable.append(origin)
    textBytes += origin.device.utf8.count + origin.sourceVersion.utf8.count
    return place
  }

  private mutating func place(of origin: Origin, told telling: UInt32) -> UInt32 {
    var origin = origin
    origin.telling = telling
    return place(of: origin)
  }

  private mutating func place(of metadata: Metadata) -> UInt32 {
    if metadata.isEmpty { return 0 }
    if let place = metadataPlaces[metadata] { return place }
    let place = UInt32(rows.metadataTable.count)
    metadataPlaces[metadata] = place
    rows.metadataTable.append(metadata)
    textBytes += metadata.entries.reduce(0) { $0 + $1.key.utf8.count + $1.value.utf8.count }
    return place
  }
}
