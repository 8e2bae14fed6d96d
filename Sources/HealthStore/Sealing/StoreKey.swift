import Foundation

/// What opens a sealed store: a passphrase or a key file.
public struct StoreKey: Sendable {
  enum Kind {
    case passphrase([UInt8])
    case keyFile(String)
    case data(DataKey)
  }

  let kind: Kind

  /// A passphrase, whatever the Unicode form in which it was typed.
  ///
  /// - Complexity: Opening a store with it takes about 0.15 s and 64 MB, so that guessing is slow.
  public static func passphrase(_ text: String) -> StoreKey {
    StoreKey(kind: .passphrase(bytes(ofPassphrase: text)))
  }

  /// A file with at least 32 bytes of key.
  public static func keyFile(_ path: String) -> StoreKey { StoreKey(kind: .keyFile(path)) }

  static func bytes(ofPassphrase text: String) -> [UInt8] {
    Array(text.precomposedStringWithCanonicalMapping.utf8)
  }

  /// The bytes of a key file: fewer than 32 could be guessed, more than 1 MB are no key.
  static func contents(ofKeyFile path: String) throws(StoreError) -> [UInt8] {
    let descriptor = Foundation.open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { throw StoreError(.noKeyFile, path: path, code: errno) }
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: 1 << 20 + 1)
    var count = 0
    while count < bytes.count {
      let found = bytes.withUnsafeMutableBytes { room in
        read(descriptor, room.baseAddress.map { $0 + count }, room.count - count)
      }
      if found < 0, errno == EINTR { continue }
      guard found >= 0 else { throw StoreError(.noKeyFile, path: path, code: errno) }
      if found == 0 { break }
      count += found
    }
    guard (32...1 << 20).contains(count) else { throw StoreError(.noKeyFile, path: path) }
    return Array(bytes[..<count])
  }

  /// Makes a key file of 32 random bytes, which only its owner may read, if there is none; it is on
  /// the disk when this returns.
  ///
  /// - Returns: whether it was made
  static func makeKeyFile(_ path: String) throws(StoreError) -> Bool {
    let descriptor = Foundation.open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else {
      if errno == EEXIST { return false }
      throw StoreError(.noKeyFile, path: path, code: errno)
    }
    defer { close(descriptor) }
    let bytes = [UInt8].random(count: 32)
    guard write(descriptor, bytes, bytes.count) == bytes.count, fsync(descriptor) == 0 else {
      let number = errno
      unlink(path)
      throw StoreError(errorNumber: number, path: path)
    }
    UnfinishedFile.synchronize(folder: UnfinishedFile.parts(of: path).folder)
    return true
  }
}
