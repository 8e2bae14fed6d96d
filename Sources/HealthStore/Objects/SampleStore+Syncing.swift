import Foundation
import GRDB
import HealthSamples

/// What a store took over from another.
public struct StoreSync: Sendable, Hashable {
  /// Samples and elements that it did not have.
  public internal(set) var added = 0
  /// Samples that the other store had deleted.
  public internal(set) var deleted = 0
}

extension SampleStore {
  /// Makes two stores equal: both then have the samples, elements and deletions of either.
  ///
  /// Samples that were imported are matched as imports match them, saved ones by UUID. A deletion
  /// beats the sample that it deleted. Any number of stores become equal in any order of syncs.
  /// Serials, anchors, the UUIDs of imported samples, preferences, permissions and keys stay each
  /// store's own.
  ///
  /// An interrupted sync leaves both stores whole; the next one goes on.
  ///
  /// - Parameter other: another store, opened for writing
  /// - Returns: what each store took over
  /// - Throws: ``StoreError``
  /// - Complexity: O(*n* · *e*) for *n* samples and *e* exports that one of the stores lacks
  public func synchronise(
    with other: SampleStore
  ) throws(StoreError) -> (received: StoreSync, sent: StoreSync) {
    let received = try absorb(other)
    return (received, try other.absorb(self))
  }

  /// Takes over what another store has.
  ///
  /// The contents of an imported export are given by its samples and their export sets, so they can
  /// be imported here as if from the file. The result of imports does not depend on their order.
  ///
  /// - Parameter other: another store, which is only read
  /// - Returns: what changed
  /// - Throws: ``StoreError``
  public func absorb(_ other: SampleStore) throws(StoreError) -> StoreSync {
    try checkOwner()
    try other.checkOwner()
    do {
      return try other.snapshot {
        var sync = StoreSync()
        try sync.takeSaved(from: other, into: self)
        try sync.takeSavedElements(from: other, into: self)
        try sync.takeExports(from: other, into: self)
        try sync.takeOtherFiles(from: other, into: self)
        try sync.takeDeletions(from: other, into: self)
        try sync.takeAssociations(from: other, into: self)
        return sync
      }
    } catch {
      throw StoreError(error, path: path)
    }
  }
}

extension StoreSync {
  /// Saves the samples that the other store has only from saves.
  ///
  /// One that this store has from an import which the other lacks is the same: there the import
  /// will match it.
  fileprivate mutating func takeSaved(from other: SampleStore, into store: SampleStore) throws {
    for series in try other.read({ try $0.allSeries() }) {
      let samples: [NewSample] = try other.read { database in
        guard let type = try database.sampleTypes()[series.type] else { return [] }
        let uuids = try UUIDReader(other, database)
        var here = try store.read { try $0.importedRows(of: series, type) }
        for key in try database.importedRows(of: series, type).keys { _ = here.take(key) }
        var samples: [NewSample] = []
        try database.forEachBlock(of: series, type) { cursor, rows in
          for row in rows where cursor.exportSet(row) == ExportSets.saved {
            let isKnown = try store.read { database in
              try UUIDReader(store, database).serial(of: uuids.uuid(of: cursor.serial(row))) != nil
            }
            if isKnown || here.take(cursor.key(row)) { continue }
            samples.append(
              NewSample(
                try cursor.recorded(row, type, series.source),
                uuid: try uuids.uuid(of: cursor.serial(row))))
          }
        }
        return samples
      }
      let before = try store.anchor()
      try store.save(samples)
      added += Int(try store.anchor().serial - before.serial)
    }
  }

  /// Saves the elements that apps saved in the other store.
  fileprivate mutating func takeSavedElements(
    from other: SampleStore, into store: SampleStore
  ) throws {
    for kind in ElementKind.allCases {
      var news = NewObjects()
      let saved = try other.read { try $0.savedElements(of: kind) }
      for (serial, content) in saved {
        guard let uuid = try other.uuids(of: [serial]).first,
          try store.serials(of: [uuid]).isEmpty,
          let element = try ExportBatch(kind, content: content, for: .owner)
        else { continue }
        news.elements.append(NewElement(element, uuid: uuid))
      }
      guard !news.elements.isEmpty else { continue }
      try store.save(news)
      added += news.elements.count
    }
  }

