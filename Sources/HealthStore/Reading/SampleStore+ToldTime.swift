import GRDB
import HealthLedger
import HealthSamples

extension SampleStore {
  /// The time of which the sources of each type tell, by the identifier of the type: a span for each
  /// source, from its first sample to where what tells of it ends.
  ///
  /// A file tells of its sources up to its date: no sample at the end of the day before it means that
  /// there was nothing to record. A file without a date tells up to its last sample, of whatever type,
  /// and so does all that was saved without a file. Samples that end after `now` do not move the end of
  /// their files.
  ///
  /// An app does not learn of files.
  ///
  /// - Parameter now: the moment of the question, in seconds since 2001-01-01 UTC
  /// - Returns: the spans, in no order; they may overlap
  /// - Throws: ``StoreError``
  /// - Complexity: O(types × sources + files); no sample is read
  package func toldTime(until now: Double) throws(StoreError) -> [String: [ClosedRange<Double>]] {
    try read { database in
      let permission = try permission(in: database)
      let fileEnds = permission.isOwner ? try database.endsOfFiles() : [:]
      var series: [ToldSeries] = []
      for row in try Row.fetchAll(
        database,
        sql: """
          SELECT series.type, series.source, types.identifier, firstStart, lastEnd,
            sources.name, bundleIdentifier, isUserEntered
          FROM series JOIN types ON types.id = series.type
            JOIN sources ON sources.id = series.source
          """)
      {
        let identifier: String = try row.decode(atIndex: 2)
        let source = try Source(row, from: 5)
        guard permission.contains(identifier, from: source) else { continue }
        series.append(
          ToldSeries(
            identifier: identifier, isChosen: selection.contains(source),
            first: try row.decode(atIndex: 3), last: try row.decode(atIndex: 4),
            fileEnd: fileEnds[try SeriesNumbers(row)]))
      }
      let savedEnd = series.filter { $0.fileEnd == nil }.map(\.last).max() ?? -.infinity
      var spans: [String: [ClosedRange<Double>]] = [:]
      for series in series where series.isChosen {
        let end = series.end(until: now, savedEnd: savedEnd)
        spans[series.identifier, default: []].append(series.first...max(series.first, end))
      }
      return spans
    }
  }
}

/// One type from one source, with where its samples and its files end.
private struct ToldSeries {
  let identifier: String
  let isChosen: Bool
  let first: Double
  let last: Double
  /// The end of the latest file that has it; `nil` where it was saved without one.
  let fileEnd: Double?

  /// Where what tells of it ends.
  func end(until now: Double, savedEnd: Double) -> Double {
    guard let fileEnd else { return savedEnd }
    // What was saved since; a file that is older than all it has is misdated.
    return last <= now || fileEnd < first ? max(fileEnd, last) : fileEnd
  }
}

extension Database {
  /// Until when the latest file tells that has a series and counts: its date, else its last sample.
  fileprivate func endsOfFiles() throws -> [SeriesNumbers: Double] {
    let files = try StoreHistory(self, acts: .ofFiles).files.filter(\.value.isPresent)
    var ends: [SeriesNumbers: Double] = [:]
    for row in try Row.fetchAll(self, sql: "SELECT type, source, file FROM seriesFiles") {
      guard let file = files[try row.decode(atIndex: 2)] else { continue }
      let series = try SeriesNumbers(row)
      ends[series] = max(ends[series] ?? -.infinity, file.date.time)
    }
    return ends
  }
}
