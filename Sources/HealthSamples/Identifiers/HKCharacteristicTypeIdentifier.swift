// Constants have the names and identifiers of Apple, and need no sentence each.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

/// The name of a characteristic type, as `.dateOfBirth`.
///
/// A name that the catalogue does not hold can be made too, from its raw value.
public struct HKCharacteristicTypeIdentifier: RawRepresentable, Hashable, Sendable {
  /// The full identifier, as exports and stores hold it.
  public let rawValue: String

  /// Makes an identifier from its full text.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// Makes an identifier from what follows the common prefix.
  init(suffix: String) { rawValue = Self.prefix + suffix }

  /// What every identifier of the kind begins with.
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