  /// Takes over what belongs together, where this store has both objects under the same UUIDs.
  fileprivate func takeAssociations(from other: SampleStore, into store: SampleStore) throws {
    for kind in Association.Kind.allCases {
      let theirs = try other.associations(kind)
      guard !theirs.isEmpty else { continue }
      var known = try Set(store.serials(of: theirs.flatMap { [$0.owner, $0.member] }).keys)
      let first = StoreAnchor(before: try store.anchor())
      try known.subtract(store.deletions(after: first).map(\.uuid))
      let mine = Set(try store.associations(kind))
      var news = NewObjects()
      news.associations = theirs.filter {
        known.contains($0.owner) && known.contains($0.member) && !mine.contains($0)
      }
      if !news.associations.isEmpty { try store.save(news) }
    }
  }

  /// Imports each export of the Health app that this store lacks, from the rows that have it.
  fileprivate mutating func takeExports(from other: SampleStore, into store: SampleStore) throws {
    let series = try other.read { try $0.allSeriesWithHidden() }
    let dates = try other.read { try ExportSets($0).dates }
    let elementDates = try other.read { try $0.elementDates() }
    let all = Set(dates.values).union(elementDates).sorted()
    for date in all {
      let session = try store.beginImport()
      var hasRows = false
      for series in series {
        let isKnown = try session.transaction.run { try $0.isKnown(date, series) }
        if isKnown { continue }
        try other.read { database in
          guard let type = try database.sampleTypes()[series.type] else { return }
          let sets = try ExportSets(database)
          guard let export = sets.dates.first(where: { $0.value == date })?.key else { return }
          let exports = SeriesExports(
            sets,
            known: try database.exports(
              ofType: database.storedIdentifier(of: type),
              source: database.storedIdentifier(of: series.source)),
            export: nil, isLater: false, mayUpdate: false, isReplacing: false)
          guard let index = exports.index(of: export) else { return }
          try database.forEachBlock(of: series, type, withHidden: true) { cursor, rows in
            let wanted = try rows.filter { try exports.presence(cursor.exportSet($0))[index] }
            guard !wanted.isEmpty else { return }
            hasRows = true
            try session.add(cursor.recorded(wanted, type, series.source))
          }
        }
      }
      hasRows = try session.addElements(of: other, format: .appleHealth, lastSeen: date) || hasRows
      guard hasRows else { continue }
      let report = try session.finish(exported: date.isFinite ? date : nil)
      added += report.new
    }
  }

  /// Imports what the other store has from files of other programs.
  fileprivate mutating func takeOtherFiles(
    from other: SampleStore, into store: SampleStore
  ) throws {
    let series = try other.read { try $0.allSeriesWithHidden() }
    for format in ImportFormat.allCases where format != .appleHealth {
      let mine = series.filter { series in
        series.formats.subtracting([.appleHealth]).min { $0.rawValue < $1.rawValue } == format
      }
      let session = try store.beginImport(from: format)
      var hasRows = false
      for series in mine {
        try other.read { database in
          guard let type = try database.sampleTypes()[series.type] else { return }
          try database.forEachBlock(of: series, type, withHidden: true) { cursor, rows in
            let wanted = rows.filter { cursor.exportSet($0) == ExportSets.none }
            guard !wanted.isEmpty else { return }
            hasRows = true
            try session.add(cursor.recorded(wanted, type, series.source))
          }
        }
      }
      hasRows = try session.addElements(of: other, format: format, lastSeen: nil) || hasRows
      guard hasRows else { continue }
      let exported = try other.read { try $0.lastExport(of: format) }
      added += try session.finish(exported: exported).new
    }
  }

  /// Deletes what the other store has deleted.
  fileprivate mutating func takeDeletions(
    from other: SampleStore, into store: SampleStore
  ) throws {
    let (imported, saved) = try other.read { database in
      (try database.deletedSeries(), try database.deletedSaves())
    }
    deleted += try store.delete(saved.map(\.uuid))
    try store.write { database, revision in
      let reader = try UUIDReader(store, database)
      for gone in saved where try reader.serial(of: gone.uuid) == nil {
        try database.noteDeletedSave(gone, revision, of: store)
      }
    }
    for (series, keys) in imported {
      deleted += try store.write { database, revision in
        guard let type = try database.sampleTypes()[series.type] else { return 0 }
        var units = RecordedUnits(of: type)
        var known = try RowMatches(
          of: type, series.source, isRestoring: false, in: database, units: &units)
        let missing = keys.filter { !known.take($0) }
        guard let first = missing.first?.start, let last = missing.last?.start else { return 0 }
        var wanted = RowMatches(missing, of: type, zeroOffset: units.zeroOffset)
        var editor = try SeriesEditor(type, series.source, database: database, revision: revision)
        var count = 0
        for chunk in try database.chunks(of: type, series.source)
        where chunk.firstStart <= last && chunk.lastStart >= first {
          count += try editor.delete(from: chunk.id, keepsIdentity: true) { cursor, row in
            wanted.take(cursor.key(row))
          }
        }
        try editor.finish()
        return count
      }
    }
  }
}

