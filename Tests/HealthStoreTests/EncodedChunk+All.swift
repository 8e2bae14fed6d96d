import HealthSamples

@testable import HealthStore

extension EncodedChunk {
  /// All rows of a batch, as they stand.
  init(allOf rows: RecordColumns) {
    self.init(rows, at: rows.starts.indices.map(UInt32.init)[...], room: RowBlock())
  }
}
