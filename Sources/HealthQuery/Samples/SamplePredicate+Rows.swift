import Foundation
import HealthSamples
import HealthUnits

extension SamplePredicate {
  /// The test of the rows of a batch, with the serials of the UUIDs that the store has; what rows
  /// share is decided once.
  ///
  /// - Complexity: O(conditions + entries of its tables) for a merged predicate
  func test(of batch: RecordColumns, _ known: [UUID: Int64]) -> (Int) -> Bool {
    decision(of: batch, known).test(of: batch)
  }

  private func decision(of batch: RecordColumns, _ known: [UUID: Int64]) -> RowDecision {
    switch self {
    case .all(let parts):
      return .all(parts.lazy.map { $0.decision(of: batch, known) }, of: batch)
    case .any(let parts):
      let equalities = Equalities(parts)
      return .any(
        equalities.decisions(of: batch)
          + equalities.others.map { $0.decision(of: batch, known) }, of: batch)
    case .not(let part): return part.decision(of: batch, known).negated
    case .start, .end, .duration, .value:
      guard let (number, compares, given) = comparison else { return .always(false) }
      let numbers = number.numbers(of: batch)
      return .rows { row in numbers(row).map { compares($0, given) } ?? false }
    case .constant, .sourceVersion, .device, .metadata(_, .text(.equal, _)):
      return .any(Equalities([self]).decisions(of: batch), of: batch)
    case .source(let name): return .always(batch.source.isNamed(name))
    case .sources(let sources): return .always(sources.contains(SourceName(batch.source)))
    case .userEntered(let isUserEntered):
      return .always(batch.source.isUserEntered == isUserEntered)
    case .metadata(let key, let test):
      return .table(
        .metadata,
        batch.metadataTable.map { metadata in
          metadata.entries.contains { $0.key == key && test.passes($0) }
        })
    case .uuid(let uuids):
      let serials = Set(uuids.compactMap { known[$0] })
      guard !batch.serials.isEmpty, !serials.isEmpty else { return .always(false) }
      return .rows { serials.contains(batch.serials[$0]) }
    case .rows(let test): return .rows { test.passes(batch, $0) }
    }
  }
}

extension SampleNumber {
  /// The number of each row of a batch; `nil` for a row that does not have it.
  fileprivate func numbers(of batch: RecordColumns) -> (Int) -> Double? {
    switch self {
    case .start: return { batch.starts[$0] }
    case .end: return { SampleTime.end(from: batch.starts[$0], to: batch.ends[$0]) }
    case .duration:
      return { SampleTime.end(from: batch.starts[$0], to: batch.ends[$0]) - batch.starts[$0] }
    case .value(let unit):
      guard batch.type.canonicalUnit != nil else {
        return { unit == nil ? batch.values[$0] : nil }
      }
      let conversions = batch.labelTable.map { batch.type.conversion(from: $0, to: unit) }
      return { row in conversions[Int(batch.labels[row])].map { $0(batch.values[row]) } }
    }
  }
}

/// What decides whether a condition holds for the rows of a batch.
private enum RowDecision {
  /// The facts that rows share.
  enum Table {
    case labels
    case origins
    case metadata
  }

  case always(Bool)
  /// For each entry of a table.
  case table(Table, [Bool])
  case rows((Int) -> Bool)

  var negated: Self {
    switch self {
    case .always(let holds): .always(!holds)
    case .table(let table, let hits): .table(table, hits.map { !$0 })
    case .rows(let test): .rows { !test($0) }
    }
  }

  /// Whether all hold; those after one that never holds are not made.
  static func all(_ decisions: some Sequence<Self>, of batch: RecordColumns) -> Self {
    var tables: [Table: [Bool]] = [:]
    var tests: [(Int) -> Bool] = []
    for decision in decisions {
      switch decision {
      case .always(true): continue
      case .always(false): return decision
      case .table(let table, let hits):
        let both = tables[table].map { zip($0, hits).map { $0 && $1 } } ?? hits
        guard both.contains(true) else { return .always(false) }
        tables[table] = both
      case .rows(let test): tests.append(test)
      }
    }
    if tests.isEmpty, tables.count < 2 {
      return tables.first.map { .table($0.key, $0.value) } ?? .always(true)
    }
    tests = tables.map { Self.table($0.key, $0.value).test(of: batch) } + tests
    if tests.count == 1 { return .rows(tests[0]) }
    return .rows { row in tests.allSatisfy { $0(row) } }
  }

  /// Whether any holds.
  static func any(_ decisions: some Sequence<Self>, of batch: RecordColumns) -> Self {
    all(decisions.lazy.map(\.negated), of: batch).negated
  }

  /// The test of a row.
  func test(of batch: RecordColumns) -> (Int) -> Bool {
    switch self {
    case .always(let holds): { _ in holds }
    case .table(.labels, let hits): { hits[Int(batch.labels[$0])] }
    case .table(.origins, let hits): { hits[Int(batch.origins[$0])] }
    case .table(.metadata, let hits): { hits[Int(batch.metadata[$0])] }
    case .rows(let test): test
    }
  }
}

/// Conditions that facts are equal to given ones, any of which must hold: a fact is looked up among
/// them.
private struct Equalities {
  private var texts: Set<SamplePredicate> = []
  private var fields: Set<Device.Field> = []
  private var tables: Set<RowDecision.Table> = []
  private var numbers: [SampleNumber: Set<Double>] = [:]
  /// The other conditions.
  private(set) var others: [SamplePredicate] = []

  init(_ parts: [SamplePredicate]) {
    for part in parts {
      switch part {
      case .constant: tables.insert(.labels)
      case .sourceVersion: tables.insert(.origins)
      case .device(let field, _):
        tables.insert(.origins)
        fields.insert(field)
      case .metadata(_, .text(.equal, _)): tables.insert(.metadata)
      default:
        if let (number, compares, given) = part.comparison, compares == .equal {
          numbers[number, default: []].insert(given)
        } else {
          others.append(part)
        }
        continue
      }
      texts.insert(part)
    }
  }

  /// One for each kind of facts.
  func decisions(of batch: RecordColumns) -> [RowDecision] {
    let isCategory = batch.type.canonicalUnit == nil
    return tables.map { table in
      switch table {
      case .labels:
        .table(table, batch.labelTable.map { isCategory && texts.contains(.constant($0)) })
      case .origins:
        .table(
          table,
          batch.originTable.map { origin in
            texts.contains(.sourceVersion(origin.sourceVersion))
              || fields.contains {
                texts.contains(.device($0, Device.value(of: $0, in: origin.device)))
              }
          })
      case .metadata:
        .table(
          table,
          batch.metadataTable.map { metadata in
            metadata.entries.contains {
              texts.contains(.metadata(key: $0.key, .text(.equal, $0.value)))
            }
          })
      }
    }
      + numbers.map { number, given in
        let numbers = number.numbers(of: batch)
        return .rows { numbers($0).map(given.contains) ?? false }
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
