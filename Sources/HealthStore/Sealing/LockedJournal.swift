import Crypto
import Foundation

/// The file beside a sealed store to which samples are saved while the store is locked.
///
/// Each message is sealed to the public key of the store (HPKE with X25519 and AES-256-GCM), which
/// needs no passphrase, and follows its length in four bytes. Bytes that are no message, such as one
/// that a crash has torn, move aside to another file: they keep no other message out of the store.
///
/// Both files are regular ones with one name, of this user or the owner of the store, in which no
/// other may write; else nothing is read from them or written to them. They stand beside the store
/// itself, whatever links lead to it.
struct LockedJournal {
  /// How the name of the journal ends, after that of the store.
  static let ending = "-saved"
  /// How the name of the file of what cannot be read ends.
  static let asideEnding = ending + "-unreadable"

  private static let suite = HPKE.Ciphersuite(
    kem: .Curve25519_HKDF_SHA256, kdf: .HKDF_SHA256, aead: .AES_GCM_256)
  private static let keyBytes = 32
  private static let lengthBytes = 4
  /// The longest message; a longer length is damage.
  private static let mostBytes = 64 << 20
  /// The longest journal: it is read at once.
  private static let mostJournalBytes = 1 << 30
  /// How long another process that has the journal is waited for, as for one that writes to a store.
  private static let patience = Duration.seconds(3)
  private static let pauseMicroseconds: UInt32 = 10_000

  private static func info(_ store: StoreIdentifier) -> Data {
    Data(Array("hkstats saved samples".utf8) + store.bytes)
  }

  /// The file of the journal.
  let path: String
  /// The file of what cannot be read.
  var asidePath: String { store + Self.asideEnding }
  /// The file of the store, to which all links are followed.
  private let store: String
  private let header: SealedHeader

  /// The journal of the store at a path.
  init(store: String, header: SealedHeader) {
    self.store = SampleStore.resolvingLinks(store)
    self.header = header
    path = self.store + Self.ending
  }

  /// Whether the journal is its owner's alone; `nil` if there is none.
  var isOwn: Bool? { Self.isOwn(path, of: store) }

  /// Appends a message, sealed to the key that the store has then; it is on the disk when this
  /// returns.
  func append(_ message: [UInt8]) throws(StoreError) {
    guard message.count < Self.mostBytes / 2 else { throw tooLong }
    guard let descriptor = try open(creates: true) else {
      throw StoreError(.inputOutput, path: path)
    }
    defer { finish(descriptor) }
    // It may have been decrypted, or encrypted anew, since it was locked.
    guard let header = try SealedHeader(path: store) else {
      throw StoreError(.notSealed, path: store)
    }
    let sealed = try sealed(message, to: header)
    let record =
      (0..<Self.lengthBytes).map { UInt8(truncatingIfNeeded: sealed.count >> (8 * $0)) } + sealed
    let end = try size(descriptor)
    guard end + record.count <= Self.mostJournalBytes else { throw tooLong }
    do throws(UnfinishedFile.Problem) {
      try UnfinishedFile.write(record[...], to: descriptor, at: end)
      guard fsync(descriptor) == 0 else { throw UnfinishedFile.Problem(errno) }
    } catch {
      // A message that was not written completely is taken back.
      guard ftruncate(descriptor, off_t(end)) == 0 else {
        // It may be there as a whole: a reason that says that nothing changed is wrong.
        throw StoreError(.inputOutput, path: path, code: errno)
      }
      throw StoreError(errorNumber: error.errorNumber, path: path)
    }
    UnfinishedFile.synchronize(folder: UnfinishedFile.parts(of: path).folder)
  }

  /// Runs a body during which nothing is appended, such as one that takes the key from the store; the
  /// journal goes if it is empty then.
  ///
  /// The body gets no open file where the journal would be one of another, and is empty: nothing is
  /// appended to that at all.
  func closed<Value>(_ body: (Int32?) throws(StoreError) -> Value) throws(StoreError) -> Value {
    var descriptor: Int32?
    do throws(StoreError) {
      descriptor = try open(creates: true)
    } catch {
      guard error.reason == .foreignSaves, isEmpty else { throw error }
    }
    defer {
      if let descriptor { finish(descriptor) }
    }
    return try body(descriptor)
  }

