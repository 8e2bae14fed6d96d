import HealthSamples
import HealthUnits

/// The types of the records in one export, with the counts of delivered and skipped ones.
///
/// The table is kept for the whole file, because the first unit of a type that is not in the
/// catalogue decides what the type measures.
struct RecordTypes {
  /// One type.
  struct Entry {
    /// The identifier, as written.
    let identifier: String
    /// Removed or replaced characters of the identifier.
    let replaced: Int
    /// The type; `nil` until the first record of an unknown type defines its kind.
    fileprivate(set) var type: SampleType?
    /// The number of delivered records.
    var delivered = 0
    /// The number of skipped records by reason.
    var skipped: [SkipReason: Int] = [:]
  }

  private static let mostTypes = 4096
  /// The most different units; parsing an invalid one is slow because of the suggestions.
  private static let mostUnits = 4096
  /// The most constants and pairs of a type and a source.
  private static let mostNames = 1 << 16
  /// The most different reasons of skipped records of one type.
  private static let mostReasons = 64
  static let longestName = 1024

  private(set) var entries = [Entry(identifier: "", replaced: 0)]
  private var table = ByteTable()
  /// Hashes of the constants and sources so far: an import stores data for each of them.
  private var names: Set<Int> = []
  /// The units so far; `nil` for invalid ones.
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

  /// The entry of an identifier; a record without one is counted as skipped.
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

  /// Counts records of a type as delivered.
  mutating func deliver(_ count: Int, type: Int) { entries[type].delivered += count }

  /// Whether a name, new or not, is within the limit.
  mutating func admits(_ name: some Hashable) -> Bool {
    let hash = name.hashValue
    if names.contains(hash) { return true }
    return names.count < Self.mostNames && names.insert(hash).inserted
  }

  /// Whether records of the type are categories.
  ///
  /// A type that is neither in the catalogue nor recognised by its name is a quantity if its first
  /// record has a unit.
  mutating func isCategory(_ type: Int, hasUnit: Bool) -> Bool {
    if let known = entries[type].type { return known.kind == .category }
    if hasUnit { return false }
    entries[type].type = SampleType(identifier: entries[type].identifier, kind: .category)
    return true
  }

  /// The unit that a record has for its values: HealthKit's text where a mole is one of a known
  /// substance.
  func unit(_ unit: String, type: Int) -> String {
    entries[type].type?.recordedUnit(of: unit) ?? unit
  }

  /// Why values in `unit` are invalid for the type; `nil` if they are valid.
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
