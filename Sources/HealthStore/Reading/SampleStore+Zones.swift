import GRDB
import HealthSamples

extension SampleStore {
  /// The time zones in the metadata of samples of any type, and of workouts, and those that files
  /// tell besides their data.
  ///
  /// - Throws: ``StoreError``; ``StoreError/Reason/damaged`` names the chunk
  /// - Complexity: O(*n*) for the *n* samples of the chunks with the key; the others are only
  ///   searched for the key
  public func recordedZones() throws(StoreError) -> RecordedZones {
    var zones = RecordedZones()
    for workout in try workouts().rows {
      let entries = workout.facts.metadata.entries
      guard let zone = entries.first(where: { $0.key == Self.zoneKey })?.value else { continue }
      zones.append(start: workout.facts.start, end: workout.facts.end, zone: zone)
    }
    try read { database in
      if try permission(in: database).isOwner {
        for span in try database.fileFacts().flatMap(\.zones) {
          zones.append(start: span.start, end: span.end, zone: span.zone)
        }
      }
      for type in try Int64.fetchAll(database, sql: "SELECT id FROM types NOT INDEXED") {
        try check(.chunks(type: type), in: database)
      }
      let types = try database.sampleTypes()
      let visible = try permission(in: database)
        .condition(type: "chunks.type", source: "chunks.source")
      // The keys of a chunk are plain text.
      let rows = try Row.fetchAll(
        database,
        sql: """
          SELECT chunks.id, types.identifier
          FROM chunks JOIN types ON types.id = chunks.type
          WHERE \(visible) AND instr(detail, CAST(? AS BLOB)) > 0 ORDER BY chunks.id
          """, arguments: [Self.zoneKey])
      for row in rows {
        let (chunk, identifier): (Int64, String) = try row.values()
        guard let type = types[identifier] else { continue }
        var units = RecordedUnits(of: type)
        try Corruption.naming(chunk) {
          try database.cursor(of: chunk, units: &units)
            .appendZones(to: &zones, key: Self.zoneKey)
        }
      }
    }
    return zones
  }

  /// The zones of samples, if a file writes its dates with them; `nil` if none does.
  ///
  /// - Throws: ``StoreError``
  /// - Complexity: that of ``recordedZones()``; O(1) if no file does
  public func zonesOfDates() throws(StoreError) -> RecordedZones? {
    let isTold = try read { database in
      let formats = Self.formatsWithZones.map { "'\($0.rawValue)'" }.joined(separator: ", ")
      return try Bool.fetchOne(
        database, sql: "SELECT EXISTS (SELECT 1 FROM files WHERE format IN (\(formats)))") ?? false
        || database.fileFacts().contains { !$0.zones.isEmpty }
    }
    return isTold ? try recordedZones() : nil
  }

  /// The zone of the latest sleep or workout, whichever ends later; `nil` if none of the last ones
  /// has a zone.
  ///
  /// - Complexity: O(*n*) for the *n* samples of the last chunk of sleep of each source
  public func latestRecordedZone() throws(StoreError) -> String? {
    var latest: (end: Double, zone: String)?
    func record(_ end: Double, _ metadata: Metadata) -> Bool {
      guard let zone = metadata.entries.first(where: { $0.key == Self.zoneKey })?.value else {
        return false
      }
      if latest.map({ $0.end < end }) ?? true { latest = (end, zone) }
      return true
    }
    try StoreError.naming(path) {
      var left = Self.mostSearched
      let sleep = HKCategoryTypeIdentifier.sleepAnalysis.rawValue
      try forEachRowRange(
        of: SampleType(identifier: sleep, kind: .category), isNewestFirst: true
      ) { batch, rows in
        left -= rows.count
        let isFound = rows.reversed().contains { row in
          record(batch.ends[row], batch.metadataTable[Int(batch.metadata[row])])
        }
        return !isFound && left > 0
      }
      left = Self.mostSearched
      try forEachElement(of: .workout, isNewestFirst: true) { batch in
        guard case .workouts(let columns) = batch, let workout = columns.rows.first else {
          return false
        }
        left -= 1
        return !record(workout.facts.end, workout.facts.metadata) && left > 0
      }
    }
    return latest?.zone
  }

  /// How many samples or workouts are searched for one with a zone.
  private static let mostSearched = 100

  private static let zoneKey = Catalogue.timeZoneKey
  /// The programs that cut days by the zone of the phone and write each date with the offset of that
  /// day.
  ///
  /// Apple's export has one offset for all dates: that of the moment of the export.
  private static let formatsWithZones = [ImportFormat.healthAutoExport]
}

extension RowCursor {
  /// Appends the rest of the chunk.
  fileprivate func appendZones(to zones: inout RecordedZones, key: String) throws {
    // Rows share entries: each is decoded once.
    var known: [UInt32: String] = [:]
    var others: Set<UInt32> = [0]
    try forEachRow { row in
      let entry = block.metadata[row]
      guard !others.contains(entry) else { return }
      if known[entry] == nil {
        known[entry] = try metadata(Int(entry)).entries.first { $0.key == key }?.value
      }
      if let zone = known[entry] {
        zones.append(start: block.starts[row], end: block.ends[row], zone: zone)
      } else {
        others.insert(entry)
      }
    }
  }
}

/// The time zones in the metadata of samples (`HKTimeZone`), as columns in any order.
public struct RecordedZones: Sendable, Hashable {
  /// Start instants of the samples, in seconds since 2001-01-01 UTC.
  public private(set) var starts: [Double] = []
  /// End instants; never before the start.
  public private(set) var ends: [Double] = []
  /// Index into ``zoneTable``.
  public private(set) var zones: [UInt32] = []
  /// Identifiers such as `Europe/Paris`, as written.
  public private(set) var zoneTable: [String] = []

  private var indices: [String: UInt32] = [:]

  /// Makes columns without rows.
  public init() {}

  /// Adds a sample.
  public mutating func append(start: Double, end: Double, zone: String) {
    if indices[zone] == nil {
      indices[zone] = UInt32(zoneTable.count)
      zoneTable.append(zone)
    }
    starts.append(start)
    ends.append(SampleTime.end(from: start, to: end))
    zones.append(indices[zone] ?? 0)
  }
}
