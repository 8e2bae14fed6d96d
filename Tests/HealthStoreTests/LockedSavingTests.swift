import Foundation
import HealthSamples
import HealthUnits
import Testing
import _HealthTestSupport

@testable import HealthStore

@Suite("Saves to a locked store") struct LockedSavingTests {
  private static let passphrase = "of the test"
  private let folder: TemporaryFolder
  private let source = Source(name: "Diary", bundleIdentifier: "com.example.diary")
  private let key: StoreKey

  private var path: String { folder.file() }
  private var journal: String { folder.file("store.sqlite-saved") }
  private var aside: String { folder.file("store.sqlite-saved-unreadable") }

  init() throws {
    folder = try TemporaryFolder()
    key = .keyFile(folder.file("key"))
    try SampleStore.encrypt(
      path: folder.file(), passphrase: Self.passphrase, keyFile: folder.file("key"))
  }

  private func open(_ mode: SampleStore.Mode = .readOnly) throws -> SampleStore {
    try SampleStore(path: path, mode: mode, key: key)
  }

  private func merge() throws -> LockedSaves {
    let header = try #require(try SealedHeader(path: path))
    let saves = SampleStore.mergeLocked(
      path: path, header, try header.dataKey(key, path: path))
    if let postponed = saves.postponed { throw postponed }
    return saves
  }

  /// Unlocks the store; `nil` on a machine that has no place for the key.
  private func unlock() throws -> LockedSaves? {
    do throws(StoreError) {
      return try SampleStore.unlock(path: path, key: key)
    } catch {
      guard error.reason == .noKeyPlace else { throw error }
      return nil
    }
  }

  private func sample(
    _ start: Double, label: String = "count/min", metadata: Metadata = Metadata()
  ) -> NewSample {
    NewSample(
      type: StoreRecords.heartRate, source: source, start: start, end: start + 1, value: 60,
      label: label, metadata: metadata, uuid: UUID())
  }

  private func workout() -> NewElement {
    var row = Workouts.Row()
    row.activity = "HKWorkoutActivityTypeRunning"
    (row.facts.source, row.facts.start, row.facts.end) = (source, 0, 60)
    return NewElement(.workouts(Workouts([row])))
  }

  private func count() throws -> Int { try open().samples(of: StoreRecords.heartRate).count }

  /// Makes the journal what it was, as a crash before its deletion does.
  private func putBack(_ bytes: Data) throws {
    try bytes.write(to: URL(fileURLWithPath: journal))
    chmod(journal, 0o600)
  }

  // MARK: Associations

