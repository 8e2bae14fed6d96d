#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// How much the errors of neighbouring rows go together, as far as the residuals of a model tell.
///
/// ```swift
/// let dependence = try SerialDependence(of: residuals, rows: rows, design: [ones, days])
/// dependence.autocorrelation  // 0.41: what a row keeps of the error of the one before
/// ```
///
/// The errors are an autoregression of the first order, with noise of each row's own beside it. Neither
/// the share ρ that the next row keeps nor the share τ of noise is estimated and then taken for known:
/// what is said is a mean over all of them, each as likely as it is after the data. Before the data every
/// ρ from 0 to 1 is as likely as any other, there is no noise with a probability of 0.9, and else τ is
/// 0.2, 0.5 or 0.8; coefficients and scale have the flat priors of a linear model (Zellner and Tiao,
/// *Journal of the American Statistical Association* 59, 1964, 763–778). The likelihood is that of the
/// residuals alone, by Kalman's filter, so that gaps count by their length.
///
/// Neighbours that go apart (ρ below 0) are taken for independent.
public struct SerialDependence: Sendable, Hashable {
  /// A model of errors, as likely as it is after the data.
  struct Node: Sendable, Hashable {
    let model: ErrorModel
    let weight: Double
    /// The standard deviation of an error by this model, divided by that of the residuals.
    let deviation: Double
  }

  let nodes: [Node]
  /// How many rows there are beyond the columns of the design.
  public let degreesOfFreedom: Int
  /// The correlation of the errors of two neighbouring rows: its mean over all models; `nil` where the
  /// residuals are all 0.
  public let autocorrelation: Double?
  private let rows: [Int]

  /// The shares of noise, and how likely each is before the data.
  private static let noises: [(noise: Double, prior: Double)] = [
    (0, 0.9), (0.2, 0.1 / 3), (0.5, 0.1 / 3), (0.8, 0.1 / 3),
  ]

  /// How many values of ρ are looked at: their distance is that of 1.25 standard errors of its estimate,
  /// but of no more than 2,600 rows.
  static func keptCount(of rowCount: Int) -> Int {
    min(64, max(24, Int((1.25 * Double(rowCount).squareRoot()).rounded(.up))))
  }

  /// Learns from the residuals of a least-squares fit.
  ///
  /// - Parameters:
  ///   - residuals: what a fit leaves of each row
  ///   - rows: the number of each row, in ascending order; a gap skips numbers
  ///   - design: the columns of the fit, the constant included, none a combination of others
  /// - Throws: `AnalysisError` for columns of different lengths, rows that do not ascend, no more rows
  ///   than columns, and numbers that are not finite
  /// - Complexity: O(*n* · *p*²), some 100 times
  public init(
    of residuals: [Double], rows: [Int], design: [[Double]]
  ) throws(AnalysisError) {
    for column in design { try AnalysisError.checkPoints(column, residuals) }
    guard rows.count == residuals.count else {
      throw AnalysisError(.lengthsDiffer(x: rows.count, y: residuals.count))
    }
    guard rows.count > design.count, !design.isEmpty else {
      throw AnalysisError(.tooFewPoints(count: rows.count, needed: design.count + 1))
    }
    if let row = rows.indices.dropFirst().first(where: { rows[$0 - 1] >= rows[$0] }) {
      throw AnalysisError(.notOrdered, row: row)
    }
    self.rows = rows
    degreesOfFreedom = rows.count - design.count
    let rest = ScaledColumn(residuals, isCentred: false)
    let squares = rest.values.map { $0 * $0 }.compensatedSum
    guard squares > 0 else {
      nodes = [Node(model: ErrorModel(kept: 0, noise: 0), weight: 1, deviation: 1)]
      autocorrelation = nil
      return
    }
    let columns = DependentColumns(
      design.map { ScaledColumn($0, isCentred: false).values } + [rest.values], rows: rows)
    let found = Self.likelihoods(of: columns, freedom: Double(degreesOfFreedom))
    let most = found.map(\.logarithm).max() ?? 0
    let likely = found.filter { $0.logarithm > most - Self.leastLogarithm }
    let total = likely.reduce(0) { $0 + exp($1.logarithm - most) }
    nodes = likely.map { node in
      Node(
        model: node.model, weight: exp(node.logarithm - most) / total,
        deviation: (node.residual / squares).squareRoot())
    }
    autocorrelation = nodes.reduce(0) { $0 + $1.weight * $1.model.autocorrelation }
  }

