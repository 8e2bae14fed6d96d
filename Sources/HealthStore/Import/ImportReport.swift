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
    /// What the store has, the import lacks, and the store keeps: it is from earlier exports or
    /// other programs.
    public var onlyInStore = 0
    /// What the store had and the import lacks, deleted because the import replaces what its
    /// format contained before.
    public var deleted = 0
    /// Samples of the store that others of the import supersede, which amount to the same over the
    /// same time: they no longer count.
    public var superseded = 0
    /// Samples of the store that the import lacks and contradicts: it says something else of the
    /// same time, and both count.
    public var disagreeing = 0

    /// Nothing counted.
    public init() {}

    /// Adds other counts.
    public static func += (left: inout Self, right: Self) {
      left.new += right.new
      left.known += right.known
      left.duplicates += right.duplicates
      left.skipped += right.skipped
      left.repeating += right.repeating
      left.changed += right.changed
      left.onlyInStore += right.onlyInStore
      left.deleted += right.deleted
      left.superseded += right.superseded
      left.disagreeing += right.disagreeing
    }
  }

  /// The counts by the identifier of the type.
  public var types: [String: Counts] = [:]
  /// The counts of elements by kind.
  public var elements: [ElementKind: Counts] = [:]

  /// Nothing imported.
  public init() {}
}

/// How an import treats what the store has already.
struct ImportRules {
  /// Which program wrote the file.
  var format: ImportFormat
  /// Whether the import is only tried.
  var isDryRun: Bool
  /// Whether the store loses what it has from files of this format and this file lacks.
  var isReplacing: Bool
  /// Whether this file updates what the store has: it replaces the others of its format, or no
  /// later one was imported before.
  var isLater: Bool
  /// The date of the file; the earliest of all when it has none.
  var exportedAt: Double
  /// Kinds of elements of which the file may not give everything.
  var incomplete: Set<ElementKind>
  /// The date of the newest file of the format that was imported before; the earliest of all when
  /// there is none.
  var newestBefore: Double

  /// The date of the newest file of the format, this one included.
  var newest: Double {
    isReplacing && exportedAt.isFinite ? exportedAt : max(newestBefore, exportedAt)
  }
}
