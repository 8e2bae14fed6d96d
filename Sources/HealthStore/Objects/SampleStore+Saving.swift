public import Foundation
import GRDB
public import HealthSamples

/// A sample to save.
public struct NewSample: Sendable, Hashable {
  /// The type.
  public var type: SampleType
  /// The app or device that saves it.
  public var source: Source
  /// The start, in seconds since 2001-01-01 UTC.
  public var start: Double
  /// The end, not before the start.
  public var end: Double
  /// The number in the unit of ``label``; for a category type the raw value of the constant.
  public var value: Double
  /// The unit of a quantity, or the constant's name of a category as exports write it.
  public var label: String
  /// When it was created, in seconds since 2001-01-01 UTC; `nil` when not known.
  public var created: Double?
  /// The version of the app, and the device.
  public var origin: Origin
  /// Metadata.
  public var metadata: Metadata
  /// Its identity; `nil` for a new one.
  public var uuid: UUID?

  /// Makes a sample.
  public init(
    type: SampleType, source: Source, start: Double, end: Double, value: Double, label: String,
    created: Double? = nil, origin: Origin = Origin(), metadata: Metadata = Metadata(),
    uuid: UUID? = nil
  ) {
    self.type = type
    self.source = source
    self.start = start
    self.end = end
    self.value = value
    self.label = label
    self.created = created
    self.origin = origin
    self.metadata = metadata
    self.uuid = uuid
  }
}

extension SampleStore {
  /// Saves samples in one transaction: all of them, or none.
  ///
  /// An app saves samples of its own source only, of types that it may share.
  ///
  /// A sample whose UUID the store has, or had before it was deleted, is left out. The metadata
  /// entry `HKWasUserEntered` makes a sample one that is entered by hand.
  ///
  /// - Parameters:
  ///   - samples: the samples
  ///   - refusesKnown: whether a sample whose UUID the store has, or had, is an error instead
  /// - Returns: the UUIDs of the samples, in their order
  /// - Throws: ``StoreError``; ``StoreError/Reason/invalidSample(index:)`` or
  ///   ``StoreError/Reason/knownSample(index:)`` for the first sample that cannot be saved
  /// - Complexity: O(*n* log *n*) for *n* samples, and O(1) chunks for each time into which they fall
  @discardableResult
  public func save(
    _ samples: [NewSample], refusesKnown: Bool = false
  ) throws(StoreError) -> [UUID] {
    try write(isForApps: true) { database, revision in
      var objects = NewObjects()
      objects.samples = samples
      for index in samples.indices where samples[index].uuid == nil {
        objects.samples[index].uuid = UUID()
      }
      let uuids = objects.samples.compactMap(\.uuid)
      let standIns = try save(
        objects, refusesKnown: refusesKnown, in: database, revision: revision)
      return standIns.isEmpty ? uuids : uuids.map { standIns[$0] ?? $0 }
    }
  }

  /// Inserts samples in a transaction; see ``save(_:refusesKnown:)-([NewSample],_)``.
  func insert(
    _ samples: [NewSample], refusesKnown: Bool, in database: Database, revision: Revision
  ) throws {
    var batches: [NewRows] = []
    var indices: [SampleSource: Int] = [:]
    for (index, sample) in samples.enumerated() {
      let uuid = sample.uuid ?? UUID()
      let name = SampleSource(type: sample.type, source: sample.source)
      let batch = indices[name] ?? batches.count
      if batch == batches.count {
        indices[name] = batch
        batches.append(
          NewRows(
            RecordColumns(type: sample.type, source: sample.source), identities: [], places: []))
      }
      do throws(ColumnError) {
        try batches[batch].columns.append(
          start: sample.start, end: sample.end, value: sample.value, label: sample.label,
          creation: sample.created, origin: sample.origin, metadata: sample.metadata)
      } catch {
        throw StoreError(.invalidSample(index: index), path: path)
      }
      batches[batch].identities.append(uuid)
      batches[batch].places.append(index)
    }
    try insert(batches, refusesKnown: refusesKnown, in: database, revision: revision)
  }

  /// Deletes the samples and elements with some UUIDs, in one transaction; unknown ones are ignored.
  ///
  /// An app deletes its own samples only, of types that it may share; another's sample that it sees
  /// is an error, and one that it does not see is unknown.
  ///
  /// A later import of an export that contains an imported sample does not bring it back.
  ///
  /// - Returns: how many were deleted
  /// - Throws: ``StoreError``
  /// - Complexity: O(rows of the chunks that have the samples)
  @discardableResult
  public func delete(_ uuids: some Sequence<UUID>) throws(StoreError) -> Int {
    try write(isForApps: true) { database, revision in
      try delete(uuids, in: database, revision: revision)
    }
  }

  /// Deletes samples and elements in a transaction; see ``delete(_:)``.
  @discardableResult
  func delete(
    _ uuids: some Sequence<UUID>, in database: Database, revision: Revision
  ) throws -> Int {
    let reader = try UUIDReader(self, database)
    var chunks: [Int64: Set<Int64>] = [:]
    var imported: Set<Int64> = []
    var elements = 0
    let permission = try permission(in: database)
    for uuid in uuids {
      guard
        try permission.isOwner
          || reader.serial(of: uuid).map({ try reader.isVisible(uuid, $0, to: permission) })
            ?? false
      else { continue }
      if let place = try reader.saved(uuid), !place.subject.kind.isEmpty {
        elements += try deleteSaved(place, in: database, revision: revision) ? 1 : 0
      } else if let place = try reader.saved(uuid) {
        for chunk in try database.chunks(at: place) {
          chunks[chunk, default: []].insert(place.serial)
        }
      } else if let serial = try reader.serial(of: uuid) {
        imported.insert(serial)
      }
    }
    for serial in imported {
      if try database.elementContent(withSerial: serial) != nil {
        try checkOwner()
        elements += try database.deleteElement(withSerial: serial, revision: revision) ? 1 : 0
        continue
      }
      for chunk in try database.chunks(around: serial) {
        chunks[chunk, default: []].insert(serial)
      }
    }
    return try elements
      + delete(
        from: chunks.keys.sorted(), in: database, revision: revision
      ) { chunk, cursor, row in
        chunks[chunk]?.contains(cursor.serial(row)) == true
      }
  }

