import GRDB
package import HealthSamples

extension SampleStore {
  /// How many further copies of the samples of a period their files have: each sample counts once.
  ///
  /// - Parameters:
  ///   - type: the type of the samples
  ///   - period: samples that begin before its end and end after its beginning, or begin with it
  /// - Returns: the number, 0 where no file has a sample twice
  /// - Throws: ``StoreError``
  /// - Complexity: O(sources); O(chunks) of those with copies, and O(rows) of chunks at the edges
  package func copyCount(of type: SampleType, in period: Range<Double>) throws(StoreError) -> Int {
    try read { database in
      let permission = try permission(in: database)
      let sources = try database.sources()
      var count = 0
      for row in try Row.fetchAll(
        database,
        sql: """
          SELECT series.type, source, counts FROM series JOIN types ON types.id = series.type
          WHERE identifier = ?
          """, arguments: [type.identifier])
      {
        let series = try SeriesNumbers(row)
        guard let source = sources[series.source], selection.contains(source),
          permission.contains(type.identifier, from: source),
          try Database.seriesCounts(row, from: 0).copies > 0
        else { continue }
        count += try database.copyCount(of: type, series, in: period)
      }
      return count
    }
  }
}

extension Database {
  fileprivate func copyCount(
    of type: SampleType, _ series: SeriesNumbers, in period: Range<Double>
  ) throws -> Int {
    var units = RecordedUnits(of: type)
    return try Row.fetchAll(
      self,
      sql: """
        SELECT id, counts, firstStart, lastStart, lastEnd FROM chunks
        WHERE type = ? AND source = ? AND \(SampleTime.chunkIsInRange)
        """, arguments: [series.type, series.source, period.upperBound, period.lowerBound]
    ).reduce(0) { count, row in
      let copies = try Self.counts(row).copies
      guard copies > 0 else { return count }
      let (first, last): (Double, Double) = try row.values(from: 2)
      if first >= period.lowerBound, last < period.upperBound { return count + copies }
      return try count + cursor(of: row.decode(atIndex: 0), units: &units).copyCount(in: period)
    }
  }
}

extension RowCursor {
  /// How many further copies the rows of a period have, from the first row on.
  fileprivate func copyCount(in period: Range<Double>) throws -> Int {
    var count = 0
    try forEachRow { row in
      let time = SampleTime.halfOpen(from: block.starts[row], to: block.ends[row])
      if time.overlaps(period) { count += Int(block.copies[row]) - 1 }
    }
    return count
  }
}
