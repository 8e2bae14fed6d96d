// The fixtures where Apple's HealthKit is: they are named, and not loaded. See the stub of the kit.
#if !os(Linux) || HKSTATS_STUB
public import Foundation
public import HealthKitTesting

@available(iOS 16, macOS 13, watchOS 9, visionOS 1, *)
extension Fixture {
  /// An export, which is not loaded here.
  public static func export(_ url: URL) -> Self { .none }

  /// A made-up person, who is not made here.
  public static func synthetic(
    years: Double = 1, seed: UInt64 = 1,
    until: DateComponents = DateComponents(year: 2026, month: 11, day: 1), density: Double = 0.1,
    timeZone: TimeZone = .current
  ) -> Self {
    .none
  }
}
#endif
