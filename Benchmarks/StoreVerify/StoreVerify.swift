import Foundation
import HealthSamples
import HealthStore

/// Reads every sample of a store and checks it against its checksum, and whether it has lost
/// anything of an earlier copy of itself; for the checks in `.ci`.
///
///     store-verify FILE [EARLIER]
///
/// Exits 0 when the store is whole and holds all that the earlier one held, else 1.
@main
struct StoreVerify {
  static func main() {
    do {
      let paths = CommandLine.arguments.dropFirst()
      let store = try SampleStore(path: paths.first ?? "", mode: .readOnly)
      try store.verify()
      if let earlier = paths.dropFirst().first {
        try check(store, against: try SampleStore(path: earlier, mode: .readOnly))
      }
    } catch {
      FileHandle.standardError.write(Data("\(error)\n".utf8))
      exit(1)
    }
  }

  /// Something that the earlier store had.
  private struct Loss: Error {
    let kind: String
    let count: Int
  }

  /// What makes a sample the same one in every export, but for its value.
  private struct Place: Hashable {
    let source: Source
    let start: Double
    let end: Double
  }

  private static func check(_ store: SampleStore, against earlier: SampleStore) throws {
    for summary in try earlier.types() {
      var found = try values(of: summary.type, in: store)
      var lost = 0
      for (place, values) in try values(of: summary.type, in: earlier) {
        for value in values {
          // Six printed digits in another unit do not round alike.
          let match = found[place]?.firstIndex { abs($0 - value) <= 2e-5 * abs(value) }
          if let match { found[place]?.remove(at: match) } else { lost += 1 }
        }
      }
      if lost > 0 { throw Loss(kind: summary.type.identifier, count: lost) }
    }
    let counts = try store.elementCounts()
    for (kind, count) in try earlier.elementCounts() where counts[kind, default: 0] < count {
      throw Loss(kind: kind.rawValue, count: count - counts[kind, default: 0])
    }
  }

  private static func values(of type: SampleType, in store: SampleStore) throws -> [Place: [Double]]
  {
    var values: [Place: [Double]] = [:]
    try store.forEachBatch(of: type) { batch in
      for row in 0..<batch.count {
        let place = Place(
          source: batch.source, start: batch.starts[row], end: batch.ends[row])
        values[place, default: []].append(batch.values[row])
      }
    }
    return values
  }
}
