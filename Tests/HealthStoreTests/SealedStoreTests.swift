import Foundation
import HealthSamples
import Testing
import _HealthTestSupport

@testable import HealthStore

@Suite("A store that is encrypted") struct SealedStoreTests {
  private static let passphrase = "κλειδί für 42 ☂"
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func batch(count: Int = 400, seed: UInt64 = 7) -> RecordColumns {
    var records = StoreRecords(seed: seed)
    var batch = records.batch(
      StoreRecords.steps, Source(name: "A watch of one's own"), count: count, label: "count",
      from: 700_000_000)
    batch.originTable[0] = Origin(device: "name:A known device, model:Watch")
    return batch
  }

  private func fill(_ name: String = "store.sqlite", key: StoreKey? = nil) throws {
    let store = try SampleStore(path: folder.file(name), mode: .readWrite, key: key)
    let session = try store.beginImport()
    try session.add(batch())
    _ = try session.finish()
  }

  /// A store with samples, encrypted with a key file as well: opening with it takes no time.
  private func sealed() throws -> StoreKey {
    try fill()
    try SampleStore.encrypt(
      path: folder.file(), passphrase: Self.passphrase, keyFile: folder.file("key"))
    return .keyFile(folder.file("key"))
  }

  /// All samples, and what the lists say of them.
  private struct Answer: Equatable {
    var records: [String]
    var types: [TypeSummary]
    var count: Int

    init(_ store: SampleStore) throws {
      let batches = try store.records(of: StoreRecords.steps)
      records = batches.map { "\($0)" }
      count = batches.reduce(0) { $0 + $1.count }
      types = try store.types()
    }
  }

  private func answer(_ key: StoreKey? = nil) throws -> Answer {
    try Answer(SampleStore(path: folder.file(), mode: .readOnly, key: key))
  }

  @Test("answers as before, takes further samples, and is decrypted into what it was")
  func roundTrip() throws {
    try fill()
    let before = try answer()
    let bytes = try folder.bytes().count
    let key = try sealedAgain()
    #expect(try SampleStore.protection(path: folder.file()) == .locked)
    let after = try answer(.passphrase(Self.passphrase))
    #expect(after == before)
    #expect(try answer(key) == before)
    #expect(try folder.bytes().count < bytes + bytes / 100 + 8192)
    do {
      let store = try SampleStore(path: folder.file(), mode: .readWrite, key: key)
      let session = try store.beginImport()
      try session.add(batch(count: 90, seed: 8))
      _ = try session.finish()
      #expect(try Answer(store).count > before.count)
    }
    let grown = try answer(key)
    try SampleStore.decrypt(path: folder.file(), key: key)
    #expect(try SampleStore.protection(path: folder.file()) == .clear)
    let decrypted = try answer()
    #expect(decrypted == grown)
    #expect(try folder.names == ["key", "store.sqlite"])
    let mode = try FileManager.default.attributesOfItem(atPath: folder.file())[.posixPermissions]
    #expect(mode as? Int == 0o600)
  }

  private func sealedAgain() throws -> StoreKey {
    try SampleStore.encrypt(
      path: folder.file(), passphrase: Self.passphrase, keyFile: folder.file("key"))
    return .keyFile(folder.file("key"))
  }

  @Test("opens with no other passphrase or key file, and never without one")
  func wrongKeys() throws {
    let key = try sealed()
    let before = try folder.bytes()
    for mode in [SampleStore.Mode.readOnly, .readWrite] {
      expect(.locked) { _ = try SampleStore(path: folder.file(), mode: mode) }
      expect(.wrongKey) {
        _ = try SampleStore(path: folder.file(), mode: mode, key: .passphrase("another"))
      }
    }
    expect(.wrongKey) {
      _ = try SampleStore(path: folder.file(), mode: .readOnly, key: .passphrase(""))
    }
    try Data(repeating: 1, count: 31).write(to: URL(fileURLWithPath: folder.file("short")))
    try Data(repeating: 1, count: 32).write(to: URL(fileURLWithPath: folder.file("other")))
    expect(.noKeyFile) { _ = try answer(.keyFile(folder.file("short"))) }
    expect(.noKeyFile) { _ = try answer(.keyFile(folder.file("missing"))) }
    expect(.wrongKey) { _ = try answer(.keyFile(folder.file("other"))) }
    expect(.alreadySealed) {
      try SampleStore.encrypt(path: folder.file(), passphrase: "new")
    }
    expect(.wrongKey) { try SampleStore.decrypt(path: folder.file(), key: .passphrase("no")) }
    expect(.locked) { try SampleStore.decrypt(path: folder.file()) }
    #expect(try folder.bytes() == before)
    // The same characters in another Unicode form.
    let decomposed = Self.passphrase.decomposedStringWithCanonicalMapping
    #expect(try answer(.passphrase(decomposed)) == answer(key))
    try FileManager.default.removeItem(atPath: folder.file())
    try fill()
    expect(.emptyPassphrase) { try SampleStore.encrypt(path: folder.file(), passphrase: "") }
    expect(.notSealed) { try SampleStore.lock(path: folder.file()) }
  }

