import Foundation
import HealthQuery
import HealthSamples
import HealthStore
import Synchronization
import Testing
import _HealthTestSupport

@testable import HealthKit

/// Samples of every class: saved, read, deleted, and followed by queries.
@Suite struct StoreObjectTests {
  @Test(
    "Objects of every class come back as they were saved", arguments: 1...4 as ClosedRange<UInt64>)
  func roundTrip(seed: UInt64) async throws {
    var random = RandomObjects(seed: seed)
    let file = try HealthFile()
    let store = try await file.allowedStore("com.example.diary", RandomObjects.permitted)
    let objects = (0..<40).map { _ in random.object() }
    try await store.save(objects)
    let found = try await store.samples(RandomObjects.types)
    #expect(found.map(\.words).sorted() == objects.map(\.words).sorted())
    for sample in found {
      #expect(sample.sourceRevision.source.bundleIdentifier == "com.example.diary")
    }
    try file.verify()
  }

  @Test("Queries of several types give what a scan gives", arguments: 1...3 as ClosedRange<UInt64>)
  func scan(seed: UInt64) async throws {
    var random = RandomObjects(seed: seed &+ 100)
    let file = try HealthFile()
    for app in ["com.example.a", "com.example.b"] {
      let store = try await file.allowedStore(app, RandomObjects.permitted)
      try await store.save((0..<40).map { _ in random.object() })
    }
    let store = file.store("com.example.a")
    let everything = try await store.samples(RandomObjects.types)
    var hits = 0
    for _ in 0..<60 {
      let types = RandomObjects.types.filter { _ in random.number(0..<4) == 0 }
      guard !types.isEmpty else { continue }
      let from = Double(random.number(-2..<22))
      let one = everything[random.number(0..<everything.count)]
      let predicates = [
        HKQuery.predicateForSamples(
          withStart: Trial.date(from), end: Trial.date(from + 4),
          options: [[], .strictStartDate, .strictEndDate][random.number(0..<3)]),
        HKQuery.predicateForObjects(with: [one.uuid, UUID()]),
        HKQuery.predicateForObjects(from: one.sourceRevision.source),
        HKQuery.predicateForObjects(withMetadataKey: "a", allowedValues: [1]),
        HKQuery.predicateForWorkouts(with: .running),
      ]
      let first = predicates[random.number(0..<5)]
      let second = predicates[random.number(0..<5)]
      let predicate = [
        first, NSCompoundPredicate(andPredicateWithSubpredicates: [first, second]),
        NSCompoundPredicate(orPredicateWithSubpredicates: [first, second]),
        NSCompoundPredicate(notPredicateWithSubpredicate: first),
      ][random.number(0..<4)]
      let expected = try everything.filter {
        try types.contains($0.sampleType) && predicate.matches($0)
      }
      let limit = random.truth() ? nil : random.number(1..<6)
      let order: SortOrder = random.truth() ? .forward : .reverse
      let isByEnd = random.truth()
      func key(_ sample: HKSample) -> Date { isByEnd ? sample.endDate : sample.startDate }
      let found = try await store.samples(
        types, predicate, limit: limit,
        sort: [
          isByEnd
            ? SortDescriptor(\.endDate, order: order) : SortDescriptor(\.startDate, order: order)
        ])
      #expect(found.count == min(limit ?? .max, expected.count))
      #expect(Set(found).isSubset(of: expected) && Set(found).count == found.count)
      func isBefore(_ left: HKSample, _ right: HKSample) -> Bool {
        order == .forward ? key(left) < key(right) : key(left) > key(right)
      }
      #expect(!zip(found, found.dropFirst()).contains { isBefore($1, $0) })
      if let last = found.last {
        #expect(!expected.contains { !found.contains($0) && isBefore($0, last) })
      }
      if !expected.isEmpty { hits += 1 }
    }
    #expect(hits > 15)
  }

