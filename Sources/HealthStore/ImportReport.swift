/// What an import did, or would do.
public struct ImportReport: Sendable, Hashable {
  /// The counts of one type, which add up to the records that were handed in, with their copies.
  public struct Counts: Sendable, Hashable {
    /// Samples that the store did not have.
    public var new = 0
    /// Samples that the store had already.
    public var known = 0
    /// Further copies of samples within the export.
    public var duplicates = 0
    /// Records of a type that the catalogue does not know, in a unit that does not convert to the
    /// one that the store keeps the type in.
    public var skipped = 0

    /// Nothing counted.
    public init() {}
  }

  /// The counts by the identifier of the type.
  public var types: [String: Counts] = [:]

  /// Nothing imported.
  public init() {}
}
