public import HealthSamples

/// The counts of an import, or of a dry run.
public struct ImportSummary: Sendable, Hashable {
  /// The counts of one type or kind.
  ///
  /// New, known, duplicate, repeating and skipped ones add up to the input.
  public struct Counts: Sendable, Hashable {
    /// Samples that were not in the store.
    public var new = 0
    /// Samples that were already in the store.
    public var known = 0
    /// Additional copies of samples within the export.
    public var duplicates = 0
    /// Records of a type that is not in the catalogue, in a unit that does not convert to the
    /// stored unit of the type.
    public var skipped = 0

    /// Records inside other elements that repeat a top-level one.
    public var repeating = 0
    /// Known elements whose content differs from the store.
    ///
    /// A sample never changes: one with another value is another sample.
    public var changed = 0
    /// Stored ones that the import lacks and that are kept: they are from earlier exports or other
    /// programs.
    public var onlyInStore = 0
    /// Stored ones that the import lacks, deleted because it replaces earlier files of its format.
    public var deleted = 0
    /// Stored samples that no longer count, because a later export tells others of their time.
    public var superseded = 0
    /// Samples and elements of the import that deletions keep out, and that no import had before.
    public var deletedBefore = 0

    /// All zero.
    public init() {}

    /// Adds other counts.
    public static func += (left: inout Self, right: Self) {
      let counts: [WritableKeyPath<Self, Int>] = [
        \.new, \.known, \.duplicates, \.skipped, \.repeating, \.changed, \.onlyInStore, \.deleted,
        \.superseded, \.deletedBefore,
      ]
      for count in counts { left[keyPath: count] += right[keyPath: count] }
    }
  }

  /// What a deletion keeps out of an import.
  public struct KeptOut: Sendable, Hashable {
    /// The number of the deletion.
    public let deletion: Int64
    /// When it was made, in seconds since 2001-01-01 UTC.
    public let deletedAt: Double
    /// Samples and elements.
    public let count: Int

    /// Makes a count.
    public init(deletion: Int64, deletedAt: Double, count: Int) {
      (self.deletion, self.deletedAt, self.count) = (deletion, deletedAt, count)
    }
  }

  /// The counts by the identifier of the type.
  public var types: [String: Counts] = [:]
  /// The counts of elements by kind.
  public var elements: [ElementKind: Counts] = [:]
  /// What deletions keep out of the file, also what an import had before, by deletion, the earliest
  /// first; nothing of a dry run of a file that the store does not have.
  public internal(set) var keptOut: [KeptOut] = []
  /// The number of the import, for ``SampleStore/imports()``, or that which it would have.
  public internal(set) var number: Int64?

  /// All samples and elements of the file, as far as it delivered them.
  var read: Int { all { $0.new + $0.known + $0.duplicates } }
  /// All samples and elements that were not in the store.
  var new: Int { all(\.new) }

  private func all(_ count: (Counts) -> Int) -> Int {
    types.values.reduce(0) { $0 + count($1) } + elements.values.reduce(0) { $0 + count($1) }
  }

  /// An empty summary.
  public init() {}
}
