import Foundation
import HealthSamples
import HealthStore
import Testing
import _HealthTestSupport

@testable import HealthKit

@Suite("Sources and revisions of imports") struct SourceTests {
  private let steps = HKQuantityType(.stepCount)

  @Test(
    "2.4, row 95: A device's identifier follows from its name alone; entries by hand share one"
  )
  func identifiers() throws {
    let watch = HKSource(Source(name: "Ann\u{E9}’s Watch"))
    let prefix = "com.apple.health."
    #expect(watch.bundleIdentifier.hasPrefix(prefix))
    let uuid = String(watch.bundleIdentifier.dropFirst(prefix.count))
    #expect(UUID(uuidString: uuid)?.uuidString == uuid)
    // Names that a store does not tell apart.
    for name in ["Anne\u{301}’s Watch", " Ann\u{E9}'s\u{A0}Watch"] {
      let same = HKSource(Source(name: name))
      #expect(same == watch && same.hash == watch.hash)
      #expect(same.bundleIdentifier == watch.bundleIdentifier)
    }
    let byHand = HKSource(Source(name: watch.name, isUserEntered: true))
    #expect(byHand.bundleIdentifier == "com.apple.Health" && byHand != watch)
    for isUserEntered in [false, true] {
      let app = HKSource(
        Source(name: "Diary", bundleIdentifier: "com.example.diary", isUserEntered: isUserEntered))
      #expect(app.bundleIdentifier == "com.example.diary")
      #expect(try archived(app) == app)
    }
    for source in [watch, byHand] {
      let copy = try archived(source)
      #expect(copy == source && copy.bundleIdentifier == source.bundleIdentifier)
    }
    let names =
      (0..<2_000).map { "Watch \($0)" } + (0..<200).map { String(repeating: "a", count: $0) }
    #expect(Set(names.map { HKSource(Source(name: $0)).bundleIdentifier }).count == names.count)
  }

  @Test(
    "K13, 2.3, row 152: Product and system of an import are those of its device, if it is Apple's",
    arguments: [
      (
        "name:Apple Watch, manufacturer:Apple Inc., model:Watch, hardware:Watch6,2, software:9.1",
        "Watch6,2", "9.1.0"
      ),
      ("name:iPhone, model:iPhone, hardware:iPhone14,5, software:17.5.1", "iPhone14,5", "17.5.1"),
      ("name:iPhone, hardware:iPhone14,5, software:26", "iPhone14,5", "26.0.0"),
      ("name:iPhone, hardware:iPhone14,5", "iPhone14,5", "0.0.0"),
      ("name:iPhone, hardware:iPhone14,5, software:17.5.1 (21F90)", "iPhone14,5", "0.0.0"),
      ("name:iPhone, hardware:iPhone14,5, software:1.2.3.4", "iPhone14,5", "0.0.0"),
      ("name:iPhone, hardware:iPhone14,5, software:99999999999999999999", "iPhone14,5", "0.0.0"),
      ("name:H10, manufacturer:Polar, hardware:00760690.03, software:3.0", nil, "0.0.0"),
      ("name:Scale, hardware:6,2, software:3.0", nil, "0.0.0"),
      ("name:Scale, hardware:Scale,2, software:3.0", nil, "0.0.0"),
      ("name:Scale, hardware:Scale1,2,3, software:3.0", nil, "0.0.0"),
      ("name:Scale, software:3.0", nil, "0.0.0"), ("Scale", nil, "0.0.0"), ("", nil, "0.0.0"),
    ] as [(String, String?, String)])
  func devices(text: String, product: String?, system: String) throws {
    for device in [text, Device.withoutEnvelope("<<HKDevice: 0x28123>, \(text)>")] {
      for bundle in ["", "com.example.app"] {
        var rows = RecordColumns(
          type: steps.core, source: Source(name: "Watch", bundleIdentifier: bundle))
        try rows.append(
          start: 0, end: 1, value: 1, label: "count",
          origin: Origin(sourceVersion: "9.1", device: device))
        let revision = try #require(rows.samples().first).sourceRevision
        // An app names a device that may be another one than that on which it runs.
        #expect(revision.productType == (bundle.isEmpty ? product : nil))
        #expect(revision.operatingSystemVersion.words == (bundle.isEmpty ? system : "0.0.0"))
        #expect(revision.version == "9.1")
      }
    }
  }

