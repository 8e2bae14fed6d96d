// Constants have Apple's names and identifiers, and need no doc comment.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

/// The name of a correlation type, as `.bloodPressure`.
///
/// A name that is not in the catalogue can be made from its raw value.
public struct HKCorrelationTypeIdentifier: RawRepresentable, Hashable, Sendable {
  /// The full identifier, as in exports and stores.
  public let rawValue: String

  /// Makes an identifier from its full text.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// Makes an identifier from the part after the common prefix.
  init(suffix: String) { rawValue = Self.prefix + suffix }

  /// The common prefix of all identifiers of the kind.
  static let prefix = "HKCorrelationTypeIdentifier"
}

extension HKCorrelationTypeIdentifier {
  public static let bloodPressure = Self(suffix: "BloodPressure")
  public static let food = Self(suffix: "Food")
}
