/// What an export tells once of the person, such as the date of birth: entries as written, by the
/// identifiers of their types.
public struct Characteristics: Elements {
  public static let kind = ElementKind.characteristics
  public var rows: [Metadata] = []
  public init() {}
}
