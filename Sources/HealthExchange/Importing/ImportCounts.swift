public import HealthImport
public import HealthStore

/// The counts of the records of one type, of the elements of one kind, or of all: `read` is the sum
/// of `new`, `known`, `duplicates` and `skipped`.
public struct ImportCounts: Sendable, Hashable {
  /// Items in the export.
  public var read = 0
  /// Items that were not in the store.
  public var new = 0
  /// Items that were already in the store.
  public var known = 0
  /// Additional copies within the export.
  public var duplicates = 0
  /// Items that cannot be imported; ``ImportResult/skipped`` has the reasons.
  public var skipped = 0
  /// Known elements whose content has changed.
  public var changed = 0
  /// Items in the store that the export lacks.
  public var onlyInStore = 0
  /// Items in the store that the export lacks, deleted because the import replaces.
  public var deleted = 0
  /// Samples of the store that no longer count, because a later export has others of their time.
  public var superseded = 0
  /// Known samples that were deleted from the store, and stay so.
  public var deletedBefore = 0

  /// All zero.
  public init() {}

  /// Combines the counts of the reader and of the store.
  ///
  /// Records inside other elements that only repeat a top-level one are not counted.
  public init(_ seen: TypeCount?, _ stored: ImportSummary.Counts?) {
    let stored = stored ?? ImportSummary.Counts()
    read = (seen?.read ?? 0).adding(0 - max(0, stored.repeating))
    new = stored.new
    known = stored.known
    duplicates = stored.duplicates
    skipped = (seen.map { $0.read - $0.delivered } ?? 0).adding(stored.skipped)
    changed = stored.changed
    onlyInStore = stored.onlyInStore
    deleted = stored.deleted
    superseded = stored.superseded
    deletedBefore = stored.deletedBefore
  }

  /// Adds counts, clamped to the largest `Int`.
  public static func += (left: inout Self, right: Self) {
    for count in counts {
      left[keyPath: count] = left[keyPath: count].adding(right[keyPath: count])
    }
  }

  /// Whether the store and the export differ.
  public var isDifferent: Bool {
    [changed, onlyInStore, deleted, superseded, deletedBefore].contains { $0 != 0 }
  }

  private static var counts: [WritableKeyPath<ImportCounts, Int>] {
    [
      \.read, \.new, \.known, \.duplicates, \.skipped, \.changed, \.onlyInStore, \.deleted,
      \.superseded, \.deletedBefore,
    ]
  }
}

extension Int {
  /// The sum, clamped: counts of a damaged store may be anything.
  package func adding(_ other: Int) -> Int {
    let (sum, overflow) = addingReportingOverflow(other)
    return overflow ? (other < 0 ? .min : .max) : sum
  }
}
