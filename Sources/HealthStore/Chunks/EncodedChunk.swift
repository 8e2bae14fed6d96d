import HealthSamples

/// Encoded rows of one type and one source, in order of start, end and value in the canonical unit.
///
/// Everything that all queries read (times, values, labels) is in ``core``, the rest (creation
/// dates, origins, metadata, copies) in ``detail``, which queries do not read.
struct EncodedChunk {
  /// The format version; others are refused.
  static let version: UInt8 = 1

  var core: [UInt8]
  var detail: [UInt8]
  var statistics: ChunkStatistics
  var zoneMap: ZoneMap
  /// How many additional copies of its rows the export has.
  var duplicates = 0
  /// Whether no row is inside another element, too.
  var isWhole = true
}

/// Counts and bounds of a chunk, as in the tables.
struct ChunkStatistics: Equatable {
  var count = 0
  var firstStart = Double.infinity
  var lastStart = -Double.infinity
  /// The latest end; an end before its start is treated as the start.
  var lastEnd = -Double.infinity
  /// The least serial; of rows without serials their positions, from 0 on.
  var firstSerial: Int64 = 0
  /// The greatest serial.
  var lastSerial: Int64 = 0
  var counts = RowCounts()
}

/// How many rows have each label and each device description, and how many copies they have.
struct RowCounts: Equatable {
  var labels: [String: Int] = [:]
  var devices: [String: Int] = [:]
  /// How many further copies of the rows their files have.
  var copies = 0

  /// Adds the counts of other rows, or subtracts them.
  mutating func add(_ others: Self, times factor: Int = 1) {
    func sum(_ left: inout [String: Int], _ right: [String: Int]) {
      for (text, count) in right {
        let total = left[text, default: 0] + factor * count
        left[text] = total == 0 ? nil : total
      }
    }
    sum(&labels, others.labels)
    sum(&devices, others.devices)
    copies += factor * others.copies
  }

  /// The longest description that is counted whole: of longer ones the beginning tells the device,
  /// and many of them would fill memory.
  private static let longestDevice = 1_024

  /// Counts rows of a device.
  mutating func add(_ count: Int, ofDevice device: String) {
    var device = device
    if device.utf8.count > Self.longestDevice {
      device = String(decoding: device.utf8.prefix(Self.longestDevice), as: UTF8.self)
    }
    devices[device, default: 0] += count
  }

  /// The device description of most rows, of equals the smallest.
  var mainDevice: String {
    devices.min { ($1.value, $0.key) < ($0.value, $1.key) }?.key ?? ""
  }

  /// The encoded bytes; equal counts give equal bytes.
  var bytes: [UInt8] { ByteWriter.checksummed(write) }

  fileprivate func write(to writer: inout ByteWriter) {
    for table in [labels, devices] {
      writer.append(variable: UInt64(table.count))
      for (text, count) in table.sorted(by: { $0.key < $1.key }) {
        writer.append(text)
        writer.append(variable: UInt64(count))
      }
    }
    if copies > 0 { writer.append(variable: UInt64(copies)) }
  }

  init() {}

  /// Decodes the bytes.
  init(_ bytes: [UInt8]) throws(Corruption) {
    var reader = try ByteReader(checked: bytes)
    try self.init(from: &reader)
  }

  fileprivate init(from reader: inout ByteReader) throws(Corruption) {
    labels = try reader.counts()
    devices = try reader.counts()
    guard !reader.isAtEnd else { return }
    guard let copies = Int(exactly: try reader.variable()), copies < 1 << 48 else {
      throw Corruption()
    }
    self.copies = copies
  }
}

extension ChunkStatistics {
  /// Those that follow from a zone map.
  init(of zoneMap: ZoneMap) {
    count = zoneMap.count
    for block in zoneMap.blocks {
      firstStart = min(firstStart, block.firstStart)
      lastStart = max(lastStart, block.lastStart)
      lastEnd = max(lastEnd, block.lastEnd)
    }
  }

  /// The encoded bytes in a run.
  var bytes: [UInt8] {
    ByteWriter.checksummed { writer in
      writer.append(variable: UInt64(count))
      for instant in [firstStart, lastStart, lastEnd] { writer.append(instant.bitPattern) }
      counts.write(to: &writer)
    }
  }

  /// Decodes the bytes.
  init(_ bytes: [UInt8]) throws(Corruption) {
    var reader = try ByteReader(checked: bytes)
    count = Int(truncatingIfNeeded: try reader.variable())
    firstStart = Double(bitPattern: try reader.number())
    lastStart = Double(bitPattern: try reader.number())
    lastEnd = Double(bitPattern: try reader.number())
    counts = try RowCounts(from: &reader)
    lastSerial = Int64(count) - 1
  }
}

