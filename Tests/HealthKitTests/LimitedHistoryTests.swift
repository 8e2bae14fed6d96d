import Foundation
import HealthSamples
import HealthStore
import Testing
import _HealthTestSupport

@testable import HealthKit

/// What an app sees of types whose history the owner limited.
@Suite struct LimitedHistoryTests {
  private let steps = HKQuantityType(.stepCount)
  private let rate = HKQuantityType(.heartRate)
  private let perMinute = HKUnit.count().unitDivided(by: .minute())
  private let app = "com.example.diary"

  private func days(_ samples: [HKSample]) -> [Double] {
    samples.map(\.startDate.timeIntervalSinceReferenceDate).sorted()
  }

  @Test("2.18: An app sees what ends at the date or later, and its own; owner and others see all")
  func boundary() async throws {
    let file = try HealthFile()
    let (store, other) = (
      try await file.allowedStore(app, [steps, rate]),
      try await file.allowedStore("com.example.band", [steps, rate])
    )
    try await other.save([
      Trial.steps(1, from: 10), Trial.steps(2, from: 20, to: 40), Trial.steps(4, from: 40, to: 50),
      Trial.steps(8, from: 50, to: 60), Trial.steps(16, from: 70),
    ])
    try await store.save(Trial.steps(32, from: 5))
    #expect(try await store.earliestAuthorizedSampleDate(for: [steps]).isEmpty)
    try file.host(app).limitHistory(of: [steps], from: Trial.date(50))
    #expect(days(try await store.samples([steps])) == [5, 40, 50, 70])
    func sum(_ store: HKHealthStore) async throws -> Double? {
      try await HKStatisticsQueryDescriptor(
        predicate: .quantitySample(type: steps), options: .cumulativeSum
      ).result(for: store)?.sumQuantity()?.doubleValue(for: .count())
    }
    #expect(try await sum(store) == 60)
    #expect(try await sum(other) == 63)
    #expect(days(try await other.samples([steps])).count == 6)
    #expect(try file.rows(.stepCount).count == 6)
    // What the app asks for does not reach before it.
    let early = HKQuery.predicateForSamples(withStart: nil, end: Trial.date(30))
    #expect(days(try await store.samples([steps], early)) == [5])
    let negated = NSCompoundPredicate(
      notPredicateWithSubpredicate: HKQuery.predicateForSamples(
        withStart: Trial.date(30), end: nil))
    #expect(days(try await store.samples([steps], negated)) == [5])
    #expect(
      try await store.earliestAuthorizedSampleDate(for: [steps, rate]) == [steps: Trial.date(50)])
    #expect(try await other.earliestAuthorizedSampleDate(for: [steps]).isEmpty)
    try file.host(app).limitHistory(of: [steps], from: Trial.date(50.5))
    #expect(days(try await store.samples([steps])) == [5, 50, 70])
    // Lifted, and limited again.
    try file.host(app).limitHistory(of: [steps], from: nil)
    #expect(try await sum(store) == 63)
    #expect(try await store.earliestAuthorizedSampleDate(for: [steps]).isEmpty)
    try file.host(app).limitHistory(of: [steps], from: Trial.date(1000))
    #expect(days(try await store.samples([steps])) == [5])
    // An app that sees nothing but its own is no source of others.
    let sources = try await HKSourceQueryDescriptor(predicate: .sample(type: steps))
      .result(for: store)
    #expect(sources.map(\.bundleIdentifier) == [app])
  }

  @Test("A block of the app does not see what is hidden")
  func blocks() async throws {
    let file = try HealthFile()
    let (store, other) = (
      try await file.allowedStore(app), try await file.allowedStore("com.example.band")
    )
    try await other.save([Trial.steps(1, from: 10), Trial.steps(2, from: 60)])
    try file.host(app).limitHistory(of: [steps], from: Trial.date(50))
    let predicate = NSPredicate { object, _ in
      #expect((object as? HKSample)?.startDate == Trial.date(60))
      return true
    }
    #expect(days(try await store.samples([steps], predicate)) == [60])
  }

  @Test("The date is left out for types that the app may read in full, or not at all")
  func dates() async throws {
    let file = try HealthFile()
    let store = file.store { request in
      AuthorisationAnswer(
        share: [], read: [HKQuantityType(.stepCount), HKQuantityType(.heartRate)],
        earliest: [
          HKQuantityType(.stepCount): Trial.date(50), HKQuantityType(.bodyMass): Trial.date(7),
        ])
    }
    let asked: Set<HKObjectType> = [
      steps, rate, HKQuantityType(.bodyMass), HKCharacteristicType(.dateOfBirth),
    ]
    #expect(try await store.earliestAuthorizedSampleDate(for: asked).isEmpty)
    try await store.requestAuthorization(toShare: [], read: asked)
    #expect(try await store.earliestAuthorizedSampleDate(for: asked) == [steps: Trial.date(50)])
    #expect(try await store.earliestAuthorizedSampleDate(for: []).isEmpty)
    // The completion form says the same.
    let dates = try await withCheckedThrowingContinuation { continuation in
      store.getEarliestAuthorizedSampleDate(for: asked) { dates, error in
        if let dates {
          continuation.resume(returning: dates)
        } else {
          continuation.resume(throwing: error ?? HKError(.unknownError))
        }
      }
    }
    #expect(dates == [steps: Trial.date(50)])
    // A correlation begins with the later of its types.
    let pressures: Set<HKSampleType> = [
      HKQuantityType(.bloodPressureSystolic), HKQuantityType(.bloodPressureDiastolic),
    ]
    let all = try await file.allowedStore("com.example.all", pressures)
    let correlation = HKCorrelationType(.bloodPressure)
    try file.host("com.example.all").limitHistory(of: [correlation], from: Trial.date(3))
    try file.host("com.example.all").limitHistory(
      of: [HKQuantityType(.bloodPressureDiastolic)], from: Trial.date(4))
    #expect(
      try await all.earliestAuthorizedSampleDate(for: [correlation]) == [correlation: Trial.date(4)]
    )
    for (availability, code) in HealthFile.unavailable {
      let none = file.store(availability: availability)
      #expect(
        await healthError { _ = try await none.earliestAuthorizedSampleDate(for: asked) } == code)
    }
  }

  @Test("Anchored queries give what the limit lets through, and what it lets through later")
  func anchors() async throws {
    let file = try HealthFile()
    let (store, other) = (
      try await file.allowedStore(app), try await file.allowedStore("com.example.band")
    )
    let (old, new) = (Trial.steps(1, from: 10), Trial.steps(2, from: 60))
    try await other.save([old, new])
    try file.host(app).limitHistory(of: [steps], from: Trial.date(50))
    func changes(
      _ anchor: HKQueryAnchor?
    ) async throws -> HKAnchoredObjectQueryDescriptor<HKSample>.Result {
      try await HKAnchoredObjectQueryDescriptor(
        predicates: [.sample(type: steps)], anchor: anchor
      ).result(for: store)
    }
    let first = try await changes(nil)
    #expect(first.addedSamples == [new] && first.deletedObjects.isEmpty)
    let late = Trial.steps(3, from: 70)
    try await other.save([Trial.steps(4, from: 20), late])
    let second = try await changes(first.newAnchor)
    #expect(second.addedSamples == [late])
    // The deletion of a sample that the app did not see is not told.
    try await other.delete([old, new])
    #expect(try await changes(second.newAnchor).deletedObjects.map(\.uuid) == [new.uuid])
    try file.host(app).limitHistory(of: [steps], from: nil)
    #expect(days(try await changes(nil).addedSamples) == [20, 70])
  }

  @Test("Workouts, correlations and the statistics of workouts are limited, too")
  func elements() async throws {
    let file = try HealthFile()
    let owner = try SampleStore(path: file.path, mode: .readWrite)
    let session = try owner.beginImport()
    func workout(_ start: Double) -> Workouts.Row {
      var row = Workouts.Row()
      row.activity = "HKWorkoutActivityTypeRunning"
      (row.facts.source, row.facts.start, row.facts.end) = (Source(name: "Watch"), start, start + 9)
      var statistics = Workouts.Statistics()
      (statistics.type, statistics.unit, statistics.average) = (rate.identifier, "count/s", 2)
      row.statistics = [statistics]
      return row
    }
    try session.add(.workouts(Workouts([workout(10), workout(45), workout(80)])))
    _ = try session.finish()
    let types: Set<HKSampleType> = [.workoutType(), rate]
    let store = try await file.allowedStore(app, types)
    func seen() async throws -> [[Double: Bool]] {
      try await store.samples([.workoutType()]).compactMap { $0 as? HKWorkout }.map {
        [$0.startDate.timeIntervalSinceReferenceDate: $0.statistics(for: rate) != nil]
      }
    }
    #expect(try await seen() == [[10: true], [45: true], [80: true]])
    try file.host(app).limitHistory(of: [rate], from: Trial.date(60))
    #expect(try await seen() == [[10: false], [45: false], [80: true]])
    try file.host(app).limitHistory(of: [.workoutType()], from: Trial.date(50))
    #expect(try await seen() == [[45: false], [80: true]])
    try file.host(app).limitHistory(of: types, from: nil)
    #expect(try await seen().count == 3)
  }

  @Test("A date that is not finite is refused, and nothing of an answer with one is kept")
  func infiniteDates() async throws {
    let file = try HealthFile()
    let owner = try SampleStore(path: file.path, mode: .readWrite)
    for second in [Double.nan, .infinity, -.infinity] {
      let date = Trial.date(second)
      #expect {
        try owner.limitHistory(of: app, types: [steps.identifier], from: date)
      } throws: {
        ($0 as? StoreError)?.reason == .invalidLimit
      }
      #expect(
        await healthError { try file.host(app).limitHistory(of: [steps], from: date) }
          == .errorInvalidArgument)
      let store = file.store(app) { request in
        AuthorisationAnswer(
          share: [], read: request.read,
          earliest: [HKQuantityType(.stepCount): Trial.date(5), HKQuantityType(.heartRate): date])
      }
      #expect(
        await healthError {
          try await store.requestAuthorization(toShare: [], read: [steps, rate])
        }
          == .errorInvalidArgument)
      #expect(try owner.historyLimits(of: app).isEmpty && owner.authorisations().isEmpty)
    }
  }

  @Test("A view that does not leave out rows itself shows none of a limited type")
  func otherViews() async throws {
    let file = try HealthFile()
    let (store, other) = (
      try await file.allowedStore(app), try await file.allowedStore("com.example.band")
    )
    try await other.save([Trial.steps(1, from: 10), Trial.steps(2, from: 60)])
    try await store.save(Trial.steps(4, from: 5))
    let owner = try SampleStore(path: file.path, mode: .readWrite)
    let view = try owner.reading(as: app)
    func count() throws -> Int { try view.types().reduce(0) { $0 + $1.count } }
    #expect(try count() == 3)
    try owner.limitHistory(of: app, types: [steps.identifier], from: Trial.date(50))
    #expect(try count() == 1 && owner.historyLimits(of: app) == [steps.identifier: Trial.date(50)])
    // A bundle identifier that begins like the app's is another app.
    #expect(try owner.historyLimits(of: app + "2").isEmpty)
    #expect(throws: StoreError.self) {
      try view.limitHistory(of: app, types: [steps.identifier], from: nil)
    }
    #expect(throws: StoreError.self) { try view.historyLimits(of: app) }
    try owner.limitHistory(of: app, types: [steps.identifier], from: nil)
    #expect(try count() == 3)
    try owner.verify()
  }
}