  @Test("with any byte of its header changed is refused and not changed")
  func header() throws {
    let key = try sealed()
    let bytes = try folder.bytes()
    var random = SplitMix64(seed: 3)
    let places = Array(0..<340) + (0..<60).map { _ in 340 + Int(random.next() % 3756) }
    var reasons: Set<StoreError.Reason> = []
    for place in places {
      var changed = bytes
      changed[place] ^= 1 << UInt8(random.next() % 8)
      try changed.write(to: URL(fileURLWithPath: folder.file()))
      for mode in [SampleStore.Mode.readOnly, .readWrite] {
        do throws(StoreError) {
          _ = try SampleStore(path: folder.file(), mode: mode, key: key)
          Issue.record("byte \(place) is not missed")
        } catch {
          reasons.insert(error.reason)
        }
      }
      #expect(try folder.bytes() == changed)
    }
    #expect(reasons == [.damaged, .notAStore, .newerSchema])
  }

  @Test("with any byte of a page changed is damaged, never wrong and never changed")
  func pages() throws {
    let key = try sealed()
    let bytes = try folder.bytes()
    let expected = try answer(key)
    var random = SplitMix64(seed: 4)
    for _ in 0..<120 {
      var changed = bytes
      let place =
        SealedHeader.byteCount
        + Int(random.next() % UInt64(bytes.count - SealedHeader.byteCount))
      changed[place] ^= 1 << UInt8(random.next() % 8)
      try changed.write(to: URL(fileURLWithPath: folder.file()))
      do {
        #expect(try answer(key) == expected)
      } catch let error as StoreError {
        #expect(error.reason == .damaged, "\(error)")
      }
      let store = try? SampleStore(path: folder.file(), mode: .readOnly, key: key)
      do {
        #expect(try store?.verification().isWhole != true)
      } catch {
        #expect(error.reason == .damaged, "\(error)")
      }
      expect(.damaged) { try SampleStore.decrypt(path: folder.file(), key: key) }
      #expect(try folder.bytes() == changed)
      #expect(try folder.names == ["key", "store.sqlite"])
    }
  }

  @Test("with a page put back to its earlier version is damaged, at the latest for verify")
  func replayed() throws {
    let key = try sealed()
    let before = try folder.bytes()
    do {
      let store = try SampleStore(path: folder.file(), mode: .readWrite, key: key)
      let session = try store.beginImport()
      // The same samples with other values, and new ones.
      var later = batch()
      for row in 0..<later.count where row % 3 == 0 { later.values[row] += 1 }
      try session.add(later)
      try session.add(batch(count: 120, seed: 21))
      _ = try session.finish()
      try store.setPreferredSources(["A watch of one's own"], of: nil)
    }
    let after = try folder.bytes()
    let answer = try answer(key)
    let page = SealedHeader.pageBytes + PieceCipher.addedBytes
    var found = 0
    for start in stride(from: SealedHeader.byteCount, to: before.count, by: page)
    where before[start..<start + page] != after[start..<start + page] {
      var mixed = after
      mixed.replaceSubrange(start..<start + page, with: before[start..<start + page])
      try mixed.write(to: URL(fileURLWithPath: folder.file()))
      do {
        guard try self.answer(key) != answer else { continue }
        // A row whose index has not changed back answers; all must agree for verify.
        let store = try SampleStore(path: folder.file(), mode: .readOnly, key: key)
        #expect(try !store.verification().isWhole, "page at \(start)")
        found += 1
      } catch let error as StoreError {
        #expect(error.reason == .damaged, "\(error)")
        found += 1
      }
    }
    #expect(found > 0)
  }

