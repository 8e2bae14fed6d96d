extension Catalogue {
  /// How a quantity type is written in a FHIR observation.
  ///
  /// Published UCUM codes that are not valid UCUM are corrected here, and units that do not fit the
  /// type are replaced by the canonical unit. LOINC codes are those of terms, which name
  /// observations: a published code of a part (`LP…`) is replaced by the term with that part.
  /// LOINC codes © Regenstrief Institute, Inc.
  public struct ClinicalCode: Sendable, Hashable {
    /// The type.
    public let identifier: HKQuantityTypeIdentifier
    /// The unit of the values for ``ucum``, as a HealthKit unit string.
    ///
    /// HealthKit's `%` is a fraction, in UCUM it runs from 0 to 100; everywhere else the number
    /// stays unchanged.
    public let unit: String
    /// The UCUM code; `nil` for plain counts.
    public let ucum: String?
    /// The unit for display.
    public let displayUnit: String
    /// The LOINC codes, the first one being the most exact; empty when there is none.
    public let loinc: [String]
    /// LOINC codes of the same observation with another kind of property, such as moles for mass.
    public let loincOfOtherProperties: [String]

    /// The name that LOINC gives the first code.
    public var loincName: String? { loinc.first.flatMap { Catalogue.loincTerm(of: $0)?.name } }

    init(
      _ suffix: String, _ unit: String, _ ucum: String?, _ displayUnit: String, _ loinc: [String],
      otherProperties: [String] = []
    ) {
      self.identifier = HKQuantityTypeIdentifier(suffix: suffix)
      self.unit = unit
      self.ucum = ucum
      self.displayUnit = displayUnit
      self.loinc = loinc
      loincOfOtherProperties = otherProperties
    }
  }

  /// What an observation with a LOINC code measures.
  ///
  /// LOINC codes © Regenstrief Institute, Inc.
  public struct LOINCTerm: Sendable, Hashable {
    /// The code.
    public let code: String
    /// The kind of property as LOINC abbreviates it: `MCnc`, a mass in a volume.
    public let property: String
    /// A unit of the property as a UCUM code: every value with the code has its dimension.
    ///
    /// A rate over an unspecified time is an amount in the time of the observation, so its unit is that
    /// of the amount.
    public let ucum: String
    /// The name that LOINC gives the code.
    public let name: String

    init(_ code: String, _ property: String, _ ucum: String, _ name: String) {
      (self.code, self.property, self.ucum, self.name) = (code, property, ucum, name)
    }
  }

  /// The clinical codes of a type; `nil` when none are published.
  ///
  /// - Complexity: O(1)
  public static func clinicalCode(of identifier: HKQuantityTypeIdentifier) -> ClinicalCode? {
    clinicalCodesByIdentifier[identifier]
  }

  private static let clinicalCodesByIdentifier = Dictionary(
    clinicalCodes.map { ($0.identifier, $0) }, uniquingKeysWith: { first, _ in first })

  /// The term of a LOINC code; `nil` for codes that no type has.
  ///
  /// - Complexity: O(1)
  public static func loincTerm(of code: String) -> LOINCTerm? { loincTermsByCode[code] }

  private static let loincTermsByCode = Dictionary(
    loincTerms.map { ($0.code, $0) }, uniquingKeysWith: { first, _ in first })
}
