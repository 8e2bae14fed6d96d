import _HealthNumerics

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// A linear model by least squares: a response as a sum of multiples of columns.
///
/// The model is *y = Xβ + ε*, where the *ε* are independent, have mean 0 and the variance σ²/w
/// (Draper and Smith, *Applied Regression Analysis*, 3rd ed., chapters 5 and 9). Without weights
/// all *w* are 1.
///
/// ```swift
/// let model = try LinearModel(design, response: sleep)
/// model.coefficients              // one for each name of the design
/// try model.pValue(of: 1)         // of the first column after the intercept
/// ```
///
/// Successive values in time are rarely independent; ``neweyWestErrors(lag:smallSample:)`` then
/// gives errors that hold.
public struct LinearModel: Sendable, Hashable {
  /// The names of the columns.
  public let names: [String]
  /// β, one for each column.
  public let coefficients: [Double]
  /// *y* − *Xβ*, one for each row.
  public let residuals: [Double]
  /// The number of rows with a weight above 0.
  public let count: Int
  /// *s* = √(Σw(y − ŷ)² / (n − p)): the typical distance of a row of weight 1 from the model.
  public let residualStandardDeviation: Double
  /// The share of the variation that the model explains, between 0 and 1; `nil` when there is none.
  ///
  /// The variation is about the weighted mean with an intercept, about zero without.
  public let rSquared: Double?
  /// The explained sum of squares divided by that of the residuals; infinite without residuals.
  let effectRatio: Double
  /// Whether the first column is a constant.
  let hasIntercept: Bool
  /// *S* with (XᵀWX)⁻¹ = *SSᵀ*.
  let factor: Matrix
  /// √w·*XS*, whose columns are orthonormal, and √w(*y* − *ŷ*)·2^−``exponent``.
  let orthonormal: Matrix
  let weightedResiduals: [Double]
  let exponent: Int

  /// The number of rows minus the number of columns.
  public var degreesOfFreedom: Int { count - names.count }

  /// √diag *s*²(XᵀWX)⁻¹: the standard errors of the coefficients.
  public var standardErrors: [Double] {
    (0..<names.count).map { residualStandardDeviation * rowNorm($0) }
  }

  /// The probability of a coefficient at least as far from 0 if its column had no effect.
  ///
  /// - Returns: a number of 0 to 1; 0 for a model without residuals
  public func pValue(of column: Int) -> Double {
    StudentDistribution(degreesOfFreedom: Double(degreesOfFreedom))
      .pValue(of: coefficients[column], error: standardErrors[column])
  }

  /// The confidence interval of a coefficient, by Student's distribution.
  ///
  /// - Throws: `AnalysisError` when `confidence` is not between 0 and 1, or an end overflows
  public func interval(
    of column: Int, confidence: Double = 0.95
  ) throws(AnalysisError) -> ClosedRange<Double> {
    try StudentDistribution(degreesOfFreedom: Double(degreesOfFreedom)).interval(
      around: coefficients[column], error: standardErrors[column], confidence: confidence)
  }

  /// The test that no column but the intercept has an effect.
  ///
  /// - Returns: F with the degrees of freedom of the columns and of the residuals, and its
  ///   probability, infinity and 0 for a model without residuals; `nil` without such columns, or
  ///   when the response does not vary
  public var effectTest: (statistic: Double, pValue: Double)? {
    let tested = names.count - (hasIntercept ? 1 : 0)
    guard tested > 0, rSquared != nil else { return nil }
    guard effectRatio.isFinite else { return (.infinity, 0) }
    let statistic = effectRatio * Double(degreesOfFreedom) / Double(tested)
    let distribution = FDistribution(Double(tested), Double(degreesOfFreedom))
    return (statistic, distribution.upperTail(statistic))
  }

  /// The covariances of the coefficients, *s*²(XᵀWX)⁻¹.
  ///
  /// - Throws: `AnalysisError` when one overflows
  public func covariance() throws(AnalysisError) -> Matrix {
    let spread = Matrix(
      columns: (0..<names.count).map { column in
        factor.column(column).map { $0 * residualStandardDeviation }
      })
    return try spread.square()
  }

