import Foundation
import GRDB
import HealthSamples
import Testing
import _HealthTestSupport

@testable import HealthStore

@Suite("What an app may see and do")
struct AuthorisationTests {
  private let app = "com.example.app"
  private let types = [StoreRecords.steps, StoreRecords.heartRate, StoreRecords.sleep]
  private let own = Source(name: "Example", bundleIdentifier: "com.example.app")

  /// A store with steps that the app may read, and heart rates and sleep that it may not.
  private func store() throws -> SampleStore {
    let store = try SampleStore.temporary()
    try store.authorise(app, type: StoreRecords.steps.identifier, read: .authorised)
    try store.authorise(
      app, type: StoreRecords.heartRate.identifier, share: .authorised, read: .denied)
    let session = try store.beginImport()
    for (type, label) in zip(types, ["count", "count/min", "HKCategoryValueSleepAnalysisInBed"]) {
      try session.add(try batch(type, label, from: 1_000, zone: "Europe/Paris"))
    }
    _ = try session.finish()
    try store.reading(as: app, named: own.name).save([heartRate(from: own, at: 500)])
    return store
  }

  private func batch(
    _ type: SampleType, _ label: String, from start: Double, zone: String
  ) throws -> RecordColumns {
    var batch = RecordColumns(type: type, source: Source(name: "Watch"))
    for row in 0..<5 {
      try batch.append(
        start: start + Double(row) * 60, end: start + Double(row) * 60 + 30, value: Double(row % 3),
        label: label, creation: start, origin: Origin(device: "name:Watch, model:Watch"),
        metadata: Metadata([.init(key: "HKTimeZone", value: zone)]))
    }
    return batch
  }

  private func heartRate(from source: Source, at start: Double) -> NewSample {
    NewSample(
      type: StoreRecords.heartRate, source: source, start: start, end: start, value: 60,
      label: "count/min")
  }

  /// Every answer of a store, as text.
  private func answers(
    of store: SampleStore, about uuids: [UUID]
  ) throws -> [String: String] {
    let before = StoreAnchor(before: try store.anchor())
    var answers: [String: String] = [
      "types": "\(try store.types())", "sources": "\(try store.sources())",
      "allSources": "\(try store.allSources())", "overview": "\(try store.overview())",
      "elementCounts": "\(try store.elementCounts())", "workouts": "\(try store.workouts())",
      "routes": "\(try store.routes())", "correlations": "\(try store.correlations())",
      "summaries": "\(try store.activitySummaries())", "beats": "\(try store.beatLists())",
      "electrocardiograms": "\(try store.electrocardiograms())",
      "audiograms": "\(try store.audiograms())",
      "prescriptions": "\(try store.visionPrescriptions())",
      "clinicalRecords": "\(try store.clinicalRecords())",
      "characteristics": "\(try store.characteristics())", "profile": "\(try store.profile())",
      "recordedZones": "\(try store.recordedZones())",
      "latestZone": "\(String(describing: try store.latestRecordedZone()))",
      "deletions": "\(try store.deletions(after: before))", "changes": "\(try store.changes())",
      "lastChange": "\(try store.lastChange())", "anchor": "\(try store.anchor())",
      "serials": "\(try store.serials(of: uuids))",
      "preferred": "\(try types.map { try store.preferredSources(of: $0) })",
    ]
    var rows = ""
    for type in types {
      rows += "\(try store.samples(of: type)) \(try store.records(of: type))"
      rows += "\(try store.datedSamples(of: type)) \(try store.sources(of: type))"
      rows += "\(try store.sampleCounts(of: type, in: -1e9..<1e9))"
      try store.forEachBatch(of: type) { rows += "\($0)" }
      try store.forEachRowRange(of: type) { batch, range in
        rows += "\(batch) \(range)"
        return true
      }
      let groups = SampleGroups(wholeIn: -1e9..<1e9)
      rows +=
        "\(try store.preaggregatedSamples(of: type, in: -1e9..<1e9, by: groups, onlyUncontested: false))"
    }
    for kind in ElementKind.allCases {
      try store.forEachElement(of: kind) { batch in
        rows += "\(batch)"
        return true
      }
    }
    answers["rows"] = rows
    return answers
  }