  @Test("A period whose bounds are not numbers gives what a scan gives")
  func notANumber() async throws {
    var random = RandomObjects(seed: 7)
    let file = try HealthFile()
    let store = try await file.allowedStore("com.example.diary", RandomObjects.permitted)
    try await store.save((0..<20).map { _ in random.object() })
    let everything = try await store.samples(RandomObjects.types)
    let never = Trial.date(.nan)
    for (start, end) in [(never, nil), (nil, never), (never, never)] as [(Date?, Date?)] {
      for options in [[], .strictStartDate, .strictEndDate] as [HKQueryOptions] {
        let predicate = HKQuery.predicateForSamples(withStart: start, end: end, options: options)
        let found = try await store.samples(RandomObjects.types, predicate)
        #expect(
          Set(found.map(\.uuid))
            == Set(everything.filter { predicate.evaluate(with: $0) }.map(\.uuid)))
      }
    }
  }

  @Test("Saving is all or nothing for every class", arguments: [0, 1, 2])
  func allOrNone(place: Int) async throws {
    var random = RandomObjects(seed: 7)
    let file = try HealthFile()
    let store = try await file.allowedStore("com.example.diary", RandomObjects.permitted)
    let known = random.workout()
    try await store.save(known)
    let before = try SampleStore(path: file.path, mode: .readOnly).anchor()
    var objects: [HKSample] = [random.workout(), random.bloodPressure()]
    objects.insert(known, at: place)
    #expect(await healthError { try await store.save(objects) } == .errorInvalidArgument)
    #expect(try await store.samples(RandomObjects.types) == [known])
    #expect(try SampleStore(path: file.path, mode: .readOnly).anchor() == before)
    // A type without permission refuses the others with it.
    let other = try await file.allowedStore("com.example.b", [HKObjectType.workoutType()])
    #expect(
      await healthError { try await other.save([random.workout(), random.stateOfMind()]) }
        == .errorAuthorizationNotDetermined)
    #expect(try await other.samples([HKObjectType.workoutType()]) == [known])
  }

  @Test("The samples of a correlation are saved with it, and have identities of their own")
  func members() async throws {
    var random = RandomObjects(seed: 3)
    let file = try HealthFile()
    let store = try await file.allowedStore("com.example.diary", RandomObjects.permitted)
    let pressure = random.bloodPressure()
    try await store.save(pressure)
    let systolic = try #require(
      pressure.objects(for: HKQuantityType(.bloodPressureSystolic)).first)
    #expect(try await store.samples([systolic.sampleType]) == [systolic])
    let found = try #require(
      try await store.samples([HKCorrelationType(.bloodPressure)]).first as? HKCorrelation)
    #expect(found.objects == pressure.objects)
    // Deleting a sample removes it from its correlation, which is kept.
    try await store.delete(systolic)
    let rest = try #require(
      try await store.samples([HKCorrelationType(.bloodPressure)]).first as? HKCorrelation)
    #expect(rest.objects == pressure.objects.subtracting([systolic]))
    // Deleting a correlation keeps its samples.
    try await store.delete(rest)
    #expect(try await store.samples([HKCorrelationType(.bloodPressure)]).isEmpty)
    #expect(try await store.samples([HKQuantityType(.bloodPressureDiastolic)]).count == 1)
  }

  @Test("A sample that is saved already can become part of a correlation")
  func savedMembers() async throws {
    var random = RandomObjects(seed: 4)
    let file = try HealthFile()
    let store = try await file.allowedStore("com.example.diary", RandomObjects.permitted)
    let pressure = random.bloodPressure()
    let systolic = try #require(
      pressure.objects(for: HKQuantityType(.bloodPressureSystolic)).first)
    try await store.save(systolic)
    try await store.save(pressure)
    let found = try await store.samples([HKCorrelationType(.bloodPressure)])
    #expect((found.first as? HKCorrelation)?.objects == pressure.objects)
    #expect(try await store.samples([systolic.sampleType]) == [systolic])
  }

  @Test("Without permission to read, an app finds its own objects only")
  func deniedRead() async throws {
    var random = RandomObjects(seed: 11)
    let file = try HealthFile()
    let writer = try await file.allowedStore("com.example.a", RandomObjects.permitted)
    let theirs = (0..<40).map { _ in random.object() }
    try await writer.save(theirs)
    let reader = file.store("com.example.b") {
      AuthorisationAnswer(share: $0.share, read: [])
    }
    try await reader.requestAuthorization(
      toShare: RandomObjects.permitted,
      read: RandomObjects.permitted.filter { !($0 is HKPrescriptionType) })
    #expect(try await reader.samples(RandomObjects.types).isEmpty)
    let own = (0..<20).map { _ in random.object() }
    try await reader.save(own)
    let found = try await reader.samples(RandomObjects.types)
    #expect(found.map(\.words).sorted() == own.map(\.words).sorted())
  }

  @Test("An app deletes its own objects only")
  func deletion() async throws {
    var random = RandomObjects(seed: 12)
    let file = try HealthFile()
    let writer = try await file.allowedStore("com.example.a", RandomObjects.permitted)
    let theirs: [HKSample] = [
      random.workout(), random.bloodPressure(), random.stateOfMind(), random.audiogram(),
    ]
    try await writer.save(theirs)
    let other = try await file.allowedStore("com.example.b", RandomObjects.permitted)
    for sample in theirs {
      #expect(await healthError { try await other.delete(sample) } == .errorInvalidArgument)
      #expect(
        await healthError { try await other.delete([sample, random.workout()]) }
          == .errorInvalidArgument)
    }
    #expect(
      try await other.deleteObjects(of: .workoutType(), predicate: NSPredicate(value: true)) == 0)
    #expect(try await writer.samples(RandomObjects.types).count == theirs.count)
    #expect(
      try await writer.deleteObjects(of: .workoutType(), predicate: NSPredicate(value: true)) == 1)
    try await writer.delete(Array(theirs.dropFirst()))
    #expect(try await writer.samples(RandomObjects.types).isEmpty)
    try file.verify()
  }

  @Test("Anchored queries list additions and deletions, in pages of any limit")
  func anchors() async throws {
    var random = RandomObjects(seed: 21)
    let file = try HealthFile()
    let store = try await file.allowedStore("com.example.a", RandomObjects.permitted)
    let objects = (0..<30).map { _ in random.object() }
    try await store.save(Array(objects.prefix(15)))
    func changes(
      _ anchor: HKQueryAnchor?, limit: Int? = nil
    ) async throws -> HKAnchoredObjectQueryDescriptor<HKSample>.Result {
      try await HKAnchoredObjectQueryDescriptor(
        predicates: RandomObjects.types.map { .sample(type: $0) }, anchor: anchor, limit: limit
      ).result(for: store)
    }
    let first = try await changes(nil)
    #expect(Set(first.addedSamples) == Set(objects.prefix(15)))
    try await store.delete([objects[0], objects[3]])
    try await store.save(Array(objects.dropFirst(15)))
    try await store.delete(objects[20])
    let second = try await changes(first.newAnchor)
    var rest = Set(objects.dropFirst(15))
    rest.remove(objects[20])
    #expect(Set(second.addedSamples) == rest)
    #expect(
      Set(second.deletedObjects.map(\.uuid)) == Set([0, 3, 20].map { objects[$0].uuid }))
    var (added, deleted): ([HKSample], [UUID]) = ([], [])
    var anchor = first.newAnchor
    while true {
      let page = try await changes(anchor, limit: 3)
      let count = page.addedSamples.count + page.deletedObjects.count
      #expect(count <= 3)
      if count == 0 { break }
      added += page.addedSamples
      deleted += page.deletedObjects.map(\.uuid)
      anchor = page.newAnchor
    }
    #expect(added == second.addedSamples)
    #expect(deleted == second.deletedObjects.map(\.uuid))
    #expect(anchor == second.newAnchor)
  }

  @Test("Anchored and observer queries of workouts are called after changes")
  func updates() async throws {
    var random = RandomObjects(seed: 22)
    let file = try HealthFile()
    let store = try await file.allowedStore("com.example.a", RandomObjects.permitted)
    let other = try await file.allowedStore("com.example.b", RandomObjects.permitted)
    let (calls, continuation) = AsyncStream.makeStream(of: Bool.self)
    let observer = HKObserverQuery(sampleType: .workoutType(), predicate: nil) { _, done, error in
      continuation.yield(error == nil)
      done()
    }
    store.execute(observer)
    var seen = calls.makeAsyncIterator()
    #expect(await seen.next() == true)
    let results = HKAnchoredObjectQueryDescriptor(predicates: [.workout()], anchor: nil)
      .results(for: store)
    var iterator = results.makeAsyncIterator()
    #expect(try await iterator.next()?.addedSamples.isEmpty == true)
    let workout = random.workout()
    try await other.save(workout)
    #expect(try await iterator.next()?.addedSamples == [workout])
    #expect(await seen.next() == true)
    try await other.delete(workout)
    #expect(try await iterator.next()?.deletedObjects.map(\.uuid) == [workout.uuid])
    #expect(await seen.next() == true)
    store.stop(observer)
  }

  @Test("The sources of workouts are those of the apps that saved them")
  func sources() async throws {
    var random = RandomObjects(seed: 23)
    let file = try HealthFile()
    for app in ["com.example.a", "com.example.b"] {
      let store = try await file.allowedStore(app, RandomObjects.permitted)
      try await store.save([random.workout(), random.stateOfMind()])
    }
    let found = try await HKSourceQueryDescriptor(predicate: .workout())
      .result(for: file.store("com.example.a"))
    #expect(found.map(\.bundleIdentifier) == ["com.example.a", "com.example.b"])
  }

  @Test("An import keeps the objects that apps saved, also one that replaces earlier imports")
  func imports() async throws {
    var random = RandomObjects(seed: 24)
    let file = try HealthFile()
    let store = try await file.allowedStore("com.example.a", RandomObjects.permitted)
    let objects: [HKSample] = [random.workout(), random.prescription(), random.bloodPressure()]
    try await store.save(objects)
    let before = try await store.samples(RandomObjects.types).map(\.words).sorted()
    let owner = try SampleStore(path: file.path, mode: .readWrite)
    for isReplacing in [false, true] {
      var elements = RandomElements(seed: 5)
      let session = try owner.beginImport()
      for batch in elements.batches() { try session.add(batch) }
      try session.add(.workouts(owner.workouts()))
      _ = try session.finish(replacing: isReplacing, exported: 1000)
      let own = HKQuery.predicateForObjects(from: [
        HKSource(Source(name: "a", bundleIdentifier: "com.example.a"))
      ])
      let after = try await store.samples(RandomObjects.types, own)
      #expect(after.map(\.words).sorted() == before)
    }
    try owner.verify()
  }

  // MARK: Workouts

  @Test("Samples that are added to a saved workout are saved, and found by its predicate")
  func additions() async throws {
    var random = RandomObjects(seed: 31)
    let file = try HealthFile()
    let store = try await file.allowedStore("com.example.a", RandomObjects.permitted)
    let (workout, other) = (random.workout(), random.workout())
    let saved = Trial.steps(1, from: 3)
    try await store.save([workout, other, saved])
    let samples: [HKSample] = [saved, Trial.steps(2, from: 4), random.sleep()]
    try await store.addSamples(samples, to: workout)
    try await store.addSamples([Trial.steps(9, from: 9)], to: other)
    let types: Set<HKSampleType> = [HKQuantityType(.stepCount), HKCategoryType(.sleepAnalysis)]
    let predicate = HKQuery.predicateForObjects(from: workout)
    #expect(try await Set(store.samples(types, predicate)) == Set(samples))
    #expect(
      try await store.samples(types, NSCompoundPredicate(notPredicateWithSubpredicate: predicate))
        .count == 1)
    #expect(
      try await store.samples(types, NSPredicate(format: "%K == nil", HKPredicateKeyPathWorkout))
        .isEmpty)
    let sum = try await HKStatisticsQueryDescriptor(
      predicate: .quantitySample(type: HKQuantityType(.stepCount), predicate: predicate),
      options: .cumulativeSum
    ).result(for: store)
    #expect(sum?.sumQuantity()?.doubleValue(for: .count()) == 3)
    // The workout itself is as it was.
    let found = try await store.samples([.workoutType()])
    #expect(Set(found.map(\.words)) == Set([workout.words, other.words]))
    // Deleting a sample removes it from the workout, and deleting a workout keeps its samples.
    try await store.delete(saved)
    #expect(try await store.samples(types, predicate).count == 2)
    try await store.delete(workout)
    #expect(try await store.samples(types, predicate).isEmpty)
    #expect(try await store.samples(types).count == 3)
    try file.verify()
  }

  @Test("An addition to a workout that fails saves no sample")
  func additionsToUnsaved() async throws {
    var random = RandomObjects(seed: 32)
    let file = try HealthFile()
    let store = try await file.allowedStore("com.example.a", RandomObjects.permitted)
    #expect(
      await healthError { try await store.addSamples([Trial.steps()], to: random.workout()) }
        == .errorInvalidArgument)
    let workout = random.workout()
    try await store.save(workout)
    #expect(
      await healthError {
        try await store.addSamples([Trial.steps(), random.workout()], to: workout)
      } == .errorInvalidArgument)
    #expect(
      await healthError {
        try await store.addSamples([Trial.steps(), Trial.mass(70)], to: workout)
      } == .errorAuthorizationNotDetermined)
    #expect(try await store.samples([HKQuantityType(.stepCount)]).isEmpty)
  }

  @Test("A predicate finds the samples that belong to no correlation")
  func withoutCorrelation() async throws {
    var random = RandomObjects(seed: 33)
    let file = try HealthFile()
    let store = try await file.allowedStore("com.example.a", RandomObjects.permitted)
    let type = HKQuantityType(.bloodPressureSystolic)
    let lone = HKQuantitySample(
      type: type, quantity: HKQuantity(unit: .millimeterOfMercury(), doubleValue: 120),
      start: Trial.date(1), end: Trial.date(1))
    let pressure = random.bloodPressure()
    try await store.save([lone, pressure])
    let none = HKQuery.predicateForObjectsWithNoCorrelation()
    #expect(try await store.samples([type], none) == [lone])
    #expect(
      try await Set(
        store.samples([type], NSCompoundPredicate(notPredicateWithSubpredicate: none)))
        == pressure.objects(for: type))
  }

  @Test("Symptoms are found by their electrocardiogram")
  func symptoms() async throws {
    var random = RandomElements(seed: 3)
    let file = try HealthFile()
    let symptom = HKCategoryType(.rapidPoundingOrFlutteringHeartbeat)
    let store = try await file.allowedStore("com.example.a", [symptom])
    try await store.requestAuthorization(
      toShare: [], read: [HKObjectType.electrocardiogramType()])
    let owner = try SampleStore(path: file.path, mode: .readWrite)
    let session = try owner.beginImport()
    var row = random.electrocardiogram()
    row.facts.start = 5
    try session.add(.electrocardiograms(Electrocardiograms([row])))
    _ = try session.finish()
    let electrocardiogram = try #require(
      try await store.samples([HKObjectType.electrocardiogramType()]).first
        as? HKElectrocardiogram)
    #expect(electrocardiogram.numberOfVoltageMeasurements == row.voltages.count)
    let samples = [5.0, 6].map {
      HKCategorySample(
        type: symptom, value: HKCategoryValueSeverity.mild.rawValue, start: Trial.date($0),
        end: Trial.date($0))
    }
    try await store.save(samples)
    var objects = NewObjects()
    objects.associations = [
      Association(electrocardiogram.uuid, samples[0].uuid, .electrocardiogram)
    ]
    try owner.save(objects)
    let predicate = HKQuery.predicateForObjectsAssociated(electrocardiogram: electrocardiogram)
    #expect(try await store.samples([symptom], predicate) == [samples[0]])
    // Apps cannot save electrocardiograms.
    #expect(
      await healthError { try await store.save(electrocardiogram) }
        == .errorAuthorizationNotDetermined)
  }

  @Test("Imported correlations have their samples, and imported workouts their routes")
  func importedRelations() async throws {
    let file = try HealthFile()
    let store = try await file.allowedStore("com.example.a", RandomObjects.permitted)
    let owner = try SampleStore(path: file.path, mode: .readWrite)
    let source = Source(name: "Cuff")
    var row = Correlations.Row()
    row.type = HKCorrelationTypeIdentifier.bloodPressure.rawValue
    (row.facts.source, row.facts.start, row.facts.end) = (source, 5, 5)
    let session = try owner.beginImport()
    let pairs: [(HKQuantityTypeIdentifier, Double)] = [
      (.bloodPressureSystolic, 120), (.bloodPressureDiastolic, 80),
    ]
    for (type, value) in pairs {
      var columns = RecordColumns(type: HKQuantityType(type).core, source: source)
      try columns.append(start: 5, end: 5, value: value, label: "mmHg")
      try columns.append(start: 7, end: 7, value: value, label: "mmHg")
      try session.add(columns)
      row.members.append(
        RecordLink(
          type: type.rawValue, source: source, start: 5, end: 5, value: value, label: "mmHg"))
    }
    try session.add(.correlations(Correlations([row])))
    var elements = RandomElements(seed: 2)
    var workout = elements.workout()
    workout.records = []
    var route = elements.route()
    (route.activity, route.workoutStart) = (workout.activity, workout.facts.start)
    route.workoutEnd = workout.facts.end
    (route.facts.start, route.facts.end) = (workout.facts.start, workout.facts.end)
    var other = route
    (other.facts.start, other.workoutStart) = (route.facts.start + 1, route.workoutStart + 1)
    other.facts.end = max(other.facts.end, other.facts.start)
    try session.add(.workouts(Workouts([workout])))
    try session.add(.routes(Routes([route, other])))
    _ = try session.finish()
    let pressures = try await store.samples([HKCorrelationType(.bloodPressure)])
    let pressure = try #require(pressures.first as? HKCorrelation)
    let type = HKQuantityType(.bloodPressureSystolic)
    let systolic = try await store.samples(
      [type],
      HKQuery.predicateForSamples(withStart: nil, end: Trial.date(6), options: []))
    #expect(pressure.objects(for: type) == Set(systolic) && systolic.count == 1)
    #expect(
      try await store.samples([type], HKQuery.predicateForObjectsWithNoCorrelation())
        .map(\.startDate) == [Trial.date(7)])
    let run = try #require(try await store.samples([.workoutType()]).first as? HKWorkout)
    let routes = try await store.samples(
      [HKSeriesType.workoutRoute()], HKQuery.predicateForObjects(from: run))
    #expect(routes.map { $0.startDate.timeIntervalSinceReferenceDate } == [route.facts.start])
  }
}
