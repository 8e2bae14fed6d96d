import HealthLedger
import HealthSamples

extension RecordColumns {
  /// Builds columns of one type and one source from rows of batches and chunks with different
  /// tables.
  struct Builder {
    private(set) var rows: RecordColumns
    /// The values of ``rows`` in the canonical unit.
    private(set) var canonical: [Double] = []
    /// The approximate size of the texts in the tables in bytes.
    private(set) var textBytes = 0
    /// Identifies the target tables of remaps.
    private let tables = TableIdentity()
    private var labelIndices: [String: UInt32] = [:]
    private var originIndices: [Origin: UInt32] = [:]
    private var metadataIndices: [Metadata: UInt32] = [:]
    /// How many entries of the table of metadata, after the empty one, ``metadataIndices`` has.
    private var indexedMetadata = 0
    /// The origin that got a set of members last: that of the next row is most often the same.
    private var lastWithSet: (origin: UInt32, memberSet: UInt32, index: UInt32)?

    init(type: SampleType, source: Source) { rows = RecordColumns(type: type, source: source) }
  }
}

extension [Range<Int>] {
  /// Consecutive places as ranges, in their order.
  init(joining places: some Sequence<Int>) {
    self.init()
    for place in places {
      if let last = last, last.upperBound == place {
        self[count - 1] = last.lowerBound..<place + 1
      } else {
        append(place..<place + 1)
      }
    }
  }
}

/// The identity of the tables of one builder.
final class TableIdentity: Sendable {}

/// Maps the indices in the tables of a chunk or batch to those in the tables of a builder.
struct TableRemap {
  var labels: IndexRemap
  var origins: IndexRemap
  /// As ``origins``, for rows that the import lacks.
  var absentOrigins: IndexRemap
  var metadata: IndexRemap
  /// The target tables.
  let target: TableIdentity?

  init(labels: Int, origins: Int, metadata: Int, target: TableIdentity? = nil) {
    self.labels = IndexRemap(count: labels)
    self.origins = IndexRemap(count: origins)
    absentOrigins = IndexRemap(count: origins)
    self.metadata = IndexRemap(count: metadata)
    self.target = target
  }
}

extension RecordColumns.Builder {
  var count: Int { rows.count }

  /// The approximate memory of the rows in bytes.
  var bytes: Int { 2_048 + count * 54 + textBytes }

  /// Whether a table is so large that the rows should be written.
  var isHeavy: Bool { textBytes > 8 << 20 || rows.labelTable.count > 1 << 15 }

  /// Whether `labels` more labels fit into the table of labels.
  func hasRoom(for labels: Int) -> Bool { rows.labelTable.count + labels <= 1 << 16 }

  func key(_ row: Int) -> RowKey { rows.key(row, canonical[row]) }

  /// Makes room for more rows at once.
  mutating func reserveCapacity(_ more: Int) {
    let capacity = count + more
    rows.serials.reserveCapacity(capacity)
    rows.starts.reserveCapacity(capacity)
    rows.ends.reserveCapacity(capacity)
    rows.created.reserveCapacity(capacity)
    rows.values.reserveCapacity(capacity)
    rows.copies.reserveCapacity(capacity)
    rows.labels.reserveCapacity(capacity)
    rows.origins.reserveCapacity(capacity)
    rows.metadata.reserveCapacity(capacity)
    canonical.reserveCapacity(capacity)
  }

  /// Adds rows of a batch.
  mutating func append(_ batch: RecordColumns, _ ranges: [Range<Int>], canonical values: [Double]) {
    var remap = TableRemap(
      labels: batch.labelTable.count, origins: batch.originTable.count,
      metadata: batch.metadataTable.count)
    // The entries of one table differ: those of the first batch are not compared.
    let isFirst = rows.metadataTable.count == 1
    for range in ranges {
      rows.starts += batch.starts[range]
      rows.ends += batch.ends[range]
      rows.created += batch.created[range]
      rows.values += batch.values[range]
      rows.copies += batch.copies[range]
      if !batch.serials.isEmpty { rows.serials += batch.serials[range] }
      canonical += values[range]
      appendLabels(batch.labels[range], of: batch.labelTable, &remap.labels)
      appendOrigins(batch.origins[range], of: batch.originTable, &remap.origins)
      for entry in batch.metadata[range] {
        rows.metadata.append(
          remap.metadata.index(of: Int(entry)) {
            index(of: batch.metadataTable[$0], isNew: isFirst)
          })
      }
    }
  }

