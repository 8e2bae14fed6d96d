import CFiles
import Crypto
import CryptoExtras
import Foundation
import GRDB
internal import _HealthNumerics

/// The identity of a store, and the function from its serials to UUIDs.
///
/// A UUID is of version 8 (RFC 9562): its 122 free bits are the serial and 60 zero bits under a
/// keyed permutation, four rounds of a Feistel network with AES-256 as the round function. So a
/// UUID gives its serial without an index, and one of another store is recognised.
///
/// A copy, or a restored backup, takes another identity before it writes: of a UUID that two stores
/// give, both mean the same sample. Earlier identities stay valid for their serials.
struct StoreIdentity: Sendable {
  /// An identity, and the last serial and deletion of its time; none for the present one.
  private struct Epoch {
    let store: UInt64
    let key: SymmetricKey
    var lastSerial = Int64.max
    var lastDeletion = Int64.max
  }

  /// The earliest first.
  private let epochs: [Epoch]

  /// The present identity.
  var store: UInt64 { epochs[epochs.count - 1].store }

  /// The rounds after the first, which is one block for all: their left halves are zero.
  private static let laterRounds: [UInt8] = [1, 2, 3]
  private static let leftMask: UInt64 = (1 << 60) - 1
  private static let rightMask: UInt64 = (1 << 62) - 1

  init(_ database: Database) throws {
    let last = "\(Int64.max)"
    let rows = try Row.fetchAll(
      database.cachedStatement(
        sql: """
          SELECT id, store, key, lastSerial, lastDeletion FROM epochs
          UNION ALL SELECT \(last), store, key, \(last), \(last) FROM identity ORDER BY 1
          """))
    epochs = try rows.map { row in
      let (store, key, serial, deletion): (Int64, Data, Int64, Int64) = try row.values(from: 1)
      guard key.count == 32 else { throw Corruption() }
      return Epoch(
        store: UInt64(bitPattern: store), key: SymmetricKey(data: key), lastSerial: serial,
        lastDeletion: deletion)
    }
    guard epochs.last?.lastSerial == .max else { throw Corruption() }
  }

  /// A number and a key for a new one, as they are stored.
  static func random() -> (store: Int64, key: Data) {
    var random = SystemRandomNumberGenerator()
    let key = Data((0..<32).map { _ in UInt8.random(in: 0...255, using: &random) })
    return (Int64.random(in: 1 ... .max, using: &random), key)
  }

  /// Whether an anchor is of this store in its present state, or of one of which it is a copy and
  /// from before the copy.
  func knows(_ anchor: StoreAnchor, now: StoreAnchor) -> Bool {
    epochs.contains {
      $0.store == anchor.store && anchor.serial <= min($0.lastSerial, now.serial)
        && anchor.deletion <= min($0.lastDeletion, now.deletion)
    }
  }

  /// An anchor as an app gets it: bound to the app.
  ///
  /// So it names no state that the app has not got. That before the first commit is anybody's.
  func issue(_ anchor: StoreAnchor, to app: String?) -> StoreAnchor {
    guard let app, anchor.serial != 0 || anchor.deletion != 0,
      let key = epochs.last(where: { $0.store == anchor.store })?.key
    else { return anchor }
    var code = HMAC<SHA256>(key: key)
    code.update(data: Data("hkstats anchor \(anchor.numbers) of \(app)".utf8))
    var anchor = anchor
    anchor.code = code.finalize().prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
    return anchor
  }

  /// Whether an anchor may be used by a reader: the owner uses any, an app what it got.
  func issued(_ anchor: StoreAnchor, to app: String?) -> Bool {
    app == nil || issue(anchor, to: app).code == anchor.code
  }

  /// The most UUIDs of one call of the cipher, whose buffers then fit the processor's cache.
  private static let batch = 1_024

