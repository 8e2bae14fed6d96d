import Foundation
import HealthSamples
import Testing
import _HealthTestSupport

@testable import HealthStore

@Suite("A key file") struct KeyFileTests {
  private static let passphrase = "of the test"
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func fill(_ name: String = "store.sqlite") throws {
    let store = try SampleStore(path: folder.file(name), mode: .readWrite)
    try store.save([
      NewSample(
        type: StoreRecords.heartRate, source: Source(name: "Watch"), start: 1, end: 2, value: 60,
        label: "count/min")
    ])
  }

  private func count(_ key: StoreKey? = nil) throws -> Int {
    try SampleStore(path: folder.file(), mode: .readOnly, key: key)
      .samples(of: StoreRecords.heartRate).count
  }

  private func makeKey(_ name: String) throws {
    try Data((0..<32).map { UInt8($0) }).write(to: URL(fileURLWithPath: folder.file(name)))
  }

  /// Makes a link to the folder, "again", and one to the store, "link".
  private func linkStore() throws {
    for (link, target) in [("again", folder.path), ("link", folder.file())] {
      try FileManager.default.createSymbolicLink(
        atPath: folder.file(link), withDestinationPath: target)
    }
  }

  /// Names and bytes of the regular files in the folder.
  private func contents() throws -> [String: Data] {
    var contents: [String: Data] = [:]
    for name in try folder.names {
      let isFile = UnfinishedFile.kind(of: folder.file(name)) == S_IFREG
      contents[name] = try isFile ? folder.bytes(name) : Data()
    }
    return contents
  }

  /// Expects that a file cannot be the key, and that nothing is made or changed.
  private func expect(
    _ fault: StoreError.KeyFileFault, of key: String, for store: String = "store.sqlite",
    location: SourceLocation = #_sourceLocation
  ) throws {
    let before = try contents()
    do throws(StoreError) {
      try SampleStore.encrypt(
        path: folder.file(store), passphrase: Self.passphrase, keyFile: key)
      Issue.record("\(key) is taken", sourceLocation: location)
    } catch {
      #expect(error.reason == .unfitKeyFile(fault), "\(error)", sourceLocation: location)
      #expect(error.path == key, sourceLocation: location)
    }
    #expect(try contents() == before, sourceLocation: location)
  }

  @Test("is not the store, by whatever path or link, and not if the store is yet to be made")
  func store() throws {
    try fill()
    try linkStore()
    try FileManager.default.linkItem(atPath: folder.file(), toPath: folder.file("second"))
    for name in ["store.sqlite", "./store.sqlite", "again/store.sqlite", "link", "second"] {
      try expect(.store, of: folder.file(name))
    }
    try expect(.store, of: folder.file(), for: "link")
    try FileManager.default.createSymbolicLink(
      atPath: folder.file("to come"), withDestinationPath: "new.sqlite")
    for name in ["new.sqlite", "again/new.sqlite", "to come"] {
      try expect(.store, of: folder.file(name), for: "new.sqlite")
      try expect(.store, of: folder.file(name), for: "again/new.sqlite")
    }
    try expect(.store, of: folder.file("none/new.sqlite"), for: "none/new.sqlite")
    #expect(try count() == 1)
  }

  @Test("is not another file of hkstats")
  func ownFiles() throws {
    try fill()
    try fill("other.sqlite")
    try expect(.ownFile, of: folder.file("other.sqlite"))
    try FileManager.default.createSymbolicLink(
      atPath: folder.file("elsewhere"), withDestinationPath: folder.file("other.sqlite"))
    try expect(.ownFile, of: folder.file("elsewhere"))
    try SampleStore.encrypt(path: folder.file("other.sqlite"), passphrase: Self.passphrase)
    try expect(.ownFile, of: folder.file("other.sqlite"))
    let table = OwnFile.sampleColumns.joined(separator: ",") + "\n"
    try Data(table.utf8).write(to: URL(fileURLWithPath: folder.file("table.csv")))
    try expect(.ownFile, of: folder.file("table.csv"))
    #expect(try count() == 1)
  }

