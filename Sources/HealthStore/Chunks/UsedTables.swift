import HealthSamples

/// The entries of the tables of a batch that the rows of a chunk use.
struct UsedTables {
  var labels: UsedEntries
  var origins: UsedEntries
  var metadata: UsedEntries

  init(of rows: RecordColumns) {
    labels = UsedEntries(of: rows.labelTable.count)
    origins = UsedEntries(of: rows.originTable.count)
    metadata = UsedEntries(of: rows.metadataTable.count)
    // The empty metadata are the first entry of every chunk.
    metadata.count(0, times: 0)
  }
}

/// The entries of one table that some rows use, in the order of first use.
struct UsedEntries {
  private var remap: IndexRemap
  /// The number of rows that use each entry.
  private(set) var counts: [Int] = []

  init(of tableCount: Int) { remap = IndexRemap(count: tableCount) }

  /// The indices of the used entries in the table.
  var indices: [Int] { remap.used }

  /// Writes the compact index of the entry of each row.
  mutating func compact(
    _ rows: ArraySlice<UInt32>, of column: [some FixedWidthInteger],
    into compacted: UnsafeMutableBufferPointer<UInt32>
  ) {
    if remap.count == 1 {
      count(0, times: rows.count)
      return compacted.first(rows.count).update(repeating: 0)
    }
    column.withUnsafeBufferPointer { column in
      for (index, row) in zip(compacted.indices, rows) {
        compacted[index] = count(Int(column[Int(row)]), times: 1)
      }
    }
  }

  /// Counts uses of an entry and returns its compact index.
  @discardableResult
  mutating func count(_ entry: Int, times: Int) -> UInt32 {
    let index = remap.compact(entry)
    if Int(index) == counts.count { counts.append(0) }
    counts[Int(index)] &+= times
    return index
  }
}
