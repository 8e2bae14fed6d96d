/// The least-squares line through whole-numbered points, by the normal equations in whole numbers.
///
/// β₁ = (n·Σxy − Σx·Σy) / (n·Σx² − (Σx)²), and so on: every sum is exact, and each result is
/// rounded at most a few times at its end.
public struct SlowLinearTrend: Sendable {
  public let slope: Double
  public let intercept: Double
  public let rSquared: Double?
  public let residualStandardDeviation: Double
  public let slopeStandardError: Double
  public let interceptStandardError: Double

  /// The line, or nothing when all *x* are equal.
  ///
  /// - Precondition: magnitudes are below 2^20, and there are from 3 to 1000 points.
  public init?(x: [Int], y: [Int]) {
    precondition((3...1000).contains(x.count) && x.count == y.count)
    precondition((x + y).allSatisfy { $0.magnitude < 1 << 20 })
    let n = Int128(x.count)
    let sumX = x.reduce(Int128(0)) { $0 + Int128($1) }
    let sumY = y.reduce(Int128(0)) { $0 + Int128($1) }
    let sumXX = x.reduce(Int128(0)) { $0 + Int128($1) * Int128($1) }
    let sumXY = zip(x, y).reduce(Int128(0)) { $0 + Int128($1.0) * Int128($1.1) }
    let sumYY = y.reduce(Int128(0)) { $0 + Int128($1) * Int128($1) }
    // n times the sums of squares and products about the means.
    let xx = n * sumXX - sumX * sumX
    let xy = n * sumXY - sumX * sumY
    let yy = n * sumYY - sumY * sumY
    guard xx != 0 else { return nil }
    let residual = Double(yy * xx - xy * xy) / (Double(xx) * Double(n))
    let variance = residual / Double(n - 2)
    slope = Double(xy) / Double(xx)
    intercept = Double(sumY * xx - sumX * xy) / (Double(n) * Double(xx))
    rSquared = yy == 0 ? nil : Double(xy) * (Double(xy) / (Double(xx) * Double(yy)))
    residualStandardDeviation = variance.squareRoot()
    slopeStandardError = (variance * Double(n) / Double(xx)).squareRoot()
    interceptStandardError = (variance * Double(sumXX) / Double(xx)).squareRoot()
  }
}
