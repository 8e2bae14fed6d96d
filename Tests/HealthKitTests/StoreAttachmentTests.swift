import Foundation
import HealthStore
import Synchronization
import Testing
import _HealthTestSupport

@testable import HealthKit

@Suite struct StoreAttachmentTests {
  private let steps = HKQuantityType(.stepCount)

  /// A file to attach.
  private func content(_ file: HealthFile, _ data: Data) throws -> URL {
    let url = URL(fileURLWithPath: file.folder.path + "/scan of \(data.count)")
    try data.write(to: url)
    return url
  }

  private func bytes(_ count: Int, seed: UInt64) -> Data {
    var random = SplitMix64(seed: seed)
    return Data((0..<count).map { _ in UInt8.random(in: 0...255, using: &random) })
  }

  @Test("Files are attached to a saved object, listed in order, read and removed")
  func attaching() async throws {
    let file = try HealthFile()
    let store = try await file.allowedStore()
    let attachments = HKAttachmentStore(healthStore: store)
    let (sample, other) = (Trial.steps(1), Trial.steps(2))
    try await store.save([sample, other])
    let contents = [bytes(200_000, seed: 1), Data(), bytes(65_536, seed: 2)]
    var added: [HKAttachment] = []
    for (number, data) in contents.enumerated() {
      added.append(
        try await attachments.addAttachment(
          to: sample, name: "scan \(number)", contentType: "public.jpeg",
          url: content(file, data), metadata: [HKMetadataKeyExternalUUID: "x\(number)"]))
    }
    // Another launch of the app.
    let later = HKAttachmentStore(healthStore: file.store())
    let found = try await later.attachments(for: sample)
    #expect(found == added && found.map(\.name) == ["scan 0", "scan 1", "scan 2"])
    #expect(found.map(\.size) == contents.map(\.count))
    #expect(found.allSatisfy { $0.contentTypeIdentifier == "public.jpeg" })
    #expect(found.allSatisfy { $0.creationDate == Trial.date(1000) })
    #expect(found[2].metadata?[HKMetadataKeyExternalUUID] as? String == "x2")
    #expect(try await later.attachments(for: other).isEmpty)

    for (attachment, data) in zip(found, contents) {
      let reader = later.dataReader(for: attachment)
      #expect(try await reader.data == data)
      #expect(reader.attachment == attachment && reader.progress.isFinished == !data.isEmpty)
      var read = Data()
      for try await byte in reader.bytes { read.append(byte) }
      #expect(read == data)
      let pieces = Mutex<(data: Data, ends: [Bool])>((Data(), []))
      await withCheckedContinuation { continuation in
        later.streamData(for: attachment) { piece, error, isLast in
          #expect(error == nil)
          pieces.withLock {
            $0.data.append(piece ?? Data())
            $0.ends.append(isLast)
          }
          if isLast { continuation.resume() }
        }
      }
      let all = pieces.withLock { $0 }
      #expect(all.data == data)
      #expect(all.ends.filter { $0 }.count == 1 && all.ends.last == true)
    }
    let owner = try SampleStore(path: file.path, mode: .readOnly)
    try owner.verify()
    let copy = file.folder.path + "/copy.sqlite"
    try owner.backUp(to: copy)
    #expect(
      try SampleStore(path: copy, mode: .readOnly).attachments(of: sample.uuid).count == 3)

