import Foundation
import GRDB
import HealthSamples
import HealthUnits
import Testing
import _HealthTestSupport

@testable import HealthStore

/// What an app must not learn of others' data, and must not do to it; beside each attack what the app
/// may still do.
@Suite("Attacks of an app")
struct AppAttackTests {
  private static let app = "com.example.app"
  private static let other = "com.other"
  private static let workoutType = "HKWorkoutTypeIdentifier"
  private static let mind = "HKDataTypeStateOfMind"
  private static let assessment = "HKScoredAssessmentTypeIdentifierPHQ9"
  private static let pressure = "HKCorrelationTypeIdentifierBloodPressure"
  private static let systolic = SampleType(.bloodPressureSystolic)
  private static let diastolic = SampleType(.bloodPressureDiastolic)

  /// A store of which an app may read and share some types, and the app's view.
  private struct Trial {
    let store: SampleStore
    let app: SampleStore
    let other: SampleStore
    let own = Source(name: "Example", bundleIdentifier: AppAttackTests.app)
    let theirs = Source(name: "Other", bundleIdentifier: AppAttackTests.other)

    init(read: [String] = [], share: [String] = []) throws {
      store = try SampleStore.temporary()
      for (app, read, share) in [
        (AppAttackTests.app, read, share),
        (
          AppAttackTests.other, [],
          [
            AppAttackTests.workoutType, AppAttackTests.mind, AppAttackTests.assessment,
            StoreRecords.heartRate.identifier, StoreRecords.steps.identifier,
            AppAttackTests.systolic.identifier, AppAttackTests.diastolic.identifier,
          ]
        ),
      ] {
        func all(_ types: [String]) -> [String: Authorisation] {
          Dictionary(uniqueKeysWithValues: types.map { ($0, .authorised) })
        }
        try store.authorise(app, share: all(share), read: all(read))
      }
      app = try store.reading(as: AppAttackTests.app, named: own.name)
      other = try store.reading(as: AppAttackTests.other, named: theirs.name)
    }
  }

  private func sample(
    _ source: Source, of type: SampleType = StoreRecords.heartRate, at start: Double = 0,
    _ entries: [Metadata.Entry] = [], device: String = "", label: String = "count/min"
  ) -> NewSample {
    NewSample(
      type: type, source: source, start: start, end: start, value: 60, label: label,
      origin: Origin(device: device), metadata: Metadata(entries), uuid: UUID())
  }

  private func workout(_ source: Source, at start: Double = 0) -> NewElement {
    var row = Workouts.Row()
    row.activity = "HKWorkoutActivityTypeRunning"
    (row.facts.source, row.facts.start, row.facts.end) = (source, start, start + 60)
    return NewElement(.workouts(Workouts([row])))
  }

  private func object(_ type: String, _ source: Source, at start: Double = 0) -> NewElement {
    var row = SavedObjects.Row()
    row.type = type
    (row.facts.source, row.facts.start, row.facts.end) = (source, start, start)
    return NewElement(.savedObjects(SavedObjects([row])))
  }

  private func correlation(_ source: Source, members: [Source]) -> NewElement {
    var row = Correlations.Row()
    row.type = Self.pressure
    row.facts.source = source
    row.members = zip([Self.systolic, Self.diastolic], members).map { type, source in
      RecordLink(
        type: type.identifier, source: source, start: 0, end: 0, value: 80, label: "mmHg")
    }
    return NewElement(.correlations(Correlations([row])))
  }

  private func objects(
    _ elements: [NewElement] = [], samples: [NewSample] = [],
    _ associations: [HealthStore.Association] = []
  ) -> NewObjects {
    var objects = NewObjects()
    (objects.samples, objects.elements, objects.associations) = (samples, elements, associations)
    return objects
  }

  /// The reason why a call is refused; `nil` if it is not.
  private func refusal(_ body: () throws -> Void) -> StoreError.Reason? {
    do {
      try body()
      return nil
    } catch {
      return (error as? StoreError)?.reason
    }
  }

  private func workouts(_ store: SampleStore) throws -> Int { try store.workouts().rows.count }

  // MARK: Associations

  @Test("1: it hides nobody's workout by calling it a measurement of its own sample")
  func measurements() throws {
    let trial = try Trial(
      read: [Self.workoutType], share: [StoreRecords.heartRate.identifier, Self.workoutType])
    let theirs = workout(trial.theirs)
    try trial.other.save(objects([theirs]))
    let mine = try trial.app.save([sample(trial.own)])[0]
    let attack = Association(mine, theirs.uuid, .measurements)
    #expect(refusal { try trial.app.save(objects([], [attack])) } == .notPermitted)
    try trial.app.delete([mine])
    #expect(try workouts(trial.store) == 1 && workouts(trial.other) == 1)
    // Its own sample has its own measurements, which go with it.
    let (new, part) = (sample(trial.own), object(StoreRecords.heartRate.identifier, trial.own))
    let uuid = try #require(new.uuid)
    try trial.app.save(
      objects([part], samples: [new], [Association(uuid, part.uuid, .measurements)]))
    #expect(try trial.app.savedObjects().rows.count == 1)
    try trial.app.delete([uuid])
    #expect(try trial.app.savedObjects().rows.isEmpty)
  }

