public import HealthSamples

/// Which sources a question sees: some alone, or all but some.
///
/// ```swift
/// var selection = SourceSelection()
/// selection.excluded = ["Strava"]
/// let answer = try store.choosing(selection).statistics(plan)
/// ```
///
/// Names match as ``HealthSamples/Source/isNamed(_:)`` says. Sources that are left out neither count
/// nor mask.
public struct SourceSelection: Sendable, Hashable {
  /// Names of the only sources that are seen; all are when it is empty.
  public var only: [String]
  /// Names of sources that are not seen, be they among ``only``.
  public var excluded: [String]

  /// Makes a selection; of all sources without an argument.
  public init(only: [String] = [], excluding excluded: [String] = []) {
    self.only = only
    self.excluded = excluded
  }

  /// Whether every source is seen.
  public var isEverything: Bool { only.isEmpty && excluded.isEmpty }

  /// Whether a source is seen.
  ///
  /// - Complexity: O(names)
  public func contains(_ source: Source) -> Bool {
    (only.isEmpty || only.contains(where: source.isNamed))
      && !excluded.contains(where: source.isNamed)
  }
}