    try await later.removeAttachment(found[0], from: sample)
    #expect(try await later.attachments(for: sample) == Array(found.dropFirst()))
    #expect(
      await healthError { try await later.removeAttachment(found[0], from: sample) }
        == .errorInvalidArgument)
    #expect(
      await healthError { try await later.removeAttachment(found[1], from: other) }
        == .errorInvalidArgument)
    #expect(
      await healthError { _ = try await later.dataReader(for: found[0]).data }
        == .errorInvalidArgument)
    try owner.verify()
  }

  @Test(
    "Deleting an object deletes its files, and reading them takes permission to read the object")
  func withObject() async throws {
    let file = try HealthFile()
    let store = try await file.allowedStore()
    let attachments = HKAttachmentStore(healthStore: store)
    let sample = Trial.steps(1)
    try await store.save(sample)
    let attachment = try await attachments.addAttachment(
      to: sample, name: "scan", contentType: "public.data",
      url: content(file, bytes(10, seed: 3)))

    let blind = file.store("com.example.blind") { $0.denied }
    try await blind.requestAuthorization(toShare: [steps], read: [steps])
    let unseen = HKAttachmentStore(healthStore: blind)
    #expect(try await unseen.attachments(for: sample).isEmpty)
    #expect(
      await healthError { _ = try await unseen.dataReader(for: attachment).data }
        == .errorInvalidArgument)
    let reader = HKAttachmentStore(
      healthStore: try await file.allowedStore("com.example.reader"))
    #expect(try await reader.attachments(for: sample) == [attachment])
    #expect(try await reader.dataReader(for: attachment).data == bytes(10, seed: 3))
    #expect(
      await healthError {
        _ = try await reader.addAttachment(
          to: sample, name: "b", contentType: "public.data",
          url: content(file, bytes(2, seed: 3)))
      } == .errorAuthorizationDenied)
    #expect(
      await healthError { try await reader.removeAttachment(attachment, from: sample) }
        == .errorAuthorizationDenied)

    try await store.delete(sample)
    let owner = try SampleStore(path: file.path, mode: .readWrite)
    #expect(try owner.attachments(of: sample.uuid).isEmpty)
    #expect(try owner.content(ofAttachment: attachment.identifier) == nil)
    try owner.verify()
  }

  @Test("A file that is too long or missing is refused, and an object that is not saved")
  func refused() async throws {
    let file = try HealthFile()
    let store = try await file.allowedStore()
    let attachments = HKAttachmentStore(healthStore: store)
    let sample = Trial.steps(1)
    let small = try content(file, Data([1]))
    func add(_ url: URL) async throws {
      _ = try await attachments.addAttachment(
        to: sample, name: "a", contentType: "public.data", url: url)
    }
    #expect(await healthError { try await add(small) } == .errorInvalidArgument)
    try await store.save(sample)
    let most = SampleStore.mostAttachmentBytes
    let (long, longest) = (
      try content(file, Data(count: most + 1)), try content(file, Data(count: most))
    )
    #expect(await healthError { try await add(long) } == .errorDataSizeExceeded)
    #expect(
      await healthError { try await add(URL(fileURLWithPath: "/none")) } == .errorInvalidArgument)
    // The pipe has no writer: opening it would block.
    let pipe = file.folder.path + "/pipe"
    #expect(mkfifo(pipe, 0o600) == 0)
    #expect(
      await healthError { try await add(URL(fileURLWithPath: pipe)) } == .errorInvalidArgument)
    try await add(longest)
    #expect(try await attachments.attachments(for: sample).map(\.size) == [most])
    for (availability, code) in HealthFile.unavailable {
      let closed = HKAttachmentStore(healthStore: file.store(availability: availability))
      #expect(await healthError { _ = try await closed.attachments(for: sample) } == code)
      #expect(
        await healthError {
          _ = try await closed.addAttachment(
            to: sample, name: "a", contentType: "public.data", url: small)
        } == code)
    }
  }

  @Test("A file needs none of the metadata that samples of its object's type need")
  func requiredMetadata() async throws {
    let file = try HealthFile()
    let flow = HKCategoryType(.menstrualFlow)
    let store = try await file.allowedStore("com.example.diary", [flow])
    let sample = HKCategorySample(
      type: flow, value: HKCategoryValueVaginalBleeding.light.rawValue, start: Trial.date(0),
      end: Trial.date(1), metadata: [HKMetadataKeyMenstrualCycleStart: true])
    try await store.save(sample)
    let attachments = HKAttachmentStore(healthStore: store)
    let url = try content(file, Data([1]))
    let attachment = try await attachments.addAttachment(
      to: sample, name: "a", contentType: "public.data", url: url)
    #expect(try await attachments.attachments(for: sample) == [attachment])
    #expect(
      await healthError {
        _ = try await attachments.addAttachment(
          to: sample, name: "a", contentType: "public.data", url: url,
          metadata: [HKMetadataKeyWasUserEntered: "yes"])
      } == .errorInvalidArgument)
  }

  @Test("A changed byte of an attachment is detected")
  func damage() async throws {
    let file = try HealthFile()
    let store = try await file.allowedStore()
    let sample = Trial.steps(1)
    try await store.save(sample)
    let marker = Data("the only content of this kind in the file".utf8)
    let attachment = try await HKAttachmentStore(healthStore: store).addAttachment(
      to: sample, name: "scan", contentType: "public.data", url: content(file, marker))
    let copy = file.folder.path + "/copy.sqlite"
    try SampleStore(path: file.path, mode: .readOnly).backUp(to: copy)
    var stored = try Data(contentsOf: URL(fileURLWithPath: copy))
    let place = try #require(stored.range(of: marker))
    stored[place.lowerBound + 3] ^= 1
    try stored.write(to: URL(fileURLWithPath: copy))
    let damaged = try SampleStore(path: copy, mode: .readOnly)
    #expect(throws: StoreError.self) {
      try damaged.content(ofAttachment: attachment.identifier)
    }
    #expect(try damaged.verification()[.elements].damaged == 1)
  }
}

