public import Foundation
internal import HealthStore

/// The files that belong to objects of a store.
///
/// They lie in the store, sealed with it, and are deleted with their object. An app adds and removes
/// files of objects that it saved, and reads those of all objects that it may read. The type of the
/// contents is the identifier of a uniform type, such as `public.jpeg`: Linux has no `UTType`.
open class HKAttachmentStore: NSObject {
  private let session: HealthSession

  /// Makes a store of files over one of objects.
  public init(healthStore: HKHealthStore) { session = healthStore.session }

  /// Adds a file to an object that the app saved, at most 16 MiB long; see the asynchronous form.
  ///
  /// - Parameters:
  ///   - object: an object of the store
  ///   - name: the name of the file
  ///   - contentType: the identifier of the type of its contents
  ///   - url: the place of the file, on this machine
  ///   - metadata: more facts
  ///   - completion: gets the attachment or the error
  @preconcurrency
  open func addAttachment(
    to object: HKObject, name: String, contentType: String, url: URL,
    metadata: [String: Any] = [:],
    completion: @escaping @Sendable (HKAttachment?, (any Error)?) -> Void
  ) {
    let metadata = Unchecked(metadata)
    session.perform(.attachment, completion) {
      try $0.attach(url, to: object, name, contentType, metadata.value)
    }
  }

  /// Adds a file to an object that the app saved.
  ///
  /// - Returns: the attachment
  /// - Throws: `errorInvalidArgument` for an object that the store does not have and a file that
  ///   cannot be read, `errorDataSizeExceeded` for one longer than 16 MiB, `errorAuthorizationDenied`
  ///   for an object of another app
  open func addAttachment(
    to object: HKObject, name: String, contentType: String, url: URL,
    metadata: [String: Any] = [:]
  ) async throws -> HKAttachment {
    try await finishing {
      addAttachment(
        to: object, name: name, contentType: contentType, url: url, metadata: metadata,
        completion: $0)
    }
  }

  /// Removes a file from an object that the app saved.
  @preconcurrency
  open func removeAttachment(
    _ attachment: HKAttachment, from object: HKObject,
    completion: @escaping @Sendable (Bool, (any Error)?) -> Void
  ) {
    session.perform(.attachment, completion) { try $0.detach(attachment, from: object) }
  }

  /// Removes a file from an object that the app saved.
  open func removeAttachment(
    _ attachment: HKAttachment, from object: HKObject
  ) async throws {
    try await finishing { removeAttachment(attachment, from: object, completion: $0) }
  }

  /// The files that belong to an object, in the order in which they were added.
  @preconcurrency
  open func getAttachments(
    for object: HKObject, completion: @escaping @Sendable ([HKAttachment]?, (any Error)?) -> Void
  ) {
    let uuid = object.uuid
    session.perform(.attachment, completion) {
      try $0.reader().attachments(of: uuid).map(HKAttachment.init)
    }
  }

  /// The files that belong to an object, in the order in which they were added.
  open func attachments(for object: HKObject) async throws -> [HKAttachment] {
    try await finishing { getAttachments(for: object, completion: $0) }
  }

  /// The contents of a file; nothing of it comes over a network.
  @discardableResult
  @preconcurrency
  open func getData(
    for attachment: HKAttachment, completion: @escaping @Sendable (Data?, (any Error)?) -> Void
  ) -> Progress {
    let progress = Progress(totalUnitCount: Int64(attachment.size))
    session.perform(.attachment) {
      try $0.contents(of: attachment)
    } then: { result in
      progress.completedUnitCount = Int64(result.value?.count ?? 0)
      completion(result.value, result.error)
    }
    return progress
  }

  /// The contents of a file in pieces of at most 64 KiB; the last one comes with true.
  @discardableResult
  @preconcurrency
  open func streamData(
    for attachment: HKAttachment,
    dataHandler: @escaping @Sendable (Data?, (any Error)?, Bool) -> Void
  ) -> Progress {
    let progress = Progress(totalUnitCount: Int64(attachment.size))
    session.perform(.attachment) {
      try $0.contents(of: attachment)
    } then: { result in
      guard let data = result.value else { return dataHandler(nil, result.error, true) }
      var place = 0
      repeat {
        let end = min(data.count, place + Self.pieceBytes)
        // A client that cancels gets no more.
        if progress.isCancelled { return dataHandler(nil, HKError(.errorUserCanceled), true) }
        progress.completedUnitCount = Int64(end)
        dataHandler(Data(data[place..<end]), nil, end == data.count)
        place = end
      } while place < data.count
    }
    return progress
  }

