public import Foundation
import HealthSamples

/// The slow twin of the objects of a store: every sample with its serial and its UUID, and what was
/// deleted, in order.
///
/// It does not choose serials and UUIDs, it learns them: what a store gives a sample must be new,
/// later than all before, and stay. What an import does with words that differ is told by
/// ``ReferenceStore``; here a sample may take over the words of an imported one that is the same.
public struct ModelStore {
  /// A sample of the store.
  public struct Row: Hashable, Sendable {
    public let serial: Int64
    public let uuid: UUID
    public let series: ReferenceStore.Series
    public var sample: ReferenceStore.Sample
    /// The step of the history that brought it.
    public let born: Int
    /// Who brought it: a deleted one of an import does not come with another import.
    fileprivate var origin: RowOrigin
  }

  /// A deletion, numbered by its place.
  public struct Deletion: Hashable, Sendable {
    public let serial: Int64
    public let uuid: UUID
    public let series: ReferenceStore.Series

    public init(serial: Int64, uuid: UUID, series: ReferenceStore.Series) {
      (self.serial, self.uuid, self.series) = (serial, uuid, series)
    }
  }

  /// A sample as a store holds it.
  public struct Found: Hashable, Sendable {
    public let serial: Int64
    public let uuid: UUID
    public let sample: ReferenceStore.Sample

    public init(serial: Int64, uuid: UUID, sample: ReferenceStore.Sample) {
      (self.serial, self.uuid, self.sample) = (serial, uuid, sample)
    }
  }

  /// A difference between a store and its twin.
  public struct Difference: Error, CustomStringConvertible {
    public let description: String

    public init(_ description: String) { self.description = description }
  }

  /// What makes two samples of a series the same to an import.
  public struct Identity: Hashable, Sendable {
    let start: Double
    let end: Double
    let canonical: Double

    init(_ sample: ReferenceStore.Sample) {
      (start, end, canonical) = (sample.start, sample.end, sample.canonical)
    }
  }

  fileprivate enum RowOrigin {
    case saved
    /// Saved, and later found in an import, which may make it a sample of both.
    case both
    case imported
  }

  /// The samples of each series, by serial.
  public private(set) var rows: [ReferenceStore.Series: [Int64: Row]] = [:]
  public private(set) var deletions: [Deletion] = []
  /// Imported samples that were deleted, which an import does not bring back; those of both may.
  private var deleted: [ReferenceStore.Series: [Identity: RowOrigin]] = [:]
  private var lastSerial: Int64 = 0
  private var uuids: Set<UUID> = []

  public init() {}

  /// All samples, in no order.
  public var all: [Row] { rows.values.flatMap(\.values) }

  /// Samples of a series in the order of columns; those of the same time and value by serial.
  public func ordered(_ series: ReferenceStore.Series) -> [Found] {
    Self.ordered(
      (rows[series] ?? [:]).values.map {
        Found(serial: $0.serial, uuid: $0.uuid, sample: $0.sample)
      })
  }

  public static func ordered(_ found: [Found]) -> [Found] {
    found.sorted {
      ($0.sample.start, $0.sample.end, $0.sample.canonical, $0.serial)
        < ($1.sample.start, $1.sample.end, $1.sample.canonical, $1.serial)
    }
  }

  /// Takes in a saved sample, which has a serial and a UUID from the store.
  public mutating func save(
    _ sample: ReferenceStore.Sample, in series: ReferenceStore.Series, serial: Int64, uuid: UUID,
    step: Int
  ) throws(Difference) {
    guard serial > lastSerial else { throw Difference("serial \(serial) is not new") }
    try insert(sample, series, serial, uuid, step, .saved)
  }

  /// Ends a commit: later serials are greater than all of its own.
  public mutating func commit() {
    lastSerial = rows.values.lazy.flatMap(\.keys).reduce(lastSerial, max)
  }

  /// Deletes samples in an order that the store chose.
  public mutating func delete(_ serials: [Int64], from series: ReferenceStore.Series) {
    for serial in serials {
      guard let row = rows[series]?.removeValue(forKey: serial) else { continue }
      deletions.append(Deletion(serial: serial, uuid: row.uuid, series: series))
      guard row.origin != .saved else { continue }
      let identity = Identity(row.sample)
      if deleted[series]?[identity] != .imported {
        deleted[series, default: [:]][identity] = row.origin
      }
    }
  }

  /// Takes in what a series holds after an import of some samples, if that is allowed.
  ///
  /// Every sample from before is still there under its serial and UUID, in its own words or those of
  /// an imported sample of the same times and value. New are exactly those of the imported ones that
  /// were not there and were not deleted.
  ///
  /// - Returns: the number of new samples
  public mutating func learn(
    _ found: [Found], of series: ReferenceStore.Series, imported: [ReferenceStore.Sample],
    step: Int
  ) throws(Difference) -> Int {
    let before = rows[series] ?? [:]
    let candidates = Dictionary(grouping: imported, by: Identity.init)
    let present = Set(before.values.map { Identity($0.sample) })
    let absent = Set(candidates.keys).subtracting(present)
    let hidden = deleted[series] ?? [:]
    var expected = absent.filter { hidden[$0] == nil }
    var possible = absent.filter { hidden[$0] == .both }
    var (count, met) = (0, 0)
    for row in found {
      let identity = Identity(row.sample)
      let known = before[row.serial]
      if let known {
        met += 1
        guard known.uuid == row.uuid else {
          throw Difference("serial \(row.serial) has another UUID")
        }
        guard Identity(known.sample) == identity else {
          throw Difference("serial \(row.serial) is another sample")
        }
      } else {
        guard row.serial > lastSerial else { throw Difference("serial \(row.serial) is not new") }
        guard (expected.remove(identity) ?? possible.remove(identity)) != nil else {
          throw Difference("serial \(row.serial) was not imported, was there or was deleted")
        }
        count += 1
      }
      let words = (candidates[identity] ?? []) + (known.map { [$0.sample] } ?? [])
      guard words.contains(where: { $0.hasWords(of: row.sample) }) else {
        throw Difference("serial \(row.serial) has words that nobody wrote")
      }
      if known == nil {
        try insert(row.sample, series, row.serial, row.uuid, step, .imported)
      } else {
        rows[series]?[row.serial]?.sample = row.sample
        if known?.origin == .saved, candidates[identity] != nil {
          rows[series]?[row.serial]?.origin = .both
        }
      }
    }
    guard met == before.count else { throw Difference("\(before.count - met) samples are missing") }
    guard expected.isEmpty else { throw Difference("\(expected.count) samples are not imported") }
    return count
  }

  private mutating func insert(
    _ sample: ReferenceStore.Sample, _ series: ReferenceStore.Series, _ serial: Int64, _ uuid: UUID,
    _ step: Int, _ origin: RowOrigin
  ) throws(Difference) {
    guard uuids.insert(uuid).inserted else { throw Difference("serial \(serial) has a known UUID") }
    let row = Row(
      serial: serial, uuid: uuid, series: series, sample: sample, born: step, origin: origin)
    guard rows[series, default: [:]].updateValue(row, forKey: serial) == nil else {
      throw Difference("serial \(serial) has two samples")
    }
  }
}

extension ReferenceStore.Sample {
  /// Whether all is the same but how often an export held it.
  fileprivate func hasWords(of other: Self) -> Bool {
    var same = self
    same.copies = other.copies
    return same == other
  }
}
