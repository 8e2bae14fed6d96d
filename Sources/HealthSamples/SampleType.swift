public import HealthUnits

/// A kind of sample: its identifier in the export and in the store, and what its numbers mean.
///
/// Two types are equal when their identifiers are.
public struct SampleType: Sendable {
  /// What a sample of the type holds.
  public enum Kind: Sendable, Hashable {
    /// A number in a unit. Inside columns it stands in `canonicalUnit`.
    case quantity(canonicalUnit: UnitExpression, style: AggregationStyle)
    /// A constant of an enumeration; inside columns its raw value stands.
    case category
  }

  /// The full identifier, such as `HKQuantityTypeIdentifierStepCount`.
  public let identifier: String
  /// What a sample of the type holds.
  public let kind: Kind

  /// Makes a type that the catalogue may not know.
  public init(identifier: String, kind: Kind) {
    self.identifier = identifier
    self.kind = kind
  }

  /// The identifier without its prefix, as Swift spells it: `stepCount`.
  public var name: String {
    for prefix in ["HKQuantityTypeIdentifier", "HKCategoryTypeIdentifier", "HKDataType"]
    where identifier.hasPrefix(prefix) && identifier.utf8.count > prefix.utf8.count {
      return Catalogue.swiftName(of: identifier.dropFirst(prefix.count))
    }
    return identifier
  }

  /// The unit of values inside columns; `nil` for a category type.
  public var canonicalUnit: UnitExpression? {
    if case .quantity(let unit, _) = kind { unit } else { nil }
  }

  /// The aggregation style; `nil` for a category type.
  public var style: AggregationStyle? {
    if case .quantity(_, let style) = kind { style } else { nil }
  }
}

extension SampleType: Hashable {
  /// Whether the identifiers are equal.
  public static func == (left: Self, right: Self) -> Bool { left.identifier == right.identifier }
  /// Hashes the identifier.
  public func hash(into hasher: inout Hasher) { hasher.combine(identifier) }
}

extension SampleType: CustomStringConvertible {
  /// The identifier.
  public var description: String { identifier }
}