  @Test("has no name that belongs to the store, and is no link to such a file")
  func besideStore() throws {
    try fill()
    try linkStore()
    for ending in ["-wal", "-shm", "-journal", "-saved", "-saved-unreadable"] {
      let name = folder.file() + ending
      try expect(.besideStore, of: name)
      try expect(.besideStore, of: folder.file("again/store.sqlite\(ending)"))
      try expect(.besideStore, of: folder.file("again/store.sqlite\(ending)"), for: "link")
      try expect(.besideStore, of: folder.file("link\(ending)"), for: "link")
      try FileManager.default.createSymbolicLink(
        atPath: folder.file("elsewhere"), withDestinationPath: name)
      try expect(.besideStore, of: folder.file("elsewhere"))
      // Such a file is there, and has a second name.
      try makeKey("store.sqlite\(ending)")
      try FileManager.default.linkItem(atPath: name, toPath: folder.file("second"))
      try expect(.besideStore, of: name)
      try expect(.besideStore, of: folder.file("elsewhere"))
      try expect(.besideStore, of: folder.file("second"))
      for path in [name, folder.file("elsewhere"), folder.file("second")] { unlink(path) }
    }
    #expect(try count() == 1)
  }

  @Test("is a regular file that has a name")
  func regularFiles() throws {
    try fill()
    try #require(mkfifo(folder.file("pipe"), 0o600) == 0)
    for path in [folder.file("pipe"), folder.path, "/dev/null", "/dev/urandom"] {
      try expect(.notRegular, of: path)
    }
    try makeKey("deleted")
    let descriptor = open(folder.file("deleted"), O_RDONLY | O_CLOEXEC)
    try #require(descriptor >= 0)
    defer { close(descriptor) }
    unlink(folder.file("deleted"))
    try expect(.notRegular, of: "/proc/self/fd/\(descriptor)")
    #expect(try count() == 1)
  }

  @Test("that is too short, or a link to nothing, is refused before a store is made")
  func unusable() throws {
    try Data(repeating: 1, count: 31).write(to: URL(fileURLWithPath: folder.file("short")))
    try FileManager.default.createSymbolicLink(
      atPath: folder.file("lost"), withDestinationPath: folder.file("nowhere"))
    let before = try contents()
    for name in ["short", "lost"] {
      HealthStoreTests.expect(.noKeyFile) {
        try SampleStore.encrypt(
          path: folder.file(), passphrase: Self.passphrase, keyFile: folder.file(name))
      }
      #expect(try contents() == before)
    }
  }

  @Test("that cannot be made leaves no store, and one that was made in vain goes")
  func notMade() throws {
    let path = folder.file("new/store.sqlite")
    HealthStoreTests.expect(.noKeyFile) {
      try SampleStore.encrypt(
        path: path, passphrase: Self.passphrase, keyFile: folder.file("none/key"))
    }
    #expect(try folder.names.isEmpty)
    try Data(repeating: 65, count: 600).write(to: URL(fileURLWithPath: folder.file("text")))
    HealthStoreTests.expect(.notAStore) {
      try SampleStore.encrypt(
        path: folder.file("text"), passphrase: Self.passphrase, keyFile: folder.file("key"))
    }
    #expect(try folder.names == ["text"])
    // The folder of both is made.
    try SampleStore.encrypt(
      path: path, passphrase: Self.passphrase, keyFile: folder.file("new/key"))
    #expect(try SampleStore.protection(path: path) == .locked)
  }

  @Test("that is changed or removed while the store is encrypted leaves the store as it was")
  func changed() throws {
    try fill()
    for isRemoved in [false, true] {
      try makeKey("key")
      try Data(repeating: 9, count: 40).write(to: URL(fileURLWithPath: folder.file("other")))
      HealthStoreTests.expect(.unfitKeyFile(.changed)) {
        try SampleStore.encrypt(
          path: folder.file(), passphrase: Self.passphrase, keyFile: folder.file("key")
        ) {
          if isRemoved {
            unlink(folder.file("key"))
          } else {
            rename(folder.file("other"), folder.file("key"))
          }
        }
      }
      #expect(try SampleStore.protection(path: folder.file()) == .clear)
      #expect(try count() == 1)
      unlink(folder.file("other"))
      unlink(folder.file("key"))
      #expect(try folder.names == ["store.sqlite"])
    }
  }

  @Test("that was there, or is made, opens the store, and so does the passphrase")
  func good() throws {
    try fill()
    try makeKey("key")
    try FileManager.default.createSymbolicLink(
      atPath: folder.file("link"), withDestinationPath: "key")
    // Names that only look like those of the store.
    for name in ["key", "link", "new", "store.sqlite-key", "store.sqlite.wal"] {
      try SampleStore.encrypt(
        path: folder.file(), passphrase: Self.passphrase, keyFile: folder.file(name))
      #expect(try SampleStore.protection(path: folder.file()) == .locked)
      #expect(try count(.keyFile(folder.file(name))) == 1)
      #expect(try count(.passphrase(Self.passphrase)) == 1)
      try SampleStore.decrypt(path: folder.file(), key: .keyFile(folder.file(name)))
      #expect(try count() == 1)
    }
  }
}