  /// Hands over all messages in their order, moves aside what is none and what the body refuses, and
  /// empties the journal.
  ///
  /// Appends wait until it returns. The body is called again with the same messages after a crash.
  ///
  /// - Parameters:
  ///   - key: the private key of the store
  ///   - held: the journal that ``closed(_:)`` has opened; `nil` to open it, and to delete it
  ///   - body: gets the messages; returns the places of those that it cannot use
  /// - Returns: how many runs of bytes and refused messages moved aside
  /// - Throws: ``StoreError``
  /// - Complexity: O(bytes), also with damage
  func drain(
    _ key: Curve25519.KeyAgreement.PrivateKey, holding held: Int32? = nil,
    _ body: ([[UInt8]]) throws(StoreError) -> Set<Int>
  ) throws(StoreError) -> (unreadable: Int, refused: Int) {
    let opened = try held == nil ? open(creates: false) : held
    guard let descriptor = opened else { return (0, 0) }
    defer {
      if held == nil { finish(descriptor) }
    }
    // Another key would open nothing: all would move aside.
    guard try SealedHeader(path: store)?.bytes == header.bytes else {
      throw StoreError(.busy, path: store)
    }
    let count = try size(descriptor)
    guard count <= Self.mostJournalBytes else { throw tooLong }
    let bytes = try read(descriptor, count)
    let (messages, damage) = readable(bytes, key)
    let refused = messages.isEmpty ? [] : try body(messages.map(\.content))
    let aside = damage + refused.sorted().map { messages[$0].place }
    if !aside.isEmpty { try putAside(aside.flatMap { bytes[$0] }) }
    // What was moved away meanwhile is another's to keep.
    guard hasName(descriptor) else { throw StoreError(.busy, path: path) }
    guard ftruncate(descriptor, 0) == 0, fsync(descriptor) == 0 else {
      throw StoreError(errorNumber: errno, path: path)
    }
    return (damage.count, refused.count)
  }

  /// The messages with their places, and the runs of bytes between them that are none.
  ///
  /// After damage the next message is looked for where the lengths lead to the very end of the file;
  /// if they do from nowhere, byte by byte, as long as that does not take too long.
  private func readable(
    _ bytes: [UInt8], _ key: Curve25519.KeyAgreement.PrivateKey
  ) -> (messages: [(content: [UInt8], place: Range<Int>)], damage: [Range<Int>]) {
    var messages: [(content: [UInt8], place: Range<Int>)] = []
    var damage: [Range<Int>] = []
    var start: Int?
    var place = 0
    var chains: LengthChains?
    var patience = Self.mostSearched
    // The end of what was opened in vain: what lies before it costs again.
    var tried = 0
    while place < bytes.count, patience > 0 {
      if let sealed = Self.message(at: place, in: bytes) {
        if let content = opened(bytes[sealed], key) {
          if let start { damage.append(start..<place) }
          start = nil
          messages.append((content, place..<sealed.upperBound))
          place = sealed.upperBound
          continue
        }
        patience -= Self.openingCost + max(0, min(tried, sealed.upperBound) - sealed.lowerBound)
        tried = max(tried, sealed.upperBound)
      }
      start = start ?? place
      let found = chains ?? LengthChains(bytes)
      chains = found
      place = found.next(after: place)
    }
    if place < bytes.count || start != nil { damage.append((start ?? place)..<bytes.count) }
    return (messages, damage)
  }

  /// The sealed bytes of the message at a place; `nil` if there is no length that fits.
  private static func message(at place: Int, in bytes: [UInt8]) -> Range<Int>? {
    let first = place + lengthBytes
    guard first <= bytes.count else { return nil }
    let length = bytes[place..<first].reversed().reduce(0) { $0 << 8 | Int($1) }
    return isLength(length, before: bytes.count - first) ? first..<first + length : nil
  }

  /// The places from which the lengths of messages lead, one after the other, to the very end of a
  /// journal: damage inside of a message leaves all of them, a torn message all that follow it.
  private struct LengthChains {
    private let count: Int
    /// A bit for each place.
    private var bits: [UInt64]
    /// The last place before the end.
    private var last = -1

    /// - Complexity: O(bytes)
    init(_ bytes: [UInt8]) {
      count = bytes.count
      bits = [UInt64](repeating: 0, count: count / 64 + 1)
      insert(count)
      var length: UInt32 = 0
      var place = count
      while place > 0 {
        place -= 1
        length = length << 8 | UInt32(bytes[place])
        let room = count - place - LockedJournal.lengthBytes
        guard LockedJournal.isLength(Int(length), before: room),
          contains(count - room + Int(length))
        else { continue }
        insert(place)
        last = max(last, place)
      }
    }

    /// Where to look after a place at which no message can be opened.
    func next(after place: Int) -> Int {
      guard place < last else { return contains(place) ? count : place + 1 }
      var next = place + 1
      while !contains(next) { next += 1 }
      return next
    }

