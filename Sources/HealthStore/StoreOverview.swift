import Foundation
import GRDB
public import HealthSamples

/// What a store holds, at a glance.
public struct StoreOverview: Sendable, Hashable {
  /// The bytes of the file; 0 for a temporary store.
  public let bytes: Int
  /// The number of samples.
  public let sampleCount: Int
  /// The number of types that have samples.
  public let typeCount: Int
  /// The number of sources that have samples.
  public let sourceCount: Int
  /// The start of the first sample, in seconds since 2001-01-01 UTC; `nil` without samples.
  public let firstStart: Double?
  /// The latest end of a sample.
  public let lastEnd: Double?
  /// How many elements of each kind there are.
  public let elements: [ElementKind: Int]
  /// When the latest imported file of each program was made, as far as files tell.
  public let latestExports: [ImportFormat: Double]
}

extension SampleStore {
  /// What the store holds, at a glance.
  ///
  /// - Throws: ``StoreError``
  /// - Complexity: O(types × sources + elements); no sample is read
  public func overview() throws(StoreError) -> StoreOverview {
    let elements = try elementCounts()
    var facts = stat()
    let bytes = !path.isEmpty && stat(path, &facts) == 0 ? Int(facts.st_size) : 0
    return try read { database in
      let row = try Row.fetchOne(
        database,
        sql: """
          SELECT coalesce(sum(count), 0), count(DISTINCT type), count(DISTINCT source),
            min(firstStart), max(lastEnd)
          FROM streams
          """)
      guard let row else { throw SegmentDamage() }
      var exports: [ImportFormat: Double] = [:]
      for row in try Row.fetchAll(database, sql: "SELECT format, made FROM exports") {
        guard let format = ImportFormat(rawValue: try row.decode(atIndex: 0)) else {
          throw SegmentDamage()
        }
        exports[format] = try row.decode(atIndex: 1)
      }
      return StoreOverview(
        bytes: bytes, sampleCount: try row.sampleCount(atIndex: 0),
        typeCount: try row.decode(atIndex: 1), sourceCount: try row.decode(atIndex: 2),
        firstStart: try row.decode(atIndex: 3), lastEnd: try row.decode(atIndex: 4),
        elements: elements, latestExports: exports)
    }
  }
}
