/// A name that is not in the catalogue, with similar names.
public struct CatalogueError: Error, Sendable, Hashable {
  /// The name, as given.
  public let name: String
  /// Up to three known names, the nearest first.
  public let suggestions: [String]

  /// Makes an error.
  public init(name: String, suggestions: [String]) {
    self.name = name
    self.suggestions = suggestions
  }
}
