public import Foundation
public import HealthSamples
public import HealthUnits

/// What a sample must be to be in the answer of a ``SampleQuery``: a tree of conditions.
///
/// ```swift
/// let fast = SamplePredicate.all([
///   .value(.greater, 120, unit: try UnitExpression("count/min")),
///   .not(.userEntered(true)),
/// ])
/// ```
///
/// Instants are seconds since 2001-01-01 UTC. An end before its start is treated as the start.
/// Comparisons with NaN are false, apart from ``Comparison/notEqual``.
public indirect enum SamplePredicate: Sendable, Hashable, Codable {
  /// Every condition holds; always true for none.
  case all([Self])
  /// Any condition holds; never true for none.
  case any([Self])
  /// The condition does not hold.
  case not(Self)
  /// The start of the sample.
  case start(Comparison, Double)
  /// The end of the sample.
  case end(Comparison, Double)
  /// The seconds from start to end.
  case duration(Comparison, Double)
  /// The value in a unit; for `nil` in the canonical one, or the raw value of a category. False for
  /// samples that do not have the unit.
  case value(Comparison, Double, unit: UnitExpression?)
  /// The value is the constant of a category, such as `HKCategoryValueSleepAnalysisAwake`.
  case constant(String)
  /// The source has the name (see `Source.isNamed(_:)`).
  case source(named: String)
  /// The source is any of some, whether samples were entered by hand or not.
  case sources(Set<SourceName>)
  /// The sample was entered by hand, or was not.
  case userEntered(Bool)
  /// The version of the app or system that wrote the sample; empty when not recorded.
  case sourceVersion(String)
  /// A field of the device has the value; for `nil` it has none. A device that is known by a text
  /// without fields has that text as its name.
  case device(Device.Field, String?)
  /// Any metadata entry of the key passes the test.
  case metadata(key: String, MetadataTest)
  /// The sample has one of these UUIDs.
  case uuid(Set<UUID>)
  /// A test of rows that only this process knows; it cannot be encoded.
  case rows(RowTest)

  /// What tells sources apart: the name as it is compared, and the bundle identifier.
  public struct SourceName: Sendable, Hashable, Codable {
    /// The name in the form that is compared.
    public let name: String
    /// The identifier of the app; empty where it is not known.
    public let bundleIdentifier: String

    /// The name of a source.
    public init(_ source: Source) {
      (name, bundleIdentifier) = (source.matchingName, source.bundleIdentifier)
    }
  }

  /// A test of the value of a metadata entry.
  public enum MetadataTest: Sendable, Hashable, Codable {
    /// There is an entry.
    case exists
    /// The text as written.
    case text(Comparison, String)
    /// A number, the one of a quantity in its own unit included.
    case number(Comparison, Double)
    /// A quantity in a unit.
    case quantity(Comparison, Double, UnitExpression)
    /// A date, in seconds since 2001-01-01 UTC.
    case date(Comparison, Double)
  }

  /// The condition of a period: samples that end at or after the lower bound and start before the
  /// upper one.
  public static func overlaps(_ range: Range<Double>) -> Self {
    .all([.end(.greaterOrEqual, range.lowerBound), .start(.less, range.upperBound)])
  }
}

/// A comparison with a given value.
public enum Comparison: String, Sendable, Hashable, Codable, CaseIterable {
  /// Less than the given value.
  case less = "<"
  /// Less than or equal to it.
  case lessOrEqual = "<="
  /// Equal to it.
  case equal = "="
  /// Not equal to it.
  case notEqual = "!="
  /// Greater than or equal to it.
  case greaterOrEqual = ">="
  /// Greater than it.
  case greater = ">"

  /// Whether it holds for a value.
  public func callAsFunction<Value: Comparable>(_ value: Value, _ given: Value) -> Bool {
    switch self {
    case .less: value < given
    case .lessOrEqual: value <= given
    case .equal: value == given
    case .notEqual: value != given
    case .greaterOrEqual: value >= given
    case .greater: value > given
    }
  }
}

/// A test of rows by a closure of this process.
public struct RowTest: Sendable {
  /// Whether a row passes; called with the records as the store has them.
  public let passes: @Sendable (RecordColumns, Int) -> Bool
  private let identity = Identity()

  private final class Identity: Sendable {}

  /// Makes a test, which equals only itself.
  public init(_ passes: @escaping @Sendable (RecordColumns, Int) -> Bool) { self.passes = passes }
}

extension RowTest: Hashable {
  /// Whether they are the same test.
  public static func == (left: Self, right: Self) -> Bool { left.identity === right.identity }
  /// Hashes the identity.
  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(identity)) }
}

extension RowTest: Codable {
  /// Throws: a closure has no text.
  public init(from decoder: any Decoder) throws {
    throw DecodingError.dataCorrupted(
      .init(codingPath: decoder.codingPath, debugDescription: "a test of rows is a closure"))
  }

  /// Throws: a closure has no text.
  public func encode(to encoder: any Encoder) throws {
    throw EncodingError.invalidValue(
      self,
      .init(
        codingPath: encoder.codingPath,
        debugDescription: "a test of rows is a closure, which cannot be encoded"))
  }
}
