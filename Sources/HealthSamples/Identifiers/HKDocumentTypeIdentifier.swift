// Constants have the names and identifiers of Apple, and need no sentence each.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

/// The name of a document type, which is `.CDA`.
///
/// A name that the catalogue does not hold can be made too, from its raw value.
public struct HKDocumentTypeIdentifier: RawRepresentable, Hashable, Sendable {
  /// The full identifier, as exports and stores hold it.
  public let rawValue: String

  /// Makes an identifier from its full text.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// Makes an identifier from what follows the common prefix.
  init(suffix: String) { rawValue = Self.prefix + suffix }

  /// What every identifier of the kind begins with.
  static let prefix = "HKDocumentTypeIdentifier"
}

extension HKDocumentTypeIdentifier {
  // swift-format-ignore: AlwaysUseLowerCamelCase
  public static let CDA = Self(suffix: "CDA")
}
