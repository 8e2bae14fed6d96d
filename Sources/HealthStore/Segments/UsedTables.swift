import HealthSamples

/// Which entries of the tables of a batch the rows of a segment use.
struct UsedTables {
  var labels: TableUse
  var origins: TableUse
  var metadata: TableUse

  init(of rows: RecordColumns) {
    labels = TableUse(of: rows.labelTable.count)
    origins = TableUse(of: rows.originTable.count)
    metadata = TableUse(of: rows.metadataTable.count)
    // The empty metadata are the first of every segment.
    _ = metadata.number(of: 0)
  }
}

/// Which entries of a table some rows use, in the order of first use.
struct TableUse {
  /// From the place in the table to the place among the used ones.
  private var map: [UInt32]
  /// The places in the table.
  private(set) var used: [Int] = []
  /// How many rows use each.
  private(set) var counts: [Int] = []

  init(of tableCount: Int) { map = Array(repeating: .max, count: tableCount) }

  /// Writes where the entries of rows stand among the used ones.
  mutating func renumber(
    _ places: ArraySlice<UInt32>, of column: [some FixedWidthInteger],
    into numbers: UnsafeMutableBufferPointer<UInt32>
  ) {
    if map.count == 1 {
      counts[Int(number(of: 0))] += places.count
      return numbers.first(places.count).update(repeating: 0)
    }
    column.withUnsafeBufferPointer { column in
      for (index, place) in zip(numbers.indices, places) {
        let number = number(of: Int(column[Int(place)]))
        counts[Int(number)] &+= 1
        numbers[index] = number
      }
    }
  }

  /// Where an entry stands among the used ones.
  mutating func number(of entry: Int) -> UInt32 {
    if map[entry] == .max {
      map[entry] = UInt32(used.count)
      used.append(entry)
      counts.append(0)
    }
    return map[entry]
  }
}
