/// The weights of a local fit on a regular grid, before any value is known.
///
/// A fit at row *p* of a window weighs row *i* by the tricube (1 − (|*i* − *p*|/*h*)³)³, where *h* is
/// the distance to the farther end (Cleveland, Cleveland, McRae and Terpenning, *Journal of Official
/// Statistics* 6, 1990, 3–73, section 2). A line through weighted points is linear in the values, so
/// its value at *p* is a weighted sum of them too.
struct LocalWeights: Sendable, Hashable {
  /// How many rows the window has: the parameter of the smoother, or all rows when they are fewer.
  let taps: Int
  /// By how much *h* grows where the parameter is larger than the number of rows.
  let extra: Double
  /// 0 for a constant, 1 for a line.
  let degree: Int
  /// A line whose abscissas have a smaller standard deviation than this is a constant.
  let leastSpread: Double

  /// The weights for a smoother over `rows` rows.
  init(rows: Int, window: Int, degree: Int) {
    taps = min(window, rows)
    extra = window > rows ? Double((window - rows) / 2) : 0
    self.degree = degree
    leastSpread = 0.001 * Double(rows - 1)
  }

  /// The tricube weights at a row of the window, which may lie outside of it.
  ///
  /// Within a thousandth of *h* they are 1, beyond 999 thousandths 0.
  func tricube(at position: Int) -> [Double] {
    let reach = Double(max(position, taps - 1 - position)) + extra
    return (0..<taps).map { row in
      let distance = Double(abs(row - position))
      if distance > 0.999 * reach { return 0 }
      if distance <= 0.001 * reach { return 1 }
      let share = distance / reach
      let rest = 1 - share * share * share
      return rest * rest * rest
    }
  }

  /// What the values of the window are multiplied by for the fit at a row; their sum is 1.
  func fit(at position: Int) -> [Double] {
    var weights = tricube(at: position)
    let whole = weights.reduce(0, +)
    guard whole > 0 else { return weights }
    for row in weights.indices { weights[row] /= whole }
    // A symmetric window has a line through its middle at the height of its mean.
    guard degree > 0, 2 * position != taps - 1 else { return weights }
    var centre = 0.0
    for row in weights.indices { centre += weights[row] * Double(row - position) }
    var variance = 0.0
    for row in weights.indices {
      let distance = Double(row - position) - centre
      variance += weights[row] * (distance * distance)
    }
    guard variance.squareRoot() > leastSpread else { return weights }
    let slope = -centre / variance
    for row in weights.indices {
      weights[row] *= slope * (Double(row - position) - centre) + 1
    }
    return weights
  }
}