  @Test("2: it puts nothing into another's workout, and what it sees into its own")
  func others() throws {
    let trial = try Trial(
      read: [Self.workoutType, StoreRecords.steps.identifier],
      share: [StoreRecords.heartRate.identifier, Self.workoutType])
    let (theirs, mine) = (workout(trial.theirs), workout(trial.own))
    try trial.other.save(objects([theirs]))
    let steps = try trial.other.save([sample(trial.theirs, of: StoreRecords.steps, label: "count")]
    )[0]
    let hidden = try trial.other.save([sample(trial.theirs)])[0]
    try trial.app.save(objects([mine]))
    let own = try trial.app.save([sample(trial.own, at: 5)])[0]
    func relate(_ owner: UUID, _ member: UUID) -> StoreError.Reason? {
      refusal { try trial.app.save(objects([], [Association(owner, member, .workout)])) }
    }
    #expect(relate(theirs.uuid, own) == .notPermitted)
    #expect(relate(mine.uuid, hidden) == .invalidBatch(row: 0))
    #expect(relate(own, own) == .invalidBatch(row: 0))
    #expect(try trial.store.associations(.workout).isEmpty)
    #expect(relate(mine.uuid, own) == nil && relate(mine.uuid, steps) == nil)
    #expect(try Set(trial.store.associations(.workout).map(\.member)) == [own, steps])
    // What may no longer be shared is no longer changed.
    try trial.store.authorise(Self.app, type: Self.workoutType, share: .denied)
    #expect(relate(mine.uuid, own) == .notPermitted)
  }

