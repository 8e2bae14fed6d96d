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

  /// Adds a file to an object, with which it is deleted.
  ///
  /// A sync does not copy it. An app adds files to objects that it saved.
  ///
  /// - Parameters:
  ///   - attachment: the name, type, size and metadata of the file
  ///   - content: its bytes, as many as the attachment says
  ///   - object: the UUID of the object
  /// - Throws: ``StoreError``; ``StoreError/Reason/invalidBatch(row:)`` for an object that the store
  ///   does not have and for another number of bytes than there may be
  public func add(
    _ attachment: StoredAttachment, _ content: [UInt8], to object: UUID
  ) throws(StoreError) {
    try write(isForApps: true) { database, _ in
      let serial = try visibleSerial(of: object, in: database)
      guard let serial, content.count == attachment.size,
        content.count <= Self.mostAttachmentBytes, attachment.created.isFinite
      else { throw StoreError(.invalidBatch(row: nil), path: path) }
      try checkOwn(object, UUIDReader(self, database), in: database)
      let id = try database.nextID(in: "attachments")
      var writer = ByteWriter()
      writer.bytes = content
      writer.seal()
      let entries = try JSONEncoder().encode(attachment.metadata.entries.map(StoredEntry.init))
      try database.execute(
        sql: """
          INSERT INTO attachments
            (id, uuid, object, name, contentType, created, size, metadata, content)
          VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
          """,
        arguments: [
          id, attachment.uuid.data, serial, attachment.name, attachment.contentType,
          attachment.created, attachment.size, String(decoding: entries, as: UTF8.self),
          Data(ValueOwner.attachment(id).bound(writer.bytes)),
        ])
    }
  }

  /// The files that belong to an object, in the order in which they were added; none for an object
  /// that the reader does not see.
  public func attachments(of object: UUID) throws(StoreError) -> [StoredAttachment] {
    try read { database in
      guard let serial = try visibleSerial(of: object, in: database) else { return [] }
      return try Row.fetchAll(
        database,
        sql: """
          SELECT uuid, name, contentType, created, size, metadata FROM attachments
          WHERE object = ? ORDER BY id
          """, arguments: [serial]
      ).map { row in
        let text = try row.decode(String.self, atIndex: 5)
        guard let entries = try? JSONDecoder().decode([StoredEntry].self, from: Data(text.utf8))
        else { throw Corruption() }
        return StoredAttachment(
          uuid: try UUID(data: row.decode(Data.self, atIndex: 0)), name: try row.decode(atIndex: 1),
          contentType: try row.decode(atIndex: 2), created: try row.decode(atIndex: 3),
          size: try row.decode(atIndex: 4), metadata: Metadata(entries.map(\.entry)))
      }
    }
  }

  /// The bytes of a file; `nil` if the reader does not see an object to which it belongs.
  public func content(ofAttachment uuid: UUID) throws(StoreError) -> [UInt8]? {
    try read { database in
      guard let place = try attachment(uuid, in: database) else { return nil }
      return try database.attachmentContent(place.id)
    }
  }

  /// Removes a file from an object; an app does so from objects that it saved.
  ///
  /// - Returns: whether it was there
  /// - Throws: ``StoreError``
  @discardableResult
  public func removeAttachment(_ uuid: UUID, from object: UUID) throws(StoreError) -> Bool {
    try write(isForApps: true) { database, _ in
      guard let place = try attachment(uuid, in: database),
        try UUIDReader(self, database).uuid(of: place.object) == object
      else { return false }
      try checkOwn(object, UUIDReader(self, database), in: database)
      try database.execute(sql: "DELETE FROM attachments WHERE id = ?", arguments: [place.id])
      return true
    }
  }

  /// Where a file is; `nil` if the reader does not see its object.
  private func attachment(
    _ uuid: UUID, in database: Database
  ) throws -> (id: Int64, object: Int64)? {
    let row = try Row.fetchOne(
      database, sql: "SELECT id, object FROM attachments WHERE uuid = ?", arguments: [uuid.data])
    guard let row else { return nil }
    let (id, object) = (
      try row.decode(Int64.self, atIndex: 0), try row.decode(Int64.self, atIndex: 1)
    )
    let owner = try UUIDReader(self, database).uuid(of: object)
    return try visibleSerial(of: owner, in: database) == nil ? nil : (id, object)
  }

  private func visibleSerial(of uuid: UUID, in database: Database) throws -> Int64? {
    let reader = try UUIDReader(self, database)
    let permission = try permission(in: database)
    guard let serial = try reader.serial(of: uuid),
      try permission.isOwner || reader.isVisible(uuid, serial, to: permission)
    else { return nil }
    return serial
  }
}

extension Database {
  fileprivate func attachmentContent(_ id: Int64) throws -> [UInt8] {
    let stored = try bytes(sql: "SELECT content FROM attachments WHERE id = ?", arguments: [id])
    let sealed = ValueOwner.attachment(id).released(stored)
    _ = try ByteReader(sealed: sealed)
    return sealed.dropLast(8)
  }

  /// Checks the bytes of every attachment.
  func verifiedAttachments() throws -> StoreVerification.Count {
    var count = StoreVerification.Count()
    for row in try Row.fetchAll(self, sql: "SELECT id, size FROM attachments") {
      count.checked += 1
      let size = try row.decode(Int.self, atIndex: 1)
      if (try? attachmentContent(row.decode(atIndex: 0)).count) != size { count.damaged += 1 }
    }
    return count
  }
}
