import Foundation
import GRDB
import HealthSamples
import Testing
import _HealthTestSupport

@testable import HealthStore

@Suite("Objects that belong together")
struct AssociationTests {
  private let app = Source(name: "Diary", bundleIdentifier: "com.example.diary")

  private func sample(_ start: Double) -> NewSample {
    NewSample(
      type: StoreRecords.heartRate, source: app, start: start, end: start, value: 60 + start,
      label: "count/min", uuid: UUID())
  }

  private func workout(_ start: Double) -> NewElement {
    var row = Workouts.Row()
    row.activity = "HKWorkoutActivityTypeRunning"
    (row.facts.source, row.facts.start, row.facts.end) = (app, start, start + 60)
    return NewElement(.workouts(Workouts([row])))
  }

  /// Two workouts with samples, some of which belong to both.
  private func objects() -> NewObjects {
    var objects = NewObjects()
    objects.samples = (0..<20).map { sample(Double($0)) }
    objects.elements = [workout(0), workout(100)]
    for (index, sample) in objects.samples.enumerated() {
      for (place, owner) in objects.elements.enumerated() where index % (place + 2) == 0 {
        objects.associations.append(Association(owner.uuid, sample.uuid ?? UUID(), .workout))
      }
    }
    return objects
  }

  @Test("Elements are found among more identities than one statement can hold")
  func manyIdentities() throws {
    let folder = try TemporaryFolder()
    let store = try SampleStore(path: folder.path + "/store.sqlite", mode: .readWrite)
    let objects = objects()
    try store.save(objects)
    let others = try store.uuids(of: (0..<70_000).map { 1_000_000_000_000_000 + $0 })
    let own = objects.elements[1].uuid
    var found: [UUID] = []
    try store.forEachIdentifiedElement(of: .workout, uuids: Set(others + [own])) {
      found.append($0.uuid)
      return true
    }
    #expect(found == [own])
  }

  @Test("Random saves and deletions leave the associations whose objects are both there")
  func model() throws {
    var random = SplitMix64(seed: 8)
    let folder = try TemporaryFolder()
    let path = folder.path + "/store.sqlite"
    let store = try SampleStore(path: path, mode: .readWrite)
    let objects = objects()
    try store.save(objects)
    var expected = Set(objects.associations)
    for round in 0..<12 {
      #expect(try Set(store.associations(.workout)) == expected)
      let uuids = objects.samples.compactMap(\.uuid) + objects.elements.map(\.uuid)
      let owner = objects.elements[round % 2].uuid
      #expect(
        try Set(store.associations(.workout, of: [owner])) == expected.filter { $0.owner == owner })
      let member = uuids[Int.random(in: 0..<20, using: &random)]
      #expect(
        try Set(store.associations(.workout, ofMembers: [member]))
          == expected.filter { $0.member == member })
      if round == 6 {
        try store.delete([owner])
        expected = expected.filter { $0.owner != owner }
      } else {
        try store.delete([member])
        expected = expected.filter { $0.member != member }
      }
      if round % 4 == 3, let first = expected.first {
        #expect(try store.dissociate([first]) == 1)
        #expect(try store.dissociate([first]) == 0)
        expected.remove(first)
      }
      try store.verify()
    }
    let copy = folder.path + "/copy.sqlite"
    try store.backUp(to: copy)
    #expect(try Set(SampleStore(path: copy, mode: .readOnly).associations(.workout)) == expected)
  }

  @Test("A save that fails at any part changes nothing")
  func failing() throws {
    let store = try SampleStore.temporary()
    let known = sample(1)
    try store.save([known])
    let before = try (store.anchor(), store.lastChange())
    for change in 0..<4 {
      var objects = objects()
      switch change {
      case 0: objects.samples.append(known)
      case 1: objects.elements.append(objects.elements[0])
      case 2: objects.elements.append(NewElement(.workouts(Workouts([]))))
      default:
        objects.associations.append(Association(objects.elements[0].uuid, UUID(), .workout))
      }
      #expect(throws: StoreError.self) { try store.save(objects) }
      #expect(try store.anchor() == before.0 && store.lastChange() == before.1)
      #expect(try store.workouts().rows.isEmpty)
      #expect(try store.associations(.workout).isEmpty)
      #expect(try store.samples(of: StoreRecords.heartRate).count == 1)
      try store.verify()
    }
    try store.save(objects())
    #expect(try store.workouts().rows.count == 2)
  }

  @Test("A changed association is detected")
  func damage() throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/store.sqlite"
    let objects = objects()
    try SampleStore(path: path, mode: .readWrite).save(objects)
    try DatabaseQueue(path: path).write {
      try $0.execute(
        sql: "UPDATE associations SET member = member + 1 WHERE member = 4")
    }
    let store = try SampleStore(path: path, mode: .readOnly)
    #expect(throws: StoreError.self) { try store.associations(.workout) }
    #expect(throws: StoreError.self) {
      try store.associations(.workout, ofMembers: objects.samples.compactMap(\.uuid))
    }
  }

  @Test("Stores that are synchronised have the same saved elements and associations")
  func sync() throws {
    let stores = try (0..<2).map { _ in try SampleStore.temporary() }
    let (first, second) = (objects(), objects())
    try stores[0].save(first)
    try stores[1].save(second)
    _ = try stores[0].synchronise(with: stores[1])
    let both = Set(first.associations + second.associations)
    for store in stores {
      #expect(try Set(store.associations(.workout)) == both)
      #expect(try store.workouts().rows.count == 4)
    }
    // A deletion reaches the other store, with what belonged to it.
    let gone = first.elements[0].uuid
    #expect(try stores[0].delete([gone]) == 1)
    _ = try stores[1].synchronise(with: stores[0])
    for store in stores {
      #expect(try Set(store.associations(.workout)) == both.filter { $0.owner != gone })
      #expect(try store.workouts().rows.count == 3)
      try store.verify()
    }
  }

  @Test("An import that is undone leaves what apps saved")
  func undo() throws {
    let store = try SampleStore.temporary()
    let objects = objects()
    try store.save(objects)
    var random = RandomElements(seed: 4)
    let session = try store.beginImport()
    for batch in random.batches() { try session.add(batch) }
    _ = try session.finish(exported: 5)
    let added = try #require(try store.imports().first)
    _ = try store.undoImport(added.id)
    #expect(try store.elementCounts() == [.workout: 2])
    #expect(try Set(store.associations(.workout)) == Set(objects.associations))
    try store.verify()
  }
}