  /// The UUIDs of serials.
  func uuids(of serials: [Int64]) throws -> [UUID] {
    guard epochs.count > 1 else { return try uuids(of: serials, epochs[0].key) }
    var uuids = [UUID](repeating: UUID(), count: serials.count)
    var first = Int64.min
    for epoch in epochs where epoch.lastSerial >= first {
      let places = serials.indices.filter { (first...epoch.lastSerial).contains(serials[$0]) }
      for (place, uuid) in zip(places, try self.uuids(of: places.map { serials[$0] }, epoch.key)) {
        uuids[place] = uuid
      }
      guard epoch.lastSerial < .max else { break }
      first = epoch.lastSerial + 1
    }
    return uuids
  }

  private func uuids(of serials: [Int64], _ key: SymmetricKey) throws -> [UUID] {
    try serials.chunks(ofCount: Self.batch).flatMap { try uuids(ofBatch: $0, key) }
  }

  private func uuids(ofBatch serials: ArraySlice<Int64>, _ key: SymmetricKey) throws -> [UUID] {
    var lefts = [UInt64](repeating: 0, count: serials.count)
    let first = try mixed([0], 0, key)[0]
    var rights = serials.map { (UInt64(bitPattern: $0) ^ first) & Self.rightMask }
    for round in Self.laterRounds { try apply(round, &lefts, &rights, key) }
    return zip(lefts, rights).map { left, right in
      UUID(
        high: ((left >> 12) << 16) | 0x8000 | (left & 0xFFF), low: (0b10 << 62) | right)
    }
  }

  /// The serial of a UUID that this store gave; `nil` for any other.
  func serial(of uuid: UUID) throws -> Int64? { try serials(of: [uuid])[0] }

  /// The serials of UUIDs that this store gave, in their order; `nil` for any other.
  ///
  /// - Complexity: O(*n* × identities)
  func serials(of uuids: [UUID]) throws -> [Int64?] {
    var serials: [Int64?] = []
    serials.reserveCapacity(uuids.count)
    for batch in uuids.chunks(ofCount: Self.batch) {
      serials += try self.serials(ofBatch: Array(batch))
    }
    return serials
  }

  private func serials(ofBatch uuids: [UUID]) throws -> [Int64?] {
    var serials = [Int64?](repeating: nil, count: uuids.count)
    var open = uuids.indices.filter { index in
      let (high, low) = uuids[index].words
      return (high >> 12) & 0xF == 8 && low >> 62 == 0b10
    }
    var before = Int64.min
    for epoch in epochs where !open.isEmpty {
      var lefts = open.map { index in
        let high = uuids[index].words.high
        return ((high >> 16) << 12) | (high & 0xFFF)
      }
      var rights = open.map { uuids[$0].words.low & Self.rightMask }
      for round in Self.laterRounds.reversed() { try apply(round, &lefts, &rights, epoch.key) }
      let first = try mixed([0], 0, epoch.key)[0] & Self.rightMask
      for (place, index) in open.enumerated() where lefts[place] == 0 {
        let serial = Int64(rights[place] ^ first)
        if serial > before, serial <= epoch.lastSerial { serials[index] = serial }
      }
      open.removeAll { serials[$0] != nil }
      before = max(before, epoch.lastSerial)
    }
    return serials
  }

  /// One round, which is its own inverse, for many.
  private func apply(
    _ round: UInt8, _ lefts: inout [UInt64], _ rights: inout [UInt64], _ key: SymmetricKey
  ) throws {
    if round % 2 == 1 {
      let mixed = try mixed(rights, round, key)
      for index in lefts.indices { lefts[index] ^= mixed[index] & Self.leftMask }
    } else {
      let mixed = try mixed(lefts, round, key)
      for index in rights.indices { rights[index] ^= mixed[index] & Self.rightMask }
    }
  }

