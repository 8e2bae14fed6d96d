import Foundation
import GRDB
import HealthSamples

/// The elements of one import on their way into a store.
///
/// Their bytes wait in the file of the sorted runs, so memory holds their keys alone.
struct ElementImport {
  /// One element of the export.
  private struct Fresh {
    var key: ElementKey
    var place: Range<Int>
  }

  private var waiting: [ElementKind: [Fresh]] = [:]

  init() {}

  /// Takes in elements; one that breaks the rules of its columns is refused.
  mutating func add<Columns: StoredElement>(
    _ columns: Columns, to file: RunFile, path: String
  ) throws(StoreError) {
    for (index, row) in columns.rows.enumerated() {
      let bytes: [UInt8]
      do throws(SegmentDamage) { bytes = try Columns.encode(row) } catch {
        throw StoreError(.invalidBatch(row: index), path: path)
      }
      let fresh = Fresh(key: Columns.key(of: row), place: try file.append(bytes))
      waiting[Columns.kind, default: []].append(fresh)
    }
  }

  /// Meets all elements with those in the store.
  ///
  /// - Complexity: O(*n* log *n*) for *n* elements of the export and the store
  consuming func merge(
    into database: Database, from file: RunFile, rules: ImportRules
  ) throws -> [ElementKind: ImportReport.Counts] {
    var report: [ElementKind: ImportReport.Counts] = [:]
    for kind in ElementKind.allCases {
      let fresh = (waiting.removeValue(forKey: kind) ?? []).sorted { $0.key < $1.key }
      var merge = try ElementMerge(kind, database: database, rules: rules)
      var start = 0
      while start < fresh.count {
        let end =
          fresh[start...].firstIndex { $0.key != fresh[start].key } ?? fresh.count
        var contents: [[UInt8]] = []
        for element in fresh[start..<end] { contents.append(try file.bytes(element.place)) }
        try merge.meet(fresh[start].key, contents)
        start = end
      }
      let counts = try merge.finish()
      if counts != ImportReport.Counts() { report[kind] = counts }
    }
    return report
  }
}