  @Test("what it may not read changes nothing of what it sees")
  func hidden() throws {
    let store = try store()
    let seen = try store.reading(as: app)
    let hidden = try store.save([heartRate(from: Source(name: "Strap"), at: 100)])
    let before = try answers(of: seen, about: hidden)
    let owner = try answers(of: store, about: [])
    #expect(before["types"]?.contains("StepCount") == true)
    #expect(before["sources"]?.contains("Example") == true)
    #expect(before["sources"]?.contains("Strap") == false)
    // More of everything that it may not see, and less.
    var random = RandomElements(seed: 5)
    let session = try store.beginImport()
    try session.add(try batch(StoreRecords.heartRate, "count/min", from: 9_000, zone: "Asia/Tokyo"))
    try session.add(
      try batch(StoreRecords.sleep, "HKCategoryValueSleepAnalysisAwake", from: 9_000, zone: "UTC"))
    for batch in random.batches() { try session.add(batch) }
    _ = try session.finish()
    try store.save([heartRate(from: Source(name: "Belt", bundleIdentifier: "org.belt"), at: 1)])
    #expect(try store.delete(hidden) == 1)
    try store.setPreferredSources(["Strap", "Watch"], of: StoreRecords.heartRate)
    try store.setCharacteristic("1990-01-01", of: "HKCharacteristicTypeIdentifierDateOfBirth")
    let after = try answers(of: seen, about: hidden)
    for (name, answer) in before { #expect(after[name] == answer, "\(name)") }
    let ownerAfter = try answers(of: store, about: hidden)
    for (name, answer) in owner where name != "latestZone" {
      #expect(ownerAfter[name] != answer, "\(name) of the owner")
    }
    // Its own deletion is one that it learns of.
    #expect(try seen.deletions(after: StoreAnchor(before: seen.anchor())).isEmpty)
    let uuids = try seen.save([heartRate(from: own, at: 700)])
    #expect(try seen.delete(uuids) == 1)
    #expect(try seen.deletions(after: StoreAnchor(before: seen.anchor())).map(\.uuid) == uuids)
  }

  @Test("a type that it may read shows all samples, until it is denied again")
  func allowed() throws {
    let store = try store()
    let seen = try store.reading(as: app)
    #expect(try seen.samples(of: StoreRecords.heartRate).count == 1)
    try store.authorise(app, type: StoreRecords.heartRate.identifier, read: .authorised)
    #expect(try seen.samples(of: StoreRecords.heartRate).count == 6)
    #expect(try store.reading(as: "com.other").samples(of: StoreRecords.heartRate).count == 0)
    try store.authorise(app, type: StoreRecords.heartRate.identifier, read: .undetermined)
    #expect(try seen.samples(of: StoreRecords.heartRate).count == 1)
    #expect(try seen.choosing(SourceSelection(only: ["Watch"])).sources().count == 1)
  }

  @Test("parts of elements are as visible as their types")
  func elements() throws {
    let store = try store()
    let seen = try store.reading(as: app)
    var workout = Workouts.Row()
    workout.facts.source = Source(name: "Watch")
    workout.statistics = types.prefix(2).map { type in
      var statistics = Workouts.Statistics()
      (statistics.type, statistics.unit, statistics.sum) = (type.identifier, "count", 7)
      return statistics
    }
    var pressure = Correlations.Row()
    pressure.facts.source = Source(name: "Watch")
    pressure.type = "HKCorrelationTypeIdentifierBloodPressure"
    pressure.members = types.prefix(2).map { type in
      RecordLink(
        type: type.identifier, source: Source(name: "Watch"), start: 0, end: 0, value: 1, label: "")
    }
    let session = try store.beginImport()
    try session.add(.workouts(Workouts([workout])))
    try session.add(.correlations(Correlations([pressure])))
    try session.add(
      .characteristics(
        Characteristics([
          Metadata([
            .init(key: "HKCharacteristicTypeIdentifierBloodType", value: "HKBloodTypeONegative"),
            .init(key: "HKCharacteristicTypeIdentifierDateOfBirth", value: "1990-01-01"),
          ])
        ])))
    _ = try session.finish()
    #expect(try seen.elementCounts().isEmpty && store.elementCounts()[.workout] == 1)
    try store.authorise(app, type: "HKWorkoutTypeIdentifier", read: .authorised)
    try store.authorise(
      app, type: "HKCharacteristicTypeIdentifierBloodType", read: .authorised)
    let shown = try #require(try seen.workouts().rows.first)
    #expect(shown.statistics.map(\.type) == [StoreRecords.steps.identifier])
    #expect(try seen.correlations().rows.isEmpty)
    #expect(
      try seen.profile().map(\.identifier) == ["HKCharacteristicTypeIdentifierBloodType"])
    try store.authorise(app, type: StoreRecords.heartRate.identifier, read: .authorised)
    #expect(try seen.workouts().rows.first?.statistics.count == 2)
    #expect(try seen.elementCounts() == [.workout: 1, .correlation: 1, .characteristics: 1])
  }

