import CSealing
import Foundation

/// The data keys of unlocked stores: in the session keyring of the kernel or, where there is none,
/// in files under `$XDG_RUNTIME_DIR`, which is in memory and ends with the session.
struct KeptKeys {
  /// Whether to use the keyring of the kernel.
  var usesKeyring = true
  /// The folder of the session, if there is one.
  var folder = ProcessInfo.processInfo.environment["XDG_RUNTIME_DIR"]
    .flatMap { $0.hasPrefix("/") ? $0 : nil }

  private static let keyBytes = 32
  private static let fileBytes = keyBytes + 8
  private static let mostTurns = 8

  /// Keeps a key until it is forgotten, or for some seconds.
  func keep(_ key: DataKey, seconds: UInt32?, path: String) throws(StoreError) {
    if usesKeyring,
      hk_keyring_keep(name(key.store), key.bytes, Int32(key.bytes.count), seconds ?? 0) == 0
    {
      return
    }
    guard let place = file(key.store) else { throw StoreError(.noKeyPlace, path: path) }
    mkdir((place as NSString).deletingLastPathComponent, 0o700)
    let end = seconds.map { Self.now + UInt64($0) } ?? .max
    let bytes = key.bytes + (0..<8).map { UInt8(truncatingIfNeeded: end >> (8 * $0)) }
    let new = "\(place).\(getpid())"
    unlink(new)
    let descriptor = Foundation.open(
      new, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw StoreError(.noKeyPlace, path: path, code: errno) }
    let isWritten = write(descriptor, bytes, bytes.count) == bytes.count
    close(descriptor)
    guard isWritten, rename(new, place) == 0 else {
      let number = errno
      unlink(new)
      throw StoreError(.noKeyPlace, path: path, code: number)
    }
  }

  /// The kept key of a store, if there is one.
  func find(_ store: StoreIdentifier) -> DataKey? {
    var bytes = [UInt8](repeating: 0, count: Self.keyBytes)
    if usesKeyring, hk_keyring_find(name(store), &bytes, Int32(bytes.count)) == 0 {
      return DataKey(bytes: bytes, store: store)
    }
    guard let place = file(store) else { return nil }
    let descriptor = Foundation.open(place, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var facts = stat()
    var contents = [UInt8](repeating: 0, count: Self.fileBytes)
    guard fstat(descriptor, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG,
      facts.st_uid == geteuid(), facts.st_mode & 0o077 == 0, facts.st_size == contents.count,
      read(descriptor, &contents, contents.count) == contents.count
    else { return nil }
    let end = contents[Self.keyBytes...].reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    guard Self.now < end else {
      unlink(place)
      return nil
    }
    return DataKey(bytes: Array(contents[..<Self.keyBytes]), store: store)
  }

  /// Forgets the key of a store; one that another process keeps meanwhile comes after.
  func forget(_ store: StoreIdentifier, path: String) throws(StoreError) {
    for _ in 0..<Self.mostTurns {
      let isForgotten = usesKeyring && hk_keyring_forget(name(store)) == 0
      if let place = file(store), unlink(place) != 0, errno != ENOENT, errno != ENOTDIR {
        throw StoreError(errorNumber: errno, path: path)
      }
      // It is there again if another process kept it after it was not found.
      if isForgotten || find(store) == nil { return }
    }
    throw StoreError(.inputOutput, path: path)
  }

  private func name(_ store: StoreIdentifier) -> String { "hkstats:\(store.text)" }

  private func file(_ store: StoreIdentifier) -> String? {
    folder.map { "\($0)/hkstats/\(store.text).key" }
  }

  /// Seconds since the machine started: a clock that cannot be set back.
  private static var now: UInt64 {
    var time = timespec()
    #if os(Linux)
    clock_gettime(CLOCK_BOOTTIME, &time)
    #else
    clock_gettime(CLOCK_MONOTONIC, &time)
    #endif
    return UInt64(time.tv_sec)
  }
}