  private static let pieceBytes = 65_536

  /// What reads the contents of a file.
  open func dataReader(for attachment: HKAttachment) -> HKAttachmentDataReader {
    HKAttachmentDataReader(attachment, session)
  }
}

/// Reads the contents of a file.
public final class HKAttachmentDataReader: Sendable {
  /// The file.
  public let attachment: HKAttachment
  /// How much was read; complete with the first answer, as nothing comes over a network.
  public let progress: Progress
  private let session: HealthSession

  init(_ attachment: HKAttachment, _ session: HealthSession) {
    self.attachment = attachment
    self.session = session
    progress = Progress(totalUnitCount: Int64(attachment.size))
  }

  /// The contents.
  public var data: Data {
    get async throws {
      try await withCheckedThrowingContinuation { continuation in
        session.perform(.attachment) { [attachment] in
          try $0.contents(of: attachment)
        } then: { [progress] result in
          progress.completedUnitCount = Int64(result.value?.count ?? 0)
          continuation.resume(with: result)
        }
      }
    }
  }

  /// The contents, byte by byte.
  public var bytes: HKAttachment.AsyncBytes { HKAttachment.AsyncBytes(reader: self) }
}

extension HKAttachment {
  /// The bytes of a file.
  public struct AsyncBytes: AsyncSequence, Sendable {
    /// A byte.
    public typealias Element = UInt8

    fileprivate let reader: HKAttachmentDataReader

    /// Begins at the first byte.
    public func makeAsyncIterator() -> Iterator { Iterator(reader: reader) }

    /// Reads the contents with the first byte.
    public struct Iterator: AsyncIteratorProtocol {
      fileprivate let reader: HKAttachmentDataReader
      private var rest: Data?

      fileprivate init(reader: HKAttachmentDataReader) { self.reader = reader }

      /// The next byte; `nil` after the last.
      public mutating func next() async throws -> UInt8? {
        var bytes: Data
        if let rest { bytes = rest } else { bytes = try await reader.data }
        rest = nil
        let byte = bytes.popFirst()
        rest = bytes
        return byte
      }
    }
  }

  fileprivate convenience init(_ stored: StoredAttachment) {
    self.init(
      identifier: stored.uuid, name: stored.name, contentType: stored.contentType,
      size: stored.size, creationDate: Date(timeIntervalSinceReferenceDate: stored.created),
      metadata: stored.metadata.isEmpty ? nil : ObjectMetadata(stored.metadata).dictionary)
  }
}

extension HealthSession {
  fileprivate func attach(
    _ url: URL, to object: HKObject, _ name: String, _ contentType: String,
    _ metadata: [String: Any]
  ) throws -> HKAttachment {
    try checkChanging(object)
    let most = SampleStore.mostAttachmentBytes
    guard url.isFile, let file = try? FileHandle(forReadingFrom: url),
      let data = try? file.read(upToCount: most + 1) ?? Data()
    else {
      throw HKError.invalid("The attachment is not a readable file")
    }
    guard data.count <= most else {
      throw HKError(
        .errorDataSizeExceeded,
        userInfo: [NSLocalizedDescriptionKey: "An attachment has at most \(most) bytes"])
    }
    try ObjectMetadata.check(metadata)
    let attachment = StoredAttachment(
      name: name, contentType: contentType, created: host.now().timeIntervalSinceReferenceDate,
      size: data.count, metadata: ObjectMetadata(metadata).columns)
    try reader().add(attachment, Array(data), to: object.uuid)
    return HKAttachment(attachment)
  }

  fileprivate func detach(_ attachment: HKAttachment, from object: HKObject) throws {
    try checkChanging(object)
    guard try reader().removeAttachment(attachment.identifier, from: object.uuid) else {
      throw HKError.invalid("The object does not have the attachment")
    }
  }

  /// Throws if the app may not change what belongs to an object.
  private func checkChanging(_ object: HKObject) throws {
    let store = try reader()
    guard let sample = object as? HKSample, try !store.known([sample]).isEmpty else {
      throw HKError.invalid("The object is not in the store")
    }
    try checkSharing(of: [sample.sampleType])
  }

  fileprivate func contents(of attachment: HKAttachment) throws -> Data {
    guard let bytes = try reader().content(ofAttachment: attachment.identifier) else {
      throw HKError.invalid("The attachment is not in the store")
    }
    return Data(bytes)
  }
}

extension URL {
  /// Whether it names a file, or a link to one: opening a pipe can block.
  fileprivate var isFile: Bool {
    var status = stat()
    return isFileURL && stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
  }
}
