import Foundation
import GRDB
import Harness
import HealthSamples
import HealthStore
import Samples

/// Saves and deletions a second, beside rows of SQLite with the same durability, and what a store is
/// like after many of them.
///
///     saves FOLDER [OPERATIONS]    a million random saves and deletions without a number
///
/// Every commit is synchronised with the disk (WAL, `synchronous = FULL`). Rows of SQLite have an
/// index over type and time, and one over their UUIDs. Both begin with 100,000 samples. The figures
/// are the medians of three rounds, in turns.
@main
struct Saves {
  static func main() async throws {
    let arguments = Options().rest
    guard let folder = arguments.first else { Options.fail("saves FOLDER [OPERATIONS]") }
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    try await compareRates(in: folder)
    let operations = arguments.dropFirst().first.flatMap { Int($0) } ?? 1_000_000
    try Histories(folder: folder).run(operations)
  }

  private static func compareRates(in folder: String) async throws {
    let works: [(name: String, commits: Int, size: Int)] = [
      ("one a commit", 200, 1), ("100 a commit", 50, 100), ("100,000 in one", 1, 100_000),
    ]
    var rates: [String: [Double]] = [:]
    for round in 0..<3 {
      for kind in ["hkstats", "sqlite"] {
        let path = "\(folder)/\(kind)-\(round).sqlite"
        try? FileManager.default.removeItem(atPath: path)
        let writer: any SampleWriter = kind == "sqlite" ? try Rows(path) : try Store(path)
        var samples = RandomSamples(seed: UInt64(round))
        for _ in 0..<10 { _ = try writer.save(samples.next(10_000)) }
        for work in works {
          let batches = (0..<work.commits).map { _ in samples.next(work.size) }
          var uuids: [[UUID]] = []
          let saving = try await Clock.wall.seconds {
            for batch in batches { uuids.append(try writer.save(batch)) }
          }
          let deleting = try await Clock.wall.seconds {
            for uuids in samples.shuffled(uuids) { try writer.delete(uuids) }
          }
          let all = Double(work.commits * work.size)
          rates["save \(work.name): \(kind)", default: []].append(all / saving)
          rates["delete \(work.name): \(kind)", default: []].append(all / deleting)
        }
      }
    }
    print("samples a second, median of three")
    for (name, rates) in rates.sorted(by: { $0.key < $1.key }) {
      print(Line.of([name, "\(Int(Times(rates).median))"], widths: [-32, 9]))
    }
  }
}

/// What saves and deletes samples.
protocol SampleWriter {
  func save(_ samples: [NewSample]) throws -> [UUID]
  func delete(_ uuids: [UUID]) throws
}

/// A store of ours.
struct Store: SampleWriter {
  let store: SampleStore

  init(_ path: String) throws { store = try SampleStore(path: path, mode: .readWrite) }

  func save(_ samples: [NewSample]) throws -> [UUID] { try store.save(samples) }
  func delete(_ uuids: [UUID]) throws { try store.delete(uuids) }
}

/// A table with a row for each sample.
struct Rows: SampleWriter {
  private let queue: DatabaseQueue

  init(_ path: String) throws {
    var configuration = Configuration()
    configuration.prepareDatabase { database in
      try database.execute(sql: "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL")
    }
    queue = try DatabaseQueue(path: path, configuration: configuration)
    try queue.write { database in
      try database.execute(
        sql: """
          CREATE TABLE samples (
            id INTEGER PRIMARY KEY, uuid BLOB NOT NULL UNIQUE, type TEXT NOT NULL,
            source TEXT NOT NULL, start REAL NOT NULL, ends REAL NOT NULL, value REAL NOT NULL,
            unit TEXT NOT NULL, created REAL) STRICT;
          CREATE INDEX inTime ON samples (type, start);
          """)
    }
  }

  func save(_ samples: [NewSample]) throws -> [UUID] {
    let uuids = samples.map { _ in UUID() }
    try queue.write { database in
      let statement = try database.cachedStatement(
        sql: "INSERT INTO samples VALUES (NULL, ?, ?, ?, ?, ?, ?, ?, ?)")
      for (sample, uuid) in zip(samples, uuids) {
        try statement.execute(arguments: [
          Self.data(uuid), sample.type.identifier, sample.source.name, sample.start, sample.end,
          sample.value, sample.label, sample.created,
        ])
      }
    }
    return uuids
  }

  func delete(_ uuids: [UUID]) throws {
    try queue.write { database in
      let statement = try database.cachedStatement(sql: "DELETE FROM samples WHERE uuid = ?")
      for uuid in uuids { try statement.execute(arguments: [Self.data(uuid)]) }
    }
  }

  private static func data(_ uuid: UUID) -> Data { withUnsafeBytes(of: uuid.uuid) { Data($0) } }
}

/// Samples of three types and two sources as an app saves them: most are the latest of their kind.
struct RandomSamples {
  var random: SeededSamples.Random
  private var now = 7e8
  private static let kinds: [(type: SampleType?, label: String, divisor: Double)] = [
    (Catalogue.type("HKQuantityTypeIdentifierStepCount"), "count", 1),
    (Catalogue.type("HKQuantityTypeIdentifierActiveEnergyBurned"), "kcal", 1_000),
    (Catalogue.type("HKQuantityTypeIdentifierHeartRate"), "count/min", 1),
  ]
  private static let sources = [Source(name: "Watch"), Source(name: "iPhone")]

  init(seed: UInt64) { random = SeededSamples.Random(state: seed) }

  mutating func shuffled(_ batches: [[UUID]]) -> [[UUID]] {
    var batches = batches
    for index in batches.indices { batches.swapAt(index, Int(random.next()) % batches.count) }
    return batches
  }

  mutating func next(_ count: Int) -> [NewSample] {
    (0..<count).compactMap { _ in
      let (type, label, divisor) = Self.kinds[Int(random.next() % 3)]
      guard let type else { return nil }
      now += Double(1 + random.next() % 20)
      let start = random.next() % 20 == 0 ? now - Double(random.next() % 10_000_000) : now
      let length = type.style == .cumulative ? Double(1 + random.next() % 600) : 0
      return NewSample(
        type: type, source: Self.sources[Int(random.next() % 2)], start: start, end: start + length,
        value: Double(1 + random.next() % 2_000) / divisor, label: label,
        created: start + length + 3, origin: Origin(sourceVersion: "10.1", device: "name:Watch"))
    }
  }
}
