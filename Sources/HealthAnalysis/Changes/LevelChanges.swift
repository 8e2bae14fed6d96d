#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// What a level does besides changing from one row to the next.
public enum LevelShape: String, Sendable, Hashable, CaseIterable {
  /// Nothing.
  case steady
  /// It rises or falls in a straight line.
  case slope
  /// It goes up and down with a wave of a year.
  case wave
  /// Both.
  case slopeAndWave
  /// It comes and goes slowly, with no day on which it changes and no wave of a year.
  case wander
}

/// When a level changes, as far as neither a slow course nor slow coming and going explains it.
public struct LevelChanges: Sendable, Hashable {
  /// The segments and their means; of a level with a slope or a wave those of the values without them,
  /// about the same mean.
  public let changes: ChangePoints
  /// What the level does besides.
  ///
  /// With ``LevelShape/wander`` there are no changes.
  public let shape: LevelShape
}

extension RegularSeries {
  /// The changes of a level that a slope, a wave of a year and a wander do not explain as well.
  ///
  /// ``changePoints(penalty:leastLength:clippedAt:)`` finds steps. It also cuts a slope, a wave and slow
  /// coming and going into steps, since these are all that it knows. So where it finds any, four courses
  /// are compared, each with the steps that are found once it is taken out: none, a line, a wave of a
  /// year, and both. Errors may go together as in ``SerialDependence``, with a ρ up to near 1, so that a
  /// wander needs no step. Of the steps of each course the one that explains least is left out again and
  /// again, and the course and the steps with the least of
  /// −2 ln *L* + (1.8 · columns of the course + 1.5 · factor · steps) ln *n* are taken: a criterion as
  /// Schwarz's (*Annals of Statistics* 6, 1978, 461–464), dearer for steps, which were looked for, and
  /// for a course.
  ///
  /// Where no step is left, the course with the least of −2 ln *L* + columns · ln *n* names the shape, and
  /// without one the level wanders.
  ///
  /// - Parameters:
  ///   - yearLength: how many rows a year has; a wave is looked for in half a year and more
  ///   - factor: what a step costs, as in ``ChangePoints/Penalty/longRun(factor:)``
  ///   - leastLength: how many values a segment has at least
  /// - Returns: the changes, and what the level does besides
  /// - Throws: `AnalysisError` as `changePoints`
  /// - Complexity: that of `changePoints`, four times, and O(*n* · steps²)
  public func levelChanges(
    yearLength: Double = 365.2425, factor: Double = 2, leastLength: Int = 14
  ) throws(AnalysisError) -> LevelChanges {
    guard yearLength > 0, yearLength.isFinite else {
      throw AnalysisError(.parameter(name: "length of a year", range: "above 0"))
    }
    let plain = try changePoints(penalty: .longRun(factor: factor), leastLength: leastLength)
    guard !plain.rows.isEmpty else { return LevelChanges(changes: plain, shape: .steady) }
    let search = StepSearch(self, leastLength: leastLength, factor: factor)
    var best: (explanation: StepSearch.Explanation, found: ChangePoints, course: SlowCourse)?
    var named: (cost: Double, shape: LevelShape)?
    for course in SlowCourse.all(rows: presentRows, yearLength: yearLength) {
      let found = course.columns.isEmpty ? plain : try search.changes(without: course)
      let explanations = search.explanations(by: course, steps: found.rows)
      for one in explanations where one.cost < best?.explanation.cost ?? .infinity {
        best = (one, found, course)
      }
      if let without = explanations.last, without.shapeCost < named?.cost ?? .infinity {
        named = (without.shapeCost, course.shape)
      }
    }
    guard let (explanation, found, course) = best else {
      return LevelChanges(changes: plain, shape: .steady)
    }
    if explanation.steps.isEmpty {
      let shape = named?.shape ?? .steady
      return LevelChanges(
        changes: try changePoints(steps: [], like: plain), shape: shape == .steady ? .wander : shape
      )
    }
    let rest = try search.series(without: course, coefficients: explanation.coefficients)
    return LevelChanges(
      changes: try rest.changePoints(steps: explanation.steps, like: found), shape: course.shape)
  }

