// Constants have the names and identifiers of Apple, and need no sentence each.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

/// The name of a clinical type, as `.labResultRecord`.
///
/// A name that the catalogue does not hold can be made too, from its raw value.
public struct HKClinicalTypeIdentifier: RawRepresentable, Hashable, Sendable {
  /// The full identifier, as exports and stores hold it.
  public let rawValue: String

  /// Makes an identifier from its full text.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// Makes an identifier from what follows the common prefix.
  init(suffix: String) { rawValue = Self.prefix + suffix }

  /// What every identifier of the kind begins with.
  static let prefix = "HKClinicalTypeIdentifier"
}

extension HKClinicalTypeIdentifier {
  public static let allergyRecord = Self(suffix: "AllergyRecord")
  public static let clinicalNoteRecord = Self(suffix: "ClinicalNoteRecord")
  public static let conditionRecord = Self(suffix: "ConditionRecord")
  public static let coverageRecord = Self(suffix: "CoverageRecord")
  public static let immunizationRecord = Self(suffix: "ImmunizationRecord")
  public static let labResultRecord = Self(suffix: "LabResultRecord")
  public static let medicationRecord = Self(suffix: "MedicationRecord")
  public static let procedureRecord = Self(suffix: "ProcedureRecord")
  public static let vitalSignRecord = Self(suffix: "VitalSignRecord")
}
