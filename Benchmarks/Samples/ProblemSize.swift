import Foundation

/// How many samples a problem has.
public struct ProblemSize: Sendable {
  /// The number in a problem's name.
  public let name: String
  /// The number.
  public let count: Int

  /// Makes a size.
  public init(_ name: String, _ count: Int) {
    self.name = name
    self.count = count
  }

  /// A size, and ten million beside it when the environment has `HKSTATS_LARGE`: making so many
  /// samples anew for each measurement takes minutes.
  public static func measured(_ usual: ProblemSize) -> [ProblemSize] {
    let wantsLarge = ProcessInfo.processInfo.environment["HKSTATS_LARGE"] != nil
    return wantsLarge ? [usual, ProblemSize("10M", 10_000_000)] : [usual]
  }
}
