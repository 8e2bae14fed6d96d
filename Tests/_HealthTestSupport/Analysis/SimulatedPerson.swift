/// Columns without any relation, or with one that is known.
public enum SimulatedPerson {
  /// How the new part of each row is spread.
  public enum Noise: Sendable, CaseIterable {
    /// By the normal distribution.
    case normal
    /// By Student's distribution with 3 degrees of freedom: far values now and then.
    case student
  }

  /// A column of which each row keeps a share of the one before: *x*ₜ = memory·*x*ₜ₋₁ + *e*ₜ.
  public static func column(
    rows: Int, memory: Double, noise: Noise, _ random: inout SplitMix64
  ) -> [Double] {
    var last = 0.0
    let all = (0..<rows + (memory == 0 ? 0 : 60)).map { _ in
      last = memory * last + (noise == .student ? random.student() : random.normal())
      return last
    }
    return Array(all.suffix(rows))
  }
}