  /// A model whose logarithm lies this far below the likeliest one's has no weight that counts.
  private static let leastLogarithm = 30.0

  /// The logarithm of how likely each model is after the data, and the sum of squares that it leaves.
  private static func likelihoods(
    of columns: DependentColumns, freedom: Double
  ) -> [(model: ErrorModel, logarithm: Double, residual: Double)] {
    let design = Array(0..<columns.width - 1)
    let count = keptCount(of: Int(freedom) + design.count)
    return ErrorModel.keptShares(count: count).flatMap { kept, share in
      let powers = columns.powers(of: kept)
      return noises.map { noise, prior in
        let model = ErrorModel(kept: kept, noise: noise)
        let products = columns.products(by: model, powers: powers)
        let fit = products.fit(of: design, width: columns.width)
        let likelihood =
          -(products.logarithm + fit.logarithm + freedom * log(fit.residual)) / 2
        return (model, likelihood + log(share * prior), fit.residual)
      }
    }
  }

  /// The distribution of Σ*hₜyₜ* about its mean, in units of its standard error for independent rows.
  ///
  /// - Parameter influence: *h*, one number a row: how much each counts for an estimate
  /// - Returns: the distribution
  /// - Complexity: O(*n*) for each ρ
  func mixture(of influence: [Double]) -> ScaleMixture {
    let column = ScaledColumn(influence, isCentred: false)
    let squares = column.values.map { $0 * $0 }.compensatedSum
    let columns = DependentColumns([column.values], rows: rows)
    var (kept, variance) = (Double.nan, 1.0)
    let parts = nodes.map { node in
      if node.model.kept != kept {
        kept = node.model.kept
        variance =
          columns.autoregressiveVariance(of: column.values, powers: columns.powers(of: kept))
          / squares
      }
      let factor = node.model.noise + (1 - node.model.noise) * variance
      return ScaleMixture.Part(
        weight: node.weight, scale: node.deviation * max(0, factor).squareRoot())
    }
    return ScaleMixture(
      parts: parts, distribution: StudentDistribution(degreesOfFreedom: Double(degreesOfFreedom)))
  }

  /// An estimate with how sure it is.
  ///
  /// - Parameters:
  ///   - value: the estimate, Σ*hₜyₜ*
  ///   - error: its standard error if the rows were independent
  ///   - influence: *h*, one number a row, in any unit
  /// - Returns: the estimate, with its interval and its probability
  /// - Complexity: O(*n*), some 30 times
  public func estimate(
    _ value: Double, independentError error: Double, influence: [Double]
  ) -> DependentEstimate {
    DependentEstimate(
      value: value, independentError: error, autocorrelation: autocorrelation,
      mixture: mixture(of: influence))
  }
}

/// The design of a line, and what each row counts for its slope.
struct LineInfluence {
  /// *x* − *x̄*, scaled by a power of two.
  let distances: [Double]

  init(_ x: [Double]) {
    let scaled = ScaledColumn(x)
    let mean = scaled.values.compensatedSum / Double(x.count)
    distances = scaled.values.map { $0 - mean }
  }

  /// What a line by least squares leaves of a column.
  func residuals(of column: [Double]) -> [Double] {
    let mean = column.compensatedSum / Double(column.count)
    let products = zip(distances, column).map { $0 * ($1 - mean) }.compensatedSum
    let squares = distances.map { $0 * $0 }.compensatedSum
    return zip(distances, column).map { ($1 - mean) - products / squares * $0 }
  }

  /// The constant, and the distances.
  var design: [[Double]] { [Array(repeating: 1, count: distances.count), distances] }
}
