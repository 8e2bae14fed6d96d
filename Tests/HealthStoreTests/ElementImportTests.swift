import Foundation
import GRDB
import HealthSamples
import Testing
import _HealthTestSupport

@testable import HealthStore

@Suite("Elements beside the records")
struct ElementImportTests {
  private let watch = Source(name: "Anna’s Apple\u{A0}Watch")

  private func add(
    _ batches: [ImportBatch], to store: SampleStore, from format: ImportFormat = .appleHealth,
    dryRun: Bool = false, replacing: Bool = false, exported: Double? = nil
  ) throws -> ImportSummary {
    let session = try store.beginImport(from: format)
    for batch in batches { try session.add(batch) }
    return try session.finish(dryRun: dryRun, replacing: replacing, exported: exported)
  }

  /// Everything in a store beside its records, in the order of its answers.
  private struct Contents: Hashable {
    var rows: [ElementKind: [AnyHashable]] = [:]

    init(_ store: SampleStore) throws {
      rows[.workout] = try store.workouts().rows
      rows[.route] = try store.routes().rows
      rows[.correlation] = try store.correlations().rows
      rows[.activitySummary] = try store.activitySummaries().rows
      rows[.beatList] = try store.beatLists().rows
      rows[.electrocardiogram] = try store.electrocardiograms().rows
      rows[.audiogram] = try store.audiograms().rows
      rows[.visionPrescription] = try store.visionPrescriptions().rows
      rows[.clinicalRecord] = try store.clinicalRecords().rows
      rows[.characteristics] = try store.characteristics().rows
      rows[.savedObject] = try store.savedObjects().rows
    }

    var sets: [ElementKind: Set<AnyHashable>] { rows.mapValues { Set($0) } }
  }

  private func workout(
    _ start: Double, sum: Double, activity: String = "HKWorkoutActivityTypeRunning"
  ) -> Workouts.Row {
    var row = Workouts.Row()
    row.facts.source = watch
    row.facts.start = start
    row.facts.end = start + 1800
    row.activity = activity
    var statistics = Workouts.Statistics()
    statistics.type = "HKQuantityTypeIdentifierDistanceWalkingRunning"
    statistics.unit = "m"
    statistics.sum = sum
    row.statistics = [statistics]
    return row
  }

