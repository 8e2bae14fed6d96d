extension SampleType {
  /// The quantity type of an identifier of the catalogue, as `SampleType(.stepCount)`.
  ///
  /// - Precondition: the catalogue has the identifier. For identifiers from input use
  ///   ``Catalogue/type(_:)``.
  /// - Complexity: O(1)
  public init(_ identifier: HKQuantityTypeIdentifier) {
    guard let type = Catalogue.type(identifier.rawValue) else {
      preconditionFailure(
        "\(identifier.rawValue) is not in the catalogue, so its unit is unknown")
    }
    self = type
  }

  /// The category type of an identifier, as `SampleType(.sleepAnalysis)`.
  public init(_ identifier: HKCategoryTypeIdentifier) {
    self.init(identifier: identifier.rawValue, kind: .category)
  }
}
