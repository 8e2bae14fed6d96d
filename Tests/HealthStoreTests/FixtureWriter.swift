import Foundation
import GRDB
import HealthSamples
import Testing
import _HealthTestSupport

@testable import HealthStore

/// Writes a store of format 2 before its deletions have sync identifiers, as SQL, with what it answers.
struct FixtureWriter {
  private let watch = Source(name: "Watch")
  private let scale = Source(name: "Scale", bundleIdentifier: "com.example.scale")

  private func keys(_ identifier: String, _ version: Double) -> Metadata {
    Metadata([
      .init(key: "HKMetadataKeySyncIdentifier", .string(identifier)),
      .init(key: "HKMetadataKeySyncVersion", .number(version)),
    ])
  }

  private func fill(_ store: SampleStore) throws {
    var batch = RecordColumns(type: StoreRecords.steps, source: watch)
    for row in 0..<6 {
      let start = Double(row) * 60
      try batch.append(
        start: start, end: start + 60, value: Double(row + 1), label: "count",
        origin: Origin(
          sourceVersion: "9.\(row % 2)",
          device: "name:Apple Watch, model:Watch, hardware:Watch6,2, software:9.1"),
        metadata: keys("imported \(row)", 3))
    }
    let session = try store.beginImport()
    try session.add(.records(batch))
    _ = try session.finish(file: "january.zip", exported: 30_000)
    let mass = try #require(Catalogue.type("HKQuantityTypeIdentifierBodyMass"))
    func uuid(_ number: Int) -> UUID? {
      UUID(uuidString: "00000000-0000-4000-8000-00000000000\(number)")
    }
    var objects = NewObjects()
    for index in 0..<6 {
      objects.samples.append(
        NewSample(
          type: mass, source: scale, start: Double(index) * 3_600, end: Double(index) * 3_600,
          value: 71, label: "kg", origin: Origin(sourceVersion: "3", device: "name:Scale"),
          metadata: keys("weight \(index)", 1), uuid: uuid(index)))
    }
    var run = Workouts.Row()
    run.activity = "HKWorkoutActivityTypeRunning"
    (run.facts.source, run.facts.start, run.facts.end) = (scale, 100, 700)
    run.facts.origin = Origin(sourceVersion: "3", device: "name:Scale")
    run.facts.metadata = keys("run", 1)
    var walk = run
    (walk.activity, walk.facts.start) = ("HKWorkoutActivityTypeWalking", 200)
    walk.facts.metadata = keys("walk", 1)
    objects.elements = [
      NewElement(.workouts(Workouts([run])), uuid: try #require(uuid(8))),
      NewElement(.workouts(Workouts([walk])), uuid: try #require(uuid(9))),
    ]
    try store.save(objects)
    // A higher version, a deletion, one that is taken back, of an import as well.
    var next = objects.samples[1]
    (next.metadata, next.uuid, next.value) = (keys("weight 1", 2), uuid(7), 72)
    try store.save([next])
    try store.delete([2, 3, 8].compactMap(uuid))
    try store.restore([uuid(3)].compactMap(\.self))
    try store.delete(.samples(StoreRecords.steps), in: 60..<180)
  }

  @Test(.enabled(if: ProcessInfo.processInfo.environment["HKSTATS_FIXTURES"] != nil))
  func write() throws {
    let folder = URL(
      fileURLWithPath: ProcessInfo.processInfo.environment["HKSTATS_FIXTURES"] ?? "")
    for (name, fill) in [("format2", fill)] {
      let temporary = try TemporaryFolder()
      let store = try SampleStore(path: temporary.file(), mode: .readWrite)
      try fill(store)
      try store.verify()
      try (store.answers().joined(separator: "\n") + "\n").write(
        to: folder.appendingPathComponent("\(name).txt"), atomically: true, encoding: .utf8)
      try store.read { database in
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
