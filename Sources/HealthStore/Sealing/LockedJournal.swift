import Crypto
import Foundation

/// The file beside a sealed store to which samples are saved while the store is locked.
///
/// Each message is sealed to the public key of the store (HPKE with X25519 and AES-256-GCM), which
/// needs no passphrase, and follows its length in four bytes. A message that a crash has torn is at
/// the end and is cut off by the next one.
struct LockedJournal {
  private static let suite = HPKE.Ciphersuite(
    kem: .Curve25519_HKDF_SHA256, kdf: .HKDF_SHA256, aead: .AES_GCM_256)
  private static let keyBytes = 32
  private static let lengthBytes = 4
  /// The longest message; a longer length is damage.
  private static let mostBytes = 64 << 20

  /// The file of the journal.
  let path: String
  private let store: String
  private let header: SealedHeader
  private var info: Data {
    Data(Array("hkstats saved samples".utf8) + header.store.bytes)
  }

  /// The journal of the store at a path.
  init(store: String, header: SealedHeader) {
    self.store = store
    self.header = header
    path = store + "-saved"
  }

  /// Whether there is a journal.
  var exists: Bool { access(path, F_OK) == 0 }

  /// Appends a message; it is on the disk when this returns.
  func append(_ message: [UInt8]) throws(StoreError) {
    guard message.count < Self.mostBytes / 2 else {
      throw StoreError(.inputOutput, path: path, code: EFBIG)
    }
    let sealed = try sealed(message)
    let record =
      (0..<Self.lengthBytes).map { UInt8(truncatingIfNeeded: sealed.count >> (8 * $0)) } + sealed
    guard let descriptor = try open(creates: true) else {
      throw StoreError(.inputOutput, path: path)
    }
    defer { close(descriptor) }
    let end = try messages(descriptor).end
    guard ftruncate(descriptor, off_t(end)) == 0 else {
      throw StoreError(errorNumber: errno, path: path)
    }
    var done = 0
    while done < record.count {
      let moved = record.withUnsafeBytes { bytes in
        pwrite(
          descriptor, bytes.baseAddress.map { $0 + done }, bytes.count - done, off_t(end + done))
      }
      if moved < 0, errno == EINTR { continue }
      guard moved > 0 else { throw failed(descriptor, end) }
      done += moved
    }
    guard fsync(descriptor) == 0 else { throw failed(descriptor, end) }
    UnfinishedFile.synchronize(folder: UnfinishedFile.parts(of: path).folder)
  }

  /// Hands over all messages in their order, and deletes the journal when the body returns.
  ///
  /// Appends wait until it returns. The body is called again with the same messages after a crash.
  func drain(
    _ key: Curve25519.KeyAgreement.PrivateKey,
    _ body: ([[UInt8]]) throws(StoreError) -> Void
  ) throws(StoreError) {
    guard let descriptor = try open(creates: false) else { return }
    defer { close(descriptor) }
    var messages: [[UInt8]] = []
    for record in try self.messages(descriptor).places {
      let sealed = try read(descriptor, record)
      guard
        var recipient = try? HPKE.Recipient(
          privateKey: key, ciphersuite: Self.suite, info: info,
          encapsulatedKey: Data(sealed.prefix(Self.keyBytes))),
        let message = try? recipient.open(sealed.dropFirst(Self.keyBytes))
      else { throw StoreError(.damaged, path: path) }
      messages.append(Array(message))
    }
    if !messages.isEmpty { try body(messages) }
    guard unlink(path) == 0 else { throw StoreError(errorNumber: errno, path: path) }
    UnfinishedFile.synchronize(folder: UnfinishedFile.parts(of: path).folder)
  }

  private func sealed(_ message: [UInt8]) throws(StoreError) -> [UInt8] {
    guard
      let key = try? Curve25519.KeyAgreement.PublicKey(rawRepresentation: header.publicKey),
      var sender = try? HPKE.Sender(recipientKey: key, ciphersuite: Self.suite, info: info),
      let sealed = try? sender.seal(message), sender.encapsulatedKey.count == Self.keyBytes
    else { throw StoreError(.damaged, path: store) }
    return Array(sender.encapsulatedKey) + sealed
  }

  /// Opens the file for one process at a time; `nil` if it does not exist.
  private func open(creates: Bool) throws(StoreError) -> Int32? {
    while true {
      let descriptor = Foundation.open(
        path, O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | (creates ? O_CREAT : 0), 0o600)
      guard descriptor >= 0 else {
        if errno == ENOENT, !creates { return nil }
        throw StoreError(errorNumber: errno, path: path)
      }
      var facts = stat()
      while flock(descriptor, LOCK_EX) != 0, errno == EINTR {}
      guard fstat(descriptor, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG else {
        close(descriptor)
        throw StoreError(.inputOutput, path: path)
      }
      // It may have been drained and deleted while this process waited.
      if facts.st_nlink > 0 { return descriptor }
      close(descriptor)
    }
  }

  /// The places of the complete messages, and where the last one ends.
  private func messages(
    _ descriptor: Int32
  ) throws(StoreError) -> (places: [Range<Int>], end: Int) {
    var facts = stat()
    guard fstat(descriptor, &facts) == 0 else {
      throw StoreError(errorNumber: errno, path: path)
    }
    let size = Int(facts.st_size)
    var places: [Range<Int>] = []
    var end = 0
    while size - end >= Self.lengthBytes {
      let start = end + Self.lengthBytes
      let length = try read(descriptor, end..<start).reversed().reduce(0) { $0 << 8 | Int($1) }
      guard (Self.keyBytes...Self.mostBytes).contains(length) else {
        throw StoreError(.damaged, path: path)
      }
      guard length <= size - start else { break }
      places.append(start..<start + length)
      end = start + length
    }
    return (places, end)
  }

  private func read(_ descriptor: Int32, _ range: Range<Int>) throws(StoreError) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: range.count)
    var done = 0
    while done < bytes.count {
      let moved = bytes.withUnsafeMutableBytes { room in
        pread(
          descriptor, room.baseAddress.map { $0 + done }, room.count - done,
          off_t(range.lowerBound + done))
      }
      if moved < 0, errno == EINTR { continue }
      guard moved > 0 else { throw StoreError(errorNumber: moved < 0 ? errno : EIO, path: path) }
      done += moved
    }
    return bytes
  }

  /// Takes back a message that was not written completely.
  private func failed(_ descriptor: Int32, _ end: Int) -> StoreError {
    let number = errno
    ftruncate(descriptor, off_t(end))
    return StoreError(errorNumber: number, path: path)
  }
}