@Suite struct StoreObjectPermissionTests {
  private let type = HKObjectType.visionPrescriptionType()

  private func prescriptions(_ file: HealthFile) async throws -> [HKSample] {
    let clinic = try await file.allowedStore("com.example.clinic", [type])
    var random = RandomObjects(seed: 5)
    let objects = (0..<5).map { _ in random.prescription() as HKSample }
    try await clinic.save(objects)
    return objects
  }

  private func found(_ store: HKHealthStore) async throws -> Set<UUID> {
    Set(try await store.samples([type]).map(\.uuid))
  }

  /// A store of an app that may read the objects that a body chooses.
  private func app(
    _ file: HealthFile, _ name: String = "com.example.glasses",
    _ choose: @escaping @Sendable (ObjectRequest) -> Set<UUID>?
  ) -> HKHealthStore {
    var host = file.host(name)
    host.choose = { choose($0) }
    return HKHealthStore(host: host)
  }

  @Test("Only the objects that the owner chose are readable, besides the app's own")
  func chosen() async throws {
    let file = try HealthFile()
    let objects = try await prescriptions(file)
    let all = Set(objects.map(\.uuid))
    let wanted = Mutex<Set<UUID>>([objects[1].uuid, objects[3].uuid, UUID()])
    let asked = Mutex<[Set<UUID>]>([])
    let store = app(file) { request in
      asked.withLock { $0.append(request.all) }
      return wanted.withLock { $0 }
    }
    #expect(await healthError { _ = try await found(store) } == .errorAuthorizationNotDetermined)
    try await store.requestPerObjectReadAuthorization(for: type, predicate: nil)
    let shown = wanted.withLock { $0 }.intersection(all)
    #expect(try await found(store) == shown)
    // The choice holds for another store object of the app, and not for another app.
    #expect(try await found(file.store("com.example.glasses")) == shown)
    let denied = app(file, "com.example.other") { _ in [] }
    try await denied.requestPerObjectReadAuthorization(for: type, predicate: nil)
    #expect(try await found(denied).isEmpty)
    // The app reads its own objects as well.
    try await store.requestAuthorization(toShare: [type], read: [])
    var random = RandomObjects(seed: 6)
    let own = random.prescription()
    try await store.save(own)
    #expect(try await found(store) == shown.union([own.uuid]))

    // Each request asks anew; a predicate restricts it, and other objects keep their choice.
    wanted.withLock { $0 = [objects[0].uuid] }
    let some = HKQuery.predicateForObjects(with: [objects[0].uuid, objects[1].uuid])
    try await store.requestPerObjectReadAuthorization(for: type, predicate: some)
    #expect(asked.withLock { $0 } == [all, [objects[0].uuid, objects[1].uuid]])
    #expect(try await found(store) == [objects[0].uuid, objects[3].uuid, own.uuid])
    try file.verify()
  }

