import HealthSamples

extension EncodedSegment {
  /// Encodes rows that stand in order.
  ///
  /// Tables come out in the order in which rows first use them, so equal rows give equal bytes.
  ///
  /// - Complexity: O(*n*)
  init(_ rows: RecordColumns, _ range: Range<Int>, room block: RowBlock) {
    let labels = TableUse(rows.labels[range].lazy.map(UInt32.init), of: rows.labelTable.count)
    let origins = TableUse(rows.origins[range], of: rows.originTable.count)
    let metadata = TableUse(
      rows.metadata[range], of: rows.metadataTable.count, keepingFirst: true)
    (core, summary) = Self.core(rows, range, labels: labels, room: block)
    detail = Self.detail(rows, range, origins: origins, metadata: metadata, room: block)
    facts = SegmentFacts(rows, range)
    for (place, count) in zip(labels.used, labels.counts) {
      facts.labels[rows.labelTable[place], default: 0] += count
    }
    for (place, count) in zip(origins.used, origins.counts) {
      facts.devices[rows.originTable[place].device, default: 0] += count
    }
  }

  private static func blocks(of range: Range<Int>) -> some Sequence<Range<Int>> {
    stride(from: range.lowerBound, to: range.upperBound, by: RowBlock.capacity).lazy.map {
      $0..<min($0 + RowBlock.capacity, range.upperBound)
    }
  }

  private static func core(
    _ rows: RecordColumns, _ range: Range<Int>, labels: TableUse, room block: RowBlock
  ) -> ([UInt8], SegmentSummary) {
    var writer = ByteWriter()
    var summary = SegmentSummary(
      count: range.count, label: labels.used.count == 1 ? rows.labelTable[labels.used[0]] : nil)
    writer.bytes.reserveCapacity(64 + range.count * 6)
    writer.append(version)
    writer.append(variable: UInt64(range.count))
    writer.append(variable: UInt64(labels.used.count))
    for place in labels.used { writer.append(rows.labelTable[place]) }
    rows.starts.withUnsafeBufferPointer { starts in
      rows.ends.withUnsafeBufferPointer { ends in
        rows.values.withUnsafeBufferPointer { values in
          for part in blocks(of: range) {
            summary.blocks.append(
              BlockSummary(
                offset: writer.bytes.count, starts: .init(rebasing: starts[part]),
                ends: .init(rebasing: ends[part]), values: .init(rebasing: values[part])))
            TimeBlocks.append(
              starts: .init(rebasing: starts[part]), ends: .init(rebasing: ends[part]),
              room: block, to: &writer)
            ValueBlocks.append(.init(rebasing: values[part]), room: block, to: &writer)
            IdentifierBlocks.append(
              rows.labels[part].lazy.map { labels.map[Int($0)] }, room: block, to: &writer)
          }
        }
      }
    }
    writer.seal()
    return (writer.bytes, summary)
  }

  private static func detail(
    _ rows: RecordColumns, _ range: Range<Int>, origins: TableUse, metadata: TableUse,
    room block: RowBlock
  ) -> [UInt8] {
    var writer = ByteWriter()
    writer.bytes.reserveCapacity(256 + range.count * 3)
    writer.append(version)
    writer.append(variable: UInt64(range.count))
    writer.append(variable: UInt64(origins.used.count))
    for place in origins.used {
      writer.append(rows.originTable[place].sourceVersion)
      writer.append(rows.originTable[place].device)
    }
    append(metadata.used.dropFirst().map { rows.metadataTable[$0] }, to: &writer)
    rows.created.withUnsafeBufferPointer { created in
      rows.ends.withUnsafeBufferPointer { ends in
        for part in blocks(of: range) {
          CreationBlocks.append(
            .init(rebasing: created[part]), after: .init(rebasing: ends[part]),
            room: block, to: &writer)
          IdentifierBlocks.append(
            rows.origins[part].lazy.map { origins.map[Int($0)] }, room: block, to: &writer)
          IdentifierBlocks.append(
            rows.metadata[part].lazy.map { metadata.map[Int($0)] }, room: block, to: &writer)
          IdentifierBlocks.append(rows.copies[part], room: block, to: &writer)
        }
      }
    }
    writer.seal()
    return writer.bytes
  }

  /// Keys repeat from entry to entry, so they stand once.
  private static func append(_ table: [Metadata], to writer: inout ByteWriter) {
    var keys: [String: Int] = [:]
    var keyTable: [String] = []
    for metadata in table {
      for entry in metadata.entries where keys[entry.key] == nil {
        keys[entry.key] = keyTable.count
        keyTable.append(entry.key)
      }
    }
    writer.append(variable: UInt64(keyTable.count))
    for key in keyTable { writer.append(key) }
    writer.append(variable: UInt64(table.count))
    for metadata in table {
      writer.append(variable: UInt64(metadata.entries.count))
      for entry in metadata.entries {
        writer.append(variable: UInt64(keys[entry.key] ?? 0))
        writer.append(entry.value)
      }
    }
  }
}

/// Which entries of a table some rows use, in the order of first use.
private struct TableUse {
  /// From the place in the table to the place among the used ones.
  var map: [UInt32]
  /// The places in the table.
  var used: [Int] = []
  /// How many rows use each.
  var counts: [Int] = []

  init(_ places: some Sequence<UInt32>, of tableCount: Int, keepingFirst: Bool = false) {
    map = Array(repeating: .max, count: tableCount)
    if keepingFirst { add(0) }
    for place in places {
      if map[Int(place)] == .max { add(Int(place)) }
      counts[Int(map[Int(place)])] += 1
    }
  }

  private mutating func add(_ place: Int) {
    map[place] = UInt32(used.count)
    used.append(place)
    counts.append(0)
  }
}

extension SegmentFacts {
  /// The facts that times tell.
  init(_ rows: RecordColumns, _ range: Range<Int>) {
    count = range.count
    for row in range {
      firstStart = min(firstStart, rows.starts[row])
      lastStart = max(lastStart, rows.starts[row])
      lastEnd = max(lastEnd, rows.starts[row], rows.ends[row])
    }
  }
}