/// The UUID of a saved sample that was deleted, and where it was.
private struct DeletedSave {
  var uuid: UUID
  /// `nil` for an element.
  var type: SampleType?
  /// The kind and the type of an element; empty for a sample.
  var kind: String
  var name: String
  var source: Source
  var start: Double
}

extension ImportSession {
  /// Adds the elements of another store that are from files of a format, and were last in the
  /// export of a date; returns whether there are any.
  fileprivate func addElements(
    of other: SampleStore, format: ImportFormat, lastSeen date: Double?
  ) throws -> Bool {
    try other.read { database in
      let newest = try database.lastExport(of: format) ?? -.infinity
      let sources = try database.sources()
      let rows = try Row.fetchCursor(
        database,
        sql: """
          SELECT id, name, source, start, end, kind, copies, content FROM elements
          WHERE format = ?1 AND (?2 IS NULL OR coalesce(lastSeen, ?3) = ?2) ORDER BY id
          """, arguments: [format.rawValue, date, newest])
      var hasRows = false
      while let row = try rows.next() {
        guard let kind = ElementKind(storedText: try row.decode(atIndex: 5)) else {
          throw Corruption()
        }
        let content = try ValueOwner.element(row.decode(atIndex: 0)).released(
          [UInt8](row.decode(Data.self, atIndex: 7)))
        try add(
          kind, ElementKey(row, among: sources), content,
          copies: max(1, min(1 << 16, row.decode(atIndex: 6))))
        hasRows = true
      }
      return hasRows
    }
  }
}

extension Database {
  /// Visits the rows of a series in blocks, with those that no query reads if asked for.
  fileprivate func forEachBlock(
    of series: StoredSeries, _ type: SampleType, withHidden: Bool = false,
    _ body: (RowCursor, Range<Int>) throws -> Void
  ) throws {
    var units = RecordedUnits(of: type)
    var chunks = series.chunks.map { (id: $0.id, isHidden: false) }
    if withHidden {
      chunks += try supersededChunks(of: type, series.source).map { ($0, true) }
      chunks += try deletedChunks(of: type, series.source).map { ($0, true) }
    }
    for (chunk, isHidden) in chunks {
      let cursor = try cursor(of: chunk, hasExportSets: true, isHidden: isHidden, units: &units)
      while !cursor.isAtEnd {
        try body(cursor, 0..<cursor.rowCount)
        try cursor.advanceBlock()
      }
    }
  }

  /// The rows of a series that imports have.
  fileprivate func importedRows(
    of series: StoredSeries, _ type: SampleType
  ) throws -> RowMatches {
    var keys: [RowKey] = []
    let mine = try self.series(of: type, series.source)
    try forEachBlock(of: mine, type) { cursor, rows in
      for row in rows where cursor.exportSet(row) != ExportSets.saved {
        keys.append(cursor.key(row))
      }
    }
    return RowMatches(keys.sorted(by: <), of: type, zeroOffset: 0)
  }

  /// All types and sources with rows, also those of which every row is hidden.
  fileprivate func allSeriesWithHidden() throws -> [StoredSeries] {
    var all = try allSeries()
    let types = try typesByNumber()
    let sources = try sources()
    let rows = try Row.fetchAll(
      self,
      sql: """
        SELECT DISTINCT type, source FROM hidden
        EXCEPT SELECT DISTINCT type, source FROM chunks
        """)
    for row in rows {
      guard let type = types[try row.decode(atIndex: 0)],
        let source = sources[try row.decode(atIndex: 1)]
      else { throw Corruption() }
      all.append(try series(of: type, source))
    }
    return all
  }

  /// Whether an export of a date has had rows of a series here.
  fileprivate func isKnown(_ date: Double, _ series: StoredSeries) throws -> Bool {
    try Int.fetchOne(
      self,
      sql: """
        SELECT 1 FROM seriesExports JOIN exportDates ON exportDates.id = export
        WHERE exportedAt = ? AND type = ? AND source = ?
        """,
      arguments: [
        date, storedIdentifier(of: SampleType(identifier: series.type, kind: .category)),
        storedIdentifier(of: series.source),
      ]) != nil
  }