/// A store with everything, of which an app is shown what ends at a date or later, and its twin that
/// never held the rest: the app is told the same of both, whatever happens to both.
private struct LimitedTwins {
  static let app = "com.example.diary"
  static let other = "com.example.band"
  static let parts: [HKCorrelationType: [HKQuantityType]] = [
    HKCorrelationType(.bloodPressure): [
      HKQuantityType(.bloodPressureSystolic), HKQuantityType(.bloodPressureDiastolic),
    ],
    HKCorrelationType(.food): [
      HKQuantityType(.dietaryProtein), HKQuantityType(.dietaryWater),
    ],
  ]
  /// When what the app sees begins; water is not limited.
  static let limits: [HKSampleType: Double] = [
    HKQuantityType(.stepCount): 50, HKCategoryType(.sleepAnalysis): 45,
    HKObjectType.workoutType(): 55, HKQuantityType(.bloodPressureSystolic): 48,
    HKQuantityType(.bloodPressureDiastolic): 53, HKQuantityType(.dietaryProtein): 50,
  ]
  static let types: [HKSampleType] =
    Array(limits.keys) + Array(parts.keys) + [HKQuantityType(.dietaryWater)]

  /// What the app is told.
  struct Told: Equatable {
    var samples: Set<UUID> = []
    var sources: Set<String> = []
    var sum: Double?
    var added: Set<UUID> = []
    /// The UUID and the names of what was deleted.
    var deleted: Set<[String]> = []
    /// Names and bytes of the files of objects, also of those that it does not see.
    var files: [UUID: [String]] = [:]
    var contents: [Data?] = []
    var woken: Set<String> = []
    /// Whether there is another anchor than the last time.
    var isAnchorNew = false
    var refusals: [HKError.Code?] = []
  }

