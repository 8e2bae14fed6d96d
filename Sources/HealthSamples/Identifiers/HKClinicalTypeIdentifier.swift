// Constants have Apple's names and identifiers, and need no doc comment.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

/// The name of a clinical type, as `.labResultRecord`.
///
/// A name that is not in the catalogue can be made from its raw value.
public struct HKClinicalTypeIdentifier: RawRepresentable, Hashable, Sendable {
  /// The full identifier, as in exports and stores.
  public let rawValue: String

  /// Makes an identifier from its full text.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// Makes an identifier from the part after the common prefix.
  init(suffix: String) { rawValue = Self.prefix + suffix }

  /// The common prefix of all identifiers of the kind.
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