    private func contains(_ place: Int) -> Bool { bits[place / 64] >> (place % 64) & 1 != 0 }

    private mutating func insert(_ place: Int) { bits[place / 64] |= 1 << (place % 64) }
  }

  /// Whether a number can be the length of a message before the end of the file.
  private static func isLength(_ number: Int, before end: Int) -> Bool {
    (keyBytes...mostBytes).contains(number) && number <= end
  }

  /// The most bytes of messages that are opened in vain more than once.
  private static let mostSearched = 1 << 28
  /// The cost of opening any message, in bytes of a long one.
  private static let openingCost = 1 << 14

  private func opened(
    _ sealed: ArraySlice<UInt8>, _ key: Curve25519.KeyAgreement.PrivateKey
  ) -> [UInt8]? {
    guard
      var recipient = try? HPKE.Recipient(
        privateKey: key, ciphersuite: Self.suite, info: Self.info(header.store),
        encapsulatedKey: Data(sealed.prefix(Self.keyBytes))),
      let message = try? recipient.open(sealed.dropFirst(Self.keyBytes))
    else { return nil }
    return Array(message)
  }

  /// Appends bytes to the file of what cannot be read; they are on the disk when this returns.
  private func putAside(_ bytes: [UInt8]) throws(StoreError) {
    guard let file = try openOwn(asidePath, O_WRONLY | O_APPEND, creates: true) else {
      throw StoreError(.inputOutput, path: asidePath)
    }
    defer { close(file) }
    try StoreError.naming(asidePath) { try UnfinishedFile.write(bytes[...], to: file) }
    guard fsync(file) == 0 else { throw StoreError(errorNumber: errno, path: asidePath) }
  }

  private func sealed(_ message: [UInt8], to header: SealedHeader) throws(StoreError) -> [UInt8] {
    guard
      let key = try? Curve25519.KeyAgreement.PublicKey(rawRepresentation: header.publicKey),
      var sender = try? HPKE.Sender(
        recipientKey: key, ciphersuite: Self.suite, info: Self.info(header.store)),
      let sealed = try? sender.seal(message), sender.encapsulatedKey.count == Self.keyBytes
    else { throw StoreError(.damaged, path: store) }
    return Array(sender.encapsulatedKey) + sealed
  }

  /// Opens the file for one process at a time; `nil` if it does not exist.
  private func open(creates: Bool) throws(StoreError) -> Int32? {
    let latest = ContinuousClock.now + Self.patience
    while let descriptor = try openOwn(path, O_RDWR, creates: creates) {
      let isLocked = flock(descriptor, LOCK_EX | LOCK_NB) == 0
      let number = errno
      // It may have been deleted before it was locked.
      if isLocked, hasName(descriptor) { return descriptor }
      close(descriptor)
      guard isLocked || number == EWOULDBLOCK || number == EINTR else {
        throw StoreError(errorNumber: number, path: path)
      }
      guard ContinuousClock.now < latest else { throw StoreError(.busy, path: path) }
      usleep(Self.pauseMicroseconds)
    }
    return nil
  }

  /// Opens a file if it is its owner's alone; `nil` if it does not exist, and is not made.
  ///
  /// What root makes belongs to the owner of the store, to whom it were another's else.
  private func openOwn(_ path: String, _ flags: Int32, creates: Bool) throws(StoreError) -> Int32? {
    let flags = flags | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK
    while true {
      // Opening a pipe or a device can have effects of its own.
      guard Self.isOwn(path, of: store) ?? true else {
        throw StoreError(.foreignSaves, path: path)
      }
      var descriptor = Foundation.open(path, flags)
      var isNew = false
      if descriptor < 0, errno == ENOENT, creates {
        descriptor = Foundation.open(path, flags | O_CREAT | O_EXCL, 0o600)
        isNew = descriptor >= 0
        if !isNew, errno == EEXIST { continue }
      }
      guard descriptor >= 0 else {
        if errno == ENOENT, !creates { return nil }
        throw StoreError(errorNumber: errno, path: path)
      }
      var facts = stat()
      if isNew, geteuid() == 0, stat(store, &facts) == 0 {
        fchown(descriptor, facts.st_uid, facts.st_gid)
      }
      if fstat(descriptor, &facts) == 0, Self.isOwn(facts, of: store) { return descriptor }
      if isNew { unlink(path) }
      close(descriptor)
      // One without a name was deleted meanwhile.
      guard facts.st_nlink == 0 else { throw StoreError(.foreignSaves, path: path) }
    }
  }