  /// One of the two.
  struct Side {
    let file: HealthFile
    let app: HKHealthStore
    let other: HKHealthStore
    let owner: SampleStore
    var anchor: HKQueryAnchor?
    /// Files of the other app's, by the number of the act that added them.
    var files: [Int: HKAttachment] = [:]

    init() async throws {
      file = try HealthFile()
      let types = Set(LimitedTwins.types.filter { !($0 is HKCorrelationType) })
      app = try await file.allowedStore(LimitedTwins.app, types)
      other = try await file.allowedStore(LimitedTwins.other, types)
      owner = try SampleStore(path: file.path, mode: .readWrite)
      for type in types {
        try await app.enableBackgroundDelivery(for: type, frequency: .immediate)
      }
      for type in LimitedTwins.parts.keys {
        try owner.enableDelivery(of: type.identifier, to: LimitedTwins.app, .immediate)
      }
    }
  }

  var random: SplitMix64
  var all: Side
  var late: Side
  /// What was saved and not deleted, by the app and by the other one.
  var own: [HKSample] = []
  var theirs: [HKSample] = []
  var known: [HKSample] = []
  var number = 0

  init(seed: UInt64) async throws {
    random = SplitMix64(seed: seed)
    (all, late) = (try await Side(), try await Side())
    for (type, limit) in Self.limits {
      try all.file.host(Self.app).limitHistory(of: [type], from: Trial.date(limit))
    }
  }

