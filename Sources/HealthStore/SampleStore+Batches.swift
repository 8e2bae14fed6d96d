import GRDB
public import HealthSamples

extension SampleStore {
  /// Gives the records of a type away batch by batch, as they were recorded.
  ///
  /// All batches come from one state of the store, and only one is in memory at a time.
  ///
  /// - Parameters:
  ///   - type: as for ``samples(of:in:)``
  ///   - range: as for ``samples(of:in:)``
  ///   - body: takes one batch for each segment, in the order of source and time; what it throws
  ///     ends the reading and is thrown on
  /// - Throws: ``StoreError``, or what `body` throws
  /// - Complexity: O(*n*) for the *n* samples of the segments that are read
  public func forEachBatch(
    of type: SampleType, in range: Range<Double>? = nil, _ body: (RecordColumns) throws -> Void
  ) throws {
    try readHandingOver { database in
      let resolved = try database.resolved(type)
      var meanings = LabelMeanings(of: resolved)
      for group in try database.sources(of: type, in: range, among: selection) {
        for segment in group.segments {
          let batch = try database.records(
            of: segment, resolved, source: group.source, in: range, meanings: &meanings)
          if batch.count > 0 { try Self.handOver { try body(batch) } }
        }
      }
    }
  }
}

extension Database {
  /// The records of a segment, as they were recorded.
  func records(
    of segment: Int64, _ type: SampleType, source: Source, in range: Range<Double>?,
    meanings: inout LabelMeanings
  ) throws -> RecordColumns {
    do {
      let cursor = try cursor(of: segment, meanings: &meanings)
      return try cursor.records(of: type, source: source, in: range)
    } catch let damage as SegmentDamage {
      throw SegmentDamage(segment: damage.segment ?? segment)
    }
  }
}
