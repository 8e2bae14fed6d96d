import HealthUnits

/// HealthKit's types, constants and keys as tables, one line per entry.
///
/// The tables cover the public interface (SDK 26.5 in full, iOS 27 in part). Rows of unpublished
/// entries are marked.
///
/// ```swift
/// let type = try Catalogue.type(named: "heart-rate")  // HKQuantityTypeIdentifierHeartRate
/// Catalogue.style(of: .restingHeartRate, version: .sdk18)  // .discreteArithmetic
/// ```
public enum Catalogue {
  /// The SDK version whose facts apply, where facts changed between versions.
  public enum Version: Int, Sendable, Hashable, Codable, CaseIterable, Comparable {
    /// iOS 18 and the corresponding systems.
    case sdk18 = 18
    /// iOS 26 and the corresponding systems.
    case sdk26 = 26

    /// The default version.
    public static let newest = Version.sdk26

    /// Older versions come first.
    public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
  }

  /// Every quantity and category type, each once, in the order of the tables.
  public static let types: [SampleType] = makeTypes()

  /// The type of a full identifier; `nil` when the catalogue does not have it.
  ///
  /// - Complexity: O(1)
  public static func type(_ identifier: String) -> SampleType? {
    typesByIdentifier[identifier]
  }

  /// The row of a quantity type; `nil` when the catalogue does not have it.
  ///
  /// - Complexity: O(1)
  public static func quantityType(_ identifier: HKQuantityTypeIdentifier) -> QuantityType? {
    quantityTypesByIdentifier[identifier]
  }

  /// The aggregation style of a quantity type; `nil` when the catalogue does not have the type.
  ///
  /// A type that is newer than `version` has its original style.
  ///
  /// - Complexity: O(1)
  public static func style(
    of identifier: HKQuantityTypeIdentifier, version: Version = .newest
  ) -> AggregationStyle? {
    if let change = styleChangesByIdentifier[identifier], version <= change.last {
      return change.style
    }
    return quantityTypesByIdentifier[identifier]?.style
  }

  /// How Health Connect adds up the records of a type; by priority for types that are not in the
  /// catalogue.
  ///
  /// - Complexity: O(1)
  public static func healthConnectRule(of type: SampleType) -> HealthConnectRule {
    quantityType(HKQuantityTypeIdentifier(rawValue: type.identifier))?.healthConnect ?? .priority
  }

  /// Lists of mutually exclusive values of a category type; empty for most types.
  ///
  /// Of two open values of one list, the earlier in the list counts.
  ///
  /// - Complexity: O(1)
  public static func exclusiveValues(of type: SampleType) -> [[Double]] {
    exclusiveValuesByIdentifier[type.identifier] ?? []
  }

  private static let exclusiveValuesByIdentifier = Dictionary(
    categoryTypes.lazy.filter { !$0.exclusiveValues.isEmpty }
      .map { ($0.identifier.rawValue, $0.exclusiveValues) },
    uniquingKeysWith: { first, _ in first })

  private static let typesByIdentifier = Dictionary(
    types.map { ($0.identifier, $0) }, uniquingKeysWith: { first, _ in first })

  private static let quantityTypesByIdentifier = Dictionary(
    quantityTypes.map { ($0.identifier, $0) }, uniquingKeysWith: { first, _ in first })

  private static let styleChangesByIdentifier = Dictionary(
    styleChanges.map { ($0.identifier, $0) }, uniquingKeysWith: { first, _ in first })

  /// Each unit is parsed once, however many types share it.
  private static func makeTypes() -> [SampleType] {
    var units: [String: UnitExpression] = [:]
    var types: [SampleType] = []
    types.reserveCapacity(quantityTypes.count + categoryTypes.count)
    for row in quantityTypes {
      guard let unit = units[row.unit] ?? (try? UnitExpression(row.unit)) else { continue }
      units[row.unit] = unit
      types.append(
        SampleType(
          identifier: row.identifier.rawValue,
          kind: .quantity(canonicalUnit: unit, style: row.style)))
    }
    var known: Set<HKCategoryTypeIdentifier> = []
    for row in categoryTypes where known.insert(row.identifier).inserted {
      types.append(SampleType(identifier: row.identifier.rawValue, kind: .category))
    }
    return types
  }
}
