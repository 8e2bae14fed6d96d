/// Cycles found by a walk over every day, counting the days since flow.
public enum SlowCycles {
  public struct Cycle: Sendable, Hashable {
    public var first: Int
    public var length: Int?
    public var flowDays: Int
    public var bleed: Int

    public init(first: Int, length: Int? = nil, flowDays: Int = 1, bleed: Int = 1) {
      (self.first, self.length, self.flowDays, self.bleed) = (first, length, flowDays, bleed)
    }
  }

  /// The cycles of days of flow, with what marks say of some.
  public static func cycles(_ days: [Int], marks: [Int: Bool], bridging: Int) -> [Cycle] {
    guard let first = days.min(), let last = days.max() else { return [] }
    var found: [Cycle] = []
    var dry = Int.max
    var bleeds = false
    for day in first...last {
      guard days.contains(day) else {
        if dry != Int.max { dry += 1 }
        continue
      }
      let begins: Bool
      if let said = marks[day] { begins = said } else { begins = dry > bridging }
      if begins {
        if !found.isEmpty { found[found.count - 1].length = day - found[found.count - 1].first }
        found.append(Cycle(first: day))
        bleeds = true
      } else if !found.isEmpty {
        found[found.count - 1].flowDays += 1
        if dry >= 2 { bleeds = false }
        if bleeds { found[found.count - 1].bleed = day - found[found.count - 1].first + 1 }
      }
      dry = 0
    }
    return found
  }
}
