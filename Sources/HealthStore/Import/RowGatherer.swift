import HealthSamples

/// Rows of one type and one source that come from batches or segments with tables of their own.
struct RowGatherer {
  private(set) var rows: RecordColumns
  /// The values of ``rows`` in the canonical unit.
  private(set) var canonical: [Double] = []
  /// The bytes of text in the tables, roughly.
  private(set) var textBytes = 0
  /// Marks the maps that lead into the tables of these rows.
  private let tables = TableMap.Owner()
  private var labelPlaces: [String: UInt16] = [:]
  private var originPlaces: [Origin: UInt32] = [:]
  private var metadataPlaces: [Metadata: UInt32] = [Metadata(): 0]

  init(type: SampleType, source: Source) { rows = RecordColumns(type: type, source: source) }

  var count: Int { rows.count }

  /// The memory that the rows take, roughly.
  var bytes: Int { 2_048 + count * 54 + textBytes }

  /// Whether a table is so full that the rows should go.
  var isHeavy: Bool { textBytes > 8 << 20 || rows.labelTable.count > 1 << 15 }

  func key(_ row: Int) -> RowKey {
    RowKey(start: rows.starts[row], end: rows.ends[row], canonical: canonical[row])
  }

  /// Adds a whole batch.
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
      let label = Int(batch.labels[row])
      if map.labels[label] == TableMap.unknown {
        map.labels[label] = UInt32(place(ofLabel: batch.labelTable[label]))
      }
      rows.labels.append(UInt16(map.labels[label]))
      let origin = Int(batch.origins[row])
      if map.origins[origin] == TableMap.unknown {
        map.origins[origin] = place(of: batch.originTable[origin])
      }
      rows.origins.append(map.origins[origin])
      let metadata = Int(batch.metadata[row])
      if map.metadata[metadata] == TableMap.unknown {
        map.metadata[metadata] = place(of: batch.metadataTable[metadata])
      }
      rows.metadata.append(map.metadata[metadata])
    }
  }

  /// Adds rows of the block that a cursor stands on.
  mutating func append(
    _ range: Range<Int>, of cursor: RowCursor
  ) throws(SegmentDamage) {
    let block = cursor.block
    cursor.map.claim(for: tables)
    rows.starts.append(contentsOf: block.starts[range])
    rows.ends.append(contentsOf: block.ends[range])
    rows.created.append(contentsOf: block.created[range])
    rows.values.append(contentsOf: block.values[range])
    rows.copies.append(contentsOf: block.copies[range])
    canonical.append(contentsOf: cursor.canonical[range])
    for row in range {
      let places = try places(
        label: block.labels[row], origin: block.origins[row], metadata: block.metadata[row],
        in: cursor)
      rows.labels.append(places.label)
      rows.origins.append(places.origin)
      rows.metadata.append(places.metadata)
    }
  }

  /// Adds one row.
  mutating func append(_ row: CandidateRow) throws(SegmentDamage) {
    row.cursor.map.claim(for: tables)
    let places = try places(
      label: row.label, origin: row.origin, metadata: row.metadata, in: row.cursor)
    rows.starts.append(row.key.start)
    rows.ends.append(row.key.end)
    rows.created.append(row.created)
    rows.values.append(row.value)
    rows.copies.append(UInt32(clamping: row.copies))
    canonical.append(row.key.canonical)
    rows.labels.append(places.label)
    rows.origins.append(places.origin)
    rows.metadata.append(places.metadata)
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

  private mutating func places(
    label: UInt32, origin: UInt32, metadata: UInt32, in cursor: RowCursor
  ) throws(SegmentDamage) -> (label: UInt16, origin: UInt32, metadata: UInt32) {
    if cursor.map.labels[Int(label)] == TableMap.unknown {
      cursor.map.labels[Int(label)] = UInt32(place(ofLabel: cursor.labelTable[Int(label)]))
    }
    if cursor.map.origins[Int(origin)] == TableMap.unknown {
      cursor.map.origins[Int(origin)] = place(of: cursor.originTable[Int(origin)])
    }
    if cursor.map.metadata[Int(metadata)] == TableMap.unknown {
      cursor.map.metadata[Int(metadata)] = place(of: try cursor.metadata(Int(metadata)))
    }
    return (
      UInt16(cursor.map.labels[Int(label)]), cursor.map.origins[Int(origin)],
      cursor.map.metadata[Int(metadata)]
    )
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

  private mutating func place(of metadata: Metadata) -> UInt32 {
    if let place = metadataPlaces[metadata] { return place }
    let place = UInt32(rows.metadataTable.count)
    metadataPlaces[metadata] = place
    rows.metadataTable.append(metadata)
    textBytes += metadata.entries.reduce(0) { $0 + $1.key.utf8.count + $1.value.utf8.count }
    return place
  }
}
