public import HealthExport
public import HealthStore

/// What became of the records of one type, of the elements of one kind, or of all: `read` is the
/// sum of `new`, `known`, `duplicates` and `skipped`.
public struct ImportCounts: Sendable, Hashable {
  /// What the export holds.
  public var read = 0
  /// What the store did not have.
  public var new = 0
  /// What the store had already.
  public var known = 0
  /// Further copies within the export.
  public var duplicates = 0
  /// What cannot be kept; ``ImportResult/skipped`` says why.
  public var skipped = 0
  /// Known elements that now say something else.
  public var changed = 0
  /// What the store has and the export lacks.
  public var onlyInStore = 0
  /// What the store had and the export lacks, deleted because the import replaces.
  public var deleted = 0
  /// Samples of the store that others of the export, which say the same, replace.
  public var superseded = 0
  /// Samples of the store that the export contradicts; both count.
  public var disagreeing = 0

  /// Nothing counted.
  public init() {}

  /// Joins what a reader saw and what a store made of it.
  ///
  /// Records inside other elements that only repeat one of the top level do not count.
  public init(_ seen: TypeCount?, _ stored: ImportReport.Counts?) {
    let stored = stored ?? ImportReport.Counts()
    read = (seen?.read ?? 0).adding(0 - max(0, stored.repeating))
    new = stored.new
    known = stored.known
    duplicates = stored.duplicates
    skipped = (seen.map { $0.read - $0.delivered } ?? 0).adding(stored.skipped)
    changed = stored.changed
    onlyInStore = stored.onlyInStore
    deleted = stored.deleted
    superseded = stored.superseded
    disagreeing = stored.disagreeing
  }

  /// Adds counts; a sum too large for `Int` stays at its largest value.
  public static func += (left: inout Self, right: Self) {
    for count in counts {
      left[keyPath: count] = left[keyPath: count].adding(right[keyPath: count])
    }
  }

  /// Whether the store and the export differ.
  public var isDifferent: Bool {
    [changed, onlyInStore, deleted, superseded, disagreeing].contains { $0 != 0 }
  }

  private static var counts: [WritableKeyPath<ImportCounts, Int>] {
    [
      \.read, \.new, \.known, \.duplicates, \.skipped, \.changed, \.onlyInStore, \.deleted,
      \.superseded, \.disagreeing,
    ]
  }
}

extension Int {
  /// The sum, or the nearest number to it: counts of a damaged store may be anything.
  package func adding(_ other: Int) -> Int {
    let (sum, overflow) = addingReportingOverflow(other)
    return overflow ? (other < 0 ? .min : .max) : sum
  }
}
