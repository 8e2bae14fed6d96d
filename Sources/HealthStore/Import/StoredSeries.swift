import GRDB
import HealthSamples

/// The stored chunks of one type and one source, not decoded.
struct StoredSeries {
  var type: SampleType
  var source: Source
  var chunks: [StoredChunk] = []

  /// The number of samples that count.
  var count: Int { chunks.reduce(0) { $0 + $1.count } }
}

extension Database {
  /// The stored chunks of a type and a source.
  func series(of type: SampleType, _ source: Source) throws -> StoredSeries {
    StoredSeries(type: type, source: source, chunks: try chunks(of: type, source))
  }

  /// All types and sources with samples in the store, also such as do not count.
  func allSeries() throws -> [StoredSeries] {
    let (types, sources) = (try typesByNumber(), try sources())
    return try Row.fetchAll(
      self, sql: "SELECT type, source FROM chunks UNION SELECT type, source FROM hidden"
    ).map { row in
      guard let type = types[try row.decode(atIndex: 0)],
        let source = sources[try row.decode(atIndex: 1)]
      else { throw Corruption() }
      return try series(of: type, source)
    }.sorted { ($0.type.identifier, $0.source) < ($1.type.identifier, $1.source) }
  }

  /// The files that had rows of a series.
  func files(of series: StoredSeries) throws -> [Int64] {
    try files(
      ofType: storedIdentifier(of: series.type), source: storedIdentifier(of: series.source))
  }

  /// The chunks of rows of a type and a source that do not count.
  func hiddenChunks(of type: SampleType, _ source: Source) throws -> [StoredChunk] {
    guard let type = try storedIdentifier(of: type), let source = try storedIdentifier(of: source)
    else { return [] }
    return try StoredChunk.hidden(ofType: type, source: source, in: self)
  }
}
