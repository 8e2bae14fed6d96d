// Constants have Apple's names and need no doc comment.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

/// What a verifiable clinical record attests.
public struct HKVerifiableClinicalRecordCredentialType: RawRepresentable, Hashable, Sendable {
  public let rawValue: String

  public init(rawValue: String) { self.rawValue = rawValue }

  public static let covid19 = Self(rawValue: "https://smarthealth.cards#covid19")
  public static let immunization = Self(rawValue: "https://smarthealth.cards#immunization")
  public static let laboratory = Self(rawValue: "https://smarthealth.cards#laboratory")
  public static let recovery = Self(rawValue: "https://smarthealth.cards#recovery")
}

/// The format of a verifiable clinical record.
public struct HKVerifiableClinicalRecordSourceType: RawRepresentable, Hashable, Sendable {
  public let rawValue: String

  public init(rawValue: String) { self.rawValue = rawValue }

  public static let euDigitalCOVIDCertificate = Self(rawValue: "EUDigitalCOVIDCertificate")
  public static let smartHealthCard = Self(rawValue: "SMARTHealthCard")
}

/// What a health concept is a concept of.
public struct HKHealthConceptDomain: RawRepresentable, Hashable, Sendable {
  public let rawValue: String

  public init(rawValue: String) { self.rawValue = rawValue }

  public static let medication = Self(rawValue: "HKHealthConceptDomainMedication")
}