  @Test("it saves and deletes its own samples, of types that it may share")
  func sharing() throws {
    let store = try store()
    let seen = try store.reading(as: app)
    func isRefused(_ body: () throws -> Void) -> Bool {
      do {
        try body()
        return false
      } catch {
        return (error as? StoreError)?.reason == .notPermitted
      }
    }
    var steps = heartRate(from: own, at: 1)
    (steps.type, steps.label) = (StoreRecords.steps, "count")
    let rows = try store.samples(of: StoreRecords.steps).count
    #expect(isRefused { try seen.save([steps]) })
    #expect(isRefused { try seen.save([heartRate(from: own, at: 9), steps]) })
    #expect(isRefused { try seen.save([heartRate(from: Source(name: "Watch"), at: 9)]) })
    #expect(isRefused { try store.reading(as: "com.other").save([heartRate(from: own, at: 9)]) })
    #expect(try store.samples(of: StoreRecords.heartRate).count == 6)
    #expect(try store.samples(of: StoreRecords.steps).count == rows)
    // Steps of others are seen, heart rates of others are not.
    func uuids(_ type: SampleType) throws -> [UUID] {
      try store.uuids(of: store.records(of: type).flatMap(\.serials))
    }
    let heartRates = try uuids(StoreRecords.heartRate)
    #expect(isRefused { try seen.delete(try uuids(StoreRecords.steps)) })
    #expect(try seen.delete(heartRates) == 1)
    #expect(try store.samples(of: StoreRecords.heartRate).count == 5)
    try seen.save([heartRate(from: own, at: 9)])
    #expect(try seen.delete(.samples(StoreRecords.heartRate)).deletedSamples == 1)
    #expect(try store.samples(of: StoreRecords.heartRate).count == 5)
  }

