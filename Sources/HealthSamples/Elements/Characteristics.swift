/// What an export tells once of the person, such as the date of birth: entries as written, by the
/// identifiers of their types.
public struct Characteristics: Elements {
  /// The kind of all rows.
  public static let kind = ElementKind.characteristics
  /// One list of entries an export.
  public var rows: [Metadata] = []
  /// No entries.
  public init() {}
}
