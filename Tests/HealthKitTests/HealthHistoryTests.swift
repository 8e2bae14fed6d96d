import Foundation
import HealthSamples
import HealthStore
import Testing
import _HealthTestSupport

@testable import HealthKit

/// The reference model of a health store with several apps: a list of samples, and the permissions.
private struct ModelHealth {
  /// A sample that an app saved.
  struct Entry {
    let sample: HKSample
    let app: String
    /// The moments of its save and of its deletion; each save and deletion of a sample is one moment.
    let savedAt: Int
    var deletedAt: Int?
  }

  enum Answer { case undetermined, denied, allowed }

  struct Permission {
    var share = Answer.undetermined
    var read = Answer.undetermined
  }

  var entries: [Entry] = []
  /// By the app and the type.
  var permissions: [String: [HKSampleType: Permission]] = [:]
  /// When what an app may read begins, by the app and the type.
  var limits: [String: [HKSampleType: Date]] = [:]
  private(set) var moment = 0

  func permission(_ app: String, _ type: HKSampleType) -> Permission {
    permissions[app]?[type] ?? Permission()
  }

  /// Whether an app may read a sample, whenever it ends.
  private func sees(_ app: String, _ entry: Entry) -> Bool {
    entry.app == app || permission(app, entry.sample.sampleType).read == .allowed
  }

  /// Whether a sample ends before what the app may read of its type.
  private func isTooEarly(_ app: String, _ entry: Entry) -> Bool {
    guard entry.app != app, let limit = limits[app]?[entry.sample.sampleType] else { return false }
    return entry.sample.endDate < limit
  }

  /// The samples of some types that an app sees, in the order of their saves.
  func visible(_ app: String, _ types: Set<HKSampleType>) -> [Entry] {
    entries.filter {
      $0.deletedAt == nil && types.contains($0.sample.sampleType) && sees(app, $0)
        && !isTooEarly(app, $0)
    }
  }

  /// The samples that an app may not read, deleted or not.
  func hidden(_ app: String) -> Set<UUID> {
    Set(entries.filter { !sees(app, $0) || isTooEarly(app, $0) }.map(\.sample.uuid))
  }

  /// The samples that an app would see, deleted after a moment, in the order of their deletions.
  func deleted(_ app: String, _ types: Set<HKSampleType>, after moment: Int) -> [Entry] {
    entries.filter {
      ($0.deletedAt ?? -1) > moment && types.contains($0.sample.sampleType) && sees(app, $0)
        && !isTooEarly(app, $0)
    }.sorted { ($0.deletedAt ?? 0) < ($1.deletedAt ?? 0) }
  }

  private func refusal(to share: Set<HKSampleType>, by app: String) -> HKError.Code? {
    let answers = share.map { permission(app, $0).share }
    if answers.contains(.undetermined) { return .errorAuthorizationNotDetermined }
    return answers.contains(.denied) ? .errorAuthorizationDenied : nil
  }

  func refusal(toRead types: Set<HKSampleType>, by app: String) -> HKError.Code? {
    let isAsked = types.allSatisfy {
      let permission = permission(app, $0)
      return permission.share != .undetermined || permission.read != .undetermined
    }
    return isAsked ? nil : .errorAuthorizationNotDetermined
  }

  mutating func save(_ samples: [HKSample], by app: String) -> HKError.Code? {
    let uuids = samples.map(\.uuid)
    guard !uuids.isEmpty, Set(uuids).count == uuids.count else { return .errorInvalidArgument }
    if let refusal = refusal(to: Set(samples.map(\.sampleType)), by: app) { return refusal }
    guard !entries.contains(where: { uuids.contains($0.sample.uuid) }) else {
      return .errorInvalidArgument
    }
    for sample in samples {
      moment += 1
      entries.append(Entry(sample: sample, app: app, savedAt: moment))
    }
    return nil
  }

  mutating func delete(_ samples: [HKSample], by app: String) -> HKError.Code? {
    if samples.isEmpty { return .errorInvalidArgument }
    if let refusal = refusal(to: Set(samples.map(\.sampleType)), by: app) { return refusal }
    let uuids = Set(samples.map(\.uuid))
    let found = visible(app, Set(samples.map(\.sampleType))).filter {
      uuids.contains($0.sample.uuid)
    }
    guard found.count == uuids.count, found.allSatisfy({ $0.app == app }) else {
      return .errorInvalidArgument
    }
    remove(uuids)
    return nil
  }

