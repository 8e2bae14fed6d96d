public import Foundation
import GRDB
public import HealthSamples

/// A file that belongs to an object of a store, without its contents.
public struct StoredAttachment: Sendable, Hashable {
  /// Its identity.
  public let uuid: UUID
  /// The name of the file.
  public let name: String
  /// The identifier of the type of its contents, such as `public.jpeg`.
  public let contentType: String
  /// When it was added, in seconds since 2001-01-01 UTC.
  public let created: Double
  /// Bytes.
  public let size: Int
  /// More facts.
  public let metadata: Metadata

  /// Makes an attachment.
  public init(
    uuid: UUID = UUID(), name: String, contentType: String, created: Double, size: Int,
    metadata: Metadata = Metadata()
  ) {
    (self.uuid, self.name, self.contentType) = (uuid, name, contentType)
    (self.created, self.size, self.metadata) = (created, size, metadata)
  }
}

extension SampleStore {
  /// The most bytes of an attachment: 16 MiB.
  public static let mostAttachmentBytes = 16 << 20

  /// Adds a file to an object; it is there while the object is.
  ///
  /// An app adds files to its own objects, of types that it may share.
  ///
  /// - Parameters:
  ///   - attachment: the name, type, size and metadata of the file
  ///   - content: its bytes, as many as the attachment says
  ///   - object: the UUID of the object
  /// - Throws: ``StoreError``; ``StoreError/Reason/invalidBatch(row:)`` for an object that the store
  ///   does not have, for another number of bytes than there may be, and for a UUID that another file
  ///   has, or had
  public func add(
    _ attachment: StoredAttachment, _ content: [UInt8], to object: UUID
  ) throws(StoreError) {
    try write(isForApps: true) { database, revision in
      guard let birth = try visible(object, in: database), content.count == attachment.size,
        content.count <= Self.mostAttachmentBytes, attachment.created.isFinite
      else { throw StoreError(.invalidBatch(row: nil), path: path) }
      try checkChange(of: object, in: database)
      guard try database.attachments(where: "uuid = ?", [attachment.uuid.data]).isEmpty else {
        throw StoreError(.invalidBatch(row: nil), path: path)
      }
      if try !database.isReferable(birth) { try database.reference([birth], revision) }
      try database.insert(AttachmentRow(file: attachment, object: birth), content)
    }
  }

  /// The files that belong to an object, in the order in which they were added; none for an object
  /// that the reader does not see.
  public func attachments(of object: UUID) throws(StoreError) -> [StoredAttachment] {
    try read { database in
      guard let birth = try visible(object, in: database) else { return [] }
      return try References(self, database).meaning(birth).flatMap {
        try database.attachments(where: "object = ?", [$0])
      }.sorted { $0.id < $1.id }.filter { !$0.isDetached }.map(\.file)
    }
  }

  /// The bytes of a file; `nil` if the reader does not see an object to which it belongs.
  public func content(ofAttachment uuid: UUID) throws(StoreError) -> [UInt8]? {
    try read { database in
      guard let row = try attachment(uuid, in: database) else { return nil }
      return try database.attachmentContent(row.id)
    }
  }

  /// Removes a file from an object; an app does so from its own, of types that it may share.
  ///
  /// - Returns: whether it was there
  /// - Throws: ``StoreError``
  @discardableResult
  public func removeAttachment(_ uuid: UUID, from object: UUID) throws(StoreError) -> Bool {
    try write(isForApps: true) { database, _ in
      let reader = try UUIDReader(self, database)
      guard let row = try attachment(uuid, in: database),
        let owner = try References(self, database).object(row.object),
        try reader.uuid(of: owner) == object
      else { return false }
      try checkChange(of: object, in: database)
      try database.detach(row.id)
      return true
    }
  }

  /// Throws if the reader is an app that may not change an object.
  private func checkChange(of object: UUID, in database: Database) throws {
    guard let sharing = try SharePermission(of: self, in: database) else { return }
    let reader = try UUIDReader(self, database)
    guard let serial = try reader.serial(of: object),
      let facts = try reader.facts(of: object, serial, SeriesNames(database))
    else { throw StoreError(.invalidBatch(row: nil), path: path) }
    try sharing.check(facts.types, from: facts.source)
  }

