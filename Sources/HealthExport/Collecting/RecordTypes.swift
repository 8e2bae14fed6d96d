import HealthSamples
import HealthUnits

/// The types of the records in one export: what each holds, and what was skipped.
///
/// The table lasts as long as the reader, because the first unit of a type that the catalogue does
/// not know decides what the type measures.
struct RecordTypes {
  /// What is known of one type.
  struct Entry {
    /// The identifier, as written.
    let identifier: String
    /// Characters of the identifier that were left out or replaced.
    let replaced: Int
    /// The type; `nil` until the first record of an unknown type has shown what it holds.
    fileprivate(set) var type: SampleType?
    /// How many records were handed out.
    var delivered = 0
    /// How many records were skipped.
    var skipped: [SkipReason: Int] = [:]
  }

  private static let mostTypes = 4096
  /// So many different units are read; reading one that is none takes long, for its suggestions.
  private static let mostUnits = 4096
  /// So many constants and pairs of a type and a source are read.
  private static let mostNames = 1 << 16
  /// So many reasons to skip records of one type are told apart.
  private static let mostReasons = 64
  static let longestName = 1024

  private(set) var entries = [Entry(identifier: "", replaced: 0)]
  private var table = ByteTable()
  /// Hashes of the constants and sources met: an import keeps something of each to its end.
  private var names: Set<Int> = []
  /// The units met; `nil` for those that are none.
  private var units: [String: UnitExpression?] = [:]

  init() { _ = table.index(of: Bytes(start: nil, count: 0)) }

  /// The counts for a summary.
  var counts: [String: TypeCount] {
    var counts: [String: TypeCount] = [:]
    for entry in entries {
      let read = entry.skipped.values.reduce(entry.delivered, +)
      guard read > 0 else { continue }
      counts[entry.identifier, default: TypeCount()].read += read
      counts[entry.identifier, default: TypeCount()].skipped
        .merge(entry.skipped, uniquingKeysWith: +)
    }
    return counts
  }

  /// The entry of an identifier; a record that gets none is counted as skipped.
  mutating func index(of identifier: Bytes?) -> Int? {
    guard let identifier, !identifier.isEmpty else { return skip(.missingType) }
    guard identifier.count <= Self.longestName else { return skip(.nameTooLong) }
    if entries.count >= Self.mostTypes, table.existingIndex(of: identifier) == nil {
      return skip(.tooManyTypes)
    }
    let (index, isNew) = table.index(of: identifier)
    if isNew {
      let (text, replaced) = TextDecoder.text(identifier)
      let known = Catalogue.type(text)
      let isCategory = text.hasPrefix("HKCategoryTypeIdentifier")
      let type = known ?? (isCategory ? SampleType(identifier: text, kind: .category) : nil)
      entries.append(Entry(identifier: text, replaced: replaced, type: type))
    }
    return index
  }

  /// Counts a record of a type as skipped.
  mutating func skip(_ reason: SkipReason, type: Int) {
    var reason = reason
    switch reason {
    case .unknownUnit, .incompatibleUnit:
      let known = entries[type].skipped
      if known.count >= Self.mostReasons, known[reason] == nil { reason = .tooManyNames }
    default: break
    }
    entries[type].skipped[reason, default: 0] += 1
  }

  /// Counts records of a type as handed out.
  mutating func deliver(_ count: Int, type: Int) { entries[type].delivered += count }

  /// Whether there is room for a name, which is met for the first time or again.
  mutating func admits(_ name: some Hashable) -> Bool {
    let hash = name.hashValue
    if names.contains(hash) { return true }
    return names.count < Self.mostNames && names.insert(hash).inserted
  }

  /// Whether records of the type are categories.
  ///
  /// A type that neither the catalogue nor its name explains is a quantity when its first record
  /// has a unit.
  mutating func isCategory(_ type: Int, hasUnit: Bool) -> Bool {
    if let known = entries[type].type { return known.kind == .category }
    if hasUnit { return false }
    entries[type].type = SampleType(identifier: entries[type].identifier, kind: .category)
    return true
  }

  /// Why a value in `unit` cannot be a value of the type; `nil` when it can.
  mutating func objection(toUnit unit: String, type: Int) -> SkipReason? {
    if units[unit] == nil {
      guard units.count < Self.mostUnits else { return .tooManyNames }
      units[unit] = .some(try? UnitExpression(unit))
    }
    guard case .some(.some(let expression)) = units[unit] else { return .unknownUnit(unit) }
    if let canonical = entries[type].type?.canonicalUnit {
      return expression.isCompatible(with: canonical) ? nil : .incompatibleUnit(unit)
    }
    entries[type].type = SampleType(
      identifier: entries[type].identifier,
      kind: .quantity(canonicalUnit: expression, style: .discreteArithmetic))
    return nil
  }

  private mutating func skip(_ reason: SkipReason) -> Int? {
    skip(reason, type: 0)
    return nil
  }
}