  @Test("3: a correlation takes no part of others, and an electrocardiogram none of apps")
  func parts() throws {
    let types = [Self.systolic, Self.diastolic].map(\.identifier)
    let trial = try Trial(read: types, share: types)
    let theirs = correlation(trial.theirs, members: [trial.theirs, trial.theirs])
    let part = sample(trial.theirs, of: Self.systolic, label: "mmHg")
    let uuid = try #require(part.uuid)
    try trial.other.save(objects([theirs], samples: [part]))
    let mine = correlation(trial.own, members: [trial.own, trial.own])
    let own = sample(trial.own, of: Self.systolic, at: 9, label: "mmHg")
    let ownUUID = try #require(own.uuid)
    func save(_ objects: NewObjects) -> StoreError.Reason? {
      refusal { try trial.app.save(objects) }
    }
    for (owner, member) in [(mine.uuid, uuid), (theirs.uuid, ownUUID)] {
      let attack = Association(owner, member, .correlation)
      #expect(save(objects([mine], samples: [own], [attack])) == .notPermitted)
    }
    #expect(
      save(objects([mine], samples: [own], [Association(mine.uuid, ownUUID, .electrocardiogram)]))
        == .invalidBatch(row: 0))
    #expect(
      save(objects([mine], samples: [own], [Association(mine.uuid, ownUUID, .correlation)])) == nil)
    #expect(try trial.app.correlations().rows.count == 2)
    // A saved correlation gets no other parts later.
    let late = sample(trial.own, of: Self.diastolic, at: 9, label: "mmHg")
    let attack = Association(mine.uuid, try #require(late.uuid), .correlation)
    #expect(save(objects([], samples: [late], [attack])) == .invalidBatch(row: 0))
  }

  @Test("4: effort is its own, of any workout that it sees, while it may share workouts")
  func effort() throws {
    let score = SampleType(.workoutEffortScore)
    let trial = try Trial(
      read: [Self.workoutType, score.identifier], share: [score.identifier, Self.workoutType])
    let theirs = workout(trial.theirs)
    try trial.other.save(objects([theirs]))
    let mine = try trial.app.save([sample(trial.own, of: score, label: "appleEffortScore")])[0]
    try trial.store.save([sample(Source(name: "Watch"), of: score, label: "appleEffortScore")])
    let serials = try trial.store.records(of: score).flatMap(\.serials)
    let watch = try #require(try trial.store.uuids(of: serials).first { $0 != mine })
    func relate(_ member: UUID) -> StoreError.Reason? {
      let relation = Association(theirs.uuid, member, .effort)
      return refusal { try trial.app.save(objects([], [relation])) }
    }
    #expect(relate(watch) == .notPermitted)
    try trial.store.authorise(
      Self.app, type: StoreRecords.steps.identifier, share: .authorised)
    let steps = try trial.app.save([sample(trial.own, of: StoreRecords.steps, label: "count")])[0]
    #expect(relate(steps) == .invalidBatch(row: 0))
    #expect(relate(mine) == nil)
    #expect(try trial.app.associations(.effort).count == 1)
    let relation = Association(theirs.uuid, mine, .effort)
    try trial.store.authorise(Self.app, type: Self.workoutType, share: .denied)
    #expect(refusal { try trial.app.dissociate([relation]) } == .notPermitted)
    try trial.store.authorise(Self.app, type: Self.workoutType, share: .authorised)
    #expect(try trial.app.dissociate([relation]) == 1)
  }

  @Test("5: what does not count is in no association of an app")
  func gone() throws {
    let trial = try Trial(share: [StoreRecords.heartRate.identifier, Self.workoutType])
    let mine = workout(trial.own)
    try trial.app.save(objects([mine]))
    let own = try trial.app.save([sample(trial.own)])[0]
    try trial.app.delete([own])
    let relation = Association(mine.uuid, own, .workout)
    #expect(refusal { try trial.app.save(objects([], [relation])) } == .invalidBatch(row: 0))
  }

  @Test("6: ending an association does not tell which objects there are")
  func dissociating() throws {
    let trial = try Trial(share: [StoreRecords.heartRate.identifier, Self.workoutType])
    let theirs = workout(trial.theirs)
    let sample = sample(trial.theirs)
    let relation = Association(theirs.uuid, try #require(sample.uuid), .workout)
    try trial.other.save(objects([theirs], samples: [sample], [relation]))
    #expect(try trial.app.dissociate([relation]) == 0)
    #expect(try trial.app.dissociate([Association(UUID(), UUID(), .workout)]) == 0)
    #expect(try trial.other.dissociate([relation]) == 1)
  }

  // MARK: Identities

  @Test("7: UUIDs of serials, and who saved them, are the owner's to know")
  func identities() throws {
    let trial = try Trial()
    let theirs = try trial.other.save([sample(trial.theirs)])
    #expect(refusal { _ = try trial.app.uuids(of: 1...10) } == .notPermitted)
    #expect(refusal { _ = try trial.app.saver(of: theirs[0]) } == .notPermitted)
    #expect(refusal { _ = try trial.app.saver(of: UUID()) } == .notPermitted)
    #expect(try trial.app.serials(of: theirs).isEmpty)
    #expect(try trial.store.saver(of: theirs[0]) == .app(Self.other))
  }

  @Test("8: the view of an app becomes that of no other, and none is that of imports")
  func views() throws {
    let trial = try Trial()
    try trial.other.save([sample(trial.theirs)])
    #expect(refusal { _ = try trial.app.reading(as: Self.other) } == .notPermitted)
    #expect(refusal { _ = try trial.app.reading(as: "") } == .noBundleIdentifier)
    #expect(refusal { _ = try trial.store.reading(as: "") } == .noBundleIdentifier)
    #expect(
      refusal { try trial.store.authorise("", type: "x", share: .authorised) }
        == .noBundleIdentifier)
    for name in ["com.apple.Health", "com.apple.health", "com.apple.health.\(UUID())"] {
      let calls: [() throws -> Void] = [
        { _ = try trial.store.reading(as: name) },
        { try trial.store.authorise(name, type: "x", share: .authorised) },
        { try trial.store.authorise(name, share: [:], read: [:], named: "Health") },
        { try trial.store.authorise(name, type: "x", showing: [UUID()], hiding: []) },
        {
          try trial.store.limitHistory(
            of: name, types: ["x"], from: Date(timeIntervalSinceReferenceDate: 1))
        },
        { try trial.store.enableDelivery(of: "x", to: name, .daily) },
        { try trial.store.setDeliveryCommand(["/bin/true"], of: name) },
      ]
      for call in calls { #expect(refusal(call) == .reservedBundleIdentifier) }
      // The owner takes back what an earlier version let such an app have.
      try trial.store.write { database, _ in
        try database.execute(
          sql: "INSERT INTO authorisations (app, type, share, read) VALUES (?, 'x', 2, 2)",
          arguments: [name])
        try database.set("history x\n\(name)", to: "1.0", at: database.allocateStamp(at: 0))
      }
      #expect(try trial.store.authorisations(of: name).map(\.read) == [.authorised])
      #expect(try trial.store.historyLimits(of: name).count == 1)
      #expect(refusal { try trial.store.setDeliveryCommand(nil, of: name) } == nil)
      #expect(
        refusal { try trial.store.limitHistory(of: name, types: ["x"], from: nil) } == nil)
      #expect(
        refusal { try trial.store.authorise(name, type: "x", share: .denied, read: .denied) } == nil
      )
      #expect(
        refusal { try trial.store.authorise(name, type: "x", showing: [], hiding: [UUID()]) } == nil
      )
      #expect(try trial.store.authorisations(of: name).map(\.read) == [.denied])
      #expect(try trial.store.authorisations(of: name).map(\.share) == [.denied])
      #expect(try trial.store.historyLimits(of: name).isEmpty)
    }
    _ = try trial.store.reading(as: "com.apple.healthkit.example")
    #expect(try trial.app.reading(as: Self.app).samples(of: StoreRecords.heartRate).count == 0)
    #expect(try trial.app.choosing(SourceSelection(only: ["Other"])).sources().isEmpty)
    // Its clock is the owner's: a write of the far future would be the last act for ever.
    let late = Now(Date(timeIntervalSinceReferenceDate: 9e11))
    #expect(trial.app.at(late).now.instant != late.instant)
  }

  // MARK: Versions

  @Test("9: another's sync identifier shows neither the object nor its version")
  func versions() throws {
    let trial = try Trial(share: [StoreRecords.heartRate.identifier])
    func entries(_ version: Double) -> [Metadata.Entry] {
      [
        .init(key: "HKMetadataKeySyncIdentifier", .string("x")),
        .init(key: "HKMetadataKeySyncVersion", .number(version)),
      ]
    }
    let theirs = try trial.other.save([sample(trial.theirs, entries(5))])
    for version in [-1e300, 4, 5, 6, 1e300] {
      let attack = sample(trial.theirs, at: 1, entries(version))
      #expect(refusal { try trial.app.save([attack]) } == .notPermitted)
    }
    // Its own of the same name is another object.
    let mine = try trial.app.save([sample(trial.own, entries(-1e300))])
    #expect(mine != theirs)
    #expect(try trial.app.save([sample(trial.own, entries(-1e301))]) == mine)
    #expect(try trial.store.samples(of: StoreRecords.heartRate).count == 2)
    // A version that is in no order, and a time that no question can show, would stop the owner.
    for version in [Double.nan, .infinity] {
      let attack = sample(trial.own, at: 2, entries(version))
      #expect(refusal { try trial.app.save([attack]) } == .invalidSample(index: 0))
    }
    for start in [-1e12, 1e12] {
      #expect(
        refusal { try trial.app.save([sample(trial.own, at: start)]) } == .invalidSample(index: 0))
    }
  }

  // MARK: Elements

  @Test("10: a correlation without members, or with those of others, is not saved")
  func correlations() throws {
    let types = [Self.systolic, Self.diastolic].map(\.identifier)
    let trial = try Trial(share: types)
    func save(_ element: NewElement) -> StoreError.Reason? {
      refusal { try trial.app.save(objects([element])) }
    }
    #expect(save(correlation(trial.own, members: [])) == .invalidBatch(row: 0))
    #expect(save(correlation(Source(name: "Watch"), members: [])) != nil)
    #expect(save(correlation(trial.own, members: [trial.own, trial.theirs])) == .notPermitted)
    #expect(save(correlation(trial.theirs, members: [trial.own, trial.own])) == .notPermitted)
    #expect(save(correlation(trial.own, members: [trial.own, trial.own])) == nil)
    try trial.store.authorise(Self.app, type: types[0], share: .denied)
    #expect(save(correlation(trial.own, members: [trial.own, trial.own])) == .notPermitted)
  }

  @Test("11: another's correlation without members is not deleted")
  func emptyCorrelation() throws {
    let trial = try Trial(read: [Self.pressure, Self.systolic.identifier])
    let theirs = correlation(trial.theirs, members: [])
    try trial.store.save(objects([theirs]))
    #expect(try trial.app.correlations().rows.count == 1)
    #expect(refusal { try trial.app.delete([theirs.uuid]) } == .notPermitted)
    #expect(try trial.store.correlations().rows.count == 1)
  }

  @Test("12: what only imports have no app saves, whatever the owner allowed")
  func imported() throws {
    let type = "HKClinicalTypeIdentifierLabResultRecord"
    let trial = try Trial(share: [type, "HKDataTypeIdentifierElectrocardiogram"])
    var record = ClinicalRecords.Row()
    (record.type, record.source) = (type, trial.own)
    var electrocardiogram = Electrocardiograms.Row()
    electrocardiogram.facts.source = trial.own
    for element: ImportBatch in [
      .clinicalRecords(ClinicalRecords([record])),
      .electrocardiograms(Electrocardiograms([electrocardiogram])),
    ] {
      let attack = NewElement(element)
      #expect(refusal { try trial.app.save(objects([attack])) } == .invalidBatch(row: 0))
      #expect(refusal { try trial.store.save(objects([attack])) } == nil)
    }
  }

  @Test("13: it deletes what is its own, saved or imported, and of others nothing")
  func deleting() throws {
    let trial = try Trial(read: [Self.workoutType], share: [Self.workoutType])
    let session = try trial.store.beginImport()
    for (place, source) in [trial.own, trial.theirs].enumerated() {
      try session.add(workout(source, at: Double(place) * 900).element)
    }
    _ = try session.finish()
    var uuids: [String: UUID] = [:]
    try trial.store.forEachIdentifiedElement(of: .workout) { element in
      if case .workouts(let columns) = element.element, let row = columns.rows.first {
        uuids[row.facts.source.bundleIdentifier] = element.uuid
      }
      return true
    }
    let (mine, theirs) = (try #require(uuids[Self.app]), try #require(uuids[Self.other]))
    #expect(refusal { try trial.app.delete([mine, theirs]) } == .notPermitted)
    try trial.store.authorise(Self.app, type: Self.workoutType, share: .denied)
    #expect(refusal { try trial.app.delete([mine]) } == .notPermitted)
    #expect(try workouts(trial.store) == 2)
    try trial.store.authorise(Self.app, type: Self.workoutType, share: .authorised)
    #expect(try trial.app.delete([mine, UUID()]) == 1)
    #expect(try workouts(trial.store) == 1)
  }

  // MARK: Names

  @Test("14: it is named as the owner named it, and ranks as no device")
  func names() throws {
    let steps = StoreRecords.steps
    let trial = try Trial(read: [steps.identifier], share: [steps.identifier, Self.workoutType])
    let watch = Source(name: "Apple Watch", bundleIdentifier: Self.app)
    let device = "name:Apple Watch, model:Watch, hardware:Watch7,1"
    try trial.app.save([sample(watch, of: steps, device: device, label: "count")])
    try trial.app.save(objects([workout(watch)]))
    let summary = try #require(try trial.store.sources(of: steps).first)
    #expect(summary.source.name == "Example" && summary.deviceKind == .other)
    #expect(try trial.store.workouts().rows.map(\.facts.source) == [trial.own])
    #expect(try trial.store.allSources() == [trial.own])
    // A watch of an export is one.
    #expect(DeviceKind(of: Source(name: "Apple Watch"), device: "") == .watch)
    #expect(
      DeviceKind(
        of: Source(name: "Anna", bundleIdentifier: "com.apple.health.1"), device: device)
        == .watch)
  }

  @Test("15: without a name of the view it has the granted one, the known one, or its identifier")
  func grantedNames() throws {
    let steps = StoreRecords.steps
    let trial = try Trial(share: [steps.identifier])
    let view = try trial.store.reading(as: Self.app)
    func name() throws -> String? {
      let uuid = try view.save([
        sample(Source(name: "iPhone", bundleIdentifier: Self.app), of: steps, label: "count")
      ])
      defer { _ = try? view.delete(uuid) }
      return try trial.store.sources(of: steps).first?.source.name
    }
    #expect(try name() == Self.app)
    try trial.store.authorise(Self.app, share: [:], read: [:], named: "Example Run")
    #expect(try name() == "Example Run")
    let other = try trial.store.reading(as: Self.other)
    try trial.other.save([sample(trial.theirs, of: steps, at: 7, label: "count")])
    let renamed = Source(name: "iPhone", bundleIdentifier: Self.other)
    try other.save([sample(renamed, of: steps, at: 8, label: "count")])
    #expect(try trial.store.sources(of: steps).map(\.source) == [trial.theirs])
  }

  // MARK: What it may not see

  /// Heart rates that are denied, with serials between those of steps that may be read.
  private func interleaved(_ trial: Trial) throws -> (steps: [UUID], hidden: [UUID]) {
    let source = Source(name: "Watch")
    var hidden: [UUID] = []
    for round in 0..<3 {
      let session = try trial.store.beginImport()
      for (type, label) in [(StoreRecords.steps, "count"), (StoreRecords.heartRate, "count/min")] {
        var batch = RecordColumns(type: type, source: source)
        for row in 0..<3 {
          let start = Double(100 * round + row)
          try batch.append(start: start, end: start, value: 1, label: label)
        }
        try session.add(batch)
      }
      _ = try session.finish()
    }
    func uuids(_ type: SampleType) throws -> [UUID] {
      try trial.store.uuids(of: trial.store.records(of: type).flatMap(\.serials))
    }
    hidden = try uuids(StoreRecords.heartRate)
    return (try uuids(StoreRecords.steps), hidden)
  }

  @Test("16: files and associations of denied samples stay hidden among visible ones")
  func between() throws {
    let trial = try Trial(
      read: [StoreRecords.steps.identifier, Self.workoutType], share: [Self.workoutType])
    let (steps, hidden) = try interleaved(trial)
    let mine = workout(trial.own)
    try trial.app.save(objects([mine]))
    func attachment(_ name: String) -> StoredAttachment {
      StoredAttachment(name: name, contentType: "public.jpeg", created: 0, size: 1)
    }
    let (secret, open) = (attachment("secret.jpg"), attachment("open.jpg"))
    try trial.store.add(secret, [1], to: hidden[4])
    try trial.store.add(open, [2], to: steps[4])
    for member in [hidden[4], steps[4]] {
      try trial.store.save(objects([], [Association(mine.uuid, member, .workout)]))
    }
    for uuid in hidden {
      #expect(try trial.app.attachments(of: uuid).isEmpty)
      #expect(try trial.app.serials(of: [uuid]).isEmpty)
      let relation = Association(mine.uuid, uuid, .workout)
      #expect(refusal { try trial.app.save(objects([], [relation])) } == .invalidBatch(row: 0))
    }
    #expect(try trial.app.content(ofAttachment: secret.uuid) == nil)
    #expect(try trial.app.delete(hidden) == 0)
    #expect(try trial.app.associations(.workout).map(\.member) == [steps[4]])
    #expect(try trial.app.associations(.workout, ofMembers: hidden).isEmpty)
    #expect(try trial.app.attachments(of: steps[4]).map(\.name) == ["open.jpg"])
    #expect(try trial.app.serials(of: steps).count == steps.count)
    #expect(refusal { try trial.app.delete(steps) } == .notPermitted)
  }

  @Test("17: a file has a UUID of its own, and is added while the type may be shared")
  func attachments() throws {
    let trial = try Trial(share: [StoreRecords.heartRate.identifier])
    let (mine, theirs) = (
      try trial.app.save([sample(trial.own)])[0], try trial.other.save([sample(trial.theirs)])[0]
    )
    let file = StoredAttachment(name: "a", contentType: "public.jpeg", created: 0, size: 1)
    try trial.other.add(file, [7], to: theirs)
    #expect(refusal { try trial.app.add(file, [1], to: mine) } == .invalidBatch(row: nil))
    #expect(try trial.other.content(ofAttachment: file.uuid) == [7])
    let own = StoredAttachment(name: "b", contentType: "public.jpeg", created: 0, size: 1)
    try trial.app.add(own, [2], to: mine)
    try trial.store.authorise(Self.app, type: StoreRecords.heartRate.identifier, share: .denied)
    let late = StoredAttachment(name: "c", contentType: "public.jpeg", created: 0, size: 1)
    #expect(refusal { try trial.app.add(late, [3], to: mine) } == .notPermitted)
    #expect(refusal { try trial.app.removeAttachment(own.uuid, from: mine) } == .notPermitted)
    #expect(try trial.app.attachments(of: mine).map(\.name) == ["b"])
  }

  @Test("18: deletions and changes of a type do not show with those of others of its kind")
  func kinds() throws {
    let trial = try Trial(read: [Self.mind], share: [])
    try trial.store.enableDelivery(of: Self.mind, to: Self.app, .immediate)
    let moods = (0..<3).map { object(Self.mind, trial.theirs, at: Double(10 * $0)) }
    let tests = (0..<3).map { object(Self.assessment, trial.theirs, at: Double(10 * $0)) }
    try trial.other.save(objects(moods))
    let before = StoreAnchor(before: try trial.app.anchor())
    let change = try trial.app.lastChange()
    try trial.store.completeDelivery(of: nil, to: Self.app, upTo: trial.store.lastChange())
    // Around, between and at the same moments.
    try trial.other.save(objects(tests))
    try trial.other.delete([tests[0].uuid, tests[2].uuid])
    try trial.store.restore(.elements(.savedObject))
    try trial.other.delete(tests.map(\.uuid))
    #expect(try trial.app.deletions(after: before).isEmpty)
    #expect(try trial.app.changes(after: change).isEmpty && trial.app.lastChange() == change)
    #expect(try trial.store.pendingDeliveries().isEmpty)
    #expect(try trial.app.serials(of: tests.map(\.uuid)).isEmpty)
    // What it may read it learns of, with its own time only.
    try trial.other.delete([moods[1].uuid, tests[1].uuid])
    #expect(try trial.app.deletions(after: before).map(\.uuid) == [moods[1].uuid])
    #expect(try trial.app.changes(after: change).map(\.span) == [10...10])
    #expect(try trial.store.pendingDeliveries().map(\.delivery.type) == [Self.mind])
    try trial.other.save(
      objects([
        object(Self.mind, trial.theirs, at: 50), object(Self.assessment, trial.theirs, at: 99),
      ]))
    let last = try #require(try trial.app.changes().last)
    #expect(last.span == 50...50 && last.serials?.count == 1)
    // Joined entries show what it sees, and nothing where it sees nothing.
    try trial.store.write { _, revision in
      for number in 0..<8_200 { revision.change(.init(kind: "entry \(number)"), in: 0...0) }
    }
    let entries = try trial.store.read { database in
      try Int64.fetchAll(database, sql: "SELECT firstSerial FROM changes WHERE kind = 'o'")
    }
    #expect(entries == [-1])
    #expect(try trial.app.changes().map(\.span) == [0...50])
    let nobody = try trial.store.reading(as: "com.nobody")
    #expect(try nobody.changes().isEmpty && nobody.lastChange() == 0)
  }

  @Test("24: what is deleted beside its own, or with what it sees, shows neither time nor source")
  func beside() throws {
    let pressures = [Self.systolic, Self.diastolic].map(\.identifier)
    let trial = try Trial(share: pressures + [Self.mind])
    let (mine, theirs) = (
      correlation(trial.own, members: [trial.own, trial.own]),
      correlation(trial.theirs, members: [trial.theirs, trial.theirs])
    )
    try trial.app.save(objects([mine, object(Self.mind, trial.own)]))
    let (mood, secret) = (
      object(Self.mind, trial.theirs), object(Self.mind, trial.theirs, at: 500)
    )
    try trial.other.save(objects([theirs, secret, mood]))
    try trial.store.authorise(Self.app, type: Self.mind, showing: [mood.uuid], hiding: [])
    let change = try trial.app.lastChange()
    try trial.other.delete([theirs.uuid])
    #expect(try trial.app.changes(after: change).isEmpty)
    try trial.other.delete([mood.uuid, secret.uuid])
    #expect(try trial.app.changes(after: change).map(\.span) == [0...0])
    // Restored, the shown one is shown, until it is hidden.
    try trial.store.restore(.elements(.savedObject))
    #expect(try trial.app.savedObjects().rows.count == 2)
    try trial.store.authorise(Self.app, type: Self.mind, showing: [], hiding: [mood.uuid])
    #expect(try trial.app.savedObjects().rows.count == 1)
    #expect(try trial.app.deletions(after: StoreAnchor(before: trial.app.anchor())).isEmpty)
  }

  @Test("25: it pages through deletions, and hears of imports that are undone")
  func pages() throws {
    let pressures = [Self.systolic, Self.diastolic].map(\.identifier)
    let trial = try Trial(
      read: pressures + [StoreRecords.heartRate.identifier],
      share: [StoreRecords.heartRate.identifier])
    let uuids = try trial.app.save((0..<7).map { sample(trial.own, at: Double($0)) })
    var anchor = try trial.app.anchor()
    try trial.app.delete(uuids)
    var found: [UUID] = []
    while let last = try trial.app.deletions(after: anchor, limit: 3).last {
      found += try trial.app.deletions(after: anchor, limit: 3).map(\.uuid)
      anchor = try trial.app.anchor(after: last, of: anchor)
    }
    #expect(found == uuids)
    let session = try trial.store.beginImport()
    let watch = Source(name: "Cuff")
    try session.add(correlation(watch, members: [watch, watch]).element)
    _ = try session.finish()
    let before = try (trial.app.anchor(), trial.app.lastChange())
    #expect(try trial.app.correlations().rows.count == 1)
    _ = try trial.store.undoImport(try #require(try trial.store.imports().last).id)
    #expect(try trial.app.deletions(after: before.0).map(\.kind) == [.correlation])
    #expect(try trial.app.changes(after: before.1).count == 1)
  }

  @Test("26: of many groups of one commit an app sees its own time")
  func groups() throws {
    let type = SampleType(.dietaryProtein)
    let trial = try Trial(read: [type.identifier])
    let food = try #require(
      Catalogue.correlationTypes.first { $0.identifier.rawValue.hasSuffix("Food") })
    let others = food.allowed.map(\.rawValue).filter { $0 != type.identifier }
    func meal(_ others: [String], at start: Double) -> NewElement {
      var row = Correlations.Row()
      row.type = food.identifier.rawValue
      (row.facts.source, row.facts.start, row.facts.end) = (trial.theirs, start, start)
      row.members = ([type.identifier] + others).map {
        RecordLink(
          type: $0, source: trial.theirs, start: start, end: start, value: 1, label: "g")
      }
      return NewElement(.correlations(Correlations([row])))
    }
    for count in [1, 2] {
      var all = [meal([], at: 50)]
      for place in others.indices {
        for step in 1...count {
          let pair = [others[place], others[(place + step) % others.count]]
          all.append(meal(pair, at: Double(100 * place)))
        }
      }
      // With two there are more groups than entries of a commit.
      #expect((all.count > 64) == (count == 2))
      try trial.store.save(objects(all))
      let change = try trial.app.lastChange()
      #expect(try trial.app.correlations().rows.map(\.facts.start) == [50])
      try trial.store.delete(all.map(\.uuid))
      #expect(try Set(trial.app.changes(after: change).map(\.span)) == [50...50])
    }
  }

  @Test("19: objects that are shown one by one open no others of their kind")
  func shown() throws {
    let trial = try Trial()
    let mine = try trial.other.save([sample(trial.theirs)])
    let hidden = try trial.other.save([sample(trial.theirs, at: 1)])
    let (mood, secret) = (object(Self.mind, trial.theirs), object(Self.mind, trial.theirs, at: 5))
    try trial.other.save(objects([mood, secret]))
    let before = StoreAnchor(before: try trial.app.anchor())
    try trial.store.authorise(
      Self.app, type: Self.mind, showing: [mood.uuid, mine[0]], hiding: [])
    #expect(try trial.app.savedObjects().rows.count == 1)
    #expect(try trial.app.serials(of: [mood.uuid, secret.uuid] + mine + hidden).count == 2)
    let change = try trial.app.lastChange()
    try trial.other.delete(hidden + [secret.uuid])
    #expect(try trial.app.deletions(after: before).isEmpty)
    #expect(try trial.app.lastChange() == change)
    try trial.other.delete(mine + [mood.uuid])
    #expect(Set(try trial.app.deletions(after: before).map(\.uuid)) == Set(mine + [mood.uuid]))
  }

  @Test(
    "20: what is preferred for a denied type, and a type that only the store knows, stay hidden")
  func units() throws {
    let type = SampleType(.bloodGlucose)
    let trial = try Trial()
    try trial.store.save([sample(Source(name: "Meter"), of: type, label: "mg/dL")])
    try trial.store.setPreferredUnit("mmol/L", of: type)
    #expect(try trial.app.outputUnit(of: type) == nil)
    #expect(refusal { _ = try trial.app.preferredUnit(of: type) } == .notPermitted)
    #expect(refusal { _ = try trial.app.preferredUnits() } == .notPermitted)
    try trial.store.authorise(Self.app, type: type.identifier, share: .authorised)
    #expect(try trial.app.outputUnit(of: type) == "mmol/L")
    let custom = SampleType(
      identifier: "HKQuantityTypeIdentifierNew",
      kind: .quantity(canonicalUnit: try UnitExpression("kg"), style: .discreteArithmetic))
    let guess = SampleType(
      identifier: "HKQuantityTypeIdentifierNew",
      kind: .quantity(canonicalUnit: try UnitExpression("s"), style: .discreteArithmetic))
    try trial.store.save([sample(Source(name: "Scale"), of: custom, label: "kg")])
    #expect(try trial.app.samples(of: guess).type == guess)
    #expect(try trial.store.samples(of: guess).type == custom)
    try trial.store.authorise(Self.app, type: guess.identifier, read: .authorised)
    #expect(try trial.app.samples(of: guess).type == custom)
  }

  @Test("21: it sees who may do what only for itself")
  func permissions() throws {
    let trial = try Trial(read: [StoreRecords.steps.identifier], share: [Self.workoutType])
    #expect(refusal { _ = try trial.app.authorisations() } == .notPermitted)
    #expect(refusal { _ = try trial.app.authorisations(of: Self.app) } == .notPermitted)
    let types: Set = [StoreRecords.steps.identifier, Self.workoutType, "HKUnknown"]
    let states = try trial.app.sharing(of: types)
    #expect(
      states == [
        StoreRecords.steps.identifier: .undetermined, Self.workoutType: .authorised,
        "HKUnknown": .undetermined,
      ])
    #expect(try trial.store.authorisations(of: Self.app).count == 2)
  }

  @Test("22: no anchor that it makes up tells how much there is, and none of others is its own")
  func anchors() throws {
    let trial = try Trial(share: [StoreRecords.heartRate.identifier])
    try trial.app.save([sample(trial.own)])
    let mine = try trial.app.anchor()
    for start in 1...20 { try trial.other.save([sample(trial.theirs, at: Double(start))]) }
    try trial.other.delete(.samples(StoreRecords.heartRate), in: 1..<6)
    let all = try trial.store.anchor()
    func use(_ anchor: StoreAnchor?) -> StoreError.Reason? {
      refusal {
        _ = try trial.app.deletions(after: try #require(anchor))
        try trial.app.check(try #require(anchor))
      }
    }
    for serial in 1...all.serial + 2 {
      for deletion in 0...all.deletion + 1 {
        let forged = StoreAnchor(store: all.store, serial: serial, deletion: deletion)
        #expect(use(forged) == .foreignAnchor)
        #expect(use(StoreAnchor("\(forged)-1f")) == .foreignAnchor)
      }
    }
    let foreign = try SampleStore.temporary()
    try foreign.save([sample(trial.own)])
    for anchor in [all, try trial.other.anchor(), try foreign.anchor()] {
      #expect(use(anchor) == .foreignAnchor)
    }
    // Its own is valid for ever, also as text, and after what it saw was deleted.
    let text = try #require(StoreAnchor(mine.description))
    #expect(text == mine && use(text) == nil)
    #expect(use(StoreAnchor(before: mine)) == nil)
    let later = try trial.app.save([sample(trial.own, at: 99)])
    let newest = try trial.app.anchor()
    try trial.app.delete(later)
    #expect(try trial.app.deletions(after: newest).map(\.uuid) == later)
    #expect(use(newest) == nil)
    try trial.store.takeNewIdentity()
    #expect(use(newest) == nil && use(mine) == nil)
    let decoded = try JSONDecoder().decode(StoreAnchor.self, from: JSONEncoder().encode(mine))
    #expect(use(decoded) == nil)
  }

  @Test("23: elements of types that it may not read cost it no decoding")
  func work() throws {
    let trial = try Trial(read: [StoreRecords.steps.identifier])
    try trial.other.save(objects((0..<5).map { workout(trial.theirs, at: Double($0)) }))
    try trial.other.save(objects([object(Self.mind, trial.theirs)]))
    // Who decodes them finds that they are damaged.
    try trial.store.write { database, _ in
      try database.execute(sql: "UPDATE elements SET content = x'00' WHERE kind = 'w'")
    }
    #expect(throws: StoreError.self) { try trial.store.workouts() }
    #expect(try trial.app.workouts().rows.isEmpty)
    #expect(try trial.app.elementCounts().isEmpty)
    #expect(try trial.app.anchor().serial == 0)
    #expect(try !trial.app.hasSavedObjects(ofType: Self.mind))
    #expect(try trial.store.hasSavedObjects(ofType: Self.mind))
  }
}