  @Test("A host runs on this machine unless it says otherwise, and its samples say where")
  func hosts() async throws {
    let file = try HealthFile()
    var host = file.host()
    let own = ProcessInfo.processInfo.operatingSystemVersion
    #expect(host.productType == HKDevice.local().hardwareVersion)
    #expect(host.operatingSystemVersion.words == own.words)
    let phone = OperatingSystemVersion(majorVersion: 18, minorVersion: 0, patchVersion: 2)
    for (product, system) in [(host.productType, own), ("iPhone17,1", phone), (nil, .unknown)] {
      (host.productType, host.operatingSystemVersion) = (product, system)
      let store = HKHealthStore(host: host)
      try await store.requestAuthorization(toShare: [steps], read: [steps])
      let sample = Trial.steps(3, from: 7, device: Trial.watch)
      try await store.save(sample)
      let found = try await store.samples([steps], HKQuery.predicateForObject(with: sample.uuid))
      let revision = try #require(found.first).sourceRevision
      #expect(revision.productType == product)
      #expect(revision.operatingSystemVersion.words == system.words)
      // It finds its own sample; one for any product and system finds all.
      let same = try await store.samples(
        [steps], HKQuery.predicateForObjects(from: [revision] as Set))
      #expect(same.map(\.uuid) == [sample.uuid])
    }
    let store = HKHealthStore(host: host)
    let any = HKSourceRevision(
      source: try #require(try await store.samples([steps]).first).sourceRevision.source,
      version: nil)
    #expect(any.productType == HKSourceRevisionAnyProductType)
    #expect(
      try await store.samples([steps], HKQuery.predicateForObjects(from: [any] as Set)).count == 3)
  }

  /// Imports of two devices and of entries by hand under their names, and samples of an app.
  private func store(_ file: HealthFile) async throws -> HKHealthStore {
    let store = try await file.allowedStore("com.example.a", [steps, .workoutType()])
    let owner = try SampleStore(path: file.path, mode: .readWrite)
    let session = try owner.beginImport()
    var workouts = Workouts()
    for (index, name) in ["Watch", "Phone", "Watch", "Diary"].enumerated() {
      let source = Source(name: name, isUserEntered: index > 1)
      var rows = RecordColumns(type: steps.core, source: source)
      for row in 0..<5 {
        let start = Double(row * 10_000 + index * 1_000)
        var metadata = Metadata()
        if index > 1 { metadata = Metadata([.init(key: HKMetadataKeyWasUserEntered, value: "1")]) }
        try rows.append(
          start: start, end: start + 60, value: Double(1 << (index * 2 + row % 2)), label: "count",
          origin: Origin(
            sourceVersion: "\(row % 2)", device: index == 0 ? "hardware:Watch6,\(row % 3)" : ""),
          metadata: metadata)
      }
      try session.add(.records(rows))
      var run = Workouts.Row()
      (run.activity, run.facts.source) = ("HKWorkoutActivityTypeRunning", source)
      (run.facts.start, run.facts.end) = (Double(index), Double(index) + 60)
      workouts.rows.append(run)
    }
    try session.add(.workouts(workouts))
    _ = try session.finish(exported: 1_000_000)
    try await store.save([
      Trial.steps(500, from: 70_000, to: 70_060),
      Trial.steps(
        700, from: 80_000, to: 80_060, metadata: [HKMetadataKeyWasUserEntered: true]),
    ])
    return store
  }

  @Test("Queries, predicates and statistics agree on what is of a source, in any store")
  func consistent() async throws {
    var identifiers: Set<Set<String>> = []
    for _ in 0..<2 {
      let file = try HealthFile()
      let store = try await store(file)
      for type: HKSampleType in [steps, .workoutType()] {
        let all = try await store.samples([type])
        let sources = try await HKSourceQueryDescriptor(predicate: .sample(type: type))
          .result(for: store)
        #expect(Set(sources) == Set(all.map(\.sourceRevision.source)))
        #expect(sources.count == (type == steps ? 5 : 4))
        identifiers.insert(Set(sources.map(\.bundleIdentifier)))
        #expect(sources.count { $0.bundleIdentifier == "com.apple.Health" } == 2)
        var sets = sources.map { Set([$0]) }
        sets += [Set(sources), [], Set(sources.prefix(2)), Set(sources.suffix(3))]
        for chosen in sets {
          let expected = Set(all.filter { chosen.contains($0.sourceRevision.source) }.map(\.uuid))
          let predicate = HKQuery.predicateForObjects(from: chosen)
          #expect(Set(try await store.samples([type], predicate).map(\.uuid)) == expected)
          let others = NSCompoundPredicate(notPredicateWithSubpredicate: predicate)
          #expect(
            Set(try await store.samples([type], others).map(\.uuid))
              == Set(all.map(\.uuid)).subtracting(expected))
          let found = try await HKSourceQueryDescriptor(
            predicate: .sample(type: type, predicate: predicate)
          ).result(for: store)
          #expect(Set(found) == chosen)
        }
        for revision in Set(all.map(\.sourceRevision)) {
          let found = try await store.samples(
            [type], HKQuery.predicateForObjects(from: [revision] as Set))
          #expect(
            Set(found.map(\.uuid))
              == Set(all.filter { $0.sourceRevision == revision }.map(\.uuid)))
        }
      }
      let statistics = try #require(
        try await HKStatisticsQueryDescriptor(
          predicate: .quantitySample(type: steps), options: [.cumulativeSum, .separateBySource]
        ).result(for: store))
      let samples = try await store.samples([steps]).compactMap { $0 as? HKQuantitySample }
      let sums = Dictionary(grouping: samples, by: \.sourceRevision.source).mapValues {
        $0.reduce(0) { $0 + $1.quantity.doubleValue(for: .count()) }
      }
      #expect(Set(statistics.sources ?? []) == Set(sums.keys))
      for (source, sum) in sums {
        #expect(statistics.sumQuantity(for: source)?.doubleValue(for: .count()) == sum)
      }
      try file.verify()
    }
    #expect(identifiers.count == 2, "the same in both stores, by type")
  }

  @Test("No app has the identifier under which imports are shown")
  func impostor() async throws {
    let file = try HealthFile()
    let real = try await store(file)
    let shown = try await real.samples([steps]).map(\.sourceRevision.source.bundleIdentifier)
    for name in Set(shown).filter({ $0.hasPrefix("com.apple.") }).union(["com.apple.Health"]) {
      let store = file.store(name)
      #expect(
        await healthError { try await store.requestAuthorization(toShare: [steps], read: [steps]) }
          == .errorInvalidArgument)
      #expect(
        await healthError {
          _ = try await store.deleteObjects(of: steps, predicate: NSPredicate(value: true))
        } == .errorAuthorizationNotDetermined)
      #expect(
        await healthError { try file.host(name).limitHistory(of: [steps], from: Trial.date(50)) }
          == .errorInvalidArgument)
    }
    #expect(try await real.samples([steps]).count == shown.count)
  }
}
