import CSealing
import CryptoExtras
import Foundation
import HealthSamples

/// The clear header of a sealed store: how its key is wrapped.
///
/// All numbers are little-endian. An authentication code under the data key covers every byte, and
/// a checksum tells damage from a wrong passphrase before the key is known.
///
/// | offset | bytes | |
/// |---|---|---|
/// | 0 | 16 | the mark |
/// | 16 | 4 | the version of the format |
/// | 20 | 4 | the clear bytes of a page |
/// | 24 | 16 | the store |
/// | 40 | 12 | scrypt: the binary logarithm of N, r, p |
/// | 52 | 4 | 1 if there is a key file |
/// | 56 | 32 | the salt |
/// | 88 | 32 | the public key for samples saved while locked (X25519) |
/// | 120 | 60 | the data key, sealed with the key from the passphrase |
/// | 180 | 60 | the data key, sealed with the key from the key file, or zeros |
/// | 240 | 60 | the private key, sealed with a key from the data key |
/// | 300 | 32 | HMAC-SHA-256 of all other bytes before the checksum |
/// | 4088 | 8 | XXH64 of the bytes before it |
struct SealedHeader {
  static let byteCount = Int(HK_HEADER_BYTES)
  static let pageBytes = Int(HK_PAGE_BYTES)
  private static let mark = OwnFile.sealedMark
  private static let version: UInt32 = 1
  private static let keyBytes = 32

  private enum Field {
    static let version = 16
    static let pageBytes = 20
    static let store = 24..<40
    static let cost = 40
    static let hasKeyFile = 52
    static let salt = 56..<88
    static let publicKey = 88..<120
    static let facts = 0..<120
    static let passphrase = 120..<180
    static let keyFile = 180..<240
    static let privateKey = 240..<300
    static let code = 300..<332
    static let checksum = SealedHeader.byteCount - 8..<SealedHeader.byteCount
  }

  /// What deriving a key from a passphrase costs: 64 MB, and about 0.15 s.
  struct Cost {
    var exponent: UInt32 = 16
    var blockSize: UInt32 = 8
    var parallelism: UInt32 = 1

    /// Whether it is a cost that a machine can pay; the header may have been altered.
    var isUsable: Bool {
      (1...20).contains(exponent) && (1...32).contains(blockSize)
        && (1...16).contains(parallelism)
        && (UInt64(128) << exponent) * UInt64(blockSize) * UInt64(parallelism) <= 1 << 30
    }
  }

  /// The header as it is stored.
  let bytes: [UInt8]

  /// The store.
  var store: StoreIdentifier { StoreIdentifier(bytes: Array(bytes[Field.store])) }
  /// Whether a key file opens the store, too.
  var hasKeyFile: Bool { number(Field.hasKeyFile) != 0 }
  /// The key to which samples are sealed while the store is locked.
  var publicKey: [UInt8] { Array(bytes[Field.publicKey]) }

  private var cost: Cost {
    Cost(
      exponent: number(Field.cost), blockSize: number(Field.cost + 4),
      parallelism: number(Field.cost + 8))
  }

  private func number(_ offset: Int) -> UInt32 { Self.number(bytes, offset) }

  private static func number(_ bytes: [UInt8], _ offset: Int) -> UInt32 {
    bytes[offset..<offset + 4].reversed().reduce(0) { $0 << 8 | UInt32($1) }
  }
}

// MARK: - Reading

