import Foundation
import GRDB
import HealthSamples
import HealthUnits
import Testing
import _HealthTestSupport

@testable import HealthStore

/// Writes stores of format 1, as SQL, with what they answer.
struct FixtureWriter {
  private let watch = Source(name: "Watch")
  private let phone = Source(name: "iPhone")
  private let scale = Source(name: "Scale", bundleIdentifier: "com.example.scale")

  private func rows(
    _ type: SampleType, _ source: Source, _ rows: [[Double]], word: String = ""
  ) throws -> RecordColumns {
    var batch = RecordColumns(type: type, source: source)
    for row in rows {
      try batch.append(
        start: row[0], end: row[1], value: row[2],
        label: type.canonicalUnit?.text(in: .healthKit) ?? "HKCategoryValueSleepAnalysisAsleep",
        creation: row[1] + 5,
        origin: Origin(sourceVersion: "10.\(Int(row[0]) % 3)", device: "name:\(source.name)"),
        metadata: word.isEmpty ? Metadata() : Metadata([.init(key: "word", value: word)]))
    }
    return batch
  }

  private func add(
    _ batches: [ExportBatch], to store: SampleStore, _ file: String, at date: Double?,
    _ format: ImportFormat = .appleHealth
  ) throws {
    let session = try store.beginImport(from: format)
    for batch in batches { try session.add(batch) }
    _ = try session.finish(file: file, exported: date)
  }

  private func minutes(_ minutes: Range<Int>, _ value: (Int) -> Double) -> [[Double]] {
    minutes.map { [Double($0) * 60, Double($0) * 60 + 60, value($0)] }
  }