  /// The dates of the exports that last had some element.
  fileprivate func elementDates() throws -> Set<Double> {
    let newest = try lastExport(of: .appleHealth) ?? -.infinity
    return try Set(
      Double.fetchAll(
        self, sql: "SELECT DISTINCT coalesce(lastSeen, ?) FROM elements WHERE format = ?",
        arguments: [newest, ImportFormat.appleHealth.rawValue]))
  }

  /// The imported rows that the owner deleted, by series, in order.
  fileprivate func deletedSeries() throws -> [(series: StoredSeries, keys: [RowKey])] {
    try allSeriesWithHidden().compactMap { series in
      guard let type = try sampleTypes()[series.type] else { return nil }
      var units = RecordedUnits(of: type)
      let keys = try RowMatches(
        of: type, series.source, isRestoring: false, in: self, units: &units
      ).keys
      return keys.isEmpty ? nil : (series, keys)
    }
  }

  /// The elements of a kind that apps saved: serials and bytes.
  fileprivate func savedElements(
    of kind: ElementKind
  ) throws -> [(serial: Int64, content: [UInt8])] {
    try Row.fetchAll(
      self, sql: "SELECT id, content FROM elements WHERE kind = ? AND format = ? ORDER BY id",
      arguments: [kind.storedText, ImportFormat.nameWithoutFile]
    ).map { row in
      let serial: Int64 = try row.decode(atIndex: 0)
      let content = try ValueOwner.element(serial).released(
        [UInt8](row.decode(Data.self, atIndex: 1)))
      return (serial, content)
    }
  }

  /// The saved samples that were deleted.
  fileprivate func deletedSaves() throws -> [DeletedSave] {
    let (types, sources) = (try typesByNumber(), try sources())
    var deleted: [DeletedSave] = []
    for id in try Int64.fetchAll(self, sql: "SELECT id FROM tombstones ORDER BY id") {
      for row in try Tombstones.rows(of: id, in: self) {
        let saved = try Row.fetchOne(
          cachedStatement(
            sql: """
              SELECT uuid, type, source, start, kind, name FROM identities WHERE serial = ?
              """),
          arguments: [row.serial])
        guard let saved else { continue }
        let type = try saved.decode(Int64?.self, atIndex: 1).flatMap { types[$0] }
        let kind: String = try saved.decode(atIndex: 4)
        guard kind.isEmpty == (type != nil), let source = sources[try saved.decode(atIndex: 2)]
        else { throw Corruption() }
        deleted.append(
          DeletedSave(
            uuid: try UUID(data: saved.decode(atIndex: 0)), type: type, kind: kind,
            name: try saved.decode(atIndex: 5), source: source,
            start: try saved.decode(atIndex: 3)))
      }
    }
    return deleted
  }

  /// Records that a sample is deleted that never was here, so that no other store brings it.
  fileprivate func noteDeletedSave(
    _ gone: DeletedSave, _ revision: Revision, of store: SampleStore
  ) throws {
    let subject = Revision.Subject(
      kind: gone.kind, type: try gone.type.map { try identifier(of: $0) },
      source: try identifier(of: gone.source))
    let serial = revision.takeSerials(1)
    try store.noteSaved(
      gone.uuid,
      SavedPlace(serial: serial, subject: subject, name: gone.name, start: gone.start), in: self)
    revision.deleteUnseen(serial, from: subject)
  }
}

extension RowCursor {
  /// Rows of the block as they were recorded, without serials and export sets.
  fileprivate func recorded(
    _ rows: [Int], _ type: SampleType, _ source: Source
  ) throws(Corruption) -> RecordColumns {
    var builder = RecordColumns.Builder(type: type, source: source)
    for row in rows { try builder.append(row..<row + 1, of: self) }
    var columns = builder.rows
    columns.serials = []
    for origin in columns.originTable.indices {
      columns.originTable[origin].exportSet = ExportSets.ofChunk
    }
    return columns
  }

  fileprivate func recorded(
    _ row: Int, _ type: SampleType, _ source: Source
  ) throws(Corruption) -> RecordColumns { try recorded([row], type, source) }
}

extension NewSample {
  /// The only row of a batch.
  fileprivate init(_ batch: RecordColumns, uuid: UUID) {
    self.init(
      type: batch.type, source: batch.source, start: batch.starts[0], end: batch.ends[0],
      value: batch.values[0], label: batch.labelTable[Int(batch.labels[0])],
      created: batch.creation(row: 0), origin: batch.originTable[Int(batch.origins[0])],
      metadata: batch.metadataTable[Int(batch.metadata[0])], uuid: uuid)
  }
}
