import HealthSamples
import HealthUnits

extension SamplePredicate {
  /// The test of the rows of a batch; what rows share is decided once.
  ///
  /// - Complexity: O(entries of its tables)
  func test(of batch: RecordColumns) -> (Int) -> Bool {
    switch self {
    case .all(let parts):
      let tests = parts.map { $0.test(of: batch) }
      return { row in tests.allSatisfy { $0(row) } }
    case .any(let parts):
      let tests = parts.map { $0.test(of: batch) }
      return { row in tests.contains { $0(row) } }
    case .not(let part):
      let test = part.test(of: batch)
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
    case .rows(let test): return { test.passes(batch, $0) }
    }
  }
}

extension SamplePredicate.MetadataTest {
  fileprivate func passes(_ entry: Metadata.Entry) -> Bool {
    switch self {
    case .exists: true
    case .text(let compares, let text): compares(entry.value, text)
    case .number(let compares, let number):
      entry.number.map { compares($0, number) } ?? false
    }
  }
}

extension Metadata.Entry {
  /// The number at the beginning of the value: all of it, or that of a quantity.
  fileprivate var number: Double? {
    let parts = value.split(separator: " ", maxSplits: 1)
    guard let number = parts.first.flatMap({ Double($0) }), number.isFinite else { return nil }
    guard parts.count == 2 else { return number }
    return (try? UnitExpression(String(parts[1]))) == nil ? nil : number
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