  /// The first words of blocks under AES, each of a number and the round.
  ///
  /// In CFB mode (NIST SP 800-38A, 6.3) the clear text of a block is its sealed text and the previous
  /// one under AES, so one call that opens a chosen text ciphers all its blocks; the library has no
  /// other way to cipher many, and one at a time takes ten times as long.
  private func mixed(_ numbers: [UInt64], _ round: UInt8, _ key: SymmetricKey) throws -> [UInt64] {
    guard !numbers.isEmpty else { return [] }
    let roundWord = (UInt64(round) << 56).littleEndian
    var words = [UInt64](repeating: 0, count: 2 * numbers.count)
    for index in 1..<numbers.count {
      words[2 * index - 2] = numbers[index].littleEndian
      words[2 * index - 1] = roundWord
    }
    let first = [numbers[0].littleEndian, roundWord].withUnsafeBytes { [UInt8]($0) }
    let sealed = words.withUnsafeBytes { [UInt8]($0) }
    let clear = try AES._CFB.decrypt(sealed, using: key, iv: AES._CFB.IV(ivBytes: first))
    return clear.withUnsafeBytes { clear in
      numbers.indices.map { index in
        UInt64(littleEndian: clear.loadUnaligned(fromByteOffset: 16 * index, as: UInt64.self))
          ^ UInt64(littleEndian: words[2 * index])
      }
    }
  }
}

/// What a file has outside of its contents, in an extended attribute: the mark that its contents have,
/// and its number on the disk.
///
/// A copy has no such attribute, or that of another file, and contents of an earlier state have
/// another mark. Where there are no extended attributes no copy is recognised.
struct FileMark: Equatable {
  let mark: Int64
  let file: UInt64

  private static let name = "user.hkstats"

  /// The mark of the file at a path; `nil` if there is none.
  init?(_ mark: Int64, of path: String) {
    var facts = stat()
    guard !path.isEmpty, stat(path, &facts) == 0 else { return nil }
    (self.mark, file) = (mark, UInt64(facts.st_ino))
  }

  /// What a file has; `nil` for a damaged attribute.
  private init?(attributeOf path: String, length: inout Int) {
    var bytes = [UInt8](repeating: 0, count: 16)
    length = hk_attribute(path, Self.name, &bytes, UInt(bytes.count))
    guard length == bytes.count else { return nil }
    (mark, file) = bytes.withUnsafeBytes {
      (
        $0.loadUnaligned(as: Int64.self).littleEndian,
        $0.loadUnaligned(fromByteOffset: 8, as: UInt64.self).littleEndian
      )
    }
  }

  /// The mark of a file that has one of its own.
  static func own(of path: String) -> Int64? {
    var length = 0
    let found = FileMark(attributeOf: path, length: &length)
    return found.flatMap { FileMark($0.mark, of: path) == $0 ? $0.mark : nil }
  }

  /// Whether the file at a path may be another one than that which had one of some marks last.
  static func isOfAnother(_ path: String, marks: [Int64]) -> Bool {
    var length = 0
    let found = FileMark(attributeOf: path, length: &length)
    if let found { return !marks.contains { FileMark($0, of: path) == found } }
    return length >= 0 || errno == ENODATA || errno == ERANGE
  }

  /// Gives the mark to the file; a disk without attributes has none.
  func write(to path: String) {
    let bytes =
      withUnsafeBytes(of: mark.littleEndian) { Array($0) }
      + withUnsafeBytes(of: file.littleEndian) { Array($0) }
    _ = hk_set_attribute(path, Self.name, bytes, UInt(bytes.count))
  }
}

extension SampleStore {
  /// Takes a new identity if the file is a copy, or was restored from one: see ``FileMark``.
  func adoptIdentityOfCopy(in database: Database) throws {
    guard !isReadOnly, !path.isEmpty else { return }
    let (mark, previous): (Int64, Int64) = try database.values(
      "SELECT mark, previousMark FROM identity")
    guard mark != 0, FileMark.isOfAnother(path, marks: [mark, previous]) else { return }
    try database.takeNewIdentity()
  }

  /// Gives the store another identity for what it writes from now on.
  ///
  /// A copy takes one by itself where it can be told from the original; that of a whole machine or a
  /// disk image cannot. UUIDs and anchors up to now stay valid.
  ///
  /// - Throws: ``StoreError``
  public func takeNewIdentity() throws(StoreError) {
    try write { database, _ in try database.takeNewIdentity() }
  }
}

