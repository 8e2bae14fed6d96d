/// A name that the catalogue does not know, and what may have been meant.
public struct CatalogueError: Error, Sendable, Hashable {
  /// The name, as given.
  public let name: String
  /// Up to three names that the catalogue knows, the nearest first.
  public let suggestions: [String]

  /// Makes an error.
  public init(name: String, suggestions: [String]) {
    self.name = name
    self.suggestions = suggestions
  }
}
