#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// Compares what steps explain with what a slow course and dependent errors do.
struct StepSearch {
  private let series: RegularSeries
  private let rows: [Int]
  /// The values, scaled and clipped as in the search for steps.
  private let values: [Double]
  private let scale: ScaledColumn
  private let leastLength: Int
  private let factor: Double

  /// The models of errors: enough of them, as the best of each course is compared with that of another.
  private static let models = ErrorModel.keptShares(count: 8).flatMap { kept, _ in
    [0, 0.3, 0.7].map { ErrorModel(kept: kept, noise: $0) }
  }
  /// What a column of a course costs, and a step for each of the factor, in logarithms of the number of
  /// values: measured, with ``models``.
  private static let (courseCost, stepCost) = (1.8, 1.5)

  init(_ series: RegularSeries, leastLength: Int, factor: Double) {
    self.series = series
    rows = series.presentRows
    scale = ScaledColumn(series.presentValues)
    values = scale.values.clipped(at: 3, leastLength: leastLength)
    (self.leastLength, self.factor) = (leastLength, factor)
  }

  /// A course with some steps, and what it costs.
  struct Explanation {
    /// The rows of the steps.
    let steps: [Int]
    /// The coefficients of the columns of the course.
    let coefficients: [Double]
    /// What decides between courses and steps.
    let cost: Double
    /// What decides between courses without steps.
    let shapeCost: Double
  }

  /// The steps that are found once a course is taken out by least squares.
  func changes(without course: SlowCourse) throws(AnalysisError) -> ChangePoints {
    try series(without: course).changePoints(
      penalty: .longRun(factor: factor), leastLength: leastLength, clippedAt: nil)
  }

  /// The rows of the steps that explain most.
  ///
  /// Their number is bounded, so that comparing them takes no longer than finding them.
  func strongest(_ found: ChangePoints) -> [Int] {
    let most = min(64, Int((2e7 / Double(values.count)).squareRoot()))
    guard found.rows.count > most else { return found.rows }
    let gains = zip(found.segments, found.segments.dropFirst()).map { one, next -> Double in
      let (before, after) = (Double(one.count), Double(next.count))
      let size = (next.mean - one.mean).scaled(by: -scale.exponent)
      return size * size * before * after / (before + after)
    }
    let order = gains.indices.sorted { (gains[$1], $0) < (gains[$0], $1) }
    return order.prefix(most).sorted().map { found.rows[$0] }
  }

  /// What is left of the values once a course is taken out by least squares.
  private func series(without course: SlowCourse) throws(AnalysisError) -> RegularSeries {
    let courses = columns(of: course)
    let columns = [Array(repeating: 1, count: values.count)] + courses
    let products = DependentColumns(columns + [values], rows: rows)
      .products(by: ErrorModel(kept: 0, noise: 0), powers: rows.dropFirst().map { _ in 0 })
    let line = products.fit(of: Array(columns.indices), width: columns.count + 1).coefficients
    var rest = [Double?](repeating: nil, count: series.count)
    for (place, row) in rows.enumerated() {
      let left = zip(courses, line.dropFirst()).reduce(values[place]) {
        $0 - $1.0[place] * $1.1
      }
      rest[row] = left.scaled(by: scale.exponent)
    }
    return try RegularSeries(rest)
  }

  /// A course with all steps, without the one that explains least, and so on to none.
  func explanations(by course: SlowCourse, steps: [Int]) -> [Explanation] {
    let count = Double(values.count)
    let base = 1 + course.columns.count
    let columns =
      [Array(repeating: 1, count: values.count)] + self.columns(of: course)
      + steps.map { step in rows.map { $0 >= step ? 1 : 0 } } + [values]
    let width = columns.count
    let dependent = DependentColumns(columns, rows: rows)
    let products = Self.models.map { model in
      dependent.products(by: model, powers: dependent.powers(of: model.kept))
    }
    var left = Array(steps.indices)
    var found: [Explanation] = []
    while true {
      let chosen = Array(0..<base) + left.map { base + $0 }
      let fits = products.map { product -> (cost: Double, fit: DependentColumns.Products.Fit) in
        let fit = product.fit(of: chosen, width: width)
        return (count * log(fit.residual / count) + product.logarithm, fit)
      }
      guard let best = fits.min(by: { $0.cost < $1.cost }) else { return found }
      let price = log(count)
      found.append(
        Explanation(
          steps: left.map { steps[$0] },
          coefficients: Array(best.fit.coefficients[1..<base]),
          cost: best.cost + price
            * (Self.courseCost * Double(base - 1) + Self.stepCost * factor * Double(left.count)),
          shapeCost: best.cost + price * Double(base - 1)))
      guard !left.isEmpty else { return found }
      let contributions = best.fit.contributions.dropFirst(base)
      guard let weakest = zip(contributions, left.indices).min(by: { $0.0 < $1.0 }) else {
        return found
      }
      left.remove(at: weakest.1)
    }
  }

  /// A course with its coefficients, in each row of the series; 0 before the first value and after the
  /// last.
  func course(_ course: SlowCourse, _ explanation: Explanation) -> [Double] {
    var found = [Double](repeating: 0, count: series.count)
    for (column, coefficient) in zip(course.columns, explanation.coefficients) {
      let size = coefficient.scaled(by: scale.exponent)
      for (place, value) in column.enumerated() { found[course.firstRow + place] += size * value }
    }
    return found
  }

  /// The columns of a course in the rows that have a value.
  private func columns(of course: SlowCourse) -> [[Double]] {
    course.columns.map { column in rows.map { column[$0 - course.firstRow] } }
  }
}
