/// Prescriptions of glasses and contact lenses.
public struct VisionPrescriptions: Elements {
  /// The kind of all rows.
  public static let kind = ElementKind.visionPrescription
  /// The elements.
  public var rows: [Row] = []
  /// No prescriptions.
  public init() {}

  /// One prescription.
  public struct Row: Sendable, Hashable {
    /// Glasses or contacts, as written.
    public var type = ""
    /// When it was issued, in seconds since 2001-01-01 UTC.
    public var issued = 0.0
    /// When it expires; `nil` when not recorded.
    public var expires: Double?
    /// The brand of contact lenses.
    public var brand = ""
    /// The parameters of the right eye, as written.
    public var rightEye: [Parameter] = []
    /// The parameters of the left eye, as written.
    public var leftEye: [Parameter] = []
    /// The identifiers of images or documents, which are not in the export.
    public var attachments: [String] = []
    /// Metadata entries.
    public var metadata = Metadata()
    /// The app that saved it; `nil` in exports, which name no source.
    public var source: Source?
    /// The version and device of the app.
    public var origin = Origin()
    /// When it was saved, in seconds since 2001-01-01 UTC; `nil` when not recorded.
    public var created: Double?

    /// An empty prescription.
    public init() {}
  }

  /// One parameter of a lens.
  public struct Parameter: Sendable, Hashable {
    /// The attribute as written: `sphere`, `cylinder`, `axis`, `add`, `farPD` and so on.
    public var name: String
    /// The number, in ``unit``.
    public var value: Double
    /// The unit as written; empty when not recorded.
    public var unit: String

    /// Makes a parameter.
    public init(name: String, value: Double, unit: String) {
      self.name = name
      self.value = value
      self.unit = unit
    }
  }
}