  @Test("what is for the owner is refused")
  func owner() throws {
    let seen = try store().reading(as: app)
    let calls: [() throws -> Void] = [
      { _ = try seen.beginImport() }, { try seen.verify() }, { try seen.compact() },
      { _ = try seen.imports() }, { try seen.backUp(to: "/nonexistent/backup") },
      { _ = try seen.absorb(seen) }, { _ = try seen.undoImport(1) },
      { try seen.setDefaultZone("UTC") }, { try seen.setPreferredSources([], of: nil) },
      { try seen.setCharacteristic(nil, of: "x") },
      { try seen.setPreferredUnit("m", of: StoreRecords.steps) },
      { try seen.authorise("com.example.app", type: "x", read: .authorised) },
      { _ = try seen.authorisations() }, { _ = try seen.authorisations(of: "com.example.app") },
      { _ = try seen.preferredUnits() }, { _ = try seen.preferredUnit(of: StoreRecords.steps) },
      { _ = try seen.uuids(of: [1]) }, { _ = try seen.appNames() },
      { _ = try seen.saver(of: UUID()) },
      { _ = try seen.reading(as: "com.other") },
      { _ = try seen.reading(as: seen.reader ?? "", named: "x") },
    ]
    for (place, call) in calls.enumerated() {
      let error = #expect(throws: StoreError.self, "call \(place)") { try call() }
      #expect(error?.reason == .notPermitted, "call \(place)")
    }
    // Whether it may read a type is not for it to know.
    let types: Set = ["HKQuantityTypeIdentifierHeartRate", "HKQuantityTypeIdentifierStepCount"]
    let states = try seen.sharing(of: types)
    #expect(states.mapValues { $0 == .authorised }.filter(\.value).keys.sorted() == [types.min()])
    #expect(states.count == 2)
  }

  // MARK: Limited history

  /// The steps of a watch, each with a name, and ends that are whole seconds or not.
  private func named(_ count: Int, _ random: inout SplitMix64) -> [NewSample] {
    (0..<count).map { number in
      let start = Double(Int.random(in: 0..<100, using: &random))
      let length =
        Double(Int.random(in: 0..<9, using: &random)) / (Bool.random(using: &random) ? 4 : 1)
      return NewSample(
        type: StoreRecords.steps, source: Source(name: "Watch", bundleIdentifier: "com.other"),
        start: start, end: start + length, value: 1, label: "count",
        metadata: Metadata([
          .init(key: "HKMetadataKeySyncIdentifier", .string("\(number)")),
          .init(key: "HKMetadataKeySyncVersion", .number(1)),
        ]), uuid: UUID())
    }
  }

  @Test(
    "of what ended before a limit neither a deletion nor its names are told, one by one or at once",
    arguments: [1, 7, 300])
  func limitedDeletions(atOnce: Int) throws {
    var random = SplitMix64(seed: UInt64(atOnce))
    let store = try store()
    let samples = named(300, &random)
    try store.save(samples)
    let seen = try store.reading(as: app, filtersHistory: true)
    let before = try seen.anchor()
    let limit = 50.25
    try store.limitHistory(
      of: app, types: [StoreRecords.steps.identifier],
      from: Date(timeIntervalSinceReferenceDate: limit))
    for first in stride(from: 0, to: samples.count, by: atOnce) {
      try store.delete(samples.dropFirst(first).prefix(atOnce).compactMap(\.uuid))
    }
    let told = try seen.deletions(after: before)
    let late = samples.filter { limit <= $0.end }
    #expect(!late.isEmpty && late.count < samples.count)
    #expect(Set(told.map(\.uuid)) == Set(late.compactMap(\.uuid)) && told.count == late.count)
    #expect(told.allSatisfy { $0.syncIdentifier != nil && $0.syncVersion == 1 })
    #expect(try seen.serials(of: samples.compactMap(\.uuid)).isEmpty)
    // Neither the view whose caller leaves out nothing nor one without the type hears of any.
    #expect(try store.reading(as: app).deletions(after: before).isEmpty)
    try store.limitHistory(of: app, types: [StoreRecords.steps.identifier], from: nil)
    #expect(try seen.deletions(after: before).count == samples.count)
    try store.verify()
  }