  /// Deletes the app's own samples of a type that match, and counts them.
  mutating func delete(
    of type: HKSampleType, by app: String, where matches: (Entry) throws -> Bool
  ) rethrows -> Deletions {
    if let refusal = refusal(to: [type], by: app) { return Deletions(refusal: refusal) }
    let own = try entries.filter {
      try $0.deletedAt == nil && $0.app == app && $0.sample.sampleType == type && matches($0)
    }
    remove(Set(own.map(\.sample.uuid)))
    return Deletions(count: own.count)
  }

  private mutating func remove(_ uuids: Set<UUID>) {
    for index in entries.indices where uuids.contains(entries[index].sample.uuid) {
      moment += 1
      entries[index].deletedAt = moment
    }
  }
}

private struct Deletions: Equatable {
  var count = 0
  var refusal: HKError.Code?
}

/// Random operations of two apps on one store, through HealthKit's interface.
private struct HealthHistory {
  private static let types: [HKSampleType] = [
    HKQuantityType(.stepCount), HKQuantityType(.bodyMass), HKQuantityType(.heartRate),
    HKCategoryType(.sleepAnalysis),
  ]
  private static let apps = ["com.example.a", "com.example.b"]

  private var random: SplitMix64
  private let file: HealthFile
  private var stores: [String: HKHealthStore] = [:]
  private var model = ModelHealth()
  private var predicates: RandomPredicates
  /// The anchor that an app keeps of an anchored query.
  private struct Kept {
    var app: String
    var types: [HKSampleType]
    var anchor: HKQueryAnchor
    /// The moment of the model.
    var moment: Int
    /// The samples that the app could not read then.
    var hidden: Set<UUID>
  }
  private var anchors: [Kept] = []
  private(set) var operation = ""
  private(set) var counts: [String: Int] = [:]