extension SealedHeader {
  /// The header of a file; `nil` if the file is not sealed or cannot be opened.
  init?(path: String) throws(StoreError) {
    var facts = stat()
    // Opening a pipe would wait for its writer.
    guard stat(path, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG,
      let file = hk_raw_open(path)
    else { return nil }
    defer { hk_raw_close(file) }
    var bytes = [UInt8](repeating: 0, count: Self.byteCount)
    _ = hk_raw_read(file, &bytes, Int32(bytes.count), 0)
    guard bytes.starts(with: Self.mark) else { return nil }
    guard Self.number(bytes, Field.version) == Self.version else {
      throw StoreError(.newerSchema, path: path)
    }
    self.bytes = bytes
    guard Self.checksum(bytes) == Array(bytes[Field.checksum]),
      number(Field.pageBytes) == UInt32(Self.pageBytes), cost.isUsable
    else { throw StoreError(.damaged, path: path) }
  }

  /// The data key that a key of the owner unwraps.
  func dataKey(_ key: StoreKey, path: String) throws(StoreError) -> DataKey {
    let wrapped: Range<Int>
    let wrapping: SymmetricKey
    switch key.kind {
    case .passphrase(let passphrase):
      wrapped = Field.passphrase
      wrapping = try Self.key(
        of: passphrase, salt: bytes[Field.salt], cost: cost, path: path)
    case .keyFile(let file):
      guard hasKeyFile else { throw StoreError(.wrongKey, path: path) }
      wrapped = Field.keyFile
      wrapping = Self.key(of: try StoreKey.contents(ofKeyFile: file), salt: bytes[Field.salt])
    case .data(let data):
      return try checked(data, path: path)
    }
    guard
      let box = try? AES.GCM.SealedBox(combined: bytes[wrapped]),
      let data = try? AES.GCM.open(box, using: wrapping, authenticating: bytes[Field.facts])
    else { throw StoreError(.wrongKey, path: path) }
    return try checked(DataKey(bytes: Array(data), store: store), path: path)
  }

  /// Throws if the header was altered by someone who did not know the data key.
  private func checked(_ key: DataKey, path: String) throws(StoreError) -> DataKey {
    guard
      HMAC<SHA256>.isValidAuthenticationCode(
        bytes[Field.code], authenticating: Self.authenticated(bytes), using: key.header)
    else { throw StoreError(.damaged, path: path) }
    return key
  }

  /// The private key for samples that were saved while the store was locked.
  func privateKey(_ key: DataKey, path: String) throws(StoreError)
    -> Curve25519.KeyAgreement.PrivateKey
  {
    guard
      let box = try? AES.GCM.SealedBox(combined: bytes[Field.privateKey]),
      let data = try? AES.GCM.open(box, using: key.saving, authenticating: bytes[Field.facts]),
      let key = try? Curve25519.KeyAgreement.PrivateKey(rawRepresentation: data)
    else { throw StoreError(.damaged, path: path) }
    return key
  }
}

// MARK: - Making

extension SealedHeader {
  /// The header of a new sealed store, and its data key.
  static func make(
    passphrase: [UInt8], keyFile: [UInt8]?, path: String
  ) throws(StoreError) -> (header: SealedHeader, key: DataKey) {
    let key = DataKey(bytes: .random(count: keyBytes), store: .random())
    let pair = Curve25519.KeyAgreement.PrivateKey()
    let salt = [UInt8].random(count: Field.salt.count)
    let cost = Cost()
    var bytes = [UInt8](repeating: 0, count: byteCount)
    func put(_ number: UInt32, _ offset: Int) {
      for index in 0..<4 {
        bytes[offset + index] = UInt8(truncatingIfNeeded: number >> (8 * index))
      }
    }
    func put(_ value: some Collection<UInt8>, _ range: Range<Int>) {
      precondition(value.count == range.count)
      bytes.replaceSubrange(range, with: value)
    }
    put(mark, 0..<mark.count)
    put(version, Field.version)
    put(UInt32(pageBytes), Field.pageBytes)
    put(key.store.bytes, Field.store)
    put(cost.exponent, Field.cost)
    put(cost.blockSize, Field.cost + 4)
    put(cost.parallelism, Field.cost + 8)
    put(keyFile == nil ? 0 : 1, Field.hasKeyFile)
    put(salt, Field.salt)
    put(Array(pair.publicKey.rawRepresentation), Field.publicKey)
    let facts = Array(bytes[Field.facts])
    func sealed(_ secret: some DataProtocol, _ key: SymmetricKey) throws(StoreError) -> Data {
      guard
        let box = try? AES.GCM.seal(secret, using: key, authenticating: facts).combined
      else { throw StoreError(.inputOutput, path: path) }
      return box
    }
    put(
      try sealed(
        key.bytes, Self.key(of: passphrase, salt: salt[...], cost: cost, path: path)),
      Field.passphrase)
    if let keyFile {
      put(try sealed(key.bytes, Self.key(of: keyFile, salt: salt[...])), Field.keyFile)
    }
    put(try sealed(pair.rawRepresentation, key.saving), Field.privateKey)
    put(
      Array(HMAC<SHA256>.authenticationCode(for: authenticated(bytes), using: key.header)),
      Field.code)
    put(checksum(bytes), Field.checksum)
    return (SealedHeader(bytes: bytes), key)
  }

  private static func authenticated(_ bytes: [UInt8]) -> [UInt8] {
    Array(bytes[..<Field.code.lowerBound])
      + bytes[Field.code.upperBound..<Field.checksum.lowerBound]
  }

  private static func checksum(_ bytes: [UInt8]) -> [UInt8] {
    let sum = Checksum.of(bytes[..<Field.checksum.lowerBound])
    return (0..<8).map { UInt8(truncatingIfNeeded: sum >> (8 * $0)) }
  }

  private static func key(
    of passphrase: [UInt8], salt: ArraySlice<UInt8>, cost: Cost, path: String
  ) throws(StoreError) -> SymmetricKey {
    // The function traps on an empty passphrase.
    guard !passphrase.isEmpty else { throw StoreError(.wrongKey, path: path) }
    do {
      return try KDF.Scrypt.deriveKey(
        from: passphrase, salt: salt, outputByteCount: keyBytes, rounds: 1 << cost.exponent,
        blockSize: Int(cost.blockSize), parallelism: Int(cost.parallelism))
    } catch {
      throw StoreError(.inputOutput, path: path, code: ENOMEM)
    }
  }

  private static func key(of contents: [UInt8], salt: ArraySlice<UInt8>) -> SymmetricKey {
    HKDF<SHA256>.deriveKey(
      inputKeyMaterial: SymmetricKey(data: contents), salt: salt,
      info: Array("hkstats key file".utf8), outputByteCount: keyBytes)
  }
}

/// The random key of a store, from which the keys for its parts are derived.
struct DataKey: Sendable {
  let bytes: [UInt8]
  let store: StoreIdentifier

  /// The key for the files of the database.
  var pages: SymmetricKey { derived("hkstats pages") }
  /// The key that authenticates the header.
  var header: SymmetricKey { derived("hkstats header") }
  /// The key that seals the private key for samples saved while locked.
  var saving: SymmetricKey { derived("hkstats saved samples") }

  /// The cipher for the files of the database.
  var cipher: PieceCipher { PieceCipher(key: pages, store: store) }

  private func derived(_ purpose: String) -> SymmetricKey {
    HKDF<SHA256>.deriveKey(
      inputKeyMaterial: SymmetricKey(data: bytes), salt: store.bytes, info: Array(purpose.utf8),
      outputByteCount: 32)
  }
}
