/// STL by its definition: every local fit anew, by the normal equations of its weighted points.
public struct SlowDecomposition: Sendable {
  /// A smoother of the paper: its window, degree and jump.
  public struct Smoother: Sendable {
    public var window: Int
    public var degree: Int
    public var jump: Int

    public init(_ window: Int, degree: Int = 1, jump: Int = 1) {
      self.window = window
      self.degree = degree
      self.jump = jump
    }
  }

  public private(set) var trend: [Double]
  public private(set) var season: [Double]
  public private(set) var weights: [Double]

  /// Decomposes a series without gaps.
  public init(
    _ series: [Double], period: Int, seasonal: Smoother, trend trendSmoother: Smoother,
    lowPass: Smoother, inner: Int, outer: Int
  ) {
    let rows = series.indices
    trend = rows.map { _ in 0 }
    season = trend
    weights = rows.map { _ in 1 }
    for pass in 0...outer {
      if pass > 0 {
        weights = Self.bisquare(rows.map { series[$0] - trend[$0] - season[$0] })
      }
      for _ in 0..<inner {
        var cycles = [Double](repeating: 0, count: series.count + 2 * period)
        for place in 0..<period {
          let own = rows.filter { $0 % period == place }
          let points = own.map { series[$0] - trend[$0] }
          let smooth = Self.smooth(
            points, weights: own.map { weights[$0] }, by: seasonal, extends: true)
          for (step, value) in smooth.enumerated() { cycles[place + step * period] = value }
        }
        let means = Self.means(Self.means(Self.means(cycles, period), period), 3)
        let low = Self.smooth(means, weights: rows.map { _ in 1 }, by: lowPass)
        season = rows.map { cycles[$0 + period] - low[$0] }
        trend = Self.smooth(
          rows.map { series[$0] - season[$0] }, weights: weights, by: trendSmoother)
      }
    }
  }

  /// The means of so many consecutive values.
  public static func means(_ values: [Double], _ window: Int) -> [Double] {
    (0...values.count - window).map { first in
      values[first..<first + window].reduce(0, +) / Double(window)
    }
  }

  /// A loess through values at 0, 1, 2 and so on; with one row more at both ends when asked.
  public static func smooth(
    _ values: [Double], weights: [Double], by smoother: Smoother, extends: Bool = false
  ) -> [Double] {
    let count = values.count
    let window = min(smoother.window, count)
    func left(_ row: Int) -> Int { max(0, min(row - smoother.window / 2, count - window)) }
    func fit(_ row: Int, left: Int) -> Double? {
      let farther = Double(max(row - left, left + window - 1 - row))
      let reach = farther + Double(max(0, smoother.window - count) / 2)
      var sums = (one: 0.0, x: 0.0, xx: 0.0, y: 0.0, xy: 0.0)
      for other in left..<left + window {
        let x = Double(other - row)
        let share = abs(x) / reach
        var weight = share <= 0.999 ? (1 - share * share * share) : 0
        weight = share <= 0.001 ? 1 : weight * weight * weight
        weight *= weights[other]
        sums.one += weight
        sums.x += weight * x
        sums.xx += weight * x * x
        sums.y += weight * values[other]
        sums.xy += weight * x * values[other]
      }
      guard sums.one > 0 else { return nil }
      let determinant = sums.one * sums.xx - sums.x * sums.x
      let spread = max(0, determinant).squareRoot() / sums.one
      guard smoother.degree == 1, spread > 0.001 * Double(count - 1) else {
        return sums.y / sums.one
      }
      return (sums.xx * sums.y - sums.x * sums.xy) / determinant
    }
    let jump = min(smoother.jump, count - 1)
    var result = [Double](repeating: 0, count: count)
    var fitted = Array(stride(from: 0, to: count, by: jump))
    for row in fitted { result[row] = fit(row, left: left(row)) ?? values[row] }
    if let last = fitted.last, last != count - 1 {
      // The original program leaves the window where the fit before had it.
      result[count - 1] = fit(count - 1, left: left(last)) ?? values[count - 1]
      fitted.append(count - 1)
    }
    for (row, next) in zip(fitted, fitted.dropFirst()) {
      for between in row + 1..<max(row + 1, next) {
        let share = Double(between - row) / Double(next - row)
        result[between] = result[row] * (1 - share) + result[next] * share
      }
    }
    guard extends else { return result }
    let before = fit(-1, left: 0) ?? result[0]
    let after = fit(count, left: count - window) ?? result[count - 1]
    return [before] + result + [after]
  }

  private static func bisquare(_ remainder: [Double]) -> [Double] {
    let sizes = remainder.map(\.magnitude)
    let ordered = sizes.sorted()
    let bound = 3 * (ordered[ordered.count / 2] + ordered[(ordered.count - 1) / 2])
    guard bound > 0 else { return sizes.map { _ in 1 } }
    return sizes.map { size in
      let share = size / bound
      if share <= 0.001 { return 1 }
      return share <= 0.999 ? (1 - share * share) * (1 - share * share) : 0
    }
  }
}
