import Foundation
import HealthMerge
import HealthQuery
import HealthSamples
import HealthStatistics
import HealthStore
import Testing
import _HealthTestSupport

/// Random histories of saves, deletions, imports, settings, reopenings and crashes, against a model
/// in memory.
@Suite("Histories of a store")
struct HistoryTests {
  /// The long form has 100,000 steps.
  @Test("agree with the model after every step", arguments: 0..<(Soak.isLong ? 200 : 4))
  func histories(seed: Int) throws {
    var history = try History(seed: UInt64(seed))
    let steps = Soak.isLong ? 500 : 100
    for step in 1...steps {
      do {
        try history.go()
        if step % 100 == 0 || step == steps { try history.checkEverything() }
      } catch {
        Issue.record("seed \(seed), step \(step), \(history.deed): \(error)")
        return
      }
    }
    try history.replayAnchors()
    if Soak.isLong { print("seed \(seed): \(history.summary)") }
  }
}

/// A store and its model.
private struct History {
  private typealias Series = ReferenceStore.Series

  private var random: SplitMix64
  private let folder: TemporaryFolder
  private var store: SampleStore
  private var model = ModelStore()
  private var step = 0
  /// What the last step did.
  private(set) var deed = ""
  private var deeds: [String: Int] = [:]
  private var files = 0
  private var anchors: [(anchor: StoreAnchor, step: Int, deletions: Int)] = []
  private var imports: [[RecordColumns]] = []
  private var preferences: [String] = []
  private var lastChange: Int64 = 0
  /// The samples that the last step added, changed or deleted.
  private var touched: [Series: [ReferenceStore.Sample]] = [:]
  private var firstNewSerial: [Series: Int64] = [:]

  private static let types: [(type: SampleType, label: String)] = [
    (StoreRecords.steps, "count"), (StoreRecords.energy, "kcal"),
    (StoreRecords.distance, "km"), (StoreRecords.heartRate, "count/min"),
    (StoreRecords.sleep, "HKCategoryValueSleepAnalysisAsleepCore"),
  ]
  private static let sources = [
    Source(name: "Anna’s Apple Watch"), Source(name: "Anna’s iPhone"),
    Source(name: "Anna’s iPhone", isUserEntered: true),
    Source(name: "A diary", bundleIdentifier: "example.diary"),
  ]
  private static let origin = 7e8

  init(seed: UInt64) throws {
    random = SplitMix64(seed: seed)
    folder = try TemporaryFolder()
    store = try SampleStore(path: folder.path + "/0.sqlite", mode: .readWrite)
  }

  var summary: String {
    let parts = deeds.sorted { $0.key < $1.key }.map { "\($0.value) × \($0.key)" }
    return "\(step) steps (\(parts.joined(separator: ", "))), \(model.all.count) samples left, "
      + "\(model.deletions.count) deleted, \(anchors.count) anchors"
  }

  // MARK: Steps

  mutating func go() throws {
    step += 1
    touched = [:]
    firstNewSerial = [:]
    let draw = Int.random(in: 0..<100, using: &random)
    switch draw {
    case 0..<32: try save(1)
    case 32..<44: try save(Int.random(in: 2...15, using: &random))
    case 44..<62: try deleteByUUID()
    case 62..<67: try deleteByPredicate()
    case 67..<75: try importSome(again: false)
    case 75..<81: try importSome(again: true)
    case 81..<85: try prefer()
    case 85..<88: try compact()
    case 88..<93: try reopen()
    case 93..<96: try crash()
    case 96: try saveAgain()
    default: try refuse()
    }
    deeds[deed, default: 0] += 1
    model.commit()
    try checkTouched()
    if step % 7 == 0 { anchors.append((try store.anchor(), step, model.deletions.count)) }
  }

  private mutating func time() -> Double {
    // Many share an instant, most come at the end, some are of long ago.
    let day =
      Int.random(in: 0..<5, using: &random) == 0 ? Int.random(in: 0..<90, using: &random) : 60
    return Self.origin + Double(day * 86_400 + Int.random(in: 0..<700, using: &random) * 60)
  }

