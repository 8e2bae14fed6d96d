#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// A smooth curve through a series, by Whittaker's penalised least squares.
///
/// The curve *z* minimises Σ wᵢ(yᵢ − zᵢ)² + λ Σ (Δᵈz)ᵢ², where *w* is 1 in a row that has a value and
/// 0 in a gap, and Δᵈ is the difference of order *d*; it solves (W + λDᵀD)z = Wy (Whittaker,
/// *Proceedings of the Edinburgh Mathematical Society* 41, 1923, 63–75; Eilers, *Analytical Chemistry*
/// 75, 2003, 3631–3636, equations 5 and 8).
public struct WhittakerSmooth: Sendable, Hashable {
  /// The curve: each row from the first value to the last one, so that gaps are filled; the rows
  /// before and after are missing, since the curve would be an extrapolation there.
  public let curve: RegularSeries
  /// λ: how much roughness costs.
  public let penalty: Double
  /// *d*: the order of the differences.
  public let order: Int
  /// How many rows have a value.
  public let presentCount: Int
  /// The trace of the hat matrix, Σ wᵢ((W + λDᵀD)⁻¹)ᵢᵢ: how many parameters the curve is worth, from
  /// ``order`` to ``presentCount``.
  public let effectiveDimension: Double
  /// √(Σ wᵢ(yᵢ − zᵢ)² / (*m* − trace)), in the unit of the values, where *m* is ``presentCount``; `nil`
  /// where the curve is worth as many parameters as there are values.
  public let residualStandardDeviation: Double?
  /// The square root of the generalised cross-validation, *m* Σ wᵢ(yᵢ − zᵢ)² / (*m* − trace)², in the
  /// unit of the values: about how far a value lies from the curve through the others (Craven and
  /// Wahba, *Numerische Mathematik* 31, 1979, 377–403); `nil` as the deviation is.
  public let crossValidation: Double?

  /// How λ is set.
  public enum Penalty: Sendable, Hashable {
    /// λ itself: 0, or from 1e-6 to 1e12.
    case value(Double)
    /// The λ with the smallest generalised cross-validation, between 0.01 and 10^10.
    ///
    /// It is looked for at 10^−2, 10^−1.5 … 10^10, and then by golden section in log λ between the
    /// neighbours of the best of these. The larger λ wins a tie. The criterion takes the distances
    /// from the curve for independent: where neighbouring rows go together, it follows them.
    case crossValidated
  }
}

extension RegularSeries {
  /// A smooth curve through the series.
  ///
  /// ```swift
  /// let series = try RegularSeries([1, 2, nil, 4, 5, 7])
  /// let smooth = try series.smoothed(penalty: .value(1e12))
  /// smooth.curve[2]  // 3.11627… = the straight line of least squares
  /// ```
  ///
  /// The polynomial of degree *d* − 1 that fits best is taken out first and added again, since the
  /// penalty does not see it: a large λ then gives this polynomial without loss. Two or more steps of
  /// iterative refinement follow the banded Cholesky decomposition.
  ///
  /// - Parameters:
  ///   - order: *d*, 1 to 3: a large λ gives a constant, a straight line, or a parabola
  ///   - penalty: λ, or that it is chosen
  /// - Returns: the curve with what it is worth
  /// - Throws: `AnalysisError` for an order or λ outside of its range, for λ = 0 with gaps between
  ///   values, for fewer than *d* + 1 values, for a gap so long that the curve is not determined, and
  ///   when a result overflows
  /// - Complexity: O(*n*·*d*²), about 70 times as much with cross-validation
  public func smoothed(
    order: Int = 2, penalty: WhittakerSmooth.Penalty = .crossValidated
  ) throws(AnalysisError) -> WhittakerSmooth {
    guard (1...3).contains(order) else {
      throw AnalysisError(.parameter(name: "order of the differences", range: "1, 2 or 3"))
    }
    if case .value(let lambda) = penalty, lambda != 0, !(1e-6...1e12).contains(lambda) {
      throw AnalysisError(.parameter(name: "penalty", range: "0, or from 1e-6 to 1e12"))
    }
    guard presentCount > order, let first = isPresent.firstIndex(of: true),
      let last = isPresent.lastIndex(of: true)
    else { throw AnalysisError(.tooFewPoints(count: presentCount, needed: order + 1)) }
    let span = first..<(last + 1)
    if case .value(0) = penalty, presentCount < span.count {
      throw AnalysisError(.parameter(name: "penalty", range: "above 0 where rows are missing"))
    }
    // Rows in a gap hold the first value, so that they have no part in the scale.
    let column = ScaledColumn(span.map { isPresent[$0] ? values[$0] : values[first] })
    let system = WhittakerSystem(
      values: column.values, isPresent: Array(isPresent[span]), order: order)
    let fit =
      switch penalty {
      case .value(let lambda): try system.fit(lambda)
      case .crossValidated: try system.crossValidatedFit()
      }

    var rows = [Double?](repeating: nil, count: count)
    for (row, value) in zip(span, fit.curve) {
      let unscaled = (value + column.centre).scaled(by: column.exponent)
      guard unscaled.isFinite else { throw AnalysisError(.overflow, row: row) }
      rows[row] = unscaled
    }
    let deviation = fit.residualDeviation?.scaled(by: column.exponent)
    let score = fit.crossValidation?.scaled(by: column.exponent)
    guard deviation?.isFinite ?? true, score?.isFinite ?? true else {
      throw AnalysisError(.overflow)
    }
    return WhittakerSmooth(
      curve: try RegularSeries(rows), penalty: fit.lambda, order: order,
      presentCount: presentCount, effectiveDimension: fit.trace,
      residualStandardDeviation: deviation, crossValidation: score)
  }
}
