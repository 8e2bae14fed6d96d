import Foundation
import Testing

@testable import HealthStore

@Suite("Nonces of sealed pieces") struct NonceTests {
  /// How many pieces each process seals.
  private static let pieces = 64

  /// Rooms that are there before a process forks.
  private struct Rooms {
    private static let clearBytes = 32

    private let clear = UnsafeMutableRawBufferPointer.allocate(
      byteCount: clearBytes, alignment: 1)
    private let sealed = UnsafeMutableRawBufferPointer.allocate(
      byteCount: clearBytes + PieceCipher.addedBytes, alignment: 1)
    /// The nonces of the pieces that were sealed last.
    let nonces = UnsafeMutableRawBufferPointer.allocate(
      byteCount: pieces * PieceCipher.nonceBytes, alignment: 1)

    init() { clear.initializeMemory(as: UInt8.self, repeating: 7) }

    func free() {
      clear.deallocate()
      sealed.deallocate()
      nonces.deallocate()
    }

    /// Seals one piece after the other, and keeps their nonces; whether all are sealed.
    func seal(_ count: Int, with cipher: PieceCipher) -> Bool {
      for piece in 0..<count {
        guard
          cipher.seal(
            UnsafeRawBufferPointer(clear), kind: 1, place: UInt64(piece), into: sealed)
        else { return false }
        for byte in 0..<PieceCipher.nonceBytes {
          nonces[piece * PieceCipher.nonceBytes + byte] = sealed[byte]
        }
      }
      return true
    }
  }

  private func split(_ bytes: [UInt8]) -> [[UInt8]] {
    stride(from: 0, to: bytes.count, by: PieceCipher.nonceBytes).map {
      Array(bytes[$0..<min($0 + PieceCipher.nonceBytes, bytes.count)])
    }
  }

  /// The nonces of the pieces that this process and a fork of it seal with one cipher.
  private func noncesWithFork(of cipher: PieceCipher) throws -> [[UInt8]] {
    // Swift has no name for it, because little is allowed in a fork of many threads.
    let symbol = try #require(dlsym(nil, "fork"))
    let fork = unsafeBitCast(symbol, to: (@convention(c) () -> Int32).self)
    let rooms = Rooms()
    defer { rooms.free() }
    // Had the cipher a stock of nonces, the fork would copy it.
    try #require(rooms.seal(1, with: cipher))
    var nonces = split(Array(rooms.nonces.prefix(PieceCipher.nonceBytes)))
    var ends: [Int32] = [-1, -1]
    try #require(pipe(&ends) == 0)
    let (reading, writing) = (ends[0], ends[1])
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    defer { close(reading) }
    let child = fork()
    if child == 0 {
      alarm(20)
      let isSealed = rooms.seal(Self.pieces, with: cipher)
      let count = rooms.nonces.count
      _exit(isSealed && write(writing, rooms.nonces.baseAddress, count) == count ? 0 : 1)
    }
    close(writing)
    try #require(child > 0)
    #expect(rooms.seal(Self.pieces, with: cipher))
    nonces += split(Array(rooms.nonces))
    var bytes = [UInt8](repeating: 0, count: rooms.nonces.count)
    var done = 0
    while done < bytes.count {
      let found = bytes.withUnsafeMutableBytes { room in
        read(reading, room.baseAddress.map { $0 + done }, room.count - done)
      }
      if found < 0, errno == EINTR { continue }
      guard found > 0 else { break }
      done += found
    }
    var status: Int32 = 0
    while waitpid(child, &status, 0) < 0, errno == EINTR {}
    #expect(status == 0)
    return nonces + split(Array(bytes.prefix(done)))
  }

  @Test("differ in a process and its fork, for the pages of a store and for temporary files")
  func forked() throws {
    let store = DataKey(bytes: .random(count: 32), store: .random()).cipher
    for cipher in [store, PieceCipher()] {
      let nonces = try noncesWithFork(of: cipher)
      #expect(nonces.count == 2 * Self.pieces + 1)
      #expect(Set(nonces).count == nonces.count)
    }
  }
}
