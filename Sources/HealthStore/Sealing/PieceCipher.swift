import CSealing
import Crypto
import Foundation

/// The cipher for pieces of files: AES-256-GCM with a random nonce for each.
///
/// The store, the kind of the file and the place in it are authenticated with every piece, so that
/// a piece that is moved does not open. A sealed piece is nonce, sealed bytes, tag.
final class PieceCipher: Sendable {
  /// The bytes that sealing adds.
  static let addedBytes = Int(HK_SEAL_BYTES)
  /// The bytes of a nonce, with which a sealed piece begins.
  static let nonceBytes = 12

  private let key: SymmetricKey
  private let store: (UInt64, UInt64)

  /// The key for the files of a store.
  init(key: SymmetricKey, store: StoreIdentifier) {
    self.key = key
    self.store = store.halves
  }

  /// A key for files that do not outlive the process.
  convenience init() { self.init(key: SymmetricKey(size: .bits256), store: .random()) }

  /// Seals a piece into a room that is longer by ``addedBytes``; `false` if it fails.
  func seal(
    _ clear: UnsafeRawBufferPointer, kind: UInt64, place: UInt64,
    into sealed: UnsafeMutableRawBufferPointer
  ) -> Bool {
    withFacts(kind, place) { facts in
      guard
        let nonce = Self.nonce(),
        let combined = try? AES.GCM.seal(
          clear, using: key, nonce: nonce, authenticating: facts
        ).combined,
        combined.count == sealed.count
      else { return false }
      combined.copyBytes(to: sealed)
      return true
    }
  }

  /// Opens a piece; `false` if it was altered, or sealed with another key or for another place.
  func open(
    _ sealed: UnsafeRawBufferPointer, kind: UInt64, place: UInt64,
    into clear: UnsafeMutableRawBufferPointer
  ) -> Bool {
    withFacts(kind, place) { facts in
      guard
        let box = try? AES.GCM.SealedBox(combined: sealed),
        let opened = try? AES.GCM.open(box, using: key, authenticating: facts),
        opened.count == clear.count
      else { return false }
      opened.copyBytes(to: clear)
      return true
    }
  }

  /// A nonce that the kernel makes in the call that seals with it; `nil` if it cannot.
  ///
  /// None lies ready in memory: a forked process or a cloned machine would use it a second time.
  private static func nonce() -> AES.GCM.Nonce? {
    withUnsafeTemporaryAllocation(byteCount: nonceBytes, alignment: 1) { room in
      guard let start = room.baseAddress, hk_random(start, Int32(room.count)) == 0 else {
        return nil
      }
      return try? AES.GCM.Nonce(data: UnsafeRawBufferPointer(room))
    }
  }

  /// What is authenticated besides the bytes.
  private func withFacts(
    _ kind: UInt64, _ place: UInt64, _ body: (UnsafeRawBufferPointer) -> Bool
  ) -> Bool {
    withUnsafeTemporaryAllocation(of: UInt64.self, capacity: 4) { facts in
      facts.initialize(repeating: 0)
      facts[0] = store.0.littleEndian
      facts[1] = store.1.littleEndian
      facts[2] = kind.littleEndian
      facts[3] = place.littleEndian
      return body(UnsafeRawBufferPointer(facts))
    }
  }
}

/// The random number of a sealed store.
struct StoreIdentifier: Hashable, Sendable {
  static let byteCount = 16

  /// The 16 bytes.
  let bytes: [UInt8]

  static func random() -> StoreIdentifier { StoreIdentifier(bytes: .random(count: byteCount)) }

  /// The bytes as two integers.
  var halves: (UInt64, UInt64) {
    func half(_ bytes: ArraySlice<UInt8>) -> UInt64 {
      bytes.reduce(0) { $0 << 8 | UInt64($1) }
    }
    return (half(bytes.prefix(8)), half(bytes.suffix(8)))
  }

  /// The bytes as hexadecimal digits.
  var text: String {
    bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
  }
}

extension [UInt8] {
  /// Random bytes for keys.
  static func random(count: Int) -> [UInt8] {
    SymmetricKey(size: SymmetricKeySize(bitCount: count * 8)).withUnsafeBytes(Array.init)
  }
}

/// The keys that the file layer `hkstats-sealed` finds by their numbers.
///
/// The connection's URI has the number, not the key: SQLite shows URIs.
final class SealedFiles: @unchecked Sendable {
  /// The name of the file layer.
  static let name = "hkstats-sealed"

  private static let shared = SealedFiles()
  /// The result code of registering the file layer with SQLite, once in a process.
  private static let registered: Int32 = {
    var cipher = hk_cipher(
      retain: { SealedFiles.shared.cipher($0).map { Unmanaged.passRetained($0).toOpaque() } },
      release: { Unmanaged<PieceCipher>.fromOpaque($0).release() },
      seal: { key, kind, place, clear, count, sealed in
        let cipher = Unmanaged<PieceCipher>.fromOpaque(key).takeUnretainedValue()
        let isSealed = cipher.seal(
          UnsafeRawBufferPointer(start: clear, count: Int(count)), kind: UInt64(kind),
          place: place,
          into: UnsafeMutableRawBufferPointer(
            start: sealed, count: Int(count) + PieceCipher.addedBytes))
        return isSealed ? 1 : 0
      },
      open: { key, kind, place, sealed, count, clear in
        let cipher = Unmanaged<PieceCipher>.fromOpaque(key).takeUnretainedValue()
        let isOpened = cipher.open(
          UnsafeRawBufferPointer(start: sealed, count: Int(count) + PieceCipher.addedBytes),
          kind: UInt64(kind), place: place,
          into: UnsafeMutableRawBufferPointer(start: clear, count: Int(count)))
        return isOpened ? 1 : 0
      })
    return hk_register_sealed_files(&cipher)
  }()

  // The thread sanitizer does not support `Mutex`.
  private let lock = NSLock()
  private var ciphers: [Int64: PieceCipher] = [:]
  private var last: Int64 = 0
  private let temporary = PieceCipher()

  private func cipher(_ number: Int64) -> PieceCipher? {
    lock.withLock { number == 0 ? temporary : ciphers[number] }
  }

  /// A key that connections can be opened with as long as this object lives.
  final class Key: Sendable {
    let cipher: PieceCipher
    private let number: Int64

    /// Makes a key known to the file layer.
    init(_ cipher: PieceCipher, path: String) throws(StoreError) {
      guard SealedFiles.registered == 0 else {
        throw StoreError(.inputOutput, path: path, code: SealedFiles.registered)
      }
      self.cipher = cipher
      let files = SealedFiles.shared
      number = files.lock.withLock {
        files.last += 1
        files.ciphers[files.last] = cipher
        return files.last
      }
    }

    deinit {
      let files = SealedFiles.shared
      files.lock.withLock { files.ciphers[number] = nil }
    }

    /// The parameters of the URI of a database.
    var parameters: String { "vfs=\(SealedFiles.name)&sealing=\(number)" }
  }
}