  @Test(
    "come out as they went in, every field of every kind, and again nothing is new",
    arguments: 0..<12)
  func roundTrip(seed: UInt64) throws {
    var elements = RandomElements(seed: seed)
    let batches = elements.batches()
    let folder = try TemporaryFolder()
    let store = try SampleStore(path: folder.file(), mode: .readWrite)
    let report = try add(batches, to: store)
    let contents = try Contents(store).sets
    for (kind, rows) in batches.map(\.elements) {
      #expect(contents[kind] == Set(rows))
      let counts = try #require(report.elements[kind])
      #expect(counts.new + counts.duplicates == rows.count)
      #expect(counts.known == 0)
    }
    try store.verify()
    let before = try folder.bytes()
    let again = try add(batches, to: store)
    for (kind, rows) in batches.map(\.elements) {
      let counts = try #require(again.elements[kind])
      #expect(counts.new == 0 && counts.changed == 0 && counts.onlyInStore == 0)
      #expect(counts.known + counts.duplicates == rows.count)
    }
    #expect(try folder.bytes() == before)
    #expect(try Contents(store).sets == contents)
    #expect(
      try store.elementCounts().values.reduce(0, +)
        == report.elements.values.reduce(0) { $0 + $1.new })
  }

  @Test("a dry run says what would be, and changes nothing")
  func dryRun() throws {
    var elements = RandomElements(seed: 50)
    let batches = elements.batches()
    let folder = try TemporaryFolder()
    let store = try SampleStore(path: folder.file(), mode: .readWrite)
    let before = try folder.bytes()
    let dry = try add(batches, to: store, dryRun: true, exported: 5)
    #expect(try folder.bytes() == before)
    #expect(try add(batches, to: store, exported: 5) == dry)
  }

  @Test("a later export replaces what an earlier one said, an earlier one does not")
  func later() throws {
    let store = try SampleStore.temporary()
    let early = workout(0, sum: 5000)
    var exact = workout(0, sum: 5000.04)
    exact.facts.origin = Origin(sourceVersion: "12", device: "name:Apple Watch, creation date:2025")
    exact.facts.created = 77
    exact.statistics[0].recordedUnit = "mi"
    let other = workout(0, sum: 6000)
    func match(_ row: Workouts.Row, exported: Double?) throws -> [Int] {
      let report = try add([.workouts(Workouts([row]))], to: store, exported: exported)
      let counts = try #require(report.elements[.workout])
      return [counts.new, counts.known, counts.changed]
    }
    #expect(try match(early, exported: 100) == [1, 0, 0])
    #expect(try match(exact, exported: 200) == [0, 1, 0])
    #expect(try store.workouts().rows == [exact])
    #expect(try match(other, exported: 150) == [0, 1, 1])
    #expect(try store.workouts().rows == [exact])
    #expect(try match(other, exported: nil) == [0, 1, 1])
    #expect(try store.workouts().rows == [exact])
    #expect(try match(other, exported: 250) == [0, 1, 1])
    #expect(try store.workouts().rows == [other])
    #expect(
      try match(workout(0, sum: 6000, activity: "HKWorkoutActivityTypeWalking"), exported: 300) == [
        1, 0, 0,
      ])
  }

  /// All orders of some things.
  private func orders<Item>(_ items: [Item]) -> [[Item]] {
    guard items.count > 1 else { return [items] }
    return items.indices.flatMap { index in
      var rest = items
      let first = rest.remove(at: index)
      return orders(rest).map { [first] + $0 }
    }
  }

  @Test(
    "an export without the files beside its text takes nothing away, whatever the order",
    arguments: 0..<20)
  func missingFiles(seed: UInt64) throws {
    var elements = RandomElements(seed: 700 + seed)
    var route = elements.route()
    route.locations = elements.locations(30)
    var document = elements.clinicalRecord()
    document.resource = Array("{\"resourceType\": \"Observation\"}".utf8)
    /// What an export of a day says: everything, some of the files cut, or no file at all.
    func export(_ day: Int, _ length: Int) -> (date: Double, batches: [ImportBatch]) {
      var (route, document) = (route, document)
      route.facts.origin = Origin(sourceVersion: "\(day)")
      document.sourceURL = "https://example.com/\(day)"
      var locations = LocationColumns()
      for place in 0..<min(length, route.locations.count) {
        locations.append(
          time: route.locations.times[place], latitude: route.locations.latitudes[place],
          longitude: route.locations.longitudes[place], altitude: Double(day),
          horizontalAccuracy: 1, verticalAccuracy: 1, course: 1, speed: 1)
      }
      route.locations = locations
      document.resource = Array(document.resource.prefix(length))
      return (
        Double(day), [.routes(.init([route])), .clinicalRecords(.init([document]))]
      )
    }
    let lengths = (0..<4).map { _ in
      [0, 0, 7, 100, 100].randomElement(using: &elements.random) ?? 0
    }
    let exports = lengths.enumerated().map { export($0.offset + 1, $0.element) }
    let newestWhole = lengths.lastIndex(of: lengths.max() ?? 0) ?? 0
    for order in orders(exports) {
      let store = try SampleStore.temporary()
      for export in order { _ = try add(export.batches, to: store, exported: export.date) }
      let (routes, documents) = (try store.routes().rows, try store.clinicalRecords().rows)
      #expect(routes.count == 1 && documents.count == 1)
      #expect(routes.first?.facts.origin.sourceVersion == "4")
      #expect(documents.first?.sourceURL == "https://example.com/4")
      #expect(documents.first?.resource.count == min(lengths.max() ?? 0, document.resource.count))
      let altitudes = Set(routes.first?.locations.altitudes ?? [])
      #expect(routes.first?.locations.count == min(lengths.max() ?? 0, 30))
      if let altitude = altitudes.first { #expect(altitude == Double(newestWhole + 1)) }
      let again = try add(exports[3].batches, to: store, exported: 4)
      #expect(again.elements.values.allSatisfy { $0.changed == 0 && $0.new == 0 })
      try store.verify()
    }
  }

  @Test("what has one key is matched one to one, equal ones first")
  func oneToOne() throws {
    func day(_ energy: Double, goal: Double) -> ActivitySummaries.Row {
      var row = ActivitySummaries.Row()
      row.day = 7
      row.activeEnergy = energy
      row.activeEnergyGoal = goal
      return row
    }
    let store = try SampleStore.temporary()
    let first = [day(0, goal: 0), day(400, goal: 500), day(400, goal: 500)]
    let report = try add([.activitySummaries(.init(first))], to: store)
    #expect(report.elements[.activitySummary]?.new == 2)
    #expect(report.elements[.activitySummary]?.duplicates == 1)
    let second = [day(400.003, goal: 500), day(1, goal: 0), day(9, goal: 600)]
    let next = try #require(
      try add([.activitySummaries(.init(second))], to: store).elements[.activitySummary])
    #expect(next.new == 1 && next.known == 2 && next.changed == 1)
    #expect(Set(try store.activitySummaries().rows) == Set(second))
    #expect(try store.activitySummaries(inDays: 8..<9).rows.isEmpty)
    #expect(try store.activitySummaries(inDays: 7..<8).count == 3)
  }

  @Test("more elements with one key than are compared each with each end all the same")
  func manyWithOneKey() throws {
    let store = try SampleStore.temporary()
    let rows = (0..<2000).map { workout(0, sum: Double($0)) }
    for _ in 0..<2 { _ = try add([.workouts(Workouts(rows))], to: store) }
    #expect(try store.workouts().count == 2000)
  }

  @Test(
    "an export and a later one of the same phone: the later one, and what only the first had",
    arguments: 0..<10)
  func laterExport(seed: UInt64) throws {
    var elements = RandomElements(seed: 100 + seed)
    let first = elements.batches()
    let additions = elements.batches()
    // The second export has every other element of the first, some in other words, and new ones.
    var second: [ImportBatch] = additions
    var onlyFirst: [ElementKind: Set<AnyHashable>] = [:]
    for case .workouts(let columns) in first {
      var kept = columns.rows.enumerated().filter { $0.offset.isMultiple(of: 2) }.map(\.element)
      for index in kept.indices where index.isMultiple(of: 3) {
        kept[index].duration = 12_345
        kept[index].facts.origin = Origin(sourceVersion: "99")
      }
      second.append(.workouts(.init(kept)))
    }
    for case .routes(let columns) in first {
      second.append(
        .routes(.init(columns.rows.filter { _ in Bool.random(using: &elements.random) })))
    }
    let store = try SampleStore.temporary()
    _ = try add(first, to: store, exported: 1)
    let report = try add(second, to: store, exported: 2)
    let fresh = try SampleStore.temporary()
    _ = try add(second, to: fresh, exported: 2)
    let alone = try SampleStore.temporary()
    _ = try add(first, to: alone, exported: 1)
    let (both, wanted) = (try Contents(store).rows, try Contents(fresh).rows)
    let before = try Contents(alone).rows
    for kind in ElementKind.allCases {
      // Counted, because equal rows may come from different copies.
      var rest = both[kind] ?? []
      for row in wanted[kind] ?? [] {
        let place = try #require(
          rest.firstIndex(of: row), "\(kind) lacks a row of the later export")
        rest.remove(at: place)
      }
      for row in rest { #expect(before[kind]?.contains(row) == true) }
      #expect(rest.count == (report.elements[kind]?.onlyInStore ?? 0), "\(kind)")
      onlyFirst[kind] = Set(rest)
    }
    #expect(onlyFirst.values.contains { !$0.isEmpty })
    try store.verify()
  }

  @Test("replacing leaves what a fresh import gives, and spares what other programs told")
  func replacing() throws {
    var elements = RandomElements(seed: 400)
    var records = StoreRecords(seed: 400)
    let phone = Source(name: "iPhone")
    let steps = records.batch(StoreRecords.steps, phone, count: 900, label: "count")
    let energy = records.batch(StoreRecords.energy, watch, count: 400, label: "kcal")
    let sleep = records.batch(StoreRecords.sleep, phone, count: 50, label: "A")
    var shared = records.batch(StoreRecords.distance, phone, count: 70, label: "km")
    shared.starts = (0..<70).map { Double($0 * 60) }
    shared.ends = shared.starts.map { $0 + 30 }
    let first: [ImportBatch] =
      elements.batches() + [.records(steps), .records(energy), .records(shared)]
    let later: [ImportBatch] =
      elements.batches() + [
        .records(steps.picked(Array(stride(from: 0, to: 900, by: 2)))),
        .records(shared.picked(Array(0..<10))),
      ]
    let store = try SampleStore.temporary()
    _ = try add(first, to: store, exported: 1)
    _ = try add(
      [.records(sleep), .records(shared.picked([0, 50]))], to: store, from: .healthConnect)
    _ = try add([.workouts(.init([workout(9e8, sum: 1)]))], to: store, from: .healthConnect)
    let dry = try add(later, to: store, dryRun: true, replacing: true, exported: 2)
    let report = try add(later, to: store, replacing: true, exported: 2)
    #expect(report == dry)
    let fresh = try SampleStore.temporary()
    _ = try add(later, to: fresh, exported: 2)
    #expect(try store.samples(of: StoreRecords.steps) == fresh.samples(of: StoreRecords.steps))
    #expect(try store.samples(of: StoreRecords.energy).isEmpty)
    #expect(try store.samples(of: StoreRecords.sleep).count > 0)
    // What another program told stays: two of which the export has one.
    #expect(try store.samples(of: StoreRecords.distance).count == 11)
    #expect(report.types[StoreRecords.energy.identifier]?.deleted ?? 0 > 300)
    #expect(report.types[StoreRecords.sleep.identifier]?.onlyInStore ?? 0 == 0)
    #expect(report.types[StoreRecords.distance.identifier]?.deleted == 59)
    let known = try Contents(store).sets
    for (kind, rows) in try Contents(fresh).sets where kind != .workout {
      #expect(known[kind] == rows, "\(kind)")
    }
    #expect(try store.workouts(in: 8e8..<9.1e8).count == 1)
    #expect(try store.workouts(in: 0..<8e8).rows == fresh.workouts().rows)
    #expect(report.elements.values.reduce(0) { $0 + $1.deleted } > 0)
    try store.verify()
    let again = try add(later, to: store, replacing: true, exported: 2)
    #expect(again.types.values.allSatisfy { $0.deleted == 0 && $0.new == 0 })
    #expect(again.elements.values.allSatisfy { $0.deleted == 0 && $0.new == 0 })
  }

  @Test("a record inside another element is kept only when no equal one stands by itself")
  func nestedRecords() throws {
    let phone = Source(name: "iPhone")
    var records = StoreRecords(seed: 7)
    var batch = records.batch(StoreRecords.steps, phone, count: 40, label: "count", spread: 90_000)
    batch.starts = (0..<40).map { Double($0 * 60) }
    batch.ends = batch.starts
    var nested = batch.picked([3, 5, 5, 39])
    nested.copies = [0, 0, 0, 0]
    let top = batch.picked(Array(0..<39))
    for isTwice in [false, true] {
      let store = try SampleStore.temporary()
      if isTwice { _ = try add([.records(top)], to: store) }
      let report = try add([.records(nested), .records(top)], to: store)
      let counts = try #require(report.types[StoreRecords.steps.identifier])
      #expect(counts.new == (isTwice ? 1 : 40))
      #expect(counts.known == (isTwice ? 39 : 0))
      #expect(counts.repeating == 3)
      #expect(counts.duplicates == 0)
      #expect(
        try store.records(of: StoreRecords.steps).allSatisfy { $0.copies.allSatisfy { $0 == 1 } })
      try store.verify()
    }
  }

  @Test("an element with a number that is none is refused, and the store is as it was")
  func refusal() throws {
    let store = try SampleStore.temporary()
    var elements = RandomElements(seed: 3)
    var route = elements.route()
    route.locations = elements.locations(5)
    route.locations.speeds.removeLast()
    let session = try store.beginImport()
    #expect(throws: StoreError.self) { try session.add(.routes(.init([route]))) }
    #expect(throws: StoreError.self) { try session.finish() }
    var nameless = workout(.nan, sum: 1)
    for _ in 0..<2 {
      let other = try store.beginImport()
      #expect(throws: StoreError.self) { try other.add(.workouts(.init([nameless]))) }
      nameless = workout(0, sum: .infinity)
    }
    #expect(try store.elementCounts().isEmpty)
  }

  @Test(
    "damage is found",
    arguments: [
      "UPDATE elements SET name = name || 'x'", "UPDATE elements SET start = start - 1",
      "UPDATE elements SET memberSet = 1", "UPDATE elements SET kind = 'Dream'",
      "UPDATE files SET format = 'paper'", "UPDATE elements SET source = NULL",
      "UPDATE elements SET content = zeroblob(40)", "DELETE FROM kindFiles",
      "UPDATE elements SET content = (SELECT content FROM elements WHERE kind = 'c')",
    ])
  func damage(change: String) throws {
    let store = try SampleStore.temporary()
    var elements = RandomElements(seed: 9)
    _ = try add(elements.batches(), to: store)
    try store.verify()
    try store.queue.write { try $0.execute(sql: change) }
    #expect { try store.verify() } throws: { ($0 as? StoreError)?.reason == .damaged }
  }

  @Test("bytes that were changed anywhere are refused, not read", arguments: 0..<40)
  func mutations(seed: UInt64) throws {
    var elements = RandomElements(seed: seed)
    let bytes = try Workouts.encode(elements.workout())
    var damaged = bytes
    let place = Int.random(in: 0..<bytes.count, using: &elements.random)
    damaged[place] ^= UInt8.random(in: 1...255, using: &elements.random)
    #expect(throws: Corruption.self) { try Workouts.decode(damaged) }
    // With a fitting checksum the contents may be anything; then reading must just end.
    var writer = ByteWriter(bytes: Array(damaged.dropLast(8)))
    writer.appendChecksum()
    _ = try? Workouts.decode(writer.bytes)
    _ = try? Routes.decode(writer.bytes)
    _ = try? Electrocardiograms.decode(writer.bytes)
  }

  @Test("a route keeps its segments, and without gaps the bytes of earlier versions")
  func routeSegments() throws {
    var elements = RandomElements(seed: 5)
    var row = elements.route()
    row.locations = elements.locations(9)
    let plain = try Routes.encode(row)
    for starts in [[1], [8], [2, 3, 7]] {
      row.locations.segmentStarts = starts
      let bytes = try Routes.encode(row)
      #expect(try Routes.decode(bytes) == row)
      #expect(try !Routes.agree(bytes, plain))
    }
    for starts in [[0], [9], [3, 3], [5, 2], [-1]] {
      row.locations.segmentStarts = starts
      #expect(throws: Corruption.self) { try Routes.encode(row) }
    }
    row.locations.segmentStarts = []
    #expect(try Routes.encode(row) == plain)
    #expect(try Routes.decode(plain).locations.segments == [0..<9])
  }

  @Test("a route takes a few bytes a place and column, bit for bit")
  func routeSize() throws {
    var elements = RandomElements(seed: 1)
    var row = elements.route()
    row.locations = elements.locations(20_000)
    let bytes = try Routes.encode(row)
    #expect(try Routes.decode(bytes) == row)
    #expect(bytes.count < 20_000 * 16)
  }
}
