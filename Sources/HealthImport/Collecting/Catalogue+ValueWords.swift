import HealthSamples

extension Catalogue {
  /// The constant of a category type that ends in a word, such as `Mild`; `nil` if there is none.
  ///
  /// Spaces and the case of the first letter are ignored.
  static func constant(ending word: String, of identifier: String) -> String? {
    guard !word.isEmpty,
      let type = categoryTypes.first(where: { $0.identifier.rawValue == identifier })
    else { return nil }
    let suffix = word.split(separator: " ").joined()
    let constant = type.enumeration + suffix.prefix(1).uppercased() + suffix.dropFirst()
    return rawValue(ofCategoryConstant: constant) == nil ? nil : constant
  }
}
