import GRDB
import HealthSamples

/// What the store has of one type and one source, not decoded.
struct StoredStream {
  /// The identifier of the type.
  var type: String
  var source: Source
  var segments: [StoredSegment] = []
  /// Which programs' files told of it; none when there is nothing.
  var formats: Set<ImportFormat> = []

  /// The number of samples.
  var count: Int { segments.reduce(0) { $0 + $1.count } }
}

extension Database {
  /// What the store has of a type and a source.
  func stream(of type: SampleType, _ source: Source) throws -> StoredStream {
    var stream = StoredStream(type: type.identifier, source: source)
    stream.segments = try segments(of: type, source)
    stream.formats = try formats(of: stream)
    return stream
  }

  /// All types and sources of which the store has samples.
  func streams() throws -> [StoredStream] {
    try Row.fetchAll(
      self,
      sql: """
        SELECT DISTINCT types.identifier, sources.name, isUserEntered, types.id, sources.id
        FROM segments JOIN types ON types.id = segments.type
          JOIN sources ON sources.id = segments.source
        ORDER BY types.identifier, sources.id
        """
    ).map { row in
      var stream = StoredStream(
        type: try row.decode(atIndex: 0),
        source: Source(
          name: try row.decode(atIndex: 1), isUserEntered: try row.decode(atIndex: 2)))
      stream.segments = try StoredSegment.all(
        ofType: try row.decode(atIndex: 3), source: try row.decode(atIndex: 4), in: self)
      stream.formats = try formats(of: stream)
      return stream
    }
  }

  /// A stream without a note came from exports of the Health app.
  private func formats(of stream: StoredStream) throws -> Set<ImportFormat> {
    guard let type = try typeNumber(of: stream),
      let source = try storedIdentifier(of: stream.source)
    else { return [] }
    let names = try String.fetchAll(
      self, sql: "SELECT format FROM provenance WHERE type = ? AND source = ?",
      arguments: [type, source])
    if names.isEmpty { return stream.segments.isEmpty ? [] : [.appleHealth] }
    return Set(names.compactMap(ImportFormat.init))
  }

  private func typeNumber(of stream: StoredStream) throws -> Int64? {
    try Int64.fetchOne(
      self, sql: "SELECT id FROM types WHERE identifier = ?", arguments: [stream.type])
  }

  /// Notes that a file of a format told of a type and a source, which stood as in `stored` before.
  func noteFormat(
    _ format: ImportFormat, of type: SampleType, _ source: Source, before stored: StoredStream
  ) throws {
    if stored.formats.isEmpty && format == .appleHealth || stored.formats == [format] { return }
    for format in stored.formats.union([format]).sorted(by: { $0.rawValue < $1.rawValue }) {
      try execute(
        sql: "INSERT OR IGNORE INTO provenance (type, source, format) VALUES (?, ?, ?)",
        arguments: [identifier(of: type), identifier(of: source), format.rawValue])
    }
  }

  func deleteSegments(of stream: StoredStream) throws {
    for segment in stream.segments {
      try execute(sql: "DELETE FROM segments WHERE id = ?", arguments: [segment.id])
    }
    if let type = try typeNumber(of: stream),
      let source = try storedIdentifier(of: stream.source)
    {
      try forgetExports(ofType: type, source: source)
      try summariseStream(type: type, source: source)
    }
  }

  /// When the latest imported file of a format was made.
  func lastExport(of format: ImportFormat) throws -> Double? {
    try Double.fetchOne(
      self, sql: "SELECT made FROM exports WHERE format = ?", arguments: [format.rawValue])
  }

  /// Notes when the latest imported file of a format was made.
  func setLastExport(_ made: Double, of format: ImportFormat) throws {
    if try lastExport(of: format) == made { return }
    try execute(
      sql: "INSERT OR REPLACE INTO exports (format, made) VALUES (?, ?)",
      arguments: [format.rawValue, made])
  }
}
