#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// Columns without any relation, or with one that is known.
public enum SimulatedPerson {
  /// How the new part of each row is spread.
  public enum Noise: Sendable, CaseIterable {
    /// By the normal distribution.
    case normal
    /// By Student's distribution with 3 degrees of freedom: far values now and then.
    case student
  }

  /// A normal number by Box and Muller.
  public static func normal(_ random: inout SplitMix64) -> Double {
    let radius = (-2 * log(1 - Double.random(in: 0..<1, using: &random))).squareRoot()
    return radius * cos(2 * .pi * Double.random(in: 0..<1, using: &random))
  }

  /// A column of which each row keeps a share of the one before: *x*ₜ = memory·*x*ₜ₋₁ + *e*ₜ.
  public static func column(
    rows: Int, memory: Double, noise: Noise, _ random: inout SplitMix64
  ) -> [Double] {
    var last = 0.0
    let all = (0..<rows + (memory == 0 ? 0 : 60)).map { _ in
      var new = normal(&random)
      if noise == .student {
        let squares = (0..<3).reduce(0.0) { sum, _ in
          let other = normal(&random)
          return sum + other * other
        }
        new /= (squares / 3).squareRoot()
      }
      last = memory * last + new
      return last
    }
    return Array(all.suffix(rows))
  }
}
