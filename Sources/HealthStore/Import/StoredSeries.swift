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

/// A type and a source by their numbers.
struct SeriesNumbers: Hashable {
  let type: Int64
  let source: Int64

  /// The series in the change log.
  var subject: Revision.Subject { Revision.Subject(type: type, source: source) }
}

extension SeriesNumbers {
  /// From the first two columns of a row.
  init(_ row: Row) throws {
    (type, source) = try row.values()
  }
}

/// The types and sources of a store by their numbers, read once.
struct SeriesNames {
  private let types: [Int64: SampleType]
  private let sources: [Int64: Source]

  init(_ database: Database) throws {
    (types, sources) = (try database.typesByNumber(), try database.sources())
  }

  subscript(numbers: SeriesNumbers) -> (type: SampleType, source: Source) {
    get throws(Corruption) {
      guard let type = types[numbers.type], let source = sources[numbers.source] else {
        throw Corruption()
      }
      return (type, source)
    }
  }
}

extension Database {
  /// The stored chunks of a type and a source.
  func series(of type: SampleType, _ source: Source) throws -> StoredSeries {
    StoredSeries(type: type, source: source, chunks: try chunks(of: type, source))
  }

  /// All types and sources with samples in the store, also such as do not count.
  func allSeries() throws -> [StoredSeries] {
    let names = try SeriesNames(self)
    return try Row.fetchAll(
      self, sql: "SELECT type, source FROM chunks UNION SELECT type, source FROM hidden"
    ).map { row in
      let (type, source) = try names[SeriesNumbers(row)]
      return try series(of: type, source)
    }.sorted { ($0.type.identifier, $0.source) < ($1.type.identifier, $1.source) }
  }

  /// The numbers of a type and a source, which are inserted if they are new.
  func numbers(of type: SampleType, _ source: Source) throws -> SeriesNumbers {
    SeriesNumbers(type: try identifier(of: type), source: try identifier(of: source))
  }

  /// The files that had rows of a series.
  func files(of series: StoredSeries) throws -> [Int64] {
    try files(
      ofType: storedIdentifier(of: series.type), source: storedIdentifier(of: series.source))
  }
}
