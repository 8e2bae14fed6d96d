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

  /// The same, also where cosine and sine are nearly one column: what each explains about its mean.
  ///
  /// Of the second only that counts which it has not in common with the first, and a column that is
  /// constant but for rounding has no part. Whole periods drop out of the angles.
  public static func powerAboutMeans(
    times: [Double], values: [Double], frequency: Double
  ) -> Double {
    let angles = times.map { time in
      2 * Double.pi * (frequency * time - (frequency * time).rounded())
    }
    func product(_ x: [Double], _ y: [Double]) -> Double {
      zip(x, y).reduce(0) { $0 + $1.0 * $1.1 }
    }
    func centred(_ column: [Double]) -> [Double] {
      let mean = column.reduce(0, +) / Double(column.count)
      return column.map { $0 - mean }
    }
    let (cosines, sines, rest) = (
      centred(angles.map { cos($0) }), centred(angles.map { sin($0) }), centred(values)
    )
    let isFirst = product(cosines, cosines) > product(sines, sines)
    let (first, other) = isFirst ? (cosines, sines) : (sines, cosines)
    let share = product(first, other) / product(first, first)
    let second = zip(first, other).map { $1 - share * $0 }
    let columns = [first, second].filter { product($0, $0) > 1e-14 * Double(times.count) }
    let explained = columns.reduce(0) { sum, column in
      sum + product(column, rest) * product(column, rest) / product(column, column)
    }
    return explained / product(rest, rest)
  }
}