  /// √diag (XᵀWX)⁻¹: the standard errors of the coefficients for *s* = 1.
  var unitErrors: [Double] { (0..<names.count).map { rowNorm($0) } }

  /// The norm of a row of ``factor``.
  private func rowNorm(_ row: Int) -> Double {
    (0..<names.count).lazy.map { self.factor[row, $0] }.norm
  }
}

extension LinearModel {
  /// The standard errors that hold when rows near one another go together, by Newey and West.
  ///
  /// Their covariance is (XᵀX)⁻¹ [Γ₀ + Σₗ (1 − l/(L + 1))(Γₗ + Γₗᵀ)] (XᵀX)⁻¹ with Γₗ = Σ xₜeₜeₜ₋ₗxₜ₋ₗᵀ
  /// (Newey and West, *Econometrica* 55, 1987, 703–708). Rows must be in order of time.
  ///
  /// - Parameters:
  ///   - lag: *L*, over how many rows residuals go together; 4(n/100)^(2/9), rounded down, when `nil`
  ///   - smallSample: whether the variances are multiplied by n/(n − p)
  /// - Returns: the standard errors, one for each column
  /// - Throws: `AnalysisError` for a negative lag or one that reaches over all rows
  /// - Complexity: O(*n*·*L*·*p*²)
  public func neweyWestErrors(
    lag: Int? = nil, smallSample: Bool = true
  ) throws(AnalysisError) -> [Double] {
    let rows = residuals.count
    let lag = lag ?? NeweyWest.lag(count: rows)
    guard (0..<rows).contains(lag) else {
      throw AnalysisError(.parameter(name: "lag", range: "from 0 to below the number of rows"))
    }
    let scores = (0..<names.count).map { column in
      zip(orthonormal.column(column), weightedResiduals).map { $0 * $1 }
    }
    let meat = Matrix(
      columns: scores.map { left in
        scores.map { right in NeweyWest.longRunSum(left, right, lag: lag) }
      })
    let correction = smallSample ? Double(count) / Double(degreesOfFreedom) : 1
    return (0..<names.count).map { row in
      let spread = (0..<names.count).map { factor[row, $0] }
      let size = spread.norm
      guard size > 0 else { return 0 }
      let direction = spread.map { $0 / size }
      let variance = zip(direction, meat.product(with: direction)).map { $0 * $1 }.compensatedSum
      return ((max(0, variance) * correction).squareRoot() * size).scaled(by: exponent)
    }
  }
}

/// The parts of a covariance under autocorrelation (Newey and West 1987).
enum NeweyWest {
  /// 4(n/100)^(2/9), rounded down (Newey and West, *Review of Economic Studies* 61, 1994).
  static func lag(count: Int) -> Int {
    let lag = Int(4 * pow(Double(count) / 100, 2.0 / 9))
    // A whole number may come out just below itself: 15.999… for 51,200. L is reached at
    // 100·√(L/4)⁹ rows, which is exact for such a number.
    let root = (Double(lag + 1) / 4).squareRoot()
    let needed = 100 * (0..<9).reduce(1) { product, _ in product * root }
    return min(max(0, count - 1), needed <= Double(count) ? lag + 1 : lag)
  }

  /// Σ xₜyₜ + Σₗ (1 − l/(L + 1)) Σₜ (xₜyₜ₋ₗ + yₜxₜ₋ₗ).
  static func longRunSum(_ x: [Double], _ y: [Double], lag: Int) -> Double {
    var sum = CompensatedSum()
    for row in x.indices { sum.add(x[row] * y[row]) }
    for step in stride(from: 1, through: lag, by: 1) {
      var products = CompensatedSum()
      for row in step..<max(step, x.count) {
        products.add(x[row] * y[row - step] + y[row] * x[row - step])
      }
      sum.add((1 - Double(step) / Double(lag + 1)) * products.result)
    }
    return sum.result
  }
}