  struct Difference: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
  }

  init(seed: UInt64) throws {
    random = SplitMix64(seed: seed)
    file = try HealthFile()
    predicates = RandomPredicates(seed: seed &+ 7000)
    predicates.sources = Self.apps.map {
      HKSource(Source(name: String($0.suffix(1)), bundleIdentifier: $0))
    }
    predicates.uuids = [UUID()]
    for app in Self.apps { stores[app] = file.store(app) }
  }

  private mutating func pick<Value>(_ values: [Value]) -> Value {
    values[Int.random(in: 0..<values.count, using: &random)]
  }

  private mutating func some<Value: Hashable>(_ values: [Value]) -> Set<Value> {
    Set(values.filter { _ in Bool.random(using: &random) })
  }

  private func store(_ app: String) throws -> HKHealthStore {
    guard let store = stores[app] else { throw Difference("no app") }
    return store
  }

  mutating func perform() async throws {
    let app = pick(Self.apps)
    operation = pick(
      ["ask", "allow", "limit"] + Array(repeating: "save", count: 8) + [
        "save again", "delete", "delete",
      ]
        + ["delete of another", "delete matching", "samples", "samples", "sources", "changes"]
        + ["changes", "statistics", "reopen"])
    counts[operation, default: 0] += 1
    switch operation {
    case "ask": try await ask(app)
    case "allow": try allow(app)
    case "limit": try await limit(app)
    case "save": try await save(app, isKnown: false)
    case "save again": try await save(app, isKnown: true)
    case "delete": try await delete(app, ofOwn: true)
    case "delete of another": try await delete(app, ofOwn: false)
    case "delete matching": try await deleteMatching(app)
    case "samples": try await samples(app)
    case "sources": try await sources(app)
    case "changes": try await changes(app)
    case "statistics": try await statistics(app)
    default: stores[app] = file.store(app)
    }
  }

  // MARK: Permission

  private mutating func ask(_ app: String) async throws {
    let (share, read) = (some(Self.types), some(Self.types))
    guard !share.isEmpty || !read.isEmpty else { return }
    let (shared, readable) = (some(Self.types), some(Self.types))
    let asking = file.store(app) {
      AuthorisationAnswer(
        share: $0.share.intersection(shared),
        read: $0.read.filter { ($0 as? HKSampleType).map(readable.contains) ?? false })
    }
    try await asking.requestAuthorization(toShare: share, read: read)
    var answers = model.permissions[app] ?? [:]
    for type in share where (answers[type]?.share ?? .undetermined) == .undetermined {
      answers[type, default: .init()].share = shared.contains(type) ? .allowed : .denied
    }
    for type in read where (answers[type]?.read ?? .undetermined) == .undetermined {
      answers[type, default: .init()].read = readable.contains(type) ? .allowed : .denied
    }
    model.permissions[app] = answers
    try checkStatus(app)
  }

  /// The owner changes the permission to share a type.
  private mutating func allow(_ app: String) throws {
    let type = pick(Self.types)
    guard model.permission(app, type).share != .undetermined else { return }
    let isAllowed = Int.random(in: 0..<4, using: &random) > 0
    try SampleStore(path: file.path, mode: .readWrite).authorise(
      app, type: type.identifier, share: isAllowed ? .authorised : .denied)
    model.permissions[app]?[type]?.share = isAllowed ? .allowed : .denied
    try checkStatus(app)
  }

  /// The owner limits the history of a type, or lifts the limit.
  private mutating func limit(_ app: String) async throws {
    let type = pick(Self.types)
    let date =
      Int.random(in: 0..<3, using: &random) == 0
      ? nil : Trial.date(Double(Int.random(in: 0..<32, using: &random)) / 4)
    try file.host(app).limitHistory(of: [type], from: date)
    model.limits[app, default: [:]][type] = date
    let expected = (model.limits[app] ?? [:]).filter {
      model.permission(app, $0.key).read == .allowed
    }
    let found = try await store(app).earliestAuthorizedSampleDate(for: Set(Self.types))
    guard
      found == Dictionary(uniqueKeysWithValues: expected.map { ($0.key as HKObjectType, $0.value) })
    else { throw Difference("other dates of limited history") }
  }

  private func checkStatus(_ app: String) throws {
    for type in Self.types {
      let permission = model.permission(app, type)
      let expected: HKAuthorizationStatus =
        switch permission.share {
        case .undetermined: permission.read == .undetermined ? .notDetermined : .sharingDenied
        case .denied: .sharingDenied
        case .allowed: .sharingAuthorized
        }
      guard try store(app).authorizationStatus(for: type) == expected else {
        throw Difference("another status of \(type.identifier)")
      }
    }
  }

  // MARK: Saving and deleting

  private mutating func newSample() -> HKSample {
    let start = Double(Int.random(in: 0..<32, using: &random)) / 4
    let end = start + Double(Int.random(in: 0..<4, using: &random)) / 4
    let metadata: [String: Any]? =
      switch Int.random(in: 0..<4, using: &random) {
      case 0: ["a": Int.random(in: 0..<3, using: &random)]
      case 1: [HKMetadataKeyWasUserEntered: true]
      default: nil
      }
    let device = pick([nil, Trial.watch, Trial.scale])
    let value = Double(Int.random(in: 1..<9, using: &random)) / 2
    let unit: HKUnit
    let type = pick(Self.types)
    switch type.identifier {
    case HKQuantityTypeIdentifier.stepCount.rawValue: unit = .count()
    case HKQuantityTypeIdentifier.bodyMass.rawValue:
      unit = pick([.gramUnit(with: .kilo), .pound()])
    default: unit = .count().unitDivided(by: .minute())
    }
    guard let quantityType = type as? HKQuantityType else {
      return HKCategorySample(
        type: HKCategoryType(.sleepAnalysis), value: Int.random(in: 0..<6, using: &random),
        start: Trial.date(start), end: Trial.date(end), device: device, metadata: metadata)
    }
    return HKQuantitySample(
      type: quantityType, quantity: HKQuantity(unit: unit, doubleValue: value),
      start: Trial.date(start), end: Trial.date(end), device: device, metadata: metadata)
  }

  private mutating func save(_ app: String, isKnown: Bool) async throws {
    var samples: [HKSample] = []
    for _ in 0..<Int.random(in: 1..<7, using: &random) { samples.append(newSample()) }
    // Mostly types that the app may save, so that the store fills.
    if Int.random(in: 0..<8, using: &random) > 0 {
      samples.removeAll { model.permission(app, $0.sampleType).share != .allowed }
    }
    if isKnown {
      let known = model.entries.isEmpty ? newSample() : pick(model.entries).sample
      samples.append(known)
      if model.entries.isEmpty { samples.append(known) }
    }
    let store = try store(app)
    let saved = samples
    try check(
      await healthError { try await store.save(saved) }, model.save(samples, by: app))
    if predicates.uuids.count < 8 { predicates.uuids += samples.prefix(1).map(\.uuid) }
  }

  private func check(_ found: HKError.Code?, _ expected: HKError.Code?) throws {
    guard found == expected else {
      throw Difference(
        "error \(found.map { "\($0.rawValue)" } ?? "none"), "
          + "not \(expected.map { "\($0.rawValue)" } ?? "none")")
    }
  }

  private mutating func delete(_ app: String, ofOwn: Bool) async throws {
    var candidates = model.entries.filter { $0.deletedAt == nil && ($0.app == app) == ofOwn }
    // Sometimes deleted samples as well.
    if Int.random(in: 0..<6, using: &random) == 0 { candidates = model.entries }
    guard !candidates.isEmpty else { return }
    let chosen = (0..<Int.random(in: 1..<4, using: &random)).map { _ in pick(candidates).sample }
    let store = try store(app)
    try check(
      await healthError { try await store.delete(chosen) }, model.delete(chosen, by: app))
  }

  private mutating func deleteMatching(_ app: String) async throws {
    let type = pick(Self.types)
    let predicate = NSCompoundPredicate(andPredicateWithSubpredicates: [
      TreePredicate(predicates.tree(depth: 1)),
      HKQuery.predicateForSamples(
        withStart: Trial.date(Double(Int.random(in: 0..<8, using: &random))), end: nil),
    ])
    let store = try store(app)
    var found = Deletions()
    do {
      found.count = try await store.deleteObjects(of: type, predicate: predicate)
    } catch let error as HKError {
      found.refusal = error.code
    }
    let expected = try model.delete(of: type, by: app) {
      try predicate.matches(Self.stored($0))
    }
    guard found == expected else { throw Difference("deleted \(found), not \(expected)") }
  }

  // MARK: Queries

  /// The types of a query, most of which the app has asked for.
  private mutating func queried(_ app: String) -> [HKSampleType] {
    let asked = Self.types.filter { model.refusal(toRead: [$0], by: app) == nil }
    let types = asked.isEmpty || Int.random(in: 0..<8, using: &random) == 0 ? Self.types : asked
    return (0..<Int.random(in: 1..<3, using: &random)).map { _ in pick(types) }
  }

  private mutating func samples(_ app: String) async throws {
    let descriptors = queried(app).map { type in
      HKSamplePredicate<HKSample>.sample(
        type: type,
        predicate: Int.random(in: 0..<3, using: &random) == 0
          ? nil : TreePredicate(predicates.tree(depth: 1)))
    }
    let limit = pick([nil, nil, 1, 5])
    let query = HKSampleQueryDescriptor(
      predicates: descriptors,
      sortDescriptors: [SortDescriptor(\.endDate, order: pick([.forward, .reverse]))], limit: limit)
    let isDescending = query.sortDescriptors[0].order == .reverse
    var found: [HKSample] = []
    do {
      found = try await query.result(for: store(app))
    } catch let error as HKError {
      return try check(
        error.code, model.refusal(toRead: Set(descriptors.map(\.sampleType)), by: app))
    }
    try check(nil, model.refusal(toRead: Set(descriptors.map(\.sampleType)), by: app))
    let expected = try matching(app, descriptors)
    let byUUID = Dictionary(uniqueKeysWithValues: expected.map { ($0.uuid, $0) })
    guard found.count == min(limit ?? .max, expected.count),
      found.allSatisfy({ byUUID[$0.uuid].map(Self.facts) == Self.facts($0) })
    else { throw Difference("\(found.count) samples, not \(expected.count)") }
    let ends = expected.map(\.endDate).sorted { isDescending ? $0 > $1 : $0 < $1 }
    guard found.map(\.endDate) == Array(ends.prefix(found.count)) else {
      throw Difference("samples are out of order")
    }
  }

  /// The properties of a sample except its source.
  private static func facts(_ sample: HKSample) -> [String] {
    let value =
      (sample as? HKQuantitySample).map { "\($0.quantity)" }
      ?? (sample as? HKCategorySample).map { "\($0.value)" }
    return [
      sample.sampleType.identifier, "\(sample.startDate)", "\(sample.endDate)", value ?? "",
      sample.device?.description ?? "",
    ] + ObjectMetadata(sample.metadata ?? [:]).columns.entries.map { "\($0.key)=\($0.value)" }
  }

  /// The visible samples that match, as the store gives them: with the app as their source.
  private func matching(
    _ app: String, _ descriptors: [HKSamplePredicate<HKSample>]
  ) throws -> [HKSample] {
    try model.visible(app, Set(descriptors.map(\.sampleType))).map { try Self.stored($0) }.filter {
      sample in
      try descriptors.contains {
        try $0.sampleType == sample.sampleType && $0.nsPredicate?.matches(sample) ?? true
      }
    }
  }

  private static func stored(_ entry: ModelHealth.Entry) throws -> HKSample {
    var facts = entry.sample.facts
    facts.sourceRevision = HKSourceRevision(
      source: HKSource(Source(name: String(entry.app.suffix(1)), bundleIdentifier: entry.app)),
      version: nil, productType: HKDevice.local().hardwareVersion,
      operatingSystemVersion: ProcessInfo.processInfo.operatingSystemVersion)
    let sample = entry.sample
    if let sample = sample as? HKQuantitySample {
      return HKQuantitySample.make(
        sample.quantityType, sample.value, sample.unit, start: sample.startDate,
        end: sample.endDate, facts: facts)
    }
    guard let sample = sample as? HKCategorySample else { throw Difference("another class") }
    return HKCategorySample(
      sample.categoryType, sample.value, start: sample.startDate, end: sample.endDate, facts: facts)
  }

  private mutating func sources(_ app: String) async throws {
    let type = pick(Self.types)
    let predicate = Bool.random(using: &random) ? TreePredicate(predicates.tree(depth: 1)) : nil
    let query = HKSamplePredicate<HKSample>.sample(type: type, predicate: predicate)
    let found: [HKSource]
    do {
      found = try await HKSourceQueryDescriptor(predicate: query).result(for: store(app))
    } catch let error as HKError {
      return try check(error.code, model.refusal(toRead: [type], by: app))
    }
    try check(nil, model.refusal(toRead: [type], by: app))
    let expected = Set(try matching(app, [query]).map(\.sourceRevision.source.bundleIdentifier))
    guard Set(found.map(\.bundleIdentifier)) == expected else { throw Difference("other sources") }
  }

  private mutating func changes(_ app: String) async throws {
    let own = anchors.filter { $0.app == app }
    let isNew = own.isEmpty || Int.random(in: 0..<4, using: &random) == 0
    let last = isNew ? nil : pick(own)
    let types = last?.types ?? queried(app)
    let predicate = Bool.random(using: &random) ? TreePredicate(predicates.tree(depth: 1)) : nil
    let descriptors = types.map {
      HKSamplePredicate<HKSample>.sample(type: $0, predicate: predicate)
    }
    let result: HKAnchoredObjectQueryDescriptor<HKSample>.Result
    do {
      result = try await HKAnchoredObjectQueryDescriptor(
        predicates: descriptors, anchor: try last.map { try Self.archived($0.anchor) }
      ).result(for: store(app))
    } catch let error as HKError {
      return try check(error.code, model.refusal(toRead: Set(types), by: app))
    }
    try check(nil, model.refusal(toRead: Set(types), by: app))
    let new = Set(
      model.visible(app, Set(types)).filter { $0.savedAt > last?.moment ?? 0 }.map(\.sample.uuid))
    let matching = try matching(app, descriptors).map(\.uuid)
    let added = matching.filter(new.contains)
    // An anchor covers what the app could read: later calls may give samples that it could not.
    let late = (last?.hidden ?? []).subtracting(new)
    let found = result.addedSamples.map(\.uuid)
    guard found.filter({ !late.contains($0) }) == added, Set(found).isSubset(of: matching) else {
      throw Difference("\(found.count) were added, not \(added.count)")
    }
    let deleted = Set(
      model.deleted(app, Set(types), after: last?.moment ?? 0).map(\.sample.uuid))
    let others = (last?.hidden ?? []).subtracting(deleted)
    // One call deletes its samples in the order of the store, which the model does not have.
    let reported = Set(result.deletedObjects.map(\.uuid))
    guard reported.subtracting(others) == deleted,
      reported.isSubset(of: model.deleted(app, Set(types), after: 0).map(\.sample.uuid))
    else { throw Difference("\(reported.count) were deleted, not \(deleted.count)") }
    anchors =
      anchors.suffix(40) + [
        Kept(
          app: app, types: types, anchor: result.newAnchor, moment: model.moment,
          hidden: model.hidden(app))
      ]
  }

  /// The anchor after an archive was written and read, as in the next launch of the app.
  private static func archived(_ anchor: HKQueryAnchor) throws -> HKQueryAnchor {
    let data = try NSKeyedArchiver.archivedData(
      withRootObject: anchor, requiringSecureCoding: true)
    guard
      let read = try NSKeyedUnarchiver.unarchivedObject(ofClass: HKQueryAnchor.self, from: data)
    else { throw Difference("an anchor cannot be read") }
    return read
  }

  private mutating func statistics(_ app: String) async throws {
    let type = HKQuantityType(.bodyMass)
    let query = HKStatisticsQueryDescriptor(
      predicate: .quantitySample(
        type: type,
        predicate: Bool.random(using: &random) ? TreePredicate(predicates.tree(depth: 1)) : nil),
      options: [.discreteAverage, .discreteMin, .discreteMax])
    let found: HKStatistics?
    do {
      found = try await query.result(for: store(app))
    } catch let error as HKError {
      return try check(error.code, model.refusal(toRead: [type], by: app))
    }
    try check(nil, model.refusal(toRead: [type], by: app))
    let values = try matching(
      app, [.sample(type: type, predicate: query.predicate.nsPredicate)]
    ).compactMap {
      ($0 as? HKQuantitySample)?.quantity.doubleValue(for: .gramUnit(with: .kilo))
    }
    let mean = values.isEmpty ? nil : values.reduce(0, +) / Double(values.count)
    let pairs = [
      (found?.averageQuantity(), mean), (found?.minimumQuantity(), values.min()),
      (found?.maximumQuantity(), values.max()),
    ]
    for (quantity, number) in pairs {
      let value = quantity?.doubleValue(for: .gramUnit(with: .kilo))
      guard (value == nil) == (number == nil), abs((value ?? 0) - (number ?? 0)) < 1e-9 else {
        throw Difference("another statistic of \(values.count) samples")
      }
    }
  }

  /// Compares the whole store with the model, as its owner and as each app sees it.
  func checkEverything() async throws {
    let owner = try SampleStore(path: file.path, mode: .readOnly)
    try owner.verify()
    let live = model.entries.filter { $0.deletedAt == nil }
    guard try owner.types().reduce(0, { $0 + $1.count }) == live.count else {
      throw Difference("the owner has other samples than \(live.count)")
    }
    for app in Self.apps {
      for type in Self.types where model.refusal(toRead: [type], by: app) == nil {
        let found = try await HKSampleQueryDescriptor(
          predicates: [.sample(type: type)], sortDescriptors: []
        ).result(for: store(app))
        let expected = try matching(app, [.sample(type: type)])
        let words = expected.map { Self.facts($0) + [$0.sourceRevision.source.bundleIdentifier] }
        guard
          Set(found.map { Self.facts($0) + [$0.sourceRevision.source.bundleIdentifier] })
            == Set(words), Set(found.map(\.uuid)) == Set(expected.map(\.uuid)),
          found.count == expected.count
        else { throw Difference("\(app) sees other samples of \(type.identifier)") }
      }
    }
  }
}

@Suite struct HealthHistoryTests {
  /// With `HKSTATS_SOAK` there are 40,000 steps.
  @Test(
    "Two apps on one store: permissions, saves, deletions, queries and anchors agree with a model",
    arguments: 0..<(Soak.isLong ? 100 : 2))
  func histories(seed: Int) async throws {
    var history = try HealthHistory(seed: UInt64(seed))
    let steps = Soak.isLong ? 400 : 150
    for step in 1...steps {
      do {
        try await history.perform()
        if step % 50 == 0 || step == steps { try await history.checkEverything() }
      } catch {
        Issue.record("seed \(seed), step \(step), \(history.operation): \(error)")
        return
      }
    }
    #expect(history.counts.count > 10)
    if Soak.isLong {
      print("seed \(seed): \(steps) steps of \(history.counts.count) kinds")
    }
  }
}
