import Foundation
import GRDB
import HealthSamples
import HealthStore
import Samples

/// The folder of the stores of a run, and the samples in them.
final class StorePlace {
  static let app = "com.example.costs"
  static let steps = SampleType(.stepCount)
  static let origin = 600_000_000.0

  private let folder: String
  private let scale: Double
  private var stores = 0

  init(folder: String, scale: Double) throws {
    self.folder = "\(folder)/\(UUID().uuidString)"
    self.scale = scale
    try FileManager.default.createDirectory(
      atPath: self.folder, withIntermediateDirectories: true)
  }

  func remove() { try? FileManager.default.removeItem(atPath: folder) }

  /// A number of samples at the scale of the run.
  func count(_ full: Int) -> Int { max(200, Int(Double(full) * scale)) }

  /// An empty store.
  func store() throws -> SampleStore {
    stores += 1
    return try SampleStore(path: "\(folder)/\(stores).sqlite", mode: .readWrite)
  }

  /// Steps of each minute; each `telling` has other values for one more hundredth of them.
  static func rows(_ range: Range<Int>, telling: Int = 0) throws -> RecordColumns {
    var rows = RecordColumns(type: steps, source: Source(name: "Watch"))
    var random = SeededSamples.Random(state: UInt64(range.lowerBound))
    let version = Origin(sourceVersion: "11.0", device: "name:Watch, hardware:Watch6,1")
    for row in range {
      let start = origin + Double(row) * 60
      let value = Double(1 + random.next() % 120) + (row % 100 < telling ? 1 : 0)
      try rows.append(
        start: start, end: start + Double(10 + random.next() % 50), value: value, label: "count",
        creation: start + 70, origin: version)
    }
    return rows
  }

  /// Imports such steps, at most 65,536 a batch.
  static func add(
    _ range: Range<Int>, telling: Int = 0, to store: SampleStore, exported: Double
  ) throws {
    let session = try store.beginImport(threads: 2)
    for first in stride(from: range.lowerBound, to: range.upperBound, by: 1 << 16) {
      try session.add(
        rows(first..<min(range.upperBound, first + 1 << 16), telling: telling))
    }
    _ = try session.finish(exported: exported)
  }

  /// Samples that an app saves, the latest last, from a minute on.
  static func samples(_ range: Range<Int>, hasMetadata: Bool = false) -> [NewSample] {
    range.map { row in
      let start = origin + Double(row) * 60
      let entries =
        hasMetadata ? [Metadata.Entry(key: "HKExternalUUID", value: "of the app, \(row)")] : []
      return NewSample(
        type: steps, source: Source(name: "Costs", bundleIdentifier: app), start: start,
        end: start + 60, value: Double(row * 7 % 90), label: "count", created: start + 61,
        metadata: Metadata(entries))
    }
  }

  /// The bytes of a store without room for more.
  static func bytes(of store: SampleStore) throws -> Int {
    try store.compact()
    return try FileManager.default.attributesOfItem(atPath: store.path)[.size] as? Int ?? 0
  }

  /// How many chunks a store has ever written.
  static func chunksWritten(in store: SampleStore) throws -> Int {
    try DatabaseQueue(path: store.path).read { database in
      try Int.fetchOne(database, sql: "SELECT lastChunk FROM identity") ?? 0
    }
  }

  /// Takes the pages of a store out of the system's cache.
  static func forget(_ store: SampleStore) throws {
    let file = open(store.path, O_RDONLY)
    defer { close(file) }
    fsync(file)
    guard posix_fadvise(file, 0, 0, POSIX_FADV_DONTNEED) == 0 else {
      throw CocoaError(.fileReadUnknown)
    }
  }
}