  /// A store with something of everything, which later exports joined, corrected and lost.
  private func fill(_ store: SampleStore) throws {
    var elements = RandomElements(seed: 41)
    let all = elements.batches()
    let fine = minutes(0..<100) { Double($0 % 7 + 1) }
    var joined = Array(fine[80...])
    for index in stride(from: 0, to: 80, by: 2) {
      let sum: Double = fine[index][2] + fine[index + 1][2]
      joined.append([fine[index][0], fine[index + 1][1], sum])
    }
    let pulse = minutes(0..<90) { Double(60 + $0 % 40) }
    try add(
      all + [
        .records(rows(StoreRecords.steps, watch, Array(fine[..<90]))),
        .records(rows(StoreRecords.steps, phone, minutes(0..<50) { Double($0) })),
        .records(rows(StoreRecords.heartRate, watch, Array(pulse[..<70]))),
        .records(rows(StoreRecords.sleep, watch, [[0, 3_600, 1], [3_600, 7_200, 1]])),
        .records(rows(StoreRecords.energy, watch, minutes(0..<20) { Double($0) }, word: "first")),
      ], to: store, "january.zip", at: 30_000)
    // Joined, in other words, without some elements.
    try add(
      Array(all[..<4]) + [
        .records(rows(StoreRecords.steps, watch, joined)),
        .records(rows(StoreRecords.heartRate, watch, pulse)),
        .records(rows(StoreRecords.energy, watch, minutes(0..<25) { Double($0) }, word: "later")),
      ], to: store, "february.zip", at: 40_000)
    let days: [[Double]] = (0..<10).map { day in
      let start: Double = Double(day) * 86_400
      return [start, start, 70 + Double(day) / 10]
    }
    let mass = try #require(Catalogue.type("HKQuantityTypeIdentifierBodyMass"))
    try add(
      [.records(rows(mass, scale, days))],
      to: store, "mass.csv", at: nil, .simpleHealthExport)
    // Saved, in versions, with what belongs to them.
    var objects = NewObjects()
    for index in 0..<12 {
      objects.samples.append(
        NewSample(
          type: mass, source: scale, start: Double(index) * 3_600, end: Double(index) * 3_600,
          value: 71, label: "kg", origin: Origin(sourceVersion: "3", device: "name:Scale"),
          metadata: Metadata([
            .init(key: "HKMetadataKeySyncIdentifier", .string("weight \(index % 8)")),
            .init(key: "HKMetadataKeySyncVersion", .number(Double(index))),
          ]), uuid: UUID()))
    }
    var run = Workouts.Row()
    run.activity = "HKWorkoutActivityTypeRunning"
    (run.facts.source, run.facts.start, run.facts.end) = (scale, 100, 700)
    var walk = run
    (walk.activity, walk.facts.start) = ("HKWorkoutActivityTypeWalking", 200)
    objects.elements = [
      NewElement(.workouts(Workouts([run]))), NewElement(.workouts(Workouts([walk]))),
    ]
    try store.save(objects)
    var more = NewObjects()
    let last = try #require(objects.samples.last?.uuid)
    more.associations = [Association(objects.elements[0].uuid, last, .workout)]
    try store.save(more)
    try store.add(
      StoredAttachment(name: "scan.pdf", contentType: "com.adobe.pdf", created: 7, size: 3),
      [1, 2, 3], to: objects.elements[0].uuid)
    // Deleted: an element and samples that were saved, and some of the exports.
    try store.delete([objects.elements[1].uuid, objects.samples[9].uuid ?? UUID()])
    try store.deleteSamples(of: StoreRecords.heartRate, in: 600..<1_200)
    try store.deleteSamples(of: StoreRecords.energy, in: 0..<300)
    var workout: UUID?
    try store.forEachIdentifiedElement(of: .audiogram) {
      workout = $0.uuid
      return false
    }
    try store.delete([try #require(workout)])
    try store.setPreferredSources(["iPhone", "Watch"], of: StoreRecords.steps)
    try store.setPreferredSources(["Watch"], of: nil)
    try store.setDefaultZone("Europe/Paris")
    try store.setPreferredUnit("lb", of: mass)
    try store.authorise(
      "com.example.scale", type: mass.identifier, share: .authorised, read: .denied)
    try store.enableDelivery(of: mass.identifier, to: "com.example.scale", .hourly)
    // Nothing new but the date.
    try add(
      [
        .records(
          rows(StoreRecords.sleep, watch, [[0, 3_600, 1], [3_600, 7_200, 1], [8_000, 9_000, 1]]))
      ],
      to: store, "march.zip", at: 50_000)
  }

  /// A store in which format 1 counts twice (N1, N4).
  private func fillTwice(_ store: SampleStore) throws {
    let a = try rows(StoreRecords.steps, watch, [[0, 50, 51], [50, 75, 30]])
    let b = try rows(StoreRecords.steps, watch, [[0, 75, 81]])
    let e = try rows(StoreRecords.steps, watch, [[0, 75, 81], [100, 160, 200]])
    for (index, batch) in [a, b, e].enumerated() {
      try add([.records(batch)], to: store, "\(index).zip", at: 1_000 * Double(index + 1))
    }
    let second = try #require(store.imports().first { $0.file == "1.zip" })
    _ = try store.undoImport(second.id)
    let old = try rows(
      StoreRecords.distance, watch, [[0, 40, 79], [40, 90, 671], [90, 150, 163]])
    let new = try rows(StoreRecords.distance, watch, [[0, 150, 868]])
    try add([.records(old)], to: store, "older.zip", at: 4_000)
    try add([.records(new)], to: store, "newer.zip", at: 5_000)
  }

  @Test(.enabled(if: ProcessInfo.processInfo.environment["HKSTATS_FIXTURES"] != nil))
  func write() throws {
    let folder = URL(
      fileURLWithPath: ProcessInfo.processInfo.environment["HKSTATS_FIXTURES"] ?? "")
    for (name, fill) in [("everything", fill), ("twice", fillTwice)] {
      let temporary = try TemporaryFolder()
      let store = try SampleStore(path: temporary.file(), mode: .readWrite)
      try fill(store)
      try store.verify()
      let lines =
        try store.answers()
        + store.imports().map {
          "import \($0.format.rawValue) \($0.exportedAt ?? 0) \($0.file) \($0.read) \($0.new)"
        }
      try (lines.joined(separator: "\n") + "\n").write(
        to: folder.appendingPathComponent("\(name).txt"), atomically: true, encoding: .utf8)
      try store.queue.read { database in
        var sql: [String] = []
        let tables = try Row.fetchAll(
          database, sql: "SELECT name, sql FROM sqlite_master WHERE sql IS NOT NULL ORDER BY rowid")
        for table in tables { sql.append((table[1] as String) + ";") }
        for table in tables where (table[1] as String).hasPrefix("CREATE TABLE") {
          let name: String = table[0]
          let columns = try database.columns(in: name).map(\.name)
          let values = columns.map { "quote(\"\($0)\")" }.joined(separator: " || ', ' || ")
          for row in try String.fetchAll(database, sql: "SELECT \(values) FROM \"\(name)\"") {
            let values = row.replacingOccurrences(of: "-Inf", with: "-9e999")
            sql.append("INSERT INTO \"\(name)\" VALUES (\(values));")
          }
        }
        for pragma in ["application_id", "user_version", "page_size"] {
          let value = try Int.fetchOne(database, sql: "PRAGMA \(pragma)") ?? 0
          sql.insert("PRAGMA \(pragma) = \(value);", at: 0)
        }
        try (sql.joined(separator: "\n") + "\n").write(
          to: folder.appendingPathComponent("\(name).sql"), atomically: true, encoding: .utf8)
      }
    }
  }
}
