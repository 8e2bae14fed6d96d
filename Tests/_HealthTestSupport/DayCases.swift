import Foundation

/// How many random cases the tests of days and nights take.
public enum DayCases {
  /// The usual number; with `HKSTATS_DAY_CASES=100` a hundred times as many.
  public static func count(_ usual: Int) -> Int {
    let factor = ProcessInfo.processInfo.environment["HKSTATS_DAY_CASES"].flatMap(Int.init)
    return usual * max(1, factor ?? 1)
  }
}
