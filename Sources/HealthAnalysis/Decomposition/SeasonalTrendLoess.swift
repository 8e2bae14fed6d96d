import CKernels
import _HealthNumerics

/// STL for one period, prepared for many series of one length.
///
/// The inner loop of Cleveland, Cleveland, McRae and Terpenning (*Journal of Official Statistics* 6,
/// 1990, section 2.3): the series without its trend is smoothed at each place of the period (step 2),
/// what is left of the trend in it is found by moving means and a loess (3) and taken out (4), and
/// the series without its season is smoothed (6). The outer loop finds weights of robustness from
/// the remainder (section 2.4).
struct SeasonalTrendLoess: Sendable {
  /// What STL finds in a series.
  struct Parts: Sendable {
    var trend: [Double]
    var season: [Double]
    var weights: [Double]
  }

  let parameters: ResolvedDecomposition
  /// The places of the period: those with one more row come first.
  private let places: [(range: Range<Int>, smoother: LocalRegression)]
  /// The least spread of a line for each row with a whole window around it, by its place.
  private let leastSpreads: [Double]
  private let lowPass: LocalRegression
  private let trend: LocalRegression
  private let instructions: InstructionSet

  /// Prepares the smoothers. - Complexity: O(window²) for the longest window
  init(_ parameters: ResolvedDecomposition, instructions: InstructionSet = .best) {
    self.parameters = parameters
    self.instructions = instructions
    let (rows, period) = (parameters.rows, parameters.period)
    func smoother(
      _ count: Int, _ part: ResolvedDecomposition.Smoother, extends: Bool, isRobust: Bool
    ) -> LocalRegression {
      LocalRegression(
        count: count, window: part.window, degree: part.degree, jump: part.jump, extends: extends,
        isRobust: isRobust, instructions: instructions)
    }
    let isRobust = parameters.outer > 0
    let ranges = [0..<rows % period, rows % period..<period].filter { !$0.isEmpty }
    places = ranges.map { range in
      let count = (rows - 1 - range.lowerBound) / period + 1
      return (range, smoother(count, parameters.seasonal, extends: true, isRobust: isRobust))
    }
    var leastSpreads: [Double] = []
    if isRobust {
      let spreads = places.flatMap { place in
        place.range.map { _ in place.smoother.leastSpread }
      }
      leastSpreads = (0..<rows).map { spreads[$0 % period] }
    }
    self.leastSpreads = leastSpreads
    lowPass = smoother(rows, parameters.lowPass, extends: false, isRobust: false)
    trend = smoother(rows, parameters.trend, extends: false, isRobust: isRobust)
  }

  /// Decomposes a series.
  ///
  /// - Complexity: O(iterations · rows · windows) without jumps
  func parts(of series: [Double]) -> Parts {
    let (rows, period) = (parameters.rows, parameters.period)
    var parts = Parts(
      trend: Array(repeating: 0, count: rows), season: Array(repeating: 0, count: rows),
      weights: Array(repeating: 1, count: rows))
    let extended = rows + 2 * period
    let work = UnsafeMutablePointer<Double>.allocate(capacity: 4 * extended)
    work.initialize(repeating: 0, count: 4 * extended)
    defer { work.deallocate() }
    for outer in 0...parameters.outer {
      if outer > 0 { parts.weights = Self.bisquare(series, parts) }
      for _ in 0..<parameters.inner {
        iterate(series, &parts, isRobust: outer > 0, work, extended)
      }
    }
    if parameters.isPeriodic { makePeriodic(&parts.season) }
    return parts
  }

  /// One pass of the inner loop.
  private func iterate(
    _ series: [Double], _ parts: inout Parts, isRobust: Bool,
    _ work: UnsafeMutablePointer<Double>, _ extended: Int
  ) {
    let (rows, period) = (parameters.rows, parameters.period)
    let rest = work
    let cycles = work + extended
    let means = work + 2 * extended
    let smooth = work + 3 * extended
    series.withUnsafeBufferPointer { series in
      parts.trend.withUnsafeMutableBufferPointer { trendRows in
        parts.season.withUnsafeMutableBufferPointer { season in
          parts.weights.withUnsafeBufferPointer { weights in
            guard let weights = weights.baseAddress, let trendRow = trendRows.baseAddress
            else { return }
            for row in 0..<rows { rest[row] = series[row] - trendRow[row] }
            if isRobust {
              smoothPlaces(rest, weights, into: cycles)
            } else {
              smoothPlaces(rest, into: cycles)
            }
            let code = instructions.code
            hk_moving_means(code, cycles, period, means, extended - period + 1)
            hk_moving_means(code, means, period, smooth, extended - 2 * period + 2)
            hk_moving_means(code, smooth, 3, means, rows)
            lowPass.smooth(means, into: smooth)
            for row in 0..<rows {
              season[row] = cycles[period + row] - smooth[row]
              rest[row] = series[row] - season[row]
            }
            if isRobust {
              trend.smooth(rest, robustness: weights, into: trendRow)
            } else {
              trend.smooth(rest, into: trendRow)
            }
          }
        }
      }
    }
  }

