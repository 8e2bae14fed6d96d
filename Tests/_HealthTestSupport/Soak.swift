import Foundation

/// The long forms of tests that look for rare failures.
public enum Soak {
  /// Whether the long forms run: `.ci/soak` sets `HKSTATS_SOAK`.
  public static let isLong = ProcessInfo.processInfo.environment["HKSTATS_SOAK"] != nil
}
