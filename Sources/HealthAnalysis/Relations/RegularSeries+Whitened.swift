#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// A series without what its own past tells about it.
public struct WhitenedSeries: Sendable, Hashable {
  /// What is new in each row; missing where the series was.
  public let series: RegularSeries
  /// *φ*₁, *φ*₂, …: how much the rows before count, the last one first; none for a series whose rows
  /// do not depend on one another.
  public let coefficients: [Double]
}

extension RegularSeries {
  /// The series less what its own past tells: the innovations of an autoregressive model.
  ///
  /// Two series that both change slowly seem to go together by chance; after whitening both, the
  /// rows of each are nearly independent, and a real relation stands out more (Box and Jenkins, *Time
  /// Series Analysis*, 1970, 11.2; Haugh, *Journal of the American Statistical Association* 71, 1976,
  /// 378–385). The model is *x*ₜ − *x̄* = Σφⱼ(*x*ₜ₋ⱼ − *x̄*) + *e*ₜ. Its coefficients solve the equations
  /// of Yule and Walker by the recursion of Levinson and Durbin, with each autocovariance taken over
  /// the pairs of rows that are there (Parzen 1963). Its order *p* is the one with the least
  /// *n* ln *v*ₚ + 2*p* (Akaike 1974), where *v*ₚ is the variance of the innovations.
  ///
  /// Not for what a filter has taken whole frequencies out of, such as the remainder of a trend over
  /// two weeks: no short model fits that.
  ///
  /// A row after a gap is predicted by the model of the order that the rows since the gap allow, and
  /// its innovation is multiplied by √(*v*ₚ/*v*ₖ): no row is lost.
  ///
  /// - Parameter mostLags: the largest order, from 0 to 366; two weeks of days unless given
  /// - Returns: the innovations and the model
  /// - Throws: `AnalysisError` for fewer than `mostLags` + 10 rows with a value, or when all are equal
  /// - Complexity: O(*n*·`mostLags`)
  public func whitened(mostLags: Int = 14) throws(AnalysisError) -> WhitenedSeries {
    guard (0...366).contains(mostLags) else {
      throw AnalysisError(.parameter(name: "largest order", range: "from 0 to 366"))
    }
    guard presentCount >= mostLags + 10 else {
      throw AnalysisError(.tooFewPoints(count: presentCount, needed: mostLags + 10))
    }
    let scaled = ScaledColumn(presentValues)
    guard !scaled.isZero else { throw AnalysisError(.constant) }
    let mean = scaled.values.compensatedSum / Double(presentCount)
    var column = [Double](repeating: 0, count: count)
    for (row, value) in zip(presentRows, scaled.values) { column[row] = value - mean }

    let predictors = Predictor.all(
      autocovariances: autocovariances(of: column, mostLags: mostLags), count: presentCount)
    // The first has no coefficients: there is always one.
    let full = predictors[predictors.count - 1]
    var run = 0
    var innovations = [Double?](repeating: nil, count: count)
    for row in 0..<count {
      guard isPresent[row] else {
        run = 0
        continue
      }
      let predictor = predictors[min(run, predictors.count - 1)]
      var rest = column[row]
      for (index, coefficient) in predictor.coefficients.enumerated() {
        rest -= coefficient * column[row - 1 - index]
      }
      rest *= (full.variance / predictor.variance).squareRoot()
      innovations[row] = rest.scaled(by: scaled.exponent)
      run += 1
    }
    guard innovations.allSatisfy({ $0.map(\.isFinite) ?? true }) else {
      throw AnalysisError(.overflow)
    }
    return WhitenedSeries(
      series: try RegularSeries(innovations), coefficients: full.coefficients)
  }

  /// The autocovariances at the distances 0, 1, … of a centred column that is 0 in gaps.
  ///
  /// Each is a mean over the pairs of rows that are there, times 1 − *j*/*N*, which makes them a valid set
  /// where there are no gaps. *N* are the rows from the first value to the last.
  private func autocovariances(of column: [Double], mostLags: Int) -> [Double] {
    let span = presentSpan.count
    return (0...min(mostLags, span - 1)).map { lag in
      var products = 0.0
      var pairs = 0
      for row in lag..<count {
        products += column[row] * column[row - lag]
        if isPresent[row], isPresent[row - lag] { pairs += 1 }
      }
      return pairs == 0 ? 0 : products / Double(pairs) * (1 - Double(lag) / Double(span))
    }
  }
}

/// The best linear prediction of a row from the rows before it.
private struct Predictor {
  /// The weight of the row before, of the one before that, and so on.
  var coefficients: [Double]
  /// The variance of what is left.
  var variance: Double

  /// The predictors of the orders from 0 up to the one with the least criterion of Akaike.
  static func all(autocovariances: [Double], count: Int) -> [Predictor] {
    var predictors = [Predictor(coefficients: [], variance: autocovariances[0])]
    for order in 1..<max(1, autocovariances.count) {
      let last = predictors[order - 1]
      var rest = autocovariances[order]
      for (index, coefficient) in last.coefficients.enumerated() {
        rest -= coefficient * autocovariances[order - 1 - index]
      }
      let reflection = rest / last.variance
      // Beyond ±1 the autocovariances of a series with gaps are no valid set any more.
      guard reflection.magnitude < 1 - 1e-9 else { break }
      let turned = last.coefficients.reversed()
      var coefficients = zip(last.coefficients, turned).map { $0 - reflection * $1 }
      coefficients.append(reflection)
      predictors.append(
        Predictor(
          coefficients: coefficients,
          variance: last.variance * (1 - reflection) * (1 + reflection)))
    }
    let criteria = predictors.enumerated().map { order, predictor in
      Double(count) * log(predictor.variance / autocovariances[0]) + 2 * Double(order)
    }
    var best = 0
    for order in criteria.indices where criteria[order] < criteria[best] { best = order }
    return Array(predictors[...best])
  }
}