  /// Smooths the rows at each place of the period; one period more at both ends.
  private func smoothPlaces(
    _ source: UnsafePointer<Double>, into cycles: UnsafeMutablePointer<Double>
  ) {
    let (rows, period) = (parameters.rows, parameters.period)
    // Rows with a whole window around them lie side by side, whatever their place is.
    let half = parameters.seasonal.window / 2
    let isOneFilter = places.allSatisfy { $0.smoother.hasFilter }
    if isOneFilter {
      places[0].smoother.applyFilter(
        source + half * period, spacing: period, into: cycles + (half + 1) * period,
        count: rows - 2 * half * period)
    }
    for place in places {
      place.smoother.smooth(
        source + place.range.lowerBound, spacing: period, width: place.range.count,
        into: cycles + period + place.range.lowerBound, includesMiddle: !isOneFilter)
    }
  }

  /// The same with weights of robustness, one place after another.
  private func smoothPlaces(
    _ source: UnsafePointer<Double>, _ weights: UnsafePointer<Double>,
    into cycles: UnsafeMutablePointer<Double>
  ) {
    let (rows, period) = (parameters.rows, parameters.period)
    let half = parameters.seasonal.window / 2
    let isOneFilter = places.allSatisfy { $0.smoother.hasRobustFilter }
    if isOneFilter {
      places[0].smoother.applyRobustFilter(
        source + half * period, weights + half * period, spacing: period,
        leastSpreads: leastSpreads,
        into: cycles + (half + 1) * period, count: rows - 2 * half * period)
    }
    let most = parameters.rows / period + 1
    var column = [Double](repeating: 0, count: most)
    var columnWeights = column
    var results = [Double](repeating: 0, count: most + 2)
    for place in places {
      let count = place.smoother.count
      for first in place.range {
        for row in 0..<count {
          column[row] = source[first + row * period]
          columnWeights[row] = weights[first + row * period]
        }
        results.withUnsafeMutableBufferPointer { results in
          guard let results = results.baseAddress else { return }
          place.smoother.smooth(
            column, robustness: columnWeights, into: results + 1, includesMiddle: !isOneFilter)
        }
        // The rows in the middle are there.
        let middle = isOneFilter ? place.smoother.middleRows : 0..<0
        for row in 0..<count + 2 where !middle.contains(row - 1) {
          cycles[first + row * period] = results[row]
        }
      }
    }
  }

  /// The weights of robustness, (1 − (|r|/6·median|r|)²)² or 0 beyond (section 2.4 of the paper).
  ///
  /// Within a thousandth of the bound they are 1, beyond 999 thousandths 0. All are 1 when half of
  /// the remainder is rounding: below 2^-44 of the largest value.
  private static func bisquare(_ series: [Double], _ parts: Parts) -> [Double] {
    let sizes = series.indices.map { row in
      (series[row] - (parts.trend[row] + parts.season[row])).magnitude
    }
    let bound = 6 * (sizes.median ?? 0)
    let level = series.reduce(0) { max($0, $1.magnitude) }
    guard bound > 0x1p-44 * level else { return sizes.map { _ in 1 } }
    return sizes.map { size in
      if size <= 0.001 * bound { return 1 }
      if size > 0.999 * bound { return 0 }
      let share = size / bound
      let rest = 1 - share * share
      return rest * rest
    }
  }

  /// Gives each place of the period its mean.
  private func makePeriodic(_ season: inout [Double]) {
    let period = parameters.period
    for place in 0..<period {
      let rows = stride(from: place, to: season.count, by: period)
      var sum = CompensatedSum()
      for row in rows { sum.add(season[row]) }
      let mean = sum.mean(count: Array(rows).count)
      for row in rows { season[row] = mean }
    }
  }
}
