/// Documents of health care providers: references to FHIR resources, and the resources.
public struct ClinicalRecords: Elements {
  /// The kind of all rows.
  public static let kind = ElementKind.clinicalRecord
  /// The elements.
  public var rows: [Row] = []
  /// No clinical records.
  public init() {}

  /// One document.
  public struct Row: Sendable, Hashable {
    /// The identifier of the type as written.
    public var type = ""
    /// The identifier given by the provider.
    public var identifier = ""
    /// The provider.
    public var source = Source(name: "")
    /// The URL of the document.
    public var sourceURL = ""
    /// The version of FHIR, such as `4.0.1`.
    public var version = ""
    /// When the phone received it, in seconds since 2001-01-01 UTC.
    public var received = 0.0
    /// The file, relative to the export.
    public var path = ""
    /// The FHIR resource, JSON as in the file; empty when the file is missing.
    public var resource: [UInt8] = []

    /// An empty record.
    public init() {}
  }
}