  func isLate(_ sample: HKSample) -> Bool {
    if let correlation = sample as? HKCorrelation { return correlation.objects.allSatisfy(isLate) }
    return sample.endDate.timeIntervalSinceReferenceDate
      >= Self.limits[sample.sampleType] ?? -.infinity
  }

  /// What the app sees of a sample: of a correlation also parts alone.
  func late(_ sample: HKSample) -> [HKSample] {
    if isLate(sample) { return [sample] }
    return (sample as? HKCorrelation)?.objects.filter(isLate) ?? []
  }

  mutating func newSample() -> HKSample {
    number += 1
    let start = Double(Int.random(in: 30..<70, using: &random))
    let end = start + Double(Int.random(in: 0..<8, using: &random)) / 4
    let (from, to) = (Trial.date(start), Trial.date(end))
    let names: [String: Any]? =
      Bool.random(using: &random)
      ? [HKMetadataKeySyncIdentifier: "s\(number)", HKMetadataKeySyncVersion: number] : nil
    switch Int.random(in: 0..<6, using: &random) {
    case 0:
      return HKCategorySample(
        type: HKCategoryType(.sleepAnalysis), value: 1, start: from, end: to, metadata: names)
    case 1:
      return HKWorkout(
        activityType: .running, start: from, end: to, workoutEvents: nil, totalEnergyBurned: nil,
        totalDistance: nil, metadata: names)
    case 2, 3:
      let type = HKCorrelationType(Bool.random(using: &random) ? .bloodPressure : .food)
      let units: [HKQuantityType: HKUnit] = [
        HKQuantityType(.dietaryProtein): .gram(), HKQuantityType(.dietaryWater): .liter(),
      ]
      let samples = (Self.parts[type] ?? []).map {
        HKQuantitySample(
          type: $0,
          quantity: HKQuantity(unit: units[$0] ?? .millimeterOfMercury(), doubleValue: 80),
          start: from, end: to)
      }
      return HKCorrelation(
        type: type, start: from, end: to, objects: Set(samples), metadata: names)
    default: return Trial.steps(1, from: start, to: end, metadata: names)
    }
  }