  private mutating func newSample() -> (sample: NewSample, series: Series) {
    let (type, label) = Self.types.randomElement(using: &random) ?? Self.types[0]
    let source = Self.sources.randomElement(using: &random) ?? Self.sources[0]
    let start = time()
    let length = [0, 60, 600, 7_200, 100_000].randomElement(using: &random) ?? 0
    let isCategory = type.canonicalUnit == nil
    let metadata =
      Int.random(in: 0..<4, using: &random) == 0
      ? Metadata([.init(key: "note", value: "n\(Int.random(in: 0..<3, using: &random))")])
      : Metadata()
    let hasUUID = Int.random(in: 0..<5, using: &random) == 0
    let sample = NewSample(
      type: type, source: source, start: start, end: start + Double(length),
      value: isCategory ? 3 : Double(Int.random(in: 1...60, using: &random)) / 4, label: label,
      created: start + Double(length) + 5,
      origin: Origin(sourceVersion: "10.\(step % 3)", device: "name:W, model:Watch"),
      metadata: metadata, uuid: hasUUID ? randomUUID() : nil)
    return (sample, Series(type: type, source: source))
  }

  private mutating func randomUUID() -> UUID {
    var bytes = (0..<16).map { _ in UInt8.random(in: 0...255, using: &random) }
    bytes[6] = bytes[6] & 0x0f | 0x40
    bytes[8] = bytes[8] & 0x3f | 0x80
    return bytes.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
  }

  private mutating func save(_ count: Int) throws {
    deed = count == 1 ? "save one" : "save many"
    let fresh = (0..<count).map { _ in newSample() }
    let uuids = try store.save(fresh.map(\.sample))
    guard uuids.count == count else { throw ModelStore.Difference("\(uuids.count) UUIDs") }
    let serials = try store.serials(of: uuids)
    for ((sample, series), uuid) in zip(fresh, uuids) {
      if let own = sample.uuid, own != uuid { throw ModelStore.Difference("not the given UUID") }
      guard let serial = serials[uuid] else { throw ModelStore.Difference("no serial of a UUID") }
      let kept = ReferenceStore.Sample(sample)
      try model.save(kept, in: series, serial: serial, uuid: uuid, step: step)
      touched[series, default: []].append(kept)
      firstNewSerial[series] = min(firstNewSerial[series] ?? serial, serial)
    }
  }

  /// A sample whose UUID the store has, or had, is left out.
  private mutating func saveAgain() throws {
    deed = "save again"
    var (sample, _) = newSample()
    let known = model.all.map(\.uuid).min { "\($0)" < "\($1)" }
    guard let uuid = Bool.random(using: &random) ? model.deletions.last?.uuid : known else {
      return
    }
    sample.uuid = uuid
    guard try store.save([sample]) == [uuid] else { throw ModelStore.Difference("another UUID") }
    try check(sample.type)
  }

  private mutating func deleteByUUID() throws {
    deed = "delete by UUID"
    let all = model.all.sorted { $0.serial < $1.serial }
    guard !all.isEmpty else { return }
    let chosen = (0..<Int.random(in: 1...6, using: &random)).compactMap { _ in
      all.randomElement(using: &random)
    }
    // Unknown ones, deleted ones and repeated ones are ignored.
    let others = [randomUUID()] + model.deletions.suffix(1).map(\.uuid)
    let count = try store.delete(chosen.map(\.uuid) + others + chosen.prefix(1).map(\.uuid))
    guard count == Set(chosen).count else { throw ModelStore.Difference("deleted \(count)") }
    try learnDeletions(Set(chosen))
  }

  private mutating func deleteByPredicate() throws {
    deed = "delete by predicate"
    let type =
      Int.random(in: 0..<3, using: &random) == 0
      ? nil : Self.types.randomElement(using: &random)?.type
    let source = Self.sources.randomElement(using: &random) ?? Self.sources[0]
    let first = time()
    let range = Bool.random(using: &random) ? first..<first + 40_000 : nil
    let rest = Int.random(in: 0..<4, using: &random)
    let isChoosing = Bool.random(using: &random)
    let selection = isChoosing ? SourceSelection(only: [source.description]) : SourceSelection()
    func matches(_ sample: ReferenceStore.Sample) -> Bool {
      Int(sample.canonical * 4) % 4 == rest
    }
    let expected = Set(
      model.all.filter { row in
        (type == nil || row.series.type == type) && selection.contains(row.series.source)
          && (range?.contains(row.sample.start) ?? true) && matches(row.sample)
      })
    let count = try store.choosing(selection).delete(.samples(type), in: range) { batch, row in
      matches(ReferenceStore.Sample(batch, row))
    }.deletedSamples
    guard count == expected.count else {
      throw ModelStore.Difference("deleted \(count), not \(expected.count)")
    }
    try learnDeletions(expected)
  }