  @Test("of what an earlier version deleted no time is known: it is told, without names")
  func deletionsWithoutEnds() throws {
    let store = try store()
    let steps = StoreRecords.steps.identifier
    var random = SplitMix64(seed: 3)
    let samples = named(6, &random)
    try store.save(samples)
    let seen = try store.reading(as: app, filtersHistory: true)
    let before = try seen.anchor()
    try store.delete(samples.compactMap(\.uuid))
    try store.write { database, _ in
      let ids = try Int64.fetchAll(database, sql: "SELECT id FROM tombstones")
      for id in ids {
        var rows = try Tombstones.rows(of: id, in: database)
        for row in rows.indices where row % 2 == 0 { rows[row].end = nil }
        try database.execute(sql: "DELETE FROM tombstones WHERE id = ?", arguments: [id])
        try Tombstones.append(rows[...], from: id, to: database)
        #expect(try Tombstones.rows(of: id, in: database) == rows)
      }
    }
    #expect(try seen.deletions(after: before).count { $0.syncIdentifier != nil } == 6)
    try store.limitHistory(
      of: app, types: [steps], from: Date(timeIntervalSinceReferenceDate: 1e6))
    let told = try seen.deletions(after: before)
    #expect(told.count == 3)
    #expect(told.allSatisfy { $0.syncIdentifier == nil && $0.syncVersion == nil })
  }

