public import HealthSamples

/// What an import did, or would do.
public struct ImportReport: Sendable, Hashable {
  /// The counts of one type or kind.
  ///
  /// New, known, duplicate, repeating and skipped ones add up to what was handed in.
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

    /// Records inside other elements that repeat one of the top level.
    public var repeating = 0
    /// Known elements of which the import says something else than the store did.
    ///
    /// A sample never changes: one with another value is another sample.
    public var changed = 0
    /// What the store has and the import lacks, and keeps: earlier exports told of it, or other
    /// programs.
    public var onlyInStore = 0
    /// What the store had and the import lacks, deleted because the import replaces what its
    /// format told before.
    public var deleted = 0
    /// Samples of the store whose place others of the import take, which say the same of the same
    /// time: they no longer count.
    public var superseded = 0
    /// Samples of the store that the import lacks and contradicts: it says something else of the
    /// same time, and both count.
    public var disagreeing = 0

    /// Nothing counted.
    public init() {}
  }

  /// The counts by the identifier of the type.
  public var types: [String: Counts] = [:]
  /// The counts of what stands beside the records.
  public var elements: [ElementKind: Counts] = [:]

  /// Nothing imported.
  public init() {}
}