  /// Takes over the order in which the store lists what a step deleted.
  private mutating func learnDeletions(_ expected: Set<ModelStore.Row>) throws {
    let before = model.deletions.count
    let listed = try store.deletions(after: anchorBefore())
    var open = Dictionary(uniqueKeysWithValues: expected.map { ($0.serial, $0) })
    for deletion in listed {
      guard let row = open.removeValue(forKey: deletion.serial), deletion.uuid == row.uuid,
        deletion.type == row.series.type, deletion.source == row.series.source
      else { throw ModelStore.Difference("deletion of \(deletion.serial) is not expected") }
      touched[row.series, default: []].append(row.sample)
      model.delete([row.serial], from: row.series)
    }
    guard open.isEmpty, model.deletions.count == before + expected.count else {
      throw ModelStore.Difference("\(open.count) deletions are not listed")
    }
  }

  /// The anchor after the step before this one.
  private var lastAnchor: StoreAnchor?
  private mutating func anchorBefore() throws -> StoreAnchor {
    if let lastAnchor { return lastAnchor }
    throw ModelStore.Difference("a deletion in an empty store")
  }

  private mutating func importSome(again: Bool) throws {
    deed = again ? "import again" : "import"
    var batches = again ? imports.randomElement(using: &random) ?? [] : []
    if !again {
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        let (sample, series) = newSample()
        var batch = RecordColumns(
          type: series.type,
          source: Source(
            name: "Export of \(series.source.name)", isUserEntered: series.source.isUserEntered))
        for _ in 0..<Int.random(in: 1...15, using: &random) {
          let start = time()
          let isCategory = series.type.canonicalUnit == nil
          try batch.append(
            start: start, end: start + 60,
            value: isCategory ? 3 : Double(Int.random(in: 1...60, using: &random)) / 4,
            label: sample.label, creation: start + 90, origin: sample.origin,
            metadata: sample.metadata)
        }
        batches.append(batch)
      }
      imports = imports.suffix(19) + [batches]
    }
    let session = try store.beginImport()
    for batch in batches { try session.add(batch) }
    // All are parts of one export: none retells another. What retells is told by `History`.
    let report = try session.finish(exported: 1)
    var new = 0
    let bySeries = Dictionary(grouping: batches) { Series(type: $0.type, source: $0.source) }
    for (series, batches) in bySeries {
      let samples = batches.flatMap { batch in
        (0..<batch.count).map { ReferenceStore.Sample(batch, $0) }
      }
      let before = Set((model.rows[series] ?? [:]).keys)
      new += try model.learn(try found(series), of: series, imported: samples, step: step)
      let added = Set((model.rows[series] ?? [:]).keys).subtracting(before)
      guard !added.isEmpty else { continue }
      touched[series] = added.compactMap { model.rows[series]?[$0]?.sample }
      firstNewSerial[series] = added.min()
    }
    let counted = report.types.values.reduce(0) { $0 + $1.new }
    guard counted == new else { throw ModelStore.Difference("\(counted) new, not \(new)") }
  }

  private mutating func prefer() throws {
    deed = "prefer"
    preferences = Bool.random(using: &random) ? [] : [Self.sources[1].name]
    try store.setPreferredSources(preferences, of: nil)
  }

  private mutating func compact() throws {
    deed = "compact"
    try store.compact()
  }

  private mutating func reopen() throws {
    deed = "reopen"
    store = try SampleStore(path: store.path, mode: .readWrite)
  }

  /// What a process leaves that dies amid an import: the copy of its files is the store from now on.
  private mutating func crash() throws {
    deed = "crash"
    let (sample, series) = newSample()
    var batch = RecordColumns(type: series.type, source: series.source)
    for row in 0..<200 {
      try batch.append(
        start: Self.origin + Double(row), end: Self.origin + Double(row), value: 7,
        label: sample.label)
    }
    let session = try store.beginImport()
    try session.add(batch)
    files += 1
    let path = folder.path + "/\(files).sqlite"
    for suffix in ["", "-wal"] where FileManager.default.fileExists(atPath: store.path + suffix) {
      try FileManager.default.copyItem(atPath: store.path + suffix, toPath: path + suffix)
    }
    let old = store.path
    store = try SampleStore(path: path, mode: .readWrite)
    withExtendedLifetime(session) {}
    try? FileManager.default.removeItem(atPath: old)
  }

  /// A sample that no store may hold changes nothing, nor do those beside it.
  private mutating func refuse() throws {
    deed = "refuse"
    var (sample, _) = newSample()
    sample.value = .nan
    do {
      try store.save([newSample().sample, sample])
    } catch { return }
    throw ModelStore.Difference("a value that is no number is saved")
  }

  // MARK: Checks

  /// What the store holds of a series.
  private func found(_ series: Series) throws -> [ModelStore.Found] {
    try found(series.type)[series.source] ?? []
  }

  private func found(
    _ type: SampleType, after serial: Int64 = 0
  ) throws -> [Source: [ModelStore.Found]] {
    var samples: [(source: Source, serial: Int64, sample: ReferenceStore.Sample)] = []
    try store.forEachRowRange(of: type, after: serial) { batch, rows in
      for row in rows {
        samples.append((batch.source, batch.serials[row], ReferenceStore.Sample(batch, row)))
      }
      return true
    }
    for (left, right) in zip(samples, samples.dropFirst()) {
      guard
        (left.sample.start, left.sample.end, left.source)
          <= (right.sample.start, right.sample.end, right.source)
      else { throw ModelStore.Difference("rows are out of order") }
    }
    let uuids = try store.uuids(of: samples.map(\.serial))
    guard uuids.count == samples.count else { throw ModelStore.Difference("UUIDs are missing") }
    return Dictionary(grouping: zip(samples, uuids), by: \.0.source).mapValues { rows in
      rows.map { ModelStore.Found(serial: $0.0.serial, uuid: $0.1, sample: $0.0.sample) }
    }
  }

  private mutating func checkTouched() throws {
    let anchor = try store.anchor()
    // After a crash the copy of the files is the store, and has an identity of its own.
    if let lastAnchor, anchor.store == lastAnchor.store, anchor < lastAnchor {
      throw ModelStore.Difference("an anchor goes back")
    }
    lastAnchor = anchor
    guard anchor.serial >= model.all.map(\.serial).max() ?? 0,
      anchor.deletion == Int64(model.deletions.count)
    else { throw ModelStore.Difference("the anchor is \(anchor)") }
    let types = Set(touched.keys.map(\.type)).sorted { $0.identifier < $1.identifier }
    for type in types { try check(type) }
    let counted = types.filter { $0.canonicalUnit != nil }
    if let type = counted.randomElement(using: &random) { try checkStatistics(type) }
    try checkChanges()
  }

  private func check(_ type: SampleType) throws {
    let held = try found(type)
    let sources = Set(
      model.rows.filter { $0.key.type == type && !$0.value.isEmpty }.keys.map(\.source))
    guard Set(held.keys) == sources else { throw ModelStore.Difference("other sources of a type") }
    for source in sources {
      let expected = model.ordered(Series(type: type, source: source))
      guard ModelStore.ordered(held[source] ?? []) == expected else {
        throw ModelStore.Difference(
          "\(type.identifier) of \(source): other samples than the \(expected.count) of the model")
      }
    }
  }

  /// Each series that was touched is in the change log with a span that covers what was touched.
  private mutating func checkChanges() throws {
    let changes = try store.changes(after: lastChange)
    var open = touched
    for change in changes {
      guard change.id > lastChange else { throw ModelStore.Difference("changes out of order") }
      lastChange = change.id
      guard let type = change.type, let source = change.source else { continue }
      let series = Series(type: type, source: source)
      guard let samples = open[series] else {
        // The words of known samples may be others after an import.
        if deed.hasPrefix("import") { continue }
        throw ModelStore.Difference("a change of \(type.identifier), which was not touched")
      }
      if let first = firstNewSerial[series], change.serials?.contains(first) != true {
        throw ModelStore.Difference("a change without its serials")
      }
      open[series] = samples.filter {
        !change.span.contains($0.start) || !change.span.contains($0.end)
      }
      if open[series]?.isEmpty == true { open[series] = nil }
    }
    guard open.isEmpty else { throw ModelStore.Difference("\(open.count) changes are not logged") }
  }

  private mutating func checkStatistics(_ type: SampleType) throws {
    let rows = model.all.filter { $0.series.type == type }.map { row in
      SampleColumns.Row(
        source: row.series.source, start: row.sample.start, end: row.sample.end,
        value: row.sample.canonical)
    }
    let stores = RandomStores()
    var plan = try stores.plan(type, from: Self.origin, using: &random)
    if plan.policy == .healthConnect { plan.policy = .healthKit }
    plan.preferredSources = []
    let facts = try stores.facts(store, type)
    let range = try plan.sampleRange(firstSample: rows.map(\.start).min())
    let samples = SampleColumns(
      type: type, rows: rows.filter { $0.end >= range.lowerBound && $0.start < range.upperBound })
    let answer = try store.statistics(plan)
    plan.preferredSources = preferences
    let expected = try plan.answer(
      samples: samples, facts: facts,
      recordedUnit: try store.types().first { $0.type == type }?.recordedUnit)
    guard answer.intervals.starts == expected.intervals.starts,
      answer.intervals.counts == expected.intervals.counts,
      answer.intervals[raw: .min] == expected.intervals[raw: .min],
      answer.intervals[raw: .max] == expected.intervals[raw: .max]
    else {
      throw ModelStore.Difference("\(type.identifier): other counts or extremes for \(plan)")
    }
    let most = rows.reduce(0) { $0 + abs($1.value) }
    for statistic in [Statistic.sum, .mean] {
      let (left, right) = (answer.intervals[raw: statistic], expected.intervals[raw: statistic])
      guard left?.count == right?.count else { throw ModelStore.Difference("no \(statistic)") }
      for (left, right) in zip(left ?? [], right ?? []) where left != right {
        // The terms of an interval are at most all terms.
        guard abs(left - right) <= 0x1p-48 * most else {
          throw ModelStore.Difference("\(type.identifier): another \(statistic) for \(plan)")
        }
      }
    }
  }

  /// All series, all settings, all UUIDs and the file itself.
  mutating func checkEverything() throws {
    for (type, _) in Self.types {
      try check(type)
      if type.canonicalUnit != nil, model.all.contains(where: { $0.series.type == type }) {
        for _ in 0..<3 { try checkStatistics(type) }
      }
      guard try store.preferredSources(of: type) == preferences else {
        throw ModelStore.Difference("other preferences")
      }
    }
    let counts = Dictionary(grouping: model.all, by: \.series.type.identifier).mapValues(\.count)
    let told = try store.types()
    guard Dictionary(uniqueKeysWithValues: told.map { ($0.type.identifier, $0.count) }) == counts
    else { throw ModelStore.Difference("other counts of types") }
    let all = model.all
    let serials = try store.serials(of: all.map(\.uuid) + model.deletions.suffix(50).map(\.uuid))
    guard
      serials.filter({ serial in all.contains { $0.serial == serial.value } }).count == all.count
    else { throw ModelStore.Difference("UUIDs lead to other serials") }
    try store.verify()
  }

  /// Everything that was handed out leads to exactly what has happened since.
  func replayAnchors() throws {
    for (anchor, step, deletions) in anchors {
      var added: Set<Int64> = []
      for (type, _) in Self.types {
        for rows in try found(type, after: anchor.serial).values {
          added.formUnion(rows.map(\.serial))
        }
      }
      let expected = Set(model.all.filter { $0.born > step }.map(\.serial))
      #expect(added == expected, "added since step \(step)")
      let deleted = try store.deletions(after: anchor)
      let told = deleted.map {
        ModelStore.Deletion(
          serial: $0.serial, uuid: $0.uuid,
          series: Series(type: $0.type ?? Self.types[0].type, source: $0.source ?? Self.sources[0]))
      }
      #expect(told == Array(model.deletions[deletions...]), "deleted since step \(step)")
      let some = try store.deletions(after: anchor, limit: 3)
      #expect(some.map(\.serial) == told.prefix(3).map(\.serial))
    }
  }
}

extension ReferenceStore.Sample {
  /// What a store makes of a new sample.
  fileprivate init(_ sample: NewSample) {
    var batch = RecordColumns(type: sample.type, source: sample.source)
    try? batch.append(
      start: sample.start, end: sample.end, value: sample.value, label: sample.label,
      creation: sample.created, origin: sample.origin, metadata: sample.metadata)
    self.init(batch, 0)
  }
}
