/// The release of FHIR in which resources are written, and all that depends on it.
///
/// Observation, Binary and Bundle have the same elements in both where an export writes them; only
/// SampledData differs.
public enum FHIRVersion: String, Sendable, Hashable, CaseIterable {
  /// Release 4, technically 4.0.1 (https://hl7.org/fhir/R4).
  case r4 = "R4"
  /// Release 5, technically 5.0.0 (https://hl7.org/fhir/R5).
  case r5 = "R5"

  /// The members of SampledData with the time between two samples, in milliseconds.
  func spacing(_ milliseconds: Double) -> [JSON.Member] {
    switch self {
    case .r4: [.init("period", .number(milliseconds))]
    case .r5:
      [.init("interval", .number(milliseconds)), .init("intervalUnit", .string("ms"))]
    }
  }

  /// Whether a document of a version of FHIR, such as `4.0.1`, is written unchanged.
  ///
  /// R4 is for readers that validate, and takes only its own documents; R5 takes all.
  func takesDocument(of version: String) -> Bool {
    self == .r5 || version == "4.0" || version.hasPrefix("4.0.")
  }
}
