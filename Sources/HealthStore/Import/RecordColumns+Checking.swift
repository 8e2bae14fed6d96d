import HealthSamples

extension RecordColumns {
  /// Whether the columns have one length and rows keep to their tables.
  enum Fault {
    case lengths
    case row(Int)
  }

  /// The first thing that is wrong with a batch.
  ///
  /// - Complexity: O(*n*)
  var fault: Fault? {
    let lengths = [
      ends.count, created.count, values.count, labels.count, origins.count, metadata.count,
      copies.count,
    ]
    guard lengths.allSatisfy({ $0 == count }), metadataTable.first?.isEmpty == true else {
      return .lengths
    }
    for row in 0..<count {
      let isSound =
        starts[row].isFinite && ends[row].isFinite && values[row].isFinite
        && (created[row].isFinite || created[row] == Self.notRecorded)
        && Int(labels[row]) < labelTable.count && Int(origins[row]) < originTable.count
        && Int(metadata[row]) < metadataTable.count
      if !isSound { return .row(row) }
    }
    return nil
  }

  /// Makes every zero instant a positive one, so that equal instants have equal bits.
  mutating func normaliseZeros() {
    for row in 0..<count {
      starts[row] += 0
      ends[row] += 0
      created[row] += 0
    }
  }
}
