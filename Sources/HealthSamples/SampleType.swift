public import HealthUnits

/// A type of sample: its identifier in exports and stores, and the meaning of its values.
///
/// Two types are equal when their identifiers are.
public struct SampleType: Sendable {
  /// The kind of value of a type.
  public enum Kind: Sendable, Hashable {
    /// A number in a unit; inside columns in `canonicalUnit`.
    case quantity(canonicalUnit: UnitExpression, style: AggregationStyle)
    /// A constant of an enumeration; inside columns its raw value.
    case category
  }

  /// The full identifier, such as `HKQuantityTypeIdentifierStepCount`.
  public let identifier: String
  /// The kind of value.
  public let kind: Kind

  /// Makes a type that need not be in the catalogue.
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
