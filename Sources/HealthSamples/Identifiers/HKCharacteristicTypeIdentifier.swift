// Constants have Apple's names and identifiers, and need no doc comment.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

/// The name of a characteristic type, as `.dateOfBirth`.
///
/// A name that is not in the catalogue can be made from its raw value.
public struct HKCharacteristicTypeIdentifier: RawRepresentable, Hashable, Sendable {
  /// The full identifier, as in exports and stores.
  public let rawValue: String

  /// Makes an identifier from its full text.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// Makes an identifier from the part after the common prefix.
  init(suffix: String) { rawValue = Self.prefix + suffix }

  /// The common prefix of all identifiers of the kind.
  static let prefix = "HKCharacteristicTypeIdentifier"
}

extension HKCharacteristicTypeIdentifier {
  public static let biologicalSex = Self(suffix: "BiologicalSex")
  public static let bloodType = Self(suffix: "BloodType")
  public static let dateOfBirth = Self(suffix: "DateOfBirth")
  public static let fitzpatrickSkinType = Self(suffix: "FitzpatrickSkinType")
  public static let wheelchairUse = Self(suffix: "WheelchairUse")
  public static let activityMoveMode = Self(suffix: "ActivityMoveMode")
}