  /// A file; `nil` if the reader does not see its object.
  private func attachment(_ uuid: UUID, in database: Database) throws -> AttachmentRow? {
    let rows = try database.attachments(where: "uuid = ?", [uuid.data])
    guard let row = rows.first, !row.isDetached,
      let owner = try References(self, database).object(row.object)
    else { return nil }
    let object = try UUIDReader(self, database).uuid(of: owner)
    return try visible(object, in: database) == nil ? nil : row
  }

  /// The first serial of an object that counts and that the reader sees.
  private func visible(_ uuid: UUID, in database: Database) throws -> Int64? {
    let reader = try UUIDReader(self, database)
    let permission = try permission(in: database)
    guard let serial = try reader.serial(of: uuid), let birth = try reader.birth(of: uuid),
      try reader.areVisible([uuid], [serial], to: permission)[0],
      try References(self, database).object(birth) == birth
    else { return nil }
    return birth
  }
}

/// A row of the table of attachments.
struct AttachmentRow {
  var id: Int64 = 0
  var file: StoredAttachment
  /// The first serial of the object.
  var object: Int64
  var isDetached = false
}

extension Database {
  /// Attachments in the order in which they were added, without their contents.
  func attachments(
    where condition: String = "TRUE", _ arguments: StatementArguments = []
  ) throws -> [AttachmentRow] {
    try Row.fetchAll(
      self,
      sql: """
        SELECT id, uuid, object, name, contentType, created, size, metadata, isDetached
        FROM attachments WHERE \(condition) ORDER BY id
        """, arguments: arguments
    ).map { row in
      let entries = try? JSONDecoder().decode([StoredEntry].self, from: row.decode(atIndex: 7))
      guard let entries else { throw Corruption() }
      let file = StoredAttachment(
        uuid: try UUID(data: row.decode(atIndex: 1)), name: try row.decode(atIndex: 3),
        contentType: try row.decode(atIndex: 4), created: try row.decode(atIndex: 5),
        size: try row.decode(atIndex: 6), metadata: Metadata(entries.map(\.entry)))
      return AttachmentRow(
        id: try row.decode(atIndex: 0), file: file, object: try row.decode(atIndex: 2),
        isDetached: try row.decode(atIndex: 8))
    }
  }

  func insert(_ attachment: AttachmentRow, _ content: [UInt8]) throws {
    let (id, file) = (try nextID(in: "attachments"), attachment.file)
    let metadata = try SettingKind.text(of: file.metadata.entries.map(StoredEntry.init))
    try insert(
      into: "attachments",
      "id, uuid, object, name, contentType, created, size, metadata, isDetached, number, content",
      [
        id, file.uuid.data, attachment.object, file.name, file.contentType, file.created,
        file.size, metadata, attachment.isDetached,
        try allocateRegister(), Self.stored(content, ofAttachment: id),
      ])
  }

  /// Forgets a file but for its UUID, so that no other store brings it back.
  func detach(_ id: Int64) throws {
    try execute(
      sql: """
        UPDATE attachments SET isDetached = 1, name = '', contentType = '', created = 0, size = 0,
          metadata = '[]', number = ?, content = ? WHERE id = ?
        """,
      arguments: [try allocateRegister(), Self.stored([], ofAttachment: id), id])
  }

  private static func stored(_ content: [UInt8], ofAttachment id: Int64) -> Data {
    var writer = ByteWriter()
    writer.bytes = content
    writer.appendChecksum()
    return Data(ValueOwner.attachment(id).tagged(writer.bytes))
  }

  func attachmentContent(_ id: Int64) throws -> [UInt8] {
    let stored = try bytes(sql: "SELECT content FROM attachments WHERE id = ?", arguments: [id])
    let checked = ValueOwner.attachment(id).untagged(stored)
    _ = try ByteReader(checked: checked)
    return checked.dropLast(8)
  }

  /// Checks the bytes of every attachment.
  func verifiedAttachments() throws -> StoreVerification.Count {
    var count = StoreVerification.Count()
    for row in try Row.fetchAll(self, sql: "SELECT id, size FROM attachments") {
      count.checked += 1
      let (id, size): (Int64, Int) = try row.values()
      if (try? attachmentContent(id).count) != size { count.damaged += 1 }
    }
    return count
  }
}