extension ByteReader {
  fileprivate mutating func counts() throws(Corruption) -> [String: Int] {
    var counts: [String: Int] = [:]
    for _ in 0..<(try count(ofSize: 2)) {
      let text = try text()
      counts[text] = Int(truncatingIfNeeded: try variable())
    }
    return counts
  }
}

extension EncodedChunk {
  /// Encodes the rows at sorted indices, at least one.
  ///
  /// Table entries are in the order of first use, so equal rows give equal bytes. Serials are
  /// relative to the least one, so that rows in the order of their serials give the same bytes
  /// whatever their serials are.
  ///
  /// - Complexity: O(*n*), plus the tables of `rows`
  init(_ rows: RecordColumns, at order: ArraySlice<UInt32>, room block: RowBlock) {
    var tables = UsedTables(of: rows)
    var (core, detail) = (ByteWriter(), ByteWriter())
    core.bytes.reserveCapacity(order.count * 6)
    detail.bytes.reserveCapacity(order.count * 3)
    var zoneMap = ZoneMap(count: order.count)
    var serials = (first: Int64(0), last: Int64(order.count) - 1)
    if !rows.serials.isEmpty {
      let given = order.lazy.map { rows.serials[Int($0)] }
      serials = (given.min() ?? 0, given.max() ?? 0)
    }
    for start in stride(from: order.startIndex, to: order.endIndex, by: RowBlock.capacity) {
      let part = order[start..<min(start + RowBlock.capacity, order.endIndex)]
      block.gather(part, of: rows, tables: &tables)
      for (index, row) in part.enumerated() {
        block.serials[index] =
          rows.serials.isEmpty
          ? Int64(start - order.startIndex + index) : rows.serials[Int(row)] - serials.first
      }
      zoneMap.blocks.append(block.statistics(0..<part.count, offset: core.bytes.count))
      block.appendCore(part.count, to: &core)
      block.appendDetail(part.count, to: &detail)
      for copies in block.copies.first(part.count) {
        let copies = RunCopies(column: copies)
        isWhole = isWhole && copies.isWhole
        duplicates += max(1, copies.count) - 1
      }
    }
    let coreHead = Self.coreHead(rows, tables.labels, count: order.count)
    let detailHead = Self.detailHead(rows, tables, count: order.count)
    let labels = tables.labels.indices
    zoneMap.label = labels.count == 1 ? rows.labelTable[labels[0]] : nil
    for block in zoneMap.blocks.indices { zoneMap.blocks[block].offset += coreHead.bytes.count }
    self.core = coreHead.joined(with: core)
    self.detail = detailHead.joined(with: detail)
    self.zoneMap = zoneMap
    statistics = ChunkStatistics(of: zoneMap)
    (statistics.firstSerial, statistics.lastSerial) = serials
    for (entry, count) in zip(labels, tables.labels.counts) {
      statistics.counts.labels[rows.labelTable[entry], default: 0] += count
    }
    for (entry, count) in zip(tables.origins.indices, tables.origins.counts) {
      statistics.counts.add(count, ofDevice: rows.originTable[entry].device)
    }
    statistics.counts.copies = duplicates
  }

  /// The version and the number of rows.
  private static func head(count: Int) -> ByteWriter {
    var writer = ByteWriter()
    writer.append(version)
    writer.append(variable: UInt64(count))
    return writer
  }

  private static func coreHead(
    _ rows: RecordColumns, _ labels: UsedEntries, count: Int
  ) -> ByteWriter {
    var writer = head(count: count)
    writer.append(variable: UInt64(labels.indices.count))
    for entry in labels.indices { writer.append(rows.labelTable[entry]) }
    return writer
  }

  private static func detailHead(
    _ rows: RecordColumns, _ tables: UsedTables, count: Int
  ) -> ByteWriter {
    var writer = head(count: count)
    writer.append(variable: UInt64(tables.origins.indices.count))
    for entry in tables.origins.indices {
      writer.append(rows.originTable[entry].storedVersion)
      writer.append(rows.originTable[entry].device)
      writer.append(variable: rows.originTable[entry].numbers)
    }
    append(tables.metadata.indices.dropFirst().map { rows.metadataTable[$0] }, to: &writer)
    return writer
  }

  /// Keys repeat between entries, so each is stored once, with the kind of its values.
  private static func append(_ table: [Metadata], to writer: inout ByteWriter) {
    var keys: [MetadataKey: Int] = [:]
    var keyTable: [MetadataKey] = []
    for metadata in table {
      for entry in metadata.entries where keys[MetadataKey(entry)] == nil {
        keys[MetadataKey(entry)] = keyTable.count
        keyTable.append(MetadataKey(entry))
      }
    }
    writer.append(variable: UInt64(keyTable.count))
    for key in keyTable {
      writer.append(key.text)
      writer.append(key.kind.rawValue)
    }
    writer.append(variable: UInt64(table.count))
    for metadata in table {
      writer.append(variable: UInt64(metadata.entries.count))
      for entry in metadata.entries {
        writer.append(variable: UInt64(keys[MetadataKey(entry)] ?? 0))
        writer.append(entry.value)
      }
    }
  }
}

