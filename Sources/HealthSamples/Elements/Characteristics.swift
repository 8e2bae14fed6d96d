/// Facts about the person that an export has once, such as the date of birth: entries as written,
/// by the identifiers of their types.
public struct Characteristics: Elements {
  /// The kind of all rows.
  public static let kind = ElementKind.characteristics
  /// One list of entries per export.
  public var rows: [Metadata] = []
  /// No entries.
  public init() {}
}