  /// Deletes an element that an app saved; returns whether it is there.
  private func deleteSaved(
    _ place: SavedPlace, in database: Database, revision: Revision
  ) throws -> Bool {
    guard let element = try database.elementContent(withSerial: place.serial) else { return false }
    let batch = try ExportBatch(element.kind, content: element.content, for: .owner)
    guard let part = try batch?.savable(), let source = part.key.source else { throw Corruption() }
    for type in part.types { try checkSharing(of: type, from: source, in: database) }
    return try database.deleteElement(withSerial: place.serial, revision: revision)
  }

  /// Deletes all samples that a body chooses, in one transaction.
  ///
  /// - Parameters:
  ///   - type: only of this type, or `nil`
  ///   - range: keeps all others than samples that end at or after its lower bound and start before
  ///     its upper one
  ///   - keepsIdentity: whether later imports leave out the deleted ones, too
  ///   - isDeleted: gets records and a row; the default chooses all
  /// - Returns: how many were deleted
  /// - Throws: ``StoreError``, or what the body throws: then nothing is deleted
  /// - Complexity: O(*n*) for the *n* samples of the chunks that overlap the range
  @discardableResult
  public func deleteSamples(
    of type: SampleType? = nil, in range: Range<Double>? = nil, keepsIdentity: Bool = true,
    where isDeleted: ((RecordColumns, Int) throws -> Bool)? = nil
  ) throws -> Int {
    var stop: (any Error)?
    do {
      return try write(isForApps: true) { database, revision in
        var count = 0
        for type in try type.map({ [$0] }) ?? Array(database.sampleTypes().values) {
          for group in try sources(of: type, in: range, from: database)
          where reader == nil || group.source.bundleIdentifier == reader {
            count += try delete(
              from: group.chunks, in: database, revision: revision, keepsIdentity: keepsIdentity
            ) { _, cursor, row in
              let (start, end) = (cursor.block.starts[row], cursor.block.ends[row])
              if let range, max(start, end) < range.lowerBound || start >= range.upperBound {
                return false
              }
              guard let isDeleted else { return true }
              var one = RecordColumns.Builder(type: type, source: group.source)
              try one.append(row..<row + 1, of: cursor)
              do {
                return try isDeleted(one.rows, 0)
              } catch {
                stop = error
                throw error
              }
            }
          }
        }
        return count
      }
    } catch {
      throw stop ?? error
    }
  }

  /// Deletes rows of chunks of any series.
  private func delete(
    from chunks: [Int64], in database: Database, revision: Revision, keepsIdentity: Bool = true,
    where isDeleted: (Int64, RowCursor, Int) throws -> Bool
  ) throws -> Int {
    let (types, sources) = (try database.typesByNumber(), try database.sources())
    var editors: [[Int64]: SeriesEditor] = [:]
    var count = 0
    for chunk in chunks {
      let row = try Row.fetchOne(
        database.cachedStatement(sql: "SELECT type, source FROM chunks WHERE id = ?"),
        arguments: [chunk])
      guard let row, let type = types[try row.decode(atIndex: 0)],
        let source = sources[try row.decode(atIndex: 1)]
      else { throw Corruption(chunk: chunk) }
      try checkSharing(of: type, from: source, in: database)
      let series = [try row.decode(Int64.self, atIndex: 0), try row.decode(Int64.self, atIndex: 1)]
      try check(.chunks(type: series[0]), in: database)
      var editor =
        try editors.removeValue(forKey: series)
        ?? SeriesEditor(type, source, database: database, revision: revision)
      count += try editor.delete(from: chunk, keepsIdentity: keepsIdentity) { cursor, row in
        try isDeleted(chunk, cursor, row)
      }
      editors[series] = editor
    }
    for series in editors.keys { try editors[series]?.finish() }
    return count
  }
}

extension Database {
  /// The chunks that can have a saved sample: one, unless very many start at one instant.
  fileprivate func chunks(at place: SavedPlace) throws -> [Int64] {
    try Int64.fetchAll(
      cachedStatement(
        sql: """
          SELECT id FROM chunks
          WHERE type = ?1 AND source = ?2 AND firstStart <= ?3 AND lastStart >= ?3
            AND firstSerial <= ?4 AND lastSerial >= ?4
          """),
      arguments: [place.subject.type, place.subject.source, place.start, place.serial])
  }

  /// The chunks whose range of serials has a serial.
  fileprivate func chunks(around serial: Int64) throws -> [Int64] {
    try Int64.fetchAll(
      cachedStatement(
        sql: """
          SELECT id FROM chunks INDEXED BY chunksInTime
          WHERE firstSerial <= ?1 AND lastSerial >= ?1
          """), arguments: [serial])
  }
}

/// A type of samples to save, and who saves them.
private struct SampleSource: Hashable {
  let type: SampleType
  let source: Source
}
