import GRDB
package import HealthSamples

extension SampleStore {
  /// The samples of a type for one question, summed up where only their sums matter.
  ///
  /// Of a segment the summary is read first. A block of it whose samples are all of one group needs
  /// no more; one that an edge cuts is decoded and summed up piece by piece. Other segments stay on
  /// the disk.
  ///
  /// - Parameters:
  ///   - type: as for ``samples(of:in:)``
  ///   - range: as for ``samples(of:in:)``
  ///   - groups: which samples are counted together
  ///   - alone: whether samples that one of another source touches must be seen one by one
  /// - Returns: each sample of a group once; of others perhaps some
  /// - Throws: ``StoreError``; ``StoreError/Reason/damaged`` names the segment
  /// - Complexity: O(blocks + edges × samples of a block + samples that are seen one by one)
  package func summarisedSamples(
    of type: SampleType, in range: Range<Double>, by groups: SampleGroups, whereAlone alone: Bool
  ) throws(StoreError) -> SummarisedSamples {
    try read { database in
      var reading = SummaryReading(
        of: try database.resolved(type), in: range, by: groups, from: database)
      return try reading.samples(
        try database.sources(of: type, in: range, among: selection), whereAlone: alone)
    }
  }
}

extension SampleStore {
  /// Where the segments of a type that can overlap a range start, in the order of time, and how many
  /// samples each has.
  ///
  /// - Complexity: O(*s* log *s*) for *s* segments of the type; no sample is read
  package func sampleCounts(
    of type: SampleType, in range: Range<Double>
  ) throws(StoreError) -> [(firstStart: Double, count: Int)] {
    try read { database in
      try Row.fetchAll(
        database,
        sql: """
          SELECT firstStart, count FROM segments
          WHERE type = (SELECT id FROM types WHERE identifier = ?)
            AND firstStart < ? AND lastEnd >= ?
          ORDER BY firstStart
          """, arguments: [type.identifier, range.upperBound, range.lowerBound]
      ).map { row in
        (try row.decode(Double.self, atIndex: 0), try row.decode(Int.self, atIndex: 1))
      }
    }
  }
}