  @Test("Anchored queries give chosen objects only, and their deletions")
  func anchors() async throws {
    let file = try HealthFile()
    let objects = try await prescriptions(file)
    let store = app(file) { _ in [objects[2].uuid] }
    try await store.requestPerObjectReadAuthorization(for: type, predicate: nil)
    let query = HKAnchoredObjectQueryDescriptor(predicates: [.sample(type: type)], anchor: nil)
    let first = try await query.result(for: store)
    #expect(first.addedSamples.map(\.uuid) == [objects[2].uuid])
    let clinic = file.store("com.example.clinic")
    try await clinic.delete([objects[0], objects[2]])
    let second = try await HKAnchoredObjectQueryDescriptor(
      predicates: [.sample(type: type)], anchor: first.newAnchor
    ).result(for: store)
    #expect(second.deletedObjects.map(\.uuid) == [objects[2].uuid])
    #expect(try await found(store).isEmpty)
  }

  @Test(
    "Requests by object fail for other types and without an answer, and prescriptions as a type trap"
  )
  func refused() async throws {
    let file = try HealthFile()
    _ = try await prescriptions(file)
    let store = app(file) { _ in nil }
    #expect(
      await healthError {
        try await store.requestPerObjectReadAuthorization(
          for: HKQuantityType(.stepCount), predicate: nil)
      } == .errorInvalidArgument)
    #expect(
      await healthError {
        try await store.requestPerObjectReadAuthorization(for: type, predicate: nil)
      } == .errorUserCanceled)
    #expect(throws: ObjectError.self) {
      try AuthorisationRequest.check(share: [], read: [HKObjectType.visionPrescriptionType()])
    }
    let trap = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      HKHealthStore().requestAuthorization(
        toShare: [], read: [HKObjectType.visionPrescriptionType()]
      ) { _, _ in }
    }
    expectWords(
      "Authorization to read the following types is disallowed: "
        + "HKVisionPrescriptionTypeIdentifier", trap)
  }

  @Test("The sheet asks for each object with its date")
  func sheet() async throws {
    let file = try HealthFile()
    let objects = try await prescriptions(file).sorted { $0.startDate < $1.startDate }
    let request = ObjectRequest(file.host(), type, objects)
    for (answers, shown) in [
      ("y\nn\ny\nn\nn\n", Set([objects[0].uuid, objects[2].uuid])), ("y\nn\n", nil),
    ] as [(String, Set<UUID>?)] {
      let (chosen, text) = try await TerminalSheet.run(answers) { await $0.choose(request) }
      #expect(chosen == shown)
      #expect(text.contains("Vision Prescription") && text.contains("1 of 5, of 2001-01-01"))
    }
    // Of medications it asks once, by their names.
    let drugs = ObjectRequest(
      file.host(), .userAnnotatedMedicationType(), [],
      medications: ["Aspirin", "Ibuprofen"].map { HealthHost.medication(named: $0) })
    for (answers, shown) in [("y\n", drugs.all), ("n\n", []), ("", nil)] as [(String, Set<UUID>?)] {
      let (chosen, text) = try await TerminalSheet.run(answers) { await $0.choose(drugs) }
      #expect(chosen == shown)
      #expect(text.contains("  Aspirin\n  Ibuprofen\n"))
    }
  }
}