extension Origin {
  /// The set of members, and in the upper half the ordinal: nearly all rows have 0.
  fileprivate var numbers: UInt64 { UInt64(memberSet) | UInt64(ordinal) << 32 }

  /// An origin with the numbers as they are stored.
  init(storedVersion: String, device: String, numbers: UInt64) {
    self.init(storedVersion: storedVersion, device: device)
    memberSet = UInt32(truncatingIfNeeded: numbers)
    ordinal = UInt32(truncatingIfNeeded: numbers >> 32)
  }

  /// Between the parts of a stored version: a control character, which XML does not have.
  private static let separator: Character = "\u{1F}"

  /// The versions in one text, as they are stored: that of the source, which is alone in exports, then
  /// product and system.
  var storedVersion: String {
    let (product, system) = (productType, operatingSystem)
    if product.isEmpty, system.isEmpty, !sourceVersion.contains(Self.separator) {
      return sourceVersion
    }
    let parts = [sourceVersion] + [product, system].map { $0.filter { $0 != Self.separator } }
    return parts.joined(separator: String(Self.separator))
  }

  /// An origin with the versions as they are stored.
  init(storedVersion: String, device: String) {
    guard storedVersion.utf8.contains(0x1F) else {
      self.init(sourceVersion: storedVersion, device: device)
      return
    }
    let parts = storedVersion.split(separator: Self.separator, omittingEmptySubsequences: false)
    let count = parts.count > 2 ? parts.count - 2 : parts.count
    func part(_ index: Int) -> String { index < parts.count ? String(parts[index]) : "" }
    self.init(
      sourceVersion: parts[..<count].joined(separator: String(Self.separator)), device: device,
      productType: part(count), operatingSystem: part(count + 1))
  }
}

/// A key of metadata and the kind of its values: a chunk stores each pair once.
struct MetadataKey: Hashable {
  let text: String
  let kind: Metadata.Entry.Kind

  init(_ entry: Metadata.Entry) { (text, kind) = (entry.key, entry.kind) }

  init(from reader: inout ByteReader) throws(Corruption) {
    text = try reader.text()
    guard let kind = Metadata.Entry.Kind(rawValue: try reader.byte()) else { throw Corruption() }
    self.kind = kind
  }
}

extension ByteWriter {
  /// The concatenated bytes, with one checksum.
  fileprivate consuming func joined(with others: ByteWriter) -> [UInt8] {
    bytes.reserveCapacity(bytes.count + others.bytes.count + 8)
    bytes += others.bytes
    appendChecksum()
    return bytes
  }
}

extension RowBlock {
  /// Copies rows to the start of the columns.
  fileprivate func gather(
    _ order: ArraySlice<UInt32>, of rows: RecordColumns, tables: inout UsedTables
  ) {
    starts.gather(order, of: rows.starts)
    ends.gather(order, of: rows.ends)
    values.gather(order, of: rows.values)
    created.gather(order, of: rows.created)
    copies.gather(order, of: rows.copies)
    tables.labels.compact(order, of: rows.labels, into: labels)
    tables.origins.compact(order, of: rows.origins, into: origins)
    tables.metadata.compact(order, of: rows.metadata, into: metadata)
  }

  fileprivate func appendCore(_ count: Int, to writer: inout ByteWriter) {
    TimeBlocks.append(count, of: self, to: &writer)
    ValueBlocks.append(count, of: self, to: &writer)
    IdentifierBlocks.append(labels.first(count), room: self, to: &writer)
  }

  fileprivate func appendDetail(_ count: Int, to writer: inout ByteWriter) {
    CreationBlocks.append(count, of: self, to: &writer)
    IdentifierBlocks.append(origins.first(count), room: self, to: &writer)
    IdentifierBlocks.append(metadata.first(count), room: self, to: &writer)
    IdentifierBlocks.append(copies.first(count), room: self, to: &writer)
    SerialBlocks.append(count, of: self, to: &writer)
  }
}

extension UnsafeMutableBufferPointer {
  /// Copies elements of a column to the start.
  fileprivate func gather(_ order: ArraySlice<UInt32>, of column: [Element]) {
    column.withUnsafeBufferPointer { column in
      for (index, row) in zip(indices, order) { self[index] = column[Int(row)] }
    }
  }
}