  /// Whether the journal is still the file of its name, and its owner's alone.
  private func hasName(_ descriptor: Int32) -> Bool {
    var (opened, named) = (stat(), stat())
    return fstat(descriptor, &opened) == 0 && lstat(path, &named) == 0
      && opened.st_dev == named.st_dev && opened.st_ino == named.st_ino
      && Self.isOwn(named, of: store)
  }

  /// Closes the journal, and deletes it if it is empty.
  private func finish(_ descriptor: Int32) {
    if (try? size(descriptor)) == 0, hasName(descriptor), unlink(path) == 0 {
      UnfinishedFile.synchronize(folder: UnfinishedFile.parts(of: path).folder)
    }
    close(descriptor)
  }

  /// Whether nothing can have been saved to the file in the place of the journal.
  private var isEmpty: Bool {
    var facts = stat()
    guard lstat(path, &facts) == 0 else { return errno == ENOENT }
    return facts.st_mode & S_IFMT == S_IFREG && facts.st_size == 0
  }

  private func size(_ descriptor: Int32) throws(StoreError) -> Int {
    var facts = stat()
    guard fstat(descriptor, &facts) == 0 else {
      throw StoreError(errorNumber: errno, path: path)
    }
    return Int(facts.st_size)
  }

  private var tooLong: StoreError { StoreError(.inputOutput, path: path, code: EFBIG) }

  private func read(_ descriptor: Int32, _ count: Int) throws(StoreError) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    var done = 0
    while done < bytes.count {
      let moved = bytes.withUnsafeMutableBytes { room in
        pread(
          descriptor, room.baseAddress.map { $0 + done }, room.count - done, off_t(done))
      }
      if moved < 0, errno == EINTR { continue }
      guard moved > 0 else { throw StoreError(errorNumber: moved < 0 ? errno : EIO, path: path) }
      done += moved
    }
    return bytes
  }
}

// MARK: - Files of others

extension LockedJournal {
  /// Whether the file at a path, and no link to it, is its owner's alone; `nil` if there is none.
  private static func isOwn(_ path: String, of store: String) -> Bool? {
    var facts = stat()
    return lstat(path, &facts) == 0 ? isOwn(facts, of: store) : nil
  }

  /// Whether only this user, or the owner of the store, could write a file.
  ///
  /// It is a regular file with one name, of this user or the owner of the store. The own group may
  /// write, as many systems let it: it is that of the user alone there.
  private static func isOwn(_ facts: stat, of store: String) -> Bool {
    var owner = stat()
    let isOfOwner =
      facts.st_uid == geteuid() || stat(store, &owner) == 0 && facts.st_uid == owner.st_uid
    let writers: mode_t = facts.st_gid == getegid() ? 0o002 : 0o022
    return isOfOwner && facts.st_mode & S_IFMT == S_IFREG && facts.st_mode & writers == 0
      && facts.st_nlink == 1
  }
}

// MARK: - What waits

extension LockedJournal {
  /// What waits beside a store, by the lengths in the journal: no key is needed, and no message read.
  ///
  /// - Complexity: O(messages)
  static func waiting(beside store: String) -> StoreVerification.WaitingSaves {
    var waiting = StoreVerification.WaitingSaves()
    let store = SampleStore.resolvingLinks(store)
    let (path, asidePath) = (store + ending, store + asideEnding)
    if UnfinishedFile.kind(of: asidePath) != nil { waiting.aside = asidePath }
    guard let isAlone = isOwn(path, of: store) else { return waiting }
    guard isAlone else {
      waiting.left = path
      return waiting
    }
    let descriptor = Foundation.open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    guard descriptor >= 0 else { return waiting }
    defer { close(descriptor) }
    var facts = stat()
    // Up to this size all messages are complete, unless a process just appends one: it is not
    // waited for.
    let isLocked = flock(descriptor, LOCK_SH | LOCK_NB) == 0
    let hasFacts = fstat(descriptor, &facts) == 0
    if isLocked { flock(descriptor, LOCK_UN) }
    guard hasFacts, isOwn(facts, of: store) else { return waiting }
    let end = Int(facts.st_size)
    var place = 0
    while let length = messageLength(at: place, of: descriptor),
      isLength(length, before: end - place - lengthBytes)
    {
      waiting.count += 1
      place += lengthBytes + length
    }
    waiting.unreadableBytes = end - place
    return waiting
  }

  private static func messageLength(at place: Int, of descriptor: Int32) -> Int? {
    var number: UInt32 = 0
    guard pread(descriptor, &number, lengthBytes, off_t(place)) == lengthBytes else { return nil }
    return Int(UInt32(littleEndian: number))
  }
}
