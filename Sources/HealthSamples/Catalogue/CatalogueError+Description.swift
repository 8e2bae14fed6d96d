extension CatalogueError: CustomStringConvertible {
  /// Which name is unknown, and similar names.
  public var description: String {
    let name = name.count > 80 ? name.prefix(79) + "…" : name
    return "There is no type \"\(name)\".\(NearNames.advice(suggestions))"
  }
}
