import GRDB

extension Database {
  /// Takes over a file of another store for an object: one that either store has removed stays so.
  ///
  /// - Parameters:
  ///   - attachment: the row of the other store
  ///   - object: the own first serial of the object
  ///   - content: reads the bytes there
  /// - Returns: whether that changed something
  /// - Throws: ``Corruption``, an error of the database, or what `content` throws
  func pull(
    _ attachment: AttachmentRow, of object: Int64, _ content: () throws -> [UInt8]
  ) throws -> Bool {
    if let known = try attachments(where: "uuid = ?", [attachment.file.uuid.data]).first {
      guard attachment.isDetached, !known.isDetached else { return false }
      try detach(known.id)
    } else {
      var own = attachment
      own.object = object
      let (file, bytes) = (attachment.file, try content())
      // Else no store can have written it.
      guard bytes.count == file.size, file.size <= SampleStore.mostAttachmentBytes,
        file.created.isFinite
      else { throw Corruption() }
      try insert(own, bytes)
    }
    return true
  }
}
