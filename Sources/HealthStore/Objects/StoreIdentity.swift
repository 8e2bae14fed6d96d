import Crypto
import CryptoExtras
import Foundation
import GRDB

/// The identity of a store, and the function from its serials to UUIDs.
///
/// A UUID is of version 8 (RFC 9562): its 122 free bits are the serial and 60 zero bits under a
/// keyed permutation, four rounds of a Feistel network with AES-256 as the round function. So a
/// UUID gives its serial without an index, and one of another store is recognised.
struct StoreIdentity: Sendable {
  let store: UInt64
  private let key: SymmetricKey

  private static let rounds: [UInt8] = [0, 1, 2, 3]
  private static let leftMask: UInt64 = (1 << 60) - 1
  private static let rightMask: UInt64 = (1 << 62) - 1

  init(_ database: Database) throws {
    let row = try Row.fetchOne(
      database.cachedStatement(sql: "SELECT store, key FROM identity WHERE id = 1"))
    guard let row else { throw Corruption() }
    store = UInt64(bitPattern: try row.decode(Int64.self, atIndex: 0))
    let key = try row.decode(Data.self, atIndex: 1)
    guard key.count == 32 else { throw Corruption() }
    self.key = SymmetricKey(data: key)
  }

  /// The UUIDs of serials.
  func uuids(of serials: [Int64]) throws -> [UUID] {
    var lefts = [UInt64](repeating: 0, count: serials.count)
    var rights = serials.map { UInt64(bitPattern: $0) & Self.rightMask }
    for round in Self.rounds {
      let isLeft = round % 2 == 1
      let mixed = try mixed(isLeft ? rights : lefts, round)
      for index in serials.indices {
        if isLeft {
          lefts[index] ^= mixed[index] & Self.leftMask
        } else {
          rights[index] ^= mixed[index] & Self.rightMask
        }
      }
    }
    return zip(lefts, rights).map { left, right in
      UUID(
        high: ((left >> 12) << 16) | 0x8000 | (left & 0xFFF), low: (0b10 << 62) | right)
    }
  }

  /// The first words of blocks under AES, each of a number and the round.
  ///
  /// In CFB mode (NIST SP 800-38A, 6.3) the clear text of a block is its sealed text and the previous
  /// one under AES, so one call that opens a chosen text ciphers all its blocks; the library has no
  /// other way to cipher many, and one at a time takes ten times as long.
  private func mixed(_ numbers: [UInt64], _ round: UInt8) throws -> [UInt64] {
    guard !numbers.isEmpty else { return [] }
    let roundWord = UInt64(round) << 56
    var words = numbers.flatMap { [$0.littleEndian, roundWord.littleEndian] }
    let first = words.prefix(2).withUnsafeBytes { [UInt8]($0) }
    words.removeFirst(2)
    words += [0, 0]
    let sealed = words.withUnsafeBytes { [UInt8]($0) }
    let clear = try AES._CFB.decrypt(sealed, using: key, iv: AES._CFB.IV(ivBytes: first))
    return clear.withUnsafeBytes { clear in
      numbers.indices.map { index in
        UInt64(littleEndian: clear.loadUnaligned(fromByteOffset: 16 * index, as: UInt64.self))
          ^ UInt64(littleEndian: words[2 * index])
      }
    }
  }

  /// The serial of a UUID that this store gave; `nil` for any other.
  func serial(of uuid: UUID) throws -> Int64? {
    let (high, low) = uuid.words
    guard (high >> 12) & 0xF == 8, low >> 62 == 0b10 else { return nil }
    var (left, right) = (((high >> 16) << 12) | (high & 0xFFF), low & Self.rightMask)
    for round in Self.rounds.reversed() { try apply(round, &left, &right) }
    return left == 0 ? Int64(right) : nil
  }

  /// One round, which is its own inverse.
  private func apply(_ round: UInt8, _ left: inout UInt64, _ right: inout UInt64) throws {
    let isLeft = round % 2 == 1
    var block = [UInt8](repeating: 0, count: 16)
    block.withUnsafeMutableBytes {
      $0.storeBytes(of: (isLeft ? right : left).littleEndian, as: UInt64.self)
    }
    block[15] = round
    try AES.permute(&block, key: key)
    let mixed = block.withUnsafeBytes { UInt64(littleEndian: $0.load(as: UInt64.self)) }
    if isLeft {
      left ^= mixed & Self.leftMask
    } else {
      right ^= mixed & Self.rightMask
    }
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
/// for command lines and files.
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
    (left.store, left.serial, left.deletion) < (right.store, right.serial, right.deletion)
  }
}

extension StoreAnchor: LosslessStringConvertible {
  /// Three hexadecimal numbers with hyphens between.
  public var description: String {
    [store, UInt64(serial), UInt64(deletion)].map { String($0, radix: 16) }.joined(separator: "-")
  }

  /// Reads the text form; `nil` if it is none.
  public init?(_ description: String) {
    let parts = description.split(separator: "-", omittingEmptySubsequences: false)
      .map { UInt64($0, radix: 16) }
    guard parts.count == 3, let store = parts[0],
      let serial = parts[1].flatMap(Int64.init(exactly:)),
      let deletion = parts[2].flatMap(Int64.init(exactly:))
    else { return nil }
    self.init(store: store, serial: serial, deletion: deletion)
  }
}
