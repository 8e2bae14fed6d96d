import HealthSamples

extension EncodedSegment {
  /// Encodes the rows at places that stand in order; there must be one.
  ///
  /// Tables come out in the order in which rows first use them, so equal rows give equal bytes.
  ///
  /// - Complexity: O(*n*), beside the tables of `rows`
  init(_ rows: RecordColumns, at places: ArraySlice<UInt32>, room block: RowBlock) {
    var tables = UsedTables(of: rows)
    var (core, detail) = (ByteWriter(), ByteWriter())
    core.bytes.reserveCapacity(places.count * 6)
    detail.bytes.reserveCapacity(places.count * 3)
    var summary = SegmentSummary(count: places.count)
    for start in stride(from: places.startIndex, to: places.endIndex, by: RowBlock.capacity) {
      let part = places[start..<min(start + RowBlock.capacity, places.endIndex)]
      block.take(part, of: rows, tables: &tables)
      summary.blocks.append(block.summary(part.count, offset: core.bytes.count))
      block.appendCore(part.count, to: &core)
      block.appendDetail(part.count, to: &detail)
      for copies in block.copies.first(part.count) {
        isWhole = isWhole && copies > 0
        duplicates += max(1, Int(copies)) - 1
      }
    }
    let coreHead = Self.coreHead(rows, tables.labels, count: places.count)
    let detailHead = Self.detailHead(rows, tables, count: places.count)
    let labels = tables.labels.used
    summary.label = labels.count == 1 ? rows.labelTable[labels[0]] : nil
    for block in summary.blocks.indices { summary.blocks[block].offset += coreHead.bytes.count }
    self.core = coreHead.sealed(with: core)
    self.detail = detailHead.sealed(with: detail)
    self.summary = summary
    facts = SegmentFacts(of: summary)
    for (place, count) in zip(labels, tables.labels.counts) {
      facts.labels[rows.labelTable[place], default: 0] += count
    }
    for (place, count) in zip(tables.origins.used, tables.origins.counts) {
      facts.devices[rows.originTable[place].device, default: 0] += count
    }
  }

  private static func coreHead(
    _ rows: RecordColumns, _ labels: TableUse, count: Int
  ) -> ByteWriter {
    var writer = ByteWriter()
    writer.append(version)
    writer.append(variable: UInt64(count))
    writer.append(variable: UInt64(labels.used.count))
    for place in labels.used { writer.append(rows.labelTable[place]) }
    return writer
  }

  private static func detailHead(
    _ rows: RecordColumns, _ tables: UsedTables, count: Int
  ) -> ByteWriter {
    var writer = ByteWriter()
    writer.append(version)
    writer.append(variable: UInt64(count))
    writer.append(variable: UInt64(tables.origins.used.count))
    for place in tables.origins.used {
      writer.append(rows.originTable[place].sourceVersion)
      writer.append(rows.originTable[place].device)
      writer.append(variable: UInt64(rows.originTable[place].telling))
    }
    append(tables.metadata.used.dropFirst().map { rows.metadataTable[$0] }, to: &writer)
    return writer
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

extension ByteWriter {
  /// These bytes and others, with one checksum.
  fileprivate consuming func sealed(with others: ByteWriter) -> [UInt8] {
    bytes.reserveCapacity(bytes.count + others.bytes.count + 8)
    bytes += others.bytes
    seal()
    return bytes
  }
}

extension RowBlock {
  /// Copies rows into the first places of the columns.
  fileprivate func take(
    _ places: ArraySlice<UInt32>, of rows: RecordColumns, tables: inout UsedTables
  ) {
    starts.take(places, of: rows.starts)
    ends.take(places, of: rows.ends)
    values.take(places, of: rows.values)
    created.take(places, of: rows.created)
    copies.take(places, of: rows.copies)
    tables.labels.renumber(places, of: rows.labels, into: labels)
    tables.origins.renumber(places, of: rows.origins, into: origins)
    tables.metadata.renumber(places, of: rows.metadata, into: metadata)
  }

  fileprivate func summary(_ count: Int, offset: Int) -> BlockSummary {
    BlockSummary(
      offset: offset, starts: UnsafeBufferPointer(starts.first(count)),
      ends: UnsafeBufferPointer(ends.first(count)),
      values: UnsafeBufferPointer(values.first(count)))
  }

  fileprivate func appendCore(_ count: Int, to writer: inout ByteWriter) {
    TimeBlocks.append(
      starts: UnsafeBufferPointer(starts.first(count)),
      ends: UnsafeBufferPointer(ends.first(count)), room: self, to: &writer)
    ValueBlocks.append(UnsafeBufferPointer(values.first(count)), room: self, to: &writer)
    IdentifierBlocks.append(labels.first(count), room: self, to: &writer)
  }

  fileprivate func appendDetail(_ count: Int, to writer: inout ByteWriter) {
    CreationBlocks.append(
      UnsafeBufferPointer(created.first(count)), after: UnsafeBufferPointer(ends.first(count)),
      room: self, to: &writer)
    IdentifierBlocks.append(origins.first(count), room: self, to: &writer)
    IdentifierBlocks.append(metadata.first(count), room: self, to: &writer)
    IdentifierBlocks.append(copies.first(count), room: self, to: &writer)
  }
}

extension UnsafeMutableBufferPointer {
  /// Copies elements of a column to the first places.
  fileprivate func take(_ places: ArraySlice<UInt32>, of column: [Element]) {
    column.withUnsafeBufferPointer { column in
      for (index, place) in zip(indices, places) { self[index] = column[Int(place)] }
    }
  }
}
