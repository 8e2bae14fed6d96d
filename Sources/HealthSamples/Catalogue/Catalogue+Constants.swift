extension Catalogue {
  /// A constant of an enumeration.
  public struct EnumerationCase: Sendable, Hashable {
    /// The enumeration, such as `HKCategoryValueSleepAnalysis`.
    public let enumeration: String
    /// The constant, such as `HKCategoryValueSleepAnalysisInBed`.
    public let constant: String
    /// The raw value; `nil` when it is not published.
    public let rawValue: Int?
    /// Whether another constant replaced it.
    public let isDeprecated: Bool

    /// The name of the Swift case, by Apple's rule of names.
    public var swiftName: String { Catalogue.swiftName(of: suffix) }

    /// The part of the constant after the common prefix.
    let suffix: String

    init(
      _ enumeration: String, _ suffix: String, _ rawValue: Int?, prefix: String? = nil,
      isDeprecated: Bool = false
    ) {
      self.enumeration = enumeration
      self.constant = (prefix ?? enumeration) + suffix
      self.suffix = suffix
      self.rawValue = rawValue
      self.isDeprecated = isDeprecated
    }
  }

  /// Every constant of every enumeration, those of one enumeration together.
  public static let enumerationCases: [EnumerationCase] =
    categoryValues
    + workoutActivities.map {
      EnumerationCase(
        "HKWorkoutActivityType", $0.suffix, $0.rawValue, isDeprecated: $0.deprecated != nil)
    } + otherEnumerationCases

  /// The raw value of a constant as exports print it, such as `HKCategoryValueSleepAnalysisAsleep`.
  ///
  /// `nil` when the constant is unknown, or its raw value is not published.
  ///
  /// - Complexity: O(1)
  public static func rawValue(ofCategoryConstant name: String) -> Int? {
    categoryRawValues[name]
  }

  /// The constant of a raw value of a category type, in the newest spelling.
  ///
  /// `nil` when the type or the value is unknown.
  ///
  /// - Complexity: O(1)
  public static func constant(
    ofRawValue rawValue: Int, of identifier: HKCategoryTypeIdentifier
  ) -> String? {
    categoryConstants[identifier]?[rawValue]
  }

  private static let categoryRawValues = Dictionary(
    categoryValues.compactMap { row in row.rawValue.map { (row.constant, $0) } },
    uniquingKeysWith: { first, _ in first })

  private static let categoryConstants: [HKCategoryTypeIdentifier: [Int: String]] = {
    let enumerations = Dictionary(grouping: categoryValues, by: \.enumeration)
    let pairs = categoryTypes.map { type in
      let cases = (enumerations[type.enumeration] ?? []).filter { !$0.isDeprecated }
      let constants = cases.compactMap { row in row.rawValue.map { ($0, row.constant) } }
      return (type.identifier, Dictionary(constants, uniquingKeysWith: { first, _ in first }))
    }
    return Dictionary(pairs, uniquingKeysWith: { first, _ in first })
  }()
}