  /// The segments that begin at some rows, with the long-run variance of others.
  private func changePoints(
    steps: [Int], like other: ChangePoints
  ) throws(AnalysisError) -> ChangePoints {
    let places = Dictionary(
      uniqueKeysWithValues: presentRows.enumerated().map { ($0.element, $0.offset) })
    let plain = try changePoints(
      starts: [0] + steps.compactMap { places[$0] }, in: ScaledColumn(presentValues), estimate: nil)
    return ChangePoints(
      segments: plain.segments, longRunDeviation: other.longRunDeviation,
      autocorrelation: other.autocorrelation)
  }
}

/// A slow course as columns of a model.
private struct SlowCourse {
  let shape: LevelShape
  /// The columns, one number for each value, each about its mean.
  let columns: [[Double]]

  /// The courses that are compared, the simplest first.
  static func all(rows: [Int], yearLength: Double) -> [SlowCourse] {
    guard let first = rows.first, let last = rows.last, first < last else { return [] }
    let span = Double(last - first)
    func centred(_ column: [Double]) -> [Double] {
      let mean = column.compensatedSum / Double(column.count)
      return column.map { $0 - mean }
    }
    let line = centred(rows.map { Double($0 - first) / span })
    var courses = [
      SlowCourse(shape: .steady, columns: []), SlowCourse(shape: .slope, columns: [line]),
    ]
    guard span >= yearLength / 2, yearLength >= leastWave else { return courses }
    let angles = rows.map { 2 * Double.pi * Double($0 - first) / yearLength }
    let wave = [centred(angles.map { cos($0) }), centred(angles.map { sin($0) })]
    courses += [
      SlowCourse(shape: .wave, columns: wave),
      SlowCourse(shape: .slopeAndWave, columns: [line] + wave),
    ]
    return courses
  }

  /// Of fewer rows a wave is no slow course.
  private static let leastWave = 12.0
}

/// Compares what steps explain with what a slow course and dependent errors do.
private struct StepSearch {
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
    let columns = [Array(repeating: 1, count: values.count)] + course.columns
    let products = DependentColumns(columns + [values], rows: rows)
      .products(by: ErrorModel(kept: 0, noise: 0), powers: rows.dropFirst().map { _ in 0 })
    let line = products.fit(of: Array(columns.indices), width: columns.count + 1).coefficients
    var rest = [Double?](repeating: nil, count: series.count)
    for (place, row) in rows.enumerated() {
      rest[row] = zip(course.columns, line.dropFirst()).reduce(values[place]) {
        $0 - $1.0[place] * $1.1
      }
    }
    return try RegularSeries(rest).changePoints(
      penalty: .longRun(factor: factor), leastLength: leastLength, clippedAt: nil)
  }

  /// A course with all steps, without the one that explains least, and so on to none.
  func explanations(by course: SlowCourse, steps: [Int]) -> [Explanation] {
    let count = Double(values.count)
    let base = 1 + course.columns.count
    let columns =
      [Array(repeating: 1, count: values.count)] + course.columns
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

  /// The values without a course, about the same mean.
  func series(
    without course: SlowCourse, coefficients: [Double]
  ) throws(AnalysisError) -> RegularSeries {
    guard !course.columns.isEmpty else { return series }
    var rest = [Double?](repeating: nil, count: series.count)
    for (place, row) in rows.enumerated() {
      let slow = zip(course.columns, coefficients).reduce(0) { $0 + $1.0[place] * $1.1 }
      rest[row] = series.values[row] - slow.scaled(by: scale.exponent)
    }
    return try RegularSeries(rest)
  }
}