  @Test("a change of what ended before a limit is not told, one of elements that are alike is")
  func limitedChanges() throws {
    let (store, seen) = try limitedStore()
    var random = SplitMix64(seed: 4)
    for sample in named(40, &random) {
      #expect(try isTold(seen, of: store) { try store.save([sample]) } == (sample.end >= 50))
      #expect(
        try isTold(seen, of: store) { try store.delete([sample.uuid].compactMap(\.self)) }
          == (sample.end >= 50))
    }
    // The later one is saved first, and last.
    for ends in [[80.0, 20], [20, 80], [20, 30]] {
      var objects = NewObjects()
      objects.elements = ends.map { run(from: $0 - 5, to: $0) }
      let isLate = ends.contains { $0 >= 50 }
      #expect(try isTold(seen, of: store) { try store.save(objects) } == isLate)
      #expect(
        try isTold(seen, of: store) { try store.delete(objects.elements.map(\.uuid)) } == isLate)
    }
  }

  /// A store whose app may read workouts and steps that end at 50 or later, and what it sees.
  private func limitedStore() throws -> (store: SampleStore, seen: SampleStore) {
    let store = try store()
    let workout = "HKWorkoutTypeIdentifier"
    try store.authorise(app, type: workout, read: .authorised)
    try store.limitHistory(
      of: app, types: [workout, StoreRecords.steps.identifier],
      from: Date(timeIntervalSinceReferenceDate: 50))
    return (store, try store.reading(as: app, filtersHistory: true))
  }

  /// A run that another app saves.
  private func run(from start: Double, to end: Double) -> NewElement {
    var row = Workouts.Row()
    row.activity = "HKWorkoutActivityTypeRunning"
    row.facts.source = Source(name: "Watch", bundleIdentifier: "com.other")
    (row.facts.start, row.facts.end) = (start, end)
    return NewElement(.workouts(Workouts([row])))
  }

  /// Whether an app hears of a change.
  private func isTold(
    _ seen: SampleStore, of store: SampleStore, _ change: () throws -> Void
  ) throws -> Bool {
    let last = try store.lastChange()
    try change()
    return try !seen.changes(after: last).isEmpty
  }

  @Test(
    "a change of a correlation is told by the limits of all its members, whatever else is readable")
  func limitedCorrelations() throws {
    let pressures = [
      "HKQuantityTypeIdentifierBloodPressureSystolic",
      "HKQuantityTypeIdentifierBloodPressureDiastolic",
    ]
    let other = Source(name: "Cuff", bundleIdentifier: "com.other")
    let kind = "HKCorrelationTypeIdentifierBloodPressure"
    /// A correlation, and whether its members end as it does.
    func element(_ end: Double, membersEnd: Double) -> NewElement {
      var row = Correlations.Row()
      row.type = kind
      (row.facts.source, row.facts.start, row.facts.end) = (other, end - 5, end)
      row.members = pressures.map {
        RecordLink(
          type: $0, source: other, start: membersEnd - 5, end: membersEnd, value: 80, label: "mmHg")
      }
      return NewElement(.correlations(Correlations([row])))
    }
    for limits in [[50.0, 50], [50, nil], [nil, 50], [40, 60], [nil, nil]] as [[Double?]] {
      let store = try store()
      try store.authorise(
        app, share: [:],
        read: Dictionary(
          uniqueKeysWithValues: (pressures + ["HKQuantityTypeIdentifierDietaryProtein"]).map {
            ($0, .authorised)
          }))
      for (type, limit) in zip(pressures, limits) {
        try store.limitHistory(
          of: app, types: [type], from: limit.map(Date.init(timeIntervalSinceReferenceDate:)))
      }
      try store.enableDelivery(of: kind, to: app, .immediate)
      let seen = try store.reading(as: app, filtersHistory: true)
      for ends in [
        [20.0], [45], [55], [80], [80, 20], [20, 80], [20, 55], [45, 20],
      ] {
        for membersEnd in [nil, 20, 80] as [Double?] {
          var objects = NewObjects()
          objects.elements = ends.map { element($0, membersEnd: membersEnd ?? $0) }
          let isSeen = ends.contains { end in
            limits.allSatisfy { $0.map { $0 <= membersEnd ?? end } ?? true }
          }
          let words = Comment(rawValue: "\(limits), \(ends), \(membersEnd ?? -1)")
          #expect(try isTold(seen, of: store) { try store.save(objects) } == isSeen, words)
          try store.completeDelivery(of: nil, to: app, upTo: store.lastChange())
          #expect(
            try isTold(seen, of: store) { try store.delete(objects.elements.map(\.uuid)) }
              == isSeen,
            words)
          #expect(try store.pendingDeliveries(of: app).isEmpty != isSeen, words)
        }
      }
    }
  }

  @Test("a prescription is told of by its issue, whenever it expires")
  func limitedPrescriptions() throws {
    let store = try store()
    let type = "HKVisionPrescriptionTypeIdentifier"
    try store.authorise(app, type: type, read: .authorised)
    try store.limitHistory(
      of: app, types: [type], from: Date(timeIntervalSinceReferenceDate: 50))
    let seen = try store.reading(as: app, filtersHistory: true)
    for (issued, expires) in [(20.0, 80.0), (20, nil), (49, 50), (50, 90), (60, nil)] {
      var row = VisionPrescriptions.Row()
      (row.type, row.issued, row.expires) = ("glasses", issued, expires)
      row.source = Source(name: "Shop", bundleIdentifier: "com.other")
      let element = NewElement(.visionPrescriptions(VisionPrescriptions([row])))
      var objects = NewObjects()
      objects.elements = [element]
      let before = try seen.anchor()
      #expect(try isTold(seen, of: store) { try store.save(objects) } == (issued >= 50))
      #expect(try isTold(seen, of: store) { try store.delete([element.uuid]) } == (issued >= 50))
      #expect(try seen.deletions(after: before).isEmpty == (issued < 50))
    }
  }

  @Test("what belongs to an element is told by its end, also where a hidden one changes with it")
  func limitedAssociations() throws {
    let (store, seen) = try limitedStore()
    for spans in [[(45.0, 80.0), (10, 20)], [(10, 20), (45, 80)], [(10, 20), (30, 49)]] {
      var objects = NewObjects()
      objects.elements = spans.map(run)
      let sample = NewSample(
        type: StoreRecords.heartRate,
        source: Source(name: "Watch", bundleIdentifier: "com.other"), start: 15, end: 15, value: 60,
        label: "count/min", uuid: UUID())
      objects.samples = [sample]
      try store.save(objects)
      var later = NewObjects()
      later.associations = objects.elements.compactMap { element in
        sample.uuid.map { Association(element.uuid, $0, .workout) }
      }
      let isLate = spans.contains { $0.1 >= 50 }
      #expect(try isTold(seen, of: store) { try store.save(later) } == isLate)
      #expect(
        try isTold(seen, of: store) { _ = try store.dissociate(later.associations) } == isLate)
    }
  }

  @Test("the anchor of an app moves with what it sees only", arguments: [1, 40])
  func limitedAnchors(atOnce: Int) throws {
    let store = try store()
    let limit = 50.25
    try store.limitHistory(
      of: app, types: [StoreRecords.steps.identifier],
      from: Date(timeIntervalSinceReferenceDate: limit))
    let seen = try store.reading(as: app, filtersHistory: true)
    var random = SplitMix64(seed: UInt64(atOnce))
    let samples = named(120, &random)
    let isLate = { (sample: NewSample) in sample.end >= limit }
    for first in stride(from: 0, to: samples.count, by: atOnce) {
      let part = samples.dropFirst(first).prefix(atOnce)
      for changed in [part.filter { !isLate($0) }, part.filter(isLate)] {
        let before = try seen.anchor()
        try store.save(changed)
        let after = try seen.anchor()
        #expect((before != after) == changed.contains(where: isLate))
        #expect(try seen.anchor() == after)
      }
    }
    let hidden = samples.filter { !isLate($0) }.compactMap(\.uuid)
    let before = try seen.anchor()
    try store.delete(hidden)
    #expect(try seen.anchor() == before && !hidden.isEmpty)
  }

  @Test("a damaged limit is an error for its own app, and for the list of all")
  func damagedLimits() throws {
    let store = try store()
    let steps = StoreRecords.steps.identifier
    try store.limitHistory(
      of: app, types: [steps], from: Date(timeIntervalSinceReferenceDate: 50))
    for (text, other) in [("soon", "com.other"), ("inf", "com.third")] {
      try store.limitHistory(
        of: other, types: [steps], from: Date(timeIntervalSinceReferenceDate: 1))
      try store.write { database, _ in
        let key = try #require(
          try String.fetchOne(
            database, sql: "SELECT key FROM settings WHERE key LIKE ?", arguments: ["%" + other]))
        try database.set(key, to: text, at: database.allocateStamp(at: 0))
      }
      #expect(try store.historyLimits(of: app).count == 1)
      #expect(try store.reading(as: app).types().isEmpty == false)
      #expect(throws: StoreError.self) { try store.historyLimits(of: other) }
      #expect(throws: StoreError.self) { try store.reading(as: other).types() }
      #expect(throws: StoreError.self) { try store.historyLimitsOfApps() }
      // The owner lifts it.
      try store.limitHistory(of: other, types: [steps], from: nil)
      #expect(try store.historyLimitsOfApps().count == 1)
    }
  }

  @Test("files of what ended before a limit are not there")
  func limitedAttachments() throws {
    let store = try store()
    try store.limitHistory(
      of: app, types: [StoreRecords.steps.identifier],
      from: Date(timeIntervalSinceReferenceDate: 50))
    var random = SplitMix64(seed: 5)
    let saved = named(40, &random)
    let imported = try store.records(of: StoreRecords.steps)
    try store.save(saved)
    var objects = saved.compactMap { sample in sample.uuid.map { ($0, sample.end) } }
    for batch in imported {
      objects += zip(try store.uuids(of: batch.serials), batch.ends)
    }
    let seen = try store.reading(as: app, filtersHistory: true)
    for (uuid, end) in objects {
      let file = StoredAttachment(name: "scan", contentType: "public.jpeg", created: 0, size: 1)
      try store.add(file, [7], to: uuid)
      let isSeen = end >= 50
      #expect(try seen.attachments(of: uuid).count == (isSeen ? 1 : 0))
      #expect(try seen.content(ofAttachment: file.uuid) == (isSeen ? [7] : nil))
      #expect(try seen.serials(of: [uuid]).isEmpty != isSeen)
      #expect(try store.reading(as: app).attachments(of: uuid).isEmpty)
    }
  }
}