  mutating func act() async throws {
    switch Int.random(in: 0..<10, using: &random) {
    case 0..<4:
      var samples: [HKSample] = []
      for _ in 0..<Int.random(in: 1..<4, using: &random) { samples.append(newSample()) }
      try await all.other.save(samples)
      let seen = samples.flatMap(late)
      if !seen.isEmpty { try await late.other.save(seen) }
      (theirs, known) = (theirs + samples, known + samples)
    case 4:
      let sample = newSample()
      try await all.app.save(sample)
      try await late.app.save(sample)
      (own, known) = (own + [sample], known + [sample])
    case 5..<8 where !theirs.isEmpty:
      theirs.shuffle(using: &random)
      let gone = Array(theirs.suffix(Int.random(in: 1..<4, using: &random)))
      theirs.removeLast(gone.count)
      try await all.other.delete(gone)
      let seen = gone.filter(isLate)
      if !seen.isEmpty { try await late.other.delete(seen) }
    case 8 where !own.isEmpty:
      let gone = own.remove(at: Int.random(in: 0..<own.count, using: &random))
      try await all.app.delete(gone)
      try await late.app.delete(gone)
    default:
      guard let sample = theirs.randomElement(using: &random) else { return }
      number += 1
      let url = URL(fileURLWithPath: all.file.folder.path + "/file")
      try Data("file \(number)".utf8).write(to: url)
      func attach(_ side: Side) async throws -> HKAttachment {
        try await HKAttachmentStore(healthStore: side.other).addAttachment(
          to: sample, name: "file \(number)", contentType: "public.jpeg", url: url)
      }
      all.files[number] = try await attach(all)
      if isLate(sample) { late.files[number] = try await attach(late) }
    }
  }

  /// What the app is told now, and since it was asked last.
  func told(_ side: inout Side) async throws -> Told {
    var told = Told()
    let (app, attachments) = (side.app, HKAttachmentStore(healthStore: side.app))
    for type in Self.types {
      told.samples.formUnion(try await app.samples([type]).map(\.uuid))
      told.sources.formUnion(
        try await HKSourceQueryDescriptor(predicate: .sample(type: type)).result(for: app)
          .map(\.bundleIdentifier))
    }
    told.sum = try await HKStatisticsQueryDescriptor(
      predicate: .quantitySample(type: HKQuantityType(.stepCount)), options: .cumulativeSum
    ).result(for: app)?.sumQuantity()?.doubleValue(for: .count())
    let changes = try await HKAnchoredObjectQueryDescriptor(
      predicates: Self.types.map { .sample(type: $0) }, anchor: side.anchor
    ).result(for: app)
    told.isAnchorNew = changes.newAnchor != side.anchor
    side.anchor = changes.newAnchor
    told.added = Set(changes.addedSamples.map(\.uuid))
    told.deleted = Set(
      changes.deletedObjects.map { object in
        let entries = object.metadata ?? [:]
        return [object.uuid.uuidString]
          + [HKMetadataKeySyncIdentifier, HKMetadataKeySyncVersion].map { "\(entries[$0] ?? "")" }
      })
    for sample in known {
      let files = try await attachments.attachments(for: sample).map(\.name)
      if !files.isEmpty { told.files[sample.uuid] = files }
    }
    for file in all.files.keys.sorted() {
      // The app asks for a file by what it knows of it, wherever it has that from.
      guard let file = side.files[file] ?? all.files[file] else { continue }
      told.contents.append(try? await attachments.dataReader(for: file).data)
    }
    told.woken = Set(
      try side.owner.pendingDeliveries(of: Self.app).map(\.delivery.type))
    try side.owner.completeDelivery(of: nil, to: Self.app, upTo: side.owner.lastChange())
    for sample in known.suffix(6) where !own.contains(where: { $0.uuid == sample.uuid }) {
      told.refusals.append(await healthError { try await app.delete(sample) })
      let url = URL(fileURLWithPath: side.file.path)
      told.refusals.append(
        await healthError {
          _ = try await attachments.addAttachment(
            to: sample, name: "mine", contentType: "public.jpeg", url: url)
        })
    }
    return told
  }
}