  /// Texts and numbers of the batch, as bytes that would show in a file.
  private func secrets() -> [Data] {
    let batch = batch()
    var secrets = [
      "A watch of one's own", "A known device", "HKQuantityTypeIdentifierStepCount",
      "HKMetadataKeyHeartRateMotionContext", "count", "🍎",
    ].map { Data($0.utf8) }
    for row in 0..<batch.count {
      for number in [batch.starts[row], batch.ends[row], batch.values[row]] where number != 0 {
        secrets.append(withUnsafeBytes(of: number.bitPattern.littleEndian) { Data($0) })
        secrets.append(withUnsafeBytes(of: number.bitPattern.bigEndian) { Data($0) })
      }
      secrets.append(Data(String(Int(batch.starts[row])).utf8))
      secrets.append(
        withUnsafeBytes(of: Int64(batch.starts[row]).littleEndian) { Data($0) })
      secrets.append(withUnsafeBytes(of: Int32(batch.starts[row]).bigEndian) { Data($0) })
    }
    return secrets
  }

  private func found(_ secrets: [Data], in bytes: Data) -> Int {
    secrets.count { bytes.range(of: $0) != nil }
  }

  /// The spill file of an import.
  private func spilled(key: StoreKey?) throws -> Data {
    let store = try SampleStore(path: folder.file(), mode: .readWrite, key: key)
    let session = try store.beginImport()
    let spill = try session.spillFile.append(Array("a known piece of the spill file".utf8))
    // More than the file keeps in memory.
    for _ in 0..<5 { _ = try session.spillFile.append([UInt8](repeating: 7, count: 1 << 20)) }
    #expect(try session.spillFile.bytes(spill) == Array("a known piece of the spill file".utf8))
    var bytes: [Data] = []
    for descriptor in try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd") {
      let link = "/proc/self/fd/\(descriptor)"
      guard let target = try? FileManager.default.destinationOfSymbolicLink(atPath: link),
        target.hasPrefix(folder.path + "/.hkstats-"), target.hasSuffix("(deleted)")
      else { continue }
      bytes.append(try Data(contentsOf: URL(fileURLWithPath: link)))
    }
    return try #require(bytes.first)
  }

  /// The write-ahead log after a save, while the store is open.
  private func logged(key: StoreKey?) throws -> Data {
    let store = try SampleStore(path: folder.file(), mode: .readWrite, key: key)
    try store.save([sample(1)])
    return try folder.bytes("store.sqlite-wal")
  }

  @Test(
    "shows no text, date or value in its file, its log and the spill file; in the clear they show")
  func nothingClear() throws {
    try fill()
    let secrets = secrets()
    let clear = try folder.bytes()
    #expect(found(secrets, in: clear) >= 6)
    let clearSpill = try spilled(key: nil)
    let known = Data("a known piece of the spill file".utf8)
    #expect(clearSpill.range(of: known) != nil)
    let saved = ["An app of one's own", "org.example.known", "known food"].map { Data($0.utf8) }
    #expect(found(saved, in: try logged(key: nil)) > 0)
    let key = try sealedAgain()
    #expect(found(saved, in: try logged(key: key)) == 0)
    let sealed = try folder.bytes()
    // Four bytes of a date may be found by chance in a file of this size.
    #expect(secrets.filter { $0.count > 4 && sealed.range(of: $0) != nil } == [])
    let spill = try spilled(key: key)
    #expect(spill.count > 1 << 22 && spill.range(of: known) == nil)
  }

  @Test("is encrypted before its first sample, and through a symbolic link")
  func empty() throws {
    try FileManager.default.createSymbolicLink(
      atPath: folder.file("link"), withDestinationPath: folder.file())
    try Data().write(to: URL(fileURLWithPath: folder.file()))
    try SampleStore.encrypt(
      path: folder.file("link"), passphrase: Self.passphrase, keyFile: folder.file("key"))
    let target = try FileManager.default.destinationOfSymbolicLink(atPath: folder.file("link"))
    #expect(target == folder.file())
    try fill(key: .keyFile(folder.file("key")))
    #expect(try answer(.keyFile(folder.file("key"))).count > 0)
  }

  @Test("is not replaced while it is in use")
  func inUse() throws {
    try fill()
    let store = try SampleStore(path: folder.file(), mode: .readWrite)
    let session = try store.beginImport()
    try session.add(batch(count: 20, seed: 9))
    try store.snapshot {
      let count = try Answer(store).count
      expect(.busy) {
        try SampleStore.encrypt(path: folder.file(), passphrase: Self.passphrase)
      }
      #expect(try Answer(store).count == count)
    }
    #expect(try SampleStore.protection(path: folder.file()) == .clear)
    _ = try session.finish()
  }

  private func sample(_ number: Int, uuid: UUID? = nil) -> NewSample {
    NewSample(
      type: StoreRecords.heartRate,
      source: Source(name: "An app of one's own", bundleIdentifier: "org.example.known"),
      start: Double(number) * 60 + 0.1, end: Double(number) * 60 + 0.7,
      value: 61.25 + Double(number), label: "count/min", created: Double(number),
      origin: Origin(sourceVersion: "3.1", device: "name:Known"),
      metadata: Metadata([.init(key: "meal", value: "known food")]), uuid: uuid)
  }

  /// The rows of heart rate as saved.
  private func saved(_ path: String, key: StoreKey?) throws -> [String] {
    let store = try SampleStore(path: path, mode: .readOnly, key: key)
    return try store.records(of: StoreRecords.heartRate).flatMap { batch in
      (0..<batch.count).map { row in
        "\(batch.starts[row]) \(batch.ends[row]) \(batch.values[row]) \(batch.created[row]) "
          + "\(batch.source.bundleIdentifier) \(batch.metadataTable[Int(batch.metadata[row])])"
      }
    }.sorted()
  }

  /// Makes the journal what it was, with its mode.
  private func putBack(_ journal: Data) throws {
    try journal.write(to: URL(fileURLWithPath: folder.file("store.sqlite-saved")))
    chmod(folder.file("store.sqlite-saved"), 0o600)
  }

  @Test("takes samples while it is locked, sealed, and each of them once")
  func lockedSaves() throws {
    let key = try sealed()
    let journal = folder.file("store.sqlite-saved")
    let fixed = UUID()
    var uuids = try SampleStore.saveLocked((0..<3).map { sample($0) }, path: folder.file())
    uuids += try SampleStore.saveLocked([sample(3, uuid: fixed)], path: folder.file())
    #expect(Set(uuids).count == 4 && uuids[3] == fixed)
    expect(.invalidSample(index: 1)) {
      var wrong = sample(9)
      wrong.value = .nan
      try SampleStore.saveLocked([sample(8), wrong], path: folder.file())
    }
    let bytes = try folder.bytes("store.sqlite-saved")
    for text in ["known", "HeartRate", "count/min", "61.25", fixed.uuidString] {
      #expect(bytes.range(of: Data(text.utf8)) == nil)
    }
    var facts = stat()
    #expect(stat(journal, &facts) == 0 && facts.st_mode & 0o777 == 0o600)
    // A message that a crash has torn stands before the next.
    try putBack(bytes + bytes.prefix(40))
    uuids += try SampleStore.saveLocked([sample(4)], path: folder.file())
    let all = try folder.bytes("store.sqlite-saved")
    #expect(all.starts(with: bytes) && all.count > bytes.count)

    // The same samples in a store in the clear.
    let twin = try SampleStore(path: folder.file("twin"), mode: .readWrite)
    try twin.save((0..<5).map { sample($0) })
    let header = try #require(try SealedHeader(path: folder.file()))
    let data = try header.dataKey(key, path: folder.file())
    let saves = SampleStore.mergeLocked(path: folder.file(), header, data)
    #expect(saves.merged == 3 && saves.unreadable == 1 && saves.refused == 0)
    #expect(try folder.bytes("store.sqlite-saved-unreadable") == bytes.prefix(40))
    #expect(access(journal, F_OK) != 0)
    let expected = try saved(folder.file("twin"), key: nil)
    #expect(expected.count == 5)
    #expect(try saved(folder.file(), key: key) == expected)
    do {
      let store = try SampleStore(path: folder.file(), mode: .readOnly, key: key)
      #expect(try store.serials(of: uuids).count == 5)
    }
    // A crash after the commit has left the journal: nothing comes twice.
    try putBack(all)
    _ = SampleStore.mergeLocked(path: folder.file(), header, data)
    #expect(try saved(folder.file(), key: key) == expected)

    // Damage is told and moves aside, and all other messages enter an empty store.
    let whole = all.dropFirst(bytes.count + 40)
    let messages = [bytes, Data(whole)].map(\.count)
    var random = SplitMix64(seed: 5)
    for _ in 0..<60 {
      try FileManager.default.removeItem(atPath: saves.path)
      var changed = bytes + whole
      let place = Int(random.next() % UInt64(changed.count))
      changed[place] ^= 1 << UInt8(random.next() % 8)
      try putBack(changed)
      // It may be locked and added to meanwhile.
      let added = try SampleStore.saveLocked([sample(6)], path: folder.file())
      let found = SampleStore.mergeLocked(path: folder.file(), header, data)
      #expect(found.unreadable == 1 && found.merged == 3 && access(journal, F_OK) != 0)
      let aside = try folder.bytes("store.sqlite-saved-unreadable")
      #expect(aside.count < max(messages[0], messages[1]) && changed.range(of: aside) != nil)
      let store = try SampleStore(path: folder.file(), mode: .readWrite, key: key)
      #expect(try store.delete(added) == 1)
    }
    unlink(journal)
    try SampleStore.saveLocked([sample(7)], path: folder.file())
    try SampleStore.decrypt(path: folder.file(), key: key)
    #expect(try saved(folder.file(), key: nil).count == 6 && access(journal, F_OK) != 0)
    expect(.notSealed) { try SampleStore.saveLocked([sample(8)], path: folder.file()) }
  }

  @Test("keeps its key for the session, in a file that only the owner can read")
  func keptKeys() throws {
    let store = StoreIdentifier.random()
    let key = DataKey(bytes: .random(count: 32), store: store)
    var keys = KeptKeys(usesKeyring: false, folder: folder.path)
    #expect(keys.find(store) == nil)
    try keys.keep(key, seconds: nil, path: "")
    #expect(keys.find(store)?.bytes == key.bytes)
    #expect(keys.find(.random()) == nil)
    let file = folder.file("hkstats/\(store.text).key")
    var facts = stat()
    #expect(stat(file, &facts) == 0 && facts.st_mode & 0o777 == 0o600)
    chmod(file, 0o644)
    #expect(keys.find(store) == nil)
    chmod(file, 0o600)
    try keys.forget(store, path: "")
    #expect(keys.find(store) == nil && access(file, F_OK) != 0)
    try keys.keep(key, seconds: 1, path: "")
    #expect(keys.find(store) != nil)
    Thread.sleep(forTimeInterval: 2.1)
    #expect(keys.find(store) == nil && access(file, F_OK) != 0)
    keys.folder = nil
    #expect(throws: StoreError.self) { try keys.keep(key, seconds: nil, path: "") }
  }

  @Test("is unlocked until it is locked, or for a time")
  func unlocking() throws {
    let key = try sealed()
    // A machine may have neither a keyring nor a folder of the session.
    do throws(StoreError) {
      try SampleStore.unlock(path: folder.file(), key: key)
    } catch {
      #expect(error.reason == .noKeyPlace)
      return
    }
    #expect(try SampleStore.protection(path: folder.file()) == .unlocked)
    #expect(try answer().count > 0)
    try SampleStore.lock(path: folder.file())
    expect(.locked) { _ = try answer() }
    try SampleStore.lock(path: folder.file())
    expect(.wrongKey) { try SampleStore.unlock(path: folder.file(), key: .passphrase("x")) }
    #expect(try SampleStore.protection(path: folder.file()) == .locked)
    try SampleStore.unlock(path: folder.file(), key: key, seconds: 1)
    #expect(try answer().count > 0)
    Thread.sleep(forTimeInterval: 2.1)
    expect(.locked) { _ = try answer() }
  }
}
