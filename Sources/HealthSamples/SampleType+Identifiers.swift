extension SampleType {
  /// The quantity type of an identifier of the catalogue, as `SampleType(.stepCount)`.
  ///
  /// - Precondition: the catalogue holds the identifier. One that was read from somewhere goes
  ///   through ``Catalogue/type(_:)`` instead.
  /// - Complexity: O(1)
  public init(_ identifier: HKQuantityTypeIdentifier) {
    guard let type = Catalogue.type(identifier.rawValue) else {
      preconditionFailure(
        "\(identifier.rawValue) is not in the catalogue, so nobody knows its unit")
    }
    self = type
  }

  /// The category type of an identifier, as `SampleType(.sleepAnalysis)`.
  public init(_ identifier: HKCategoryTypeIdentifier) {
    self.init(identifier: identifier.rawValue, kind: .category)
  }
}
