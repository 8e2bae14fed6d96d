import Foundation
import HealthSamples
import HealthUnits

extension SamplePredicate {
  /// The test of the rows of a batch, with the serials of the UUIDs that the store has; what rows
  /// share is decided once.
  ///
  /// - Complexity: O(entries of its tables)
  func test(of batch: RecordColumns, _ known: [UUID: Int64]) -> (Int) -> Bool {
    switch self {
    case .all(let parts):
      let tests = parts.map { $0.test(of: batch, known) }
      return { row in tests.allSatisfy { $0(row) } }
    case .any(let parts):
      let tests = parts.map { $0.test(of: batch, known) }
      return { row in tests.contains { $0(row) } }
    case .not(let part):
      let test = part.test(of: batch, known)
      return { !test($0) }
    case .start(let compares, let instant): return { compares(batch.starts[$0], instant) }
    case .end(let compares, let instant):
      return { compares(max(batch.starts[$0], batch.ends[$0]), instant) }
    case .duration(let compares, let seconds):
      return { compares(max(batch.starts[$0], batch.ends[$0]) - batch.starts[$0], seconds) }
    case .value(let compares, let number, let unit):
      guard batch.type.canonicalUnit != nil else {
        return { unit == nil && compares(batch.values[$0], number) }
      }
      let conversions = batch.labelTable.map { batch.type.conversion(from: $0, to: unit) }
      return { row in
        conversions[Int(batch.labels[row])].map { compares($0(batch.values[row]), number) } ?? false
      }
    case .constant(let name):
      let isCategory = batch.type.canonicalUnit == nil
      let hits = batch.labelTable.map { isCategory && $0 == name }
      return { hits[Int(batch.labels[$0])] }
    case .source(let name):
      let hit = batch.source.isNamed(name)
      return { _ in hit }
    case .sources(let sources):
      let hit = sources.contains(SourceName(batch.source))
      return { _ in hit }
    case .userEntered(let isUserEntered):
      let hit = batch.source.isUserEntered == isUserEntered
      return { _ in hit }
    case .sourceVersion(let version):
      let hits = batch.originTable.map { $0.sourceVersion == version }
      return { hits[Int(batch.origins[$0])] }
    case .device(let field, let value):
      let hits = batch.originTable.map { origin in
        Device.value(of: field, in: origin.device) == value
      }
      return { hits[Int(batch.origins[$0])] }
    case .metadata(let key, let test):
      let hits = batch.metadataTable.map { metadata in
        metadata.entries.contains { $0.key == key && test.passes($0) }
      }
      return { hits[Int(batch.metadata[$0])] }
    case .uuid(let uuids):
      let serials = Set(uuids.compactMap { known[$0] })
      return { row in !batch.serials.isEmpty && serials.contains(batch.serials[row]) }
    case .rows(let test): return { test.passes(batch, $0) }
    }
  }
}

extension SamplePredicate.MetadataTest {
  fileprivate func passes(_ entry: Metadata.Entry) -> Bool {
    switch self {
    case .exists: true
    case .text(let compares, let text): compares(entry.value, text)
    case .number(let compares, let given):
      switch entry.typed {
      case .number(let number), .quantity(let number, _): compares(number, given)
      case .string(let text): Double(text).map { compares($0, given) } ?? false
      case .date: false
      }
    case .quantity(let compares, let given, let unit):
      if case .quantity(let number, let recorded) = entry.typed,
        let conversion = try? UnitConversion(from: recorded, to: unit)
      {
        compares(conversion(number), given)
      } else {
        false
      }
    case .date(let compares, let given):
      if case .date(let instant) = entry.typed { compares(instant, given) } else { false }
    }
  }
}

extension SampleType {
  /// The conversion of recorded numbers to a unit, or for `nil` to the canonical one; `nil` where
  /// there is none.
  func conversion(from label: String, to unit: UnitExpression?) -> UnitConversion? {
    guard let unit = unit ?? canonicalUnit, let recorded = try? UnitExpression(label) else {
      return nil
    }
    return try? UnitConversion(from: recorded, to: unit)
  }
}
