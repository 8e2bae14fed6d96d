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
    var stopped: (any Error)?
    do throws(StoreError) {
      try read { database in
        let resolved = try database.resolved(type)
        var meanings = LabelMeanings(of: resolved)
        for group in try database.sources(of: type, in: range) {
          for segment in group.segments {
            let batch: RecordColumns
            do {
              let cursor = try database.cursor(of: segment, meanings: &meanings)
              batch = try cursor.records(of: resolved, source: group.source, in: range)
            } catch let damage as SegmentDamage {
              throw SegmentDamage(segment: damage.segment ?? segment)
            }
            guard batch.count > 0 else { continue }
            do {
              try body(batch)
            } catch {
              stopped = error
              throw error
            }
          }
        }
      }
    } catch {
      throw stopped ?? error
    }
  }
}