  /// Saves a workout and a sample to the open store.
  private func saveBoth() throws -> (owner: UUID, member: UUID) {
    var objects = NewObjects()
    objects.elements = [workout()]
    objects.samples = [sample(1)]
    try open(.readWrite).save(objects)
    return (objects.elements[0].uuid, try #require(objects.samples[0].uuid))
  }

  private func associate(_ owner: UUID, _ member: UUID) -> NewObjects {
    var objects = NewObjects()
    objects.associations = [Association(owner, member, .workout)]
    return objects
  }

  @Test("Associations alone enter the store, and not again once somebody has ended them")
  func associations() throws {
    var objects = NewObjects()
    objects.elements = [workout()]
    objects.samples = [sample(1), sample(2)]
    let owner = objects.elements[0].uuid
    let members = objects.samples.compactMap(\.uuid)
    try open(.readWrite).save(objects)
    for member in members {
      try SampleStore.saveLocked(associate(owner, member), path: path)
    }
    let bytes = try folder.bytes("store.sqlite-saved")
    let saves = try merge()
    #expect(saves.merged == 2 && saves.refused == 0 && saves.unreadable == 0)
    let expected = Set(members.map { Association(owner, $0, .workout) })
    #expect(try Set(open().associations(.workout)) == expected)
    // A crash before the end of the journal: nothing comes twice.
    try putBack(bytes)
    #expect(try merge().merged == 2)
    #expect(try Set(open().associations(.workout)) == expected)
    // What was ended meanwhile stays ended.
    let ended = Association(owner, members[0], .workout)
    #expect(try open(.readWrite).dissociate([ended]) == 1)
    try putBack(bytes)
    #expect(try merge().merged == 2)
    #expect(try Set(open().associations(.workout)) == expected.subtracting([ended]))
    // A later save makes it again.
    let later = Now(Now.system.date.addingTimeInterval(60))
    try SampleStore.saveLocked(associate(owner, members[0]), app: nil, path: path, at: later)
    #expect(try merge().merged == 1)
    #expect(try Set(open().associations(.workout)) == expected)
    try open().verify()
  }

  @Test("Associations of a save with new objects are not made again, either, after a crash")
  func associationsOfNewObjects() throws {
    var objects = NewObjects()
    objects.elements = [workout()]
    objects.samples = [sample(1)]
    let owner = objects.elements[0].uuid
    let member = try #require(objects.samples[0].uuid)
    objects.associations = [Association(owner, member, .workout)]
    try SampleStore.saveLocked(objects, path: path)
    let bytes = try folder.bytes("store.sqlite-saved")
    #expect(try merge().merged == 1)
    #expect(try open().associations(.workout) == objects.associations)
    #expect(try open(.readWrite).dissociate(objects.associations) == 1)
    try putBack(bytes)
    #expect(try merge().merged == 1)
    #expect(try open().associations(.workout).isEmpty)
    #expect(try count() == 1)
  }

  @Test("An association of a version that is left out means the one that stands, and ends with it")
  func versions() throws {
    func version(_ number: Double) -> NewSample {
      sample(
        number,
        metadata: Metadata([
          .init(key: "HKMetadataKeySyncIdentifier", .string("one")),
          .init(key: "HKMetadataKeySyncVersion", .number(number)),
        ]))
    }
    var objects = NewObjects()
    objects.elements = [workout()]
    objects.samples = [version(2)]
    try open(.readWrite).save(objects)
    let owner = objects.elements[0].uuid
    let standing = Association(owner, try #require(objects.samples[0].uuid), .workout)
    var late = NewObjects()
    late.samples = [version(1)]
    late.associations = [Association(owner, try #require(late.samples[0].uuid), .workout)]
    try SampleStore.saveLocked(late, path: path)
    let bytes = try folder.bytes("store.sqlite-saved")
    #expect(try merge().merged == 1)
    #expect(try open().associations(.workout) == [standing])
    #expect(try open(.readWrite).dissociate([standing]) == 1)
    try putBack(bytes)
    #expect(try merge().merged == 1)
    #expect(try open().associations(.workout).isEmpty)
    #expect(try count() == 1)
  }

  @Test("A message of an earlier version, without a time, enters unless the store knows better")
  func withoutTime() throws {
    let (owner, member) = try saveBoth()
    let message = """
      {"samples":[],"elements":[],"links":[{"owner":"\(owner)","member":"\(member)","kind":"w"}]}
      """
    let header = try #require(try SealedHeader(path: path))
    try LockedJournal(store: path, header: header).append(Array(message.utf8))
    let bytes = try folder.bytes("store.sqlite-saved")
    #expect(try merge().merged == 1)
    #expect(try open().associations(.workout) == [Association(owner, member, .workout)])
    #expect(
      try open(.readWrite).dissociate([Association(owner, member, .workout)]) == 1)
    try putBack(bytes)
    #expect(try merge().merged == 1)
    #expect(try open().associations(.workout).isEmpty)
  }

  @Test("An association of an unknown object moves aside; those beside it enter")
  func unknownObjects() throws {
    let (owner, member) = try saveBoth()
    try SampleStore.saveLocked(associate(owner, UUID()), path: path)
    try SampleStore.saveLocked(associate(owner, member), path: path)
    let saves = try merge()
    #expect(saves.merged == 1 && saves.refused == 1)
    #expect(access(aside, F_OK) == 0)
    #expect(try open().associations(.workout) == [Association(owner, member, .workout)])
  }

  // MARK: Apps

  @Test("Messages of an app and the owner enter in their order, those that come too early at last")
  func order() throws {
    let app = source.bundleIdentifier
    let types = [StoreRecords.heartRate.identifier, "HKWorkoutTypeIdentifier"]
    let all = Dictionary(uniqueKeysWithValues: types.map { ($0, Authorisation.authorised) })
    try open(.readWrite).authorise(app, share: all, read: all)
    let (theirs, own) = (workout(), workout())
    var seen = sample(1)
    seen.source = Source(name: "Watch")
    let added = sample(2)
    let (first, second) = (try #require(added.uuid), try #require(seen.uuid))
    // Each names what only the other saves, and later.
    try SampleStore.saveLocked(associate(theirs.uuid, first), path: path)
    try SampleStore.saveLocked(associate(own.uuid, second), app: app, path: path)
    var objects = NewObjects()
    objects.elements = [theirs]
    try SampleStore.saveLocked(objects, path: path)
    objects.elements = [own]
    try SampleStore.saveLocked(objects, app: app, path: path)
    try SampleStore.saveLocked([seen], path: path)
    try SampleStore.saveLocked([added], app: app, path: path)
    // The owner has permitted nothing to this one.
    var other = sample(3)
    other.source = Source(name: "Other", bundleIdentifier: "com.example.other")
    try SampleStore.saveLocked([other], app: "com.example.other", path: path)
    let saves = try merge()
    #expect(saves.merged == 6 && saves.refused == 1 && saves.unreadable == 0)
    let expected: Set = [
      Association(theirs.uuid, first, .workout), Association(own.uuid, second, .workout),
    ]
    #expect(try Set(open().associations(.workout)) == expected)
    #expect(try count() == 2)
  }

  @Test("What no app can save is refused at once, and nothing is acknowledged")
  func kindsOfApps() throws {
    let app = source.bundleIdentifier
    let other = "com.example.other"
    expect(.noBundleIdentifier) { try SampleStore.saveLocked([], app: "", path: path) }
    expect(.reservedBundleIdentifier) {
      try SampleStore.saveLocked([], app: "com.apple.Health", path: path)
    }
    expect(.notPermitted) { try SampleStore.saveLocked([sample(1)], app: other, path: path) }
    var objects = NewObjects()
    objects.elements = [workout()]
    expect(.notPermitted) { try SampleStore.saveLocked(objects, app: other, path: path) }
    var row = Correlations.Row()
    row.type = "HKCorrelationTypeIdentifierBloodPressure"
    (row.facts.source, row.facts.start, row.facts.end) = (source, 5, 5)
    let elements: [ImportBatch] = [
      .correlations(Correlations([row])), .activitySummaries(ActivitySummaries()),
    ]
    for element in elements {
      objects.elements = [workout(), NewElement(element)]
      expect(.invalidBatch(row: 1)) { try SampleStore.saveLocked(objects, app: app, path: path) }
    }
    objects.elements = []
    objects.associations = [
      Association(UUID(), UUID(), .workout), Association(UUID(), UUID(), .electrocardiogram),
    ]
    expect(.invalidBatch(row: 1)) { try SampleStore.saveLocked(objects, app: app, path: path) }
    #expect(access(journal, F_OK) != 0)
    try SampleStore.saveLocked([sample(1)], app: app, path: path)
    #expect(access(journal, F_OK) == 0)
  }

  // MARK: Files of others

  /// What makes the journal one that another may have written.
  enum Foreignness: CaseIterable {
    case writtenByOthers
    case writtenByGroup
    case secondName
    case symbolicLink
    case pipe
    case folder
    case ofAnother
  }

  /// Makes the journal one of another, or moves it aside for one; `false` where this user cannot.
  private func spoil(_ way: Foreignness) throws -> Bool {
    let kept = folder.file("kept")
    switch way {
    case .writtenByOthers: return chmod(journal, 0o666) == 0
    case .writtenByGroup:
      // The group "nogroup" of Debian.
      return geteuid() == 0 && chown(journal, geteuid(), 65_534) == 0 && chmod(journal, 0o620) == 0
    case .secondName: return link(journal, kept) == 0
    case .symbolicLink: return rename(journal, kept) == 0 && symlink(kept, journal) == 0
    case .pipe: return rename(journal, kept) == 0 && mkfifo(journal, 0o600) == 0
    case .folder: return rename(journal, kept) == 0 && mkdir(journal, 0o700) == 0
    case .ofAnother:
      // The user "nobody" of Debian.
      return geteuid() == 0 && chown(journal, 65_534, 65_534) == 0
    }
  }

  private func mend(_ way: Foreignness) {
    switch way {
    case .writtenByOthers: chmod(journal, 0o644)
    case .writtenByGroup:
      chmod(journal, 0o640)
      chown(journal, geteuid(), getegid())
    case .secondName: unlink(folder.file("kept"))
    case .ofAnother: chown(journal, geteuid(), getegid())
    case .symbolicLink, .pipe, .folder:
      remove(journal)
      rename(folder.file("kept"), journal)
    }
  }

  @Test(
    "A journal that another may have written is left and named, and takes nothing",
    arguments: Foreignness.allCases)
  func foreign(way: Foreignness) throws {
    try SampleStore.saveLocked([sample(1)], path: path)
    let bytes = try folder.bytes("store.sqlite-saved")
    guard try spoil(way) else {
      #expect(way == .ofAnother || way == .writtenByGroup)
      return
    }
    let kind = UnfinishedFile.kind(of: journal)
    let saves = try merge()
    #expect(saves.left == journal && saves.merged == 0 && saves.postponed == nil)
    #expect(try open().verification().waitingSaves.left == journal)
    do throws(StoreError) {
      try SampleStore.saveLocked([sample(2)], path: path)
      Issue.record("a save goes into another's file")
    } catch {
      #expect(error.reason == .foreignSaves && error.path == journal)
    }
    expect(.foreignSaves) { try SampleStore.decrypt(path: path, key: key) }
    #expect(try SampleStore.protection(path: path) == .locked)
    if let saves = try unlock() {
      #expect(saves.left == journal && saves.merged == 0)
      #expect(try SampleStore.protection(path: path) == .unlocked)
      try SampleStore.lock(path: path)
    }
    #expect(UnfinishedFile.kind(of: journal) == kind)
    #expect(try count() == 0)
    // Its owner has looked at it.
    mend(way)
    #expect(try folder.bytes("store.sqlite-saved") == bytes)
    try SampleStore.saveLocked([sample(2)], path: path)
    #expect(try open().verification().waitingSaves.count == 2)
    #expect(try merge().merged == 2)
    #expect(try count() == 2)
    #expect(try folder.names == ["key", "store.sqlite"])
  }

  @Test("What root saves belongs to the owner of the store, whose file root reads")
  func root() throws {
    guard geteuid() == 0 else { return }
    func owner(_ path: String) -> [UInt32] {
      var facts = stat()
      return stat(path, &facts) == 0 ? [facts.st_uid, facts.st_gid] : []
    }
    // The user "nobody" of Debian.
    try #require(chown(path, 65_534, 65_534) == 0)
    try SampleStore.saveLocked([sample(1)], path: path)
    #expect(owner(journal) == [65_534, 65_534])
    let bytes = try folder.bytes("store.sqlite-saved")
    try putBack(bytes + bytes.prefix(40))
    #expect(owner(journal) == [65_534, 65_534])
    let saves = try merge()
    #expect(saves.merged == 1 && saves.unreadable == 1 && saves.left == nil)
    #expect(owner(aside) == [65_534, 65_534])
  }

  @Test("An empty file of another holds up no decryption, but takes no save")
  func emptyForeign() throws {
    try putBack(Data())
    chmod(journal, 0o666)
    expect(.foreignSaves) { try SampleStore.saveLocked([sample(1)], path: path) }
    #expect(try SampleStore.decrypt(path: path, key: key).left == nil)
    #expect(try SampleStore.protection(path: path) == .clear)
    #expect(access(journal, F_OK) == 0)
  }

  @Test("A pipe in the place of what is put aside holds nothing up, and nothing is lost")
  func foreignAside() throws {
    try SampleStore.saveLocked([sample(1)], path: path)
    let bytes = try folder.bytes("store.sqlite-saved")
    try putBack(bytes + bytes.prefix(40))
    try #require(mkfifo(aside, 0o600) == 0)
    expect(.foreignSaves) { _ = try merge() }
    if let saves = try unlock() {
      #expect(saves.postponed?.reason == .foreignSaves && saves.postponed?.path == aside)
      // It is in the store already.
      #expect(saves.merged == 1)
      try SampleStore.lock(path: path)
    }
    #expect(try folder.bytes("store.sqlite-saved") == bytes + bytes.prefix(40))
    unlink(aside)
    let saves = try merge()
    #expect(saves.merged == 1 && saves.unreadable == 1)
    #expect(try folder.bytes("store.sqlite-saved-unreadable") == bytes.prefix(40))
    #expect(try count() == 1)
  }

  // MARK: Which file

  @Test("Saves through a link and through its target wait in one file, and both enter")
  func links() throws {
    let link = folder.file("link")
    try #require(symlink("store.sqlite", link) == 0)
    try SampleStore.saveLocked([sample(1)], path: link)
    #expect(try folder.names == ["key", "link", "store.sqlite", "store.sqlite-saved"])
    #expect(try open().verification().waitingSaves.count == 1)
    #expect(
      try SampleStore(path: link, mode: .readOnly, key: key).verification().waitingSaves.count == 1)
    #expect(try merge().merged == 1)
    try SampleStore.saveLocked([sample(2)], path: path)
    #expect(try SampleStore.decrypt(path: link, key: key).merged == 1)
    #expect(UnfinishedFile.kind(of: link) == S_IFLNK)
    let store = try SampleStore(path: path, mode: .readOnly)
    #expect(try store.samples(of: StoreRecords.heartRate).count == 2)
  }

  @Test("A save that comes while the store is decrypted is not sealed to the key that goes")
  func savingWhileDecrypted() throws {
    let header = try #require(try SealedHeader(path: path))
    let privateKey = try header.privateKey(header.dataKey(key, path: path), path: path)
    let stale = LockedJournal(store: path, header: header)
    // Nothing is appended while the journal is closed, and it is not waited for without end.
    try stale.closed { held throws(StoreError) in
      #expect(held != nil && access(journal, F_OK) == 0)
      expect(.busy) { try SampleStore.saveLocked([sample(1)], path: path) }
    }
    #expect(access(journal, F_OK) != 0)
    try SampleStore.decrypt(path: path, key: key)
    expect(.notSealed) { try stale.append([1, 2, 3]) }
    // Encrypted anew it has another key: an old header seals to that, and takes nothing out.
    try SampleStore.encrypt(
      path: path, passphrase: Self.passphrase, keyFile: folder.file("key"))
    try stale.append([1, 2, 3])
    let bytes = try folder.bytes("store.sqlite-saved")
    expect(.busy) {
      _ = try stale.drain(privateKey) { _ throws(StoreError) in [] }
    }
    #expect(try folder.bytes("store.sqlite-saved") == bytes)
    // It is no samples, but can be read.
    let saves = try merge()
    #expect(saves.refused == 1 && saves.unreadable == 0)
    #expect(try folder.names == ["key", "store.sqlite", "store.sqlite-saved-unreadable"])
  }

  @Test("A journal that is moved away while it is drained stays, and so does the new one")
  func movedAway() throws {
    try SampleStore.saveLocked([sample(1)], path: path)
    let header = try #require(try SealedHeader(path: path))
    let privateKey = try header.privateKey(header.dataKey(key, path: path), path: path)
    let bytes = try folder.bytes("store.sqlite-saved")
    let kept = folder.file("kept")
    expect(.busy) {
      _ = try LockedJournal(store: path, header: header).drain(privateKey) {
        _ throws(StoreError) in
        rename(journal, kept)
        // Another process saves.
        try SampleStore.saveLocked([sample(2)], path: path)
        return []
      }
    }
    #expect(try folder.bytes("kept") == bytes)
    #expect(try merge().merged == 1)
    try putBack(bytes)
    #expect(try merge().merged == 1)
    #expect(try count() == 2)
  }

  // MARK: Damage and size

  @Test("A long message that is damaged or torn keeps no later one out", arguments: [false, true])
  func longDamage(isTorn: Bool) throws {
    let header = try #require(try SealedHeader(path: path))
    try LockedJournal(store: path, header: header).append(
      [UInt8](repeating: 7, count: 3 << 20))
    var damaged = try folder.bytes("store.sqlite-saved")
    if isTorn {
      damaged.removeLast(1_000)
    } else {
      damaged[damaged.count / 2] ^= 1
    }
    try putBack(damaged)
    for start in 0..<20 { try SampleStore.saveLocked([sample(Double(start))], path: path) }
    let bytes = try folder.bytes("store.sqlite-saved")
    let saves = try merge()
    #expect(saves.merged == 20 && saves.unreadable == 1 && saves.refused == 0)
    #expect(try folder.bytes("store.sqlite-saved-unreadable") == damaged)
    #expect(try count() == 20)
    // Damage of the last one, too.
    unlink(aside)
    var twice = bytes
    twice[twice.count - 1] ^= 1
    try putBack(twice)
    let again = try merge()
    #expect(again.merged == 19 && again.unreadable == 2 && again.refused == 0)
  }

  @Test("A journal of a gigabyte takes no more, and a longer one is not read and stays")
  func tooLong() throws {
    try SampleStore.saveLocked([sample(1)], path: path)
    let size = try folder.bytes("store.sqlite-saved").count
    // A file system may have no file of this size.
    guard truncate(journal, 1 << 30) == 0 else { return }
    do throws(StoreError) {
      try SampleStore.saveLocked([sample(2)], path: path)
      Issue.record("a journal grows without bound")
    } catch {
      #expect(error.reason == .inputOutput && error.code == EFBIG)
    }
    try #require(truncate(journal, 1 << 30 + 1) == 0)
    expect(.inputOutput) { _ = try merge() }
    expect(.inputOutput) { try SampleStore.decrypt(path: path, key: key) }
    if let saves = try unlock() {
      #expect(saves.postponed?.code == EFBIG)
      try SampleStore.lock(path: path)
    }
    try #require(truncate(journal, off_t(size)) == 0)
    #expect(try merge().merged == 1)
  }

  // MARK: What is checked

  @Test("What a store refuses is refused while it is locked, for the same sample")
  func sameChecks() throws {
    let own = SampleType(
      identifier: "com.example.type",
      kind: .quantity(canonicalUnit: try UnitExpression("kg"), style: .discreteArithmetic))
    func other(_ label: String) -> NewSample {
      var sample = sample(5, label: label)
      sample.type = own
      return sample
    }
    var backwards = sample(6)
    backwards.end = 3
    var endless = sample(7)
    endless.value = .infinity
    var created = sample(8)
    created.created = .nan
    let lists: [[NewSample]] = [
      [sample(1)], [sample(1), sample(2, label: "kg")], [sample(1, label: "count/s")],
      [sample(1, label: "kg"), sample(2), sample(3, label: "mmol/L")], [backwards],
      [sample(1), backwards, sample(2, label: "kg")], [sample(1, label: "kg"), endless], [created],
      [sample(1, label: "no unit")], [other("kg")], [other("g"), other("count")], [],
    ]
    for (number, list) in lists.enumerated() {
      func reason(_ body: () throws -> Void) -> StoreError.Reason? {
        do {
          try body()
          return nil
        } catch {
          return (error as? StoreError)?.reason ?? .inputOutput
        }
      }
      let expected = reason { try SampleStore.temporary().save(list) }
      let found = reason { try SampleStore.saveLocked(list, path: path) }
      #expect(found == expected, "list \(number)")
      // Nothing is saved, or it enters the store.
      #expect((access(journal, F_OK) == 0) == (expected == nil), "list \(number)")
      let saves = try merge()
      #expect(saves.refused == 0 && saves.merged == (expected == nil ? 1 : 0), "list \(number)")
    }
    var objects = NewObjects()
    objects.elements = [workout(), NewElement(.workouts(Workouts([])))]
    expect(.invalidBatch(row: 1)) { try SampleStore.temporary().save(objects) }
    expect(.invalidBatch(row: 1)) { try SampleStore.saveLocked(objects, path: path) }
    objects.elements.removeLast()
    try SampleStore.saveLocked(objects, path: path)
    #expect(try merge().refused == 0)
  }

  // MARK: Unlocking

  @Test("Saves that cannot enter now wait and are told, and the store is unlocked all the same")
  func postponed() throws {
    try SampleStore.saveLocked([sample(1)], path: path)
    let bytes = try folder.bytes("store.sqlite-saved")
    do {
      let store = try open(.readWrite)
      let session = try store.beginImport()
      var records = StoreRecords(seed: 3)
      try session.add(
        records.batch(StoreRecords.steps, source, count: 5, label: "count", from: 700_000_000))
      expect(.busy) { try SampleStore.decrypt(path: path, key: key) }
      guard let saves = try unlock() else { return }
      #expect(saves.postponed?.reason == .busy && saves.merged == 0 && saves.left == nil)
      #expect(try SampleStore.protection(path: path) == .unlocked)
      #expect(try folder.bytes("store.sqlite-saved") == bytes)
      _ = try session.finish()
    }
    let saves = try #require(try unlock())
    #expect(saves.postponed == nil && saves.merged == 1)
    #expect(try count() == 1 && access(journal, F_OK) != 0)
    try SampleStore.lock(path: path)
  }

  @Test("A wrong key unlocks nothing and moves no save")
  func wrongKey() throws {
    try SampleStore.saveLocked([sample(1)], path: path)
    let bytes = try folder.bytes("store.sqlite-saved")
    expect(.wrongKey) { try SampleStore.unlock(path: path, key: .passphrase("another")) }
    #expect(try SampleStore.protection(path: path) == .locked)
    #expect(try folder.bytes("store.sqlite-saved") == bytes)
    // Damage of the header, too.
    let store = try folder.bytes()
    var changed = store
    changed[130] ^= 1
    try changed.write(to: URL(fileURLWithPath: path))
    expect(.damaged) { try SampleStore.unlock(path: path, key: key) }
    // A private key that was exchanged by somebody without the key of the store.
    changed = store
    changed[250] ^= 1
    let sum = Checksum.of(Array(changed[..<4_088])[...])
    for index in 0..<8 { changed[4_088 + index] = UInt8(truncatingIfNeeded: sum >> (8 * index)) }
    try changed.write(to: URL(fileURLWithPath: path))
    expect(.damaged) { try SampleStore.unlock(path: path, key: key) }
    #expect(try SampleStore.protection(path: path) == .locked)
    try store.write(to: URL(fileURLWithPath: path))
    #expect(try SampleStore.protection(path: path) == .locked)
    #expect(try folder.bytes("store.sqlite-saved") == bytes && count() == 0)
  }

  // MARK: Verifying

  @Test("What waits is counted without a key, and is no damage")
  func waiting() throws {
    func found() throws -> StoreVerification.WaitingSaves {
      let verification = try open().verification()
      #expect(verification.isWhole)
      return verification.waitingSaves
    }
    #expect(try found() == StoreVerification.WaitingSaves())
    for start in 0..<3 { try SampleStore.saveLocked([sample(Double(start))], path: path) }
    #expect(try found().count == 3 && found().unreadableBytes == 0)
    let bytes = try folder.bytes("store.sqlite-saved")
    // A torn message, and bytes that are none.
    for tail in [bytes.prefix(40), Data(repeating: 0, count: 9), Data(repeating: 255, count: 99)] {
      try putBack(bytes + tail)
      #expect(try found().count == 3 && found().unreadableBytes == tail.count)
    }
    // More than fits into memory takes no time.
    let size = 1 << 36
    try putBack(bytes)
    if truncate(journal, size) == 0 {
      #expect(try found().count == 3 && found().unreadableBytes == size - bytes.count)
    }
    // A process that has the journal open holds nothing up.
    try putBack(bytes)
    let descriptor = Foundation.open(journal, O_RDWR | O_CLOEXEC)
    try #require(descriptor >= 0)
    try #require(flock(descriptor, LOCK_EX) == 0)
    #expect(try found().count == 3)
    close(descriptor)
    #expect(try found().aside == nil)
    try putBack(bytes + bytes.prefix(40))
    #expect(try merge().merged == 3)
    let after = try found()
    #expect(after.count == 0 && after.unreadableBytes == 0 && after.aside == aside)
    // Beside a store in the clear nothing waits.
    try putBack(bytes)
    try SampleStore.decrypt(path: path, key: key)
    try putBack(bytes)
    let clear = try SampleStore(path: path, mode: .readOnly).verification()
    #expect(clear.isWhole && clear.waitingSaves == StoreVerification.WaitingSaves())
  }
}
