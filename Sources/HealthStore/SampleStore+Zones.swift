import GRDB
import HealthSamples

extension SampleStore {
  /// The zones that samples of any type, and workouts, name in their metadata.
  ///
  /// - Throws: ``StoreError``; ``StoreError/Reason/damaged`` names the segment
  /// - Complexity: O(*n*) for the *n* samples of the segments in which the key occurs; the others
  ///   are searched for the key alone
  public func recordedZones() throws(StoreError) -> RecordedZones {
    var zones = RecordedZones()
    for workout in try workouts().rows {
      let entries = workout.facts.metadata.entries
      guard let zone = entries.first(where: { $0.key == Self.zoneKey })?.value else { continue }
      zones.append(start: workout.facts.start, end: workout.facts.end, zone: zone)
    }
    try read { database in
      for type in try Int64.fetchAll(database, sql: "SELECT id FROM types") {
        try check(.segments(type: type), in: database)
      }
      let types = try database.sampleTypes()
      // The keys of a segment stand in plain text.
      let rows = try Row.fetchAll(
        database,
        sql: """
          SELECT segments.id, types.identifier
          FROM segments JOIN types ON types.id = segments.type
          WHERE instr(detail, CAST(? AS BLOB)) > 0 ORDER BY segments.id
          """, arguments: [Self.zoneKey])
      for row in rows {
        let segment = try row.decode(Int64.self, atIndex: 0)
        guard let type = types[try row.decode(atIndex: 1)] else { continue }
        var meanings = LabelMeanings(of: type)
        do {
          let cursor = try database.cursor(of: segment, meanings: &meanings)
          try cursor.appendZones(to: &zones, key: Self.zoneKey)
        } catch let damage as SegmentDamage {
          throw SegmentDamage(segment: damage.segment ?? segment)
        }
      }
    }
    return zones
  }

  /// The zone that the latest sleep or workout names, whichever ends later; `nil` where none of the
  /// last ones names any.
  ///
  /// - Complexity: O(*n*) for the *n* samples of the last segment of sleep of each source
  public func latestRecordedZone() throws(StoreError) -> String? {
    var latest: (end: Double, zone: String)?
    func note(_ end: Double, _ metadata: Metadata) -> Bool {
      guard let zone = metadata.entries.first(where: { $0.key == Self.zoneKey })?.value else {
        return false
      }
      if latest.map({ $0.end < end }) ?? true { latest = (end, zone) }
      return true
    }
    do {
      var left = Self.mostSearched
      let sleep = HKCategoryTypeIdentifier.sleepAnalysis.rawValue
      try forEachRun(
        of: SampleType(identifier: sleep, kind: .category), isNewestFirst: true
      ) { batch, rows in
        left -= rows.count
        let isFound = rows.reversed().contains { row in
          note(batch.ends[row], batch.metadataTable[Int(batch.metadata[row])])
        }
        return !isFound && left > 0
      }
      left = Self.mostSearched
      try forEachElement(of: .workout, isNewestFirst: true) { batch in
        guard case .workouts(let columns) = batch, let workout = columns.rows.first else {
          return false
        }
        left -= 1
        return !note(workout.facts.end, workout.facts.metadata) && left > 0
      }
    } catch {
      throw StoreError(error, path: path)
    }
    return latest?.zone
  }

  /// How many samples or workouts are looked through for one that names its zone.
  private static let mostSearched = 100

  private static let zoneKey = "HKTimeZone"
}

extension RowCursor {
  /// Appends the rest of the segment.
  fileprivate func appendZones(
    to zones: inout RecordedZones, key: String
  ) throws(SegmentDamage) {
    // Rows share entries: each is decoded once.
    var known: [UInt32: String] = [:]
    var others: Set<UInt32> = [0]
    while !isAtEnd {
      for row in 0..<rowCount {
        let place = block.metadata[row]
        guard !others.contains(place) else { continue }
        if known[place] == nil {
          known[place] = try metadata(Int(place)).entries.first { $0.key == key }?.value
        }
        guard let zone = known[place] else {
          others.insert(place)
          continue
        }
        zones.append(start: block.starts[row], end: block.ends[row], zone: zone)
      }
      try advanceBlock()
    }
  }
}
