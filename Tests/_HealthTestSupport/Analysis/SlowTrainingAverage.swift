#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// An exponentially weighted average, as the sum over all days before.
public enum SlowTrainingAverage {
  /// start·(1 − share)^(t + 1) + Σ share·(1 − share)^(t − k)·loadₖ, of each day *t*.
  public static func averages(of loads: [Double], share: Double, start: Double) -> [Double] {
    loads.indices.map { day in
      var sum = start * pow(1 - share, Double(day + 1))
      for before in 0...day {
        sum += loads[before] * share * pow(1 - share, Double(day - before))
      }
      return sum
    }
  }
}