/// What an app with a limited history is told is what it would be told by a store that never held the
/// older samples of others, with all that belongs to them.
@Suite struct LimitedHistoryLawTests {
  @Test(
    "An app is told what a store that never held the older samples tells it",
    arguments: 0..<(Soak.isLong ? 100 : 3) as Range<UInt64>)
  func neverHeld(seed: UInt64) async throws {
    var twins = try await LimitedTwins(seed: seed)
    var deletions = 0
    for step in 1...(Soak.isLong ? 120 : 32) {
      try await twins.act()
      guard step % 4 == 0 else { continue }
      let told = try await twins.told(&twins.all)
      let expected = try await twins.told(&twins.late)
      deletions += expected.deleted.count
      guard told == expected else {
        Issue.record("seed \(seed), step \(step): \(told)\nnot \(expected)")
        return
      }
    }
    #expect(deletions > 0)
    #expect(twins.known.contains { !twins.isLate($0) })
    try twins.all.owner.verify()
  }

  @Test("Elements that are gone with their import are told as deleted by their ends")
  func imported() async throws {
    let file = try HealthFile()
    let owner = try SampleStore(path: file.path, mode: .readWrite)
    let app = "com.example.diary"
    let kinds: [(HKSampleType, ElementKind)] = [
      (HKObjectType.workoutType(), .workout), (HKSeriesType.workoutRoute(), .route),
      (HKObjectType.electrocardiogramType(), .electrocardiogram),
      (HKObjectType.audiogramSampleType(), .audiogram),
    ]
    let store = file.store(app)
    try await store.requestAuthorization(toShare: [], read: Set(kinds.map(\.0)))
    func facts(_ end: Double) -> ElementFacts {
      var facts = ElementFacts()
      (facts.source, facts.start, facts.end) = (Source(name: "Watch"), end - 5, end)
      return facts
    }
    let ends = [10.0, 49.5, 50, 80]
    let session = try owner.beginImport()
    func add<Row>(
      _ row: Row, _ key: WritableKeyPath<Row, ElementFacts>, _ body: ([Row]) throws -> Void
    )
      rethrows
    {
      try body(
        ends.map { end in
          var row = row
          row[keyPath: key] = facts(end)
          return row
        })
    }
    try add(Workouts.Row(), \.facts) { try session.add(.workouts(Workouts($0))) }
    try add(Routes.Row(), \.facts) { try session.add(.routes(Routes($0))) }
    try add(Electrocardiograms.Row(), \.facts) {
      try session.add(.electrocardiograms(Electrocardiograms($0)))
    }
    try add(Audiograms.Row(), \.facts) { try session.add(.audiograms(Audiograms($0))) }
    _ = try session.finish()
    try file.host(app).limitHistory(of: Set(kinds.map(\.0)), from: Trial.date(50))
    var anchors: [HKQueryAnchor] = []
    var seen: [Set<UUID>] = []
    for (type, _) in kinds {
      let result = try await HKAnchoredObjectQueryDescriptor(
        predicates: [.sample(type: type)], anchor: nil
      ).result(for: store)
      anchors.append(result.newAnchor)
      seen.append(Set(result.addedSamples.map(\.uuid)))
    }
    #expect(seen.map(\.count) == [2, 2, 2, 2])
    _ = try owner.undoImport(try #require(owner.imports().first).id)
    for ((type, kind), (anchor, uuids)) in zip(kinds, zip(anchors, seen)) {
      let result = try await HKAnchoredObjectQueryDescriptor(
        predicates: [.sample(type: type)], anchor: anchor
      ).result(for: store)
      #expect(Set(result.deletedObjects.map(\.uuid)) == uuids, "\(kind)")
    }
  }
}