  /// Adds rows of the block of a cursor.
  ///
  /// If sets of members change, `matched` says for each row of the block whether the import has it.
  /// Rows of a run get serials from `serial` on.
  mutating func append(
    _ range: Range<Int>, of cursor: RowCursor, matched: [Bool] = [], serial: Int64? = nil
  ) throws(Corruption) {
    let block = cursor.block
    if let serial {
      rows.serials.append(contentsOf: (0..<Int64(range.count)).lazy.map { serial + $0 })
    } else {
      for row in range { rows.serials.append(cursor.serial(row)) }
    }
    rows.starts.append(contentsOf: block.starts[range])
    rows.ends.append(contentsOf: block.ends[range])
    rows.created.append(contentsOf: block.created[range])
    rows.values.append(contentsOf: block.values[range])
    rows.copies.append(contentsOf: block.copies[range])
    canonical.append(contentsOf: cursor.canonical[range])
    var remap = cursor.takeRemap(into: tables)
    defer { cursor.remap = remap }
    appendLabels(block.labels[range], of: cursor.labelTable, &remap.labels)
    if let changes = cursor.setChanges, !matched.isEmpty {
      for row in range {
        let origin = block.origins[row]
        rows.origins.append(
          matched[row]
            ? remap.origins.index(of: Int(origin)) {
              index(of: cursor.originTable[$0], memberSet: changes[$0].present)
            }
            : remap.absentOrigins.index(of: Int(origin)) {
              index(of: cursor.originTable[$0], memberSet: changes[$0].absent)
            })
      }
    } else {
      appendOrigins(block.origins[range], of: cursor.originTable, &remap.origins)
    }
    try appendMetadata(block.metadata[range], of: cursor, &remap.metadata)
  }

  /// Adds one row.
  mutating func append(_ row: CandidateRow, serial: Int64) throws(Corruption) {
    rows.serials.append(serial)
    rows.starts.append(row.key.start)
    rows.ends.append(row.key.end)
    rows.created.append(row.cells.created)
    rows.values.append(row.cells.value)
    rows.copies.append(UInt32(clamping: row.copies))
    canonical.append(row.key.canonical)
    var remap = row.cursor.takeRemap(into: tables)
    defer { row.cursor.remap = remap }
    appendLabels(CollectionOfOne(row.cells.label), of: row.cursor.labelTable, &remap.labels)
    var origin = row.cursor.originTable[Int(row.cells.origin)]
    origin.ordinal = row.key.ordinal
    rows.origins.append(index(of: origin))
    try appendMetadata(CollectionOfOne(row.cells.metadata), of: row.cursor, &remap.metadata)
  }

  private mutating func appendLabels(
    _ labels: some Sequence<some FixedWidthInteger>, of table: [String], _ remap: inout IndexRemap
  ) {
    for label in labels {
      rows.labels.append(UInt16(remap.index(of: Int(label)) { index(ofLabel: table[$0]) }))
    }
  }

  private mutating func appendOrigins(
    _ origins: some Sequence<UInt32>, of table: [Origin], _ remap: inout IndexRemap
  ) {
    for origin in origins {
      rows.origins.append(remap.index(of: Int(origin)) { index(of: table[$0]) })
    }
  }

  private mutating func appendMetadata(
    _ metadata: some Sequence<UInt32>, of cursor: RowCursor, _ remap: inout IndexRemap
  ) throws(Corruption) {
    for entry in metadata {
      rows.metadata.append(
        try remap.index(of: Int(entry)) { entry throws(Corruption) in
          index(of: try cursor.metadata(entry))
        })
    }
  }

  /// Sets the set of members of the last row.
  mutating func setMemberSetOfLast(_ memberSet: UInt32) {
    let row = rows.origins.count - 1
    let origin = rows.origins[row]
    if let known = lastWithSet, known.origin == origin, known.memberSet == memberSet {
      rows.origins[row] = known.index
      return
    }
    let index = index(of: rows.originTable[Int(origin)], memberSet: memberSet)
    lastWithSet = (origin, memberSet, index)
    rows.origins[row] = index
  }

  /// Removes the first `count` rows, and the table entries that only they used.
  mutating func removeFirst(_ count: Int) {
    var rest = Self(type: rows.type, source: rows.source)
    if count < rows.count { rest.append(rows, [count..<rows.count], canonical: canonical) }
    self = rest
  }

  private mutating func index(ofLabel label: String) -> UInt32 {
    if let index = labelIndices[label] { return index }
    let index = UInt32(rows.labelTable.count)
    labelIndices[label] = index
    rows.labelTable.append(label)
    textBytes += label.utf8.count
    return index
  }

  private mutating func index(of origin: Origin) -> UInt32 {
    let next = UInt32(rows.originTable.count)
    let index = originIndices.place(of: origin, next: next)
    if index < next { return index }
    rows.originTable.append(origin)
    textBytes += origin.device.utf8.count + origin.storedVersion.utf8.count
    return index
  }

  private mutating func index(of origin: Origin, memberSet: UInt32) -> UInt32 {
    var origin = origin
    origin.memberSet = memberSet
    return index(of: origin)
  }

  private mutating func index(of metadata: Metadata, isNew: Bool = false) -> UInt32 {
    if metadata.isEmpty { return 0 }
    let next = UInt32(rows.metadataTable.count)
    if !isNew {
      for index in (1 + indexedMetadata)..<rows.metadataTable.count {
        metadataIndices[rows.metadataTable[index]] = UInt32(index)
      }
      indexedMetadata = Int(next) - 1
      let index = metadataIndices.place(of: metadata, next: next)
      if index < next { return index }
      indexedMetadata += 1
    }
    rows.metadataTable.append(metadata)
    textBytes += metadata.entries.reduce(0) { $0 + $1.key.utf8.count + $1.value.utf8.count }
    return next
  }
}
