import Foundation

/// The power of one frequency as what a constant, a cosine and a sine explain beyond a constant, by
/// the normal equations.
public enum SlowLombScargle {
  /// 1 − Σ(y − ŷ)²/Σ(y − ȳ)²; without the sine where it is 0 at all times.
  public static func power(
    times: [Double], values: [Double], frequency: Double, hasSine: Bool = true
  ) -> Double {
    let rows = times.map { time in
      [1, cos(2 * .pi * frequency * time)] + (hasSine ? [sin(2 * .pi * frequency * time)] : [])
    }
    let mean = values.reduce(0, +) / Double(values.count)
    let total = values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
    return 1 - SlowCosinor.fit(rows, values).squares / total
  }
}