extension Database {
  fileprivate func takeNewIdentity() throws {
    try execute(
      sql: """
        INSERT INTO epochs (store, key, lastSerial, lastDeletion)
        SELECT store, key, lastSerial, lastDeletion FROM identity
        """)
    let (store, key) = StoreIdentity.random()
    try execute(
      sql: "UPDATE identity SET store = ?, key = ?, mark = 0, previousMark = 0",
      arguments: [store, key])
  }
}

extension UUID {
  /// The first and the last eight bytes, as big-endian numbers.
  var words: (high: UInt64, low: UInt64) {
    withUnsafeBytes(of: uuid) { bytes in
      (
        UInt64(bigEndian: bytes.loadUnaligned(as: UInt64.self)),
        UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
      )
    }
  }

  fileprivate init(high: UInt64, low: UInt64) {
    self.init(uuid: unsafeBitCast((high.bigEndian, low.bigEndian), to: uuid_t.self))
  }

  /// The sixteen bytes.
  var data: Data { withUnsafeBytes(of: uuid) { Data($0) } }

  /// The UUID of sixteen bytes.
  init(data: Data) throws(Corruption) {
    guard data.count == 16 else { throw Corruption() }
    var bytes = uuid_t(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
    withUnsafeMutableBytes(of: &bytes) { $0.copyBytes(from: data) }
    self.init(uuid: bytes)
  }
}

/// A state of a store: everything up to a commit.
///
/// It stays valid in any process, after restarts and whatever was compacted since. Its text form is
/// for command lines and files. That of an app is valid for this app only.
///
/// ```swift
/// let anchor = try store.anchor()
/// // … later, in another process
/// let deleted = try store.deletions(after: anchor)
/// ```
public struct StoreAnchor: Sendable, Hashable, Codable {
  /// The store that the anchor belongs to.
  public let store: UInt64
  /// The serial of the last sample or element that was added.
  public let serial: Int64
  /// The number of the last deletion.
  public let deletion: Int64
  /// What binds the anchor to the app that got it; `nil` for the owner's.
  var code: UInt64?

  /// The state before the first commit of a store.
  ///
  /// - Parameter anchor: any anchor of the store
  public init(before anchor: StoreAnchor) {
    self.init(store: anchor.store, serial: 0, deletion: 0)
  }

  package init(store: UInt64, serial: Int64, deletion: Int64) {
    self.store = store
    self.serial = serial
    self.deletion = deletion
  }
}

extension StoreAnchor: Comparable {
  /// Whether the state of the left is an earlier one; anchors of one store are totally ordered.
  public static func < (left: Self, right: Self) -> Bool {
    (left.store, left.serial, left.deletion, left.code ?? 0)
      < (right.store, right.serial, right.deletion, right.code ?? 0)
  }
}

extension StoreAnchor: LosslessStringConvertible {
  /// Three hexadecimal numbers with hyphens between; four for an app's.
  public var description: String {
    code.map { "\(numbers)-\(String($0, radix: 16))" } ?? numbers
  }

  /// What is the same for every reader.
  var numbers: String {
    [store, UInt64(serial), UInt64(deletion)].map { String($0, radix: 16) }.joined(separator: "-")
  }

  /// Reads the text form; `nil` if it is none.
  public init?(_ description: String) {
    let parts = description.split(separator: "-", omittingEmptySubsequences: false)
      .map { UInt64($0, radix: 16) }
    guard (3...4).contains(parts.count), !parts.contains(nil), let store = parts[0],
      let serial = parts[1].flatMap(Int64.init(exactly:)),
      let deletion = parts[2].flatMap(Int64.init(exactly:))
    else { return nil }
    self.init(store: store, serial: serial, deletion: deletion)
    code = parts.count == 4 ? parts[3] : nil
  }
}
