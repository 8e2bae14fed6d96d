/// Where the mean of a series changes, and between which means.
///
/// The segments minimise Σ over segments of Σ (x − mean)² plus β for each change: the optimal
/// partition, found by PELT (Killick, Fearnhead and Eckley, *Journal of the American Statistical
/// Association* 107, 2012, 1590–1598, section 3). A series with a slope is cut into steps: a change
/// here is a change between two constant means and nothing else.
public struct ChangePoints: Sendable, Hashable {
  /// Rows with one mean.
  public struct Segment: Sendable, Hashable {
    /// The rows: from the first with a value to that of the next segment, or to the last value.
    public let rows: Range<Int>
    /// How many of the rows have a value.
    public let count: Int
    /// The mean of the values as they are, also where the changes were looked for in clipped ones.
    public let mean: Double
  }

  /// The segments in order; there is at least one.
  public let segments: [Segment]
  /// The standard deviation of a long mean times the square root of its count, in the unit of the
  /// values, from which the penalty was made; `nil` where the penalty was given.
  public let longRunDeviation: Double?
  /// φ: how much of a value's distance from the mean the next value keeps, 0 to 0.95, as the penalty
  /// takes it; `nil` where the penalty was given.
  public let autocorrelation: Double?

  /// The first row of each segment but the first one.
  public var rows: [Int] { segments.dropFirst().map(\.rows.lowerBound) }

  /// How much the mean grows at each of ``rows``.
  public var sizes: [Double] { zip(segments, segments.dropFirst()).map { $1.mean - $0.mean } }

  /// β of ``Penalty/longRun(factor:)``, in squares of the unit of the values; `nil` where the penalty
  /// was given.
  public func penalty(factor: Double = 2) -> Double? {
    let count = segments.reduce(0) { $0 + $1.count }
    return longRunDeviation.map { factor * ($0 * $0) * count.logarithm }
  }

  /// What a change costs.
  public enum Penalty: Sendable, Hashable {
    /// β itself, in squares of the unit of the values: 0 or more.
    case value(Double)
    /// β = factor · ω² · ln *m*, where *m* is the number of values and ω² their long-run variance.
    ///
    /// With factor 2 and ω² = σ² this is Schwarz's criterion for changes of a mean (Yao, *Statistics
    /// and Probability Letters* 6, 1988, 181–189); a long-run variance takes its place where values go
    /// together (Chakar, Lebarbier, Lévy-Leduc and Robin, *Bernoulli* 23, 2017, 1408–1447).
    ///
    /// ω² comes from differences, which a change touches only near itself (Tecuapetla-Gómez and Munk,
    /// *Scandinavian Journal of Statistics* 44, 2017, 346–368). *V*ₕ is the mean square of xₜ₊ₕ − xₜ,
    /// each clipped at two deviations of such differences (1.4826 MAD) and the mean corrected for
    /// it. In an autoregression of the first order *V*ₕ is 2σ²(1 − φʰ), so that φ solves
    /// (1 − φ)/(1 − mean of φ⁵ … φ¹¹) = *V*₁/mean of *V*₅ … *V*₁₁ (seven distances: a week counts whole)
    /// and is held between 0 and 0.95; ω² = ½*V*₁(1 + φ)/(1 − φ)². Distances are counted from value to
    /// value.
    case longRun(factor: Double = 2)
  }
}

extension RegularSeries {
  /// The rows from which on the mean is another one.
  ///
  /// ```swift
  /// let values = (0..<90).map { Double($0 % 3) + ($0 < 40 ? 60 : 64) }
  /// let changes = try RegularSeries(values).changePoints()
  /// changes.rows  // [40]
  /// changes.sizes  // [4.045], within rounding
  /// ```
  ///
  /// Gaps are left out: a segment is long enough by its values, and a change lies at the first row
  /// of its segment that has one. Of two partitions that cost the same, the one with the longer last
  /// segment wins.
  ///
  /// Values far from those around them are clipped before the search, so that a few of them make no
  /// segment. Each is held within `deviations` · 1.4826 · MAD of the median of the values around it,
  /// `leastLength`/2 but at least 3 on either side; MAD is the median of all such distances. With a
  /// MAD of 0 it is 1.2533 times their mean instead.
  ///
  /// - Parameters:
  ///   - penalty: what a change costs; the default finds one in 5 % or less of series without any
  ///   - leastLength: how many values a segment has at least
  ///   - deviations: where values are clipped, in standard deviations; `nil` takes them as they are,
  ///     which with a given penalty is plain PELT with squared distances
  /// - Returns: the segments
  /// - Throws: `AnalysisError` for a parameter outside of its range, for fewer than two segments'
  ///   values, with `longRun` for fewer than 56, for more than 100,000, and when a result overflows
  /// - Complexity: O(*m*) with many changes up to O(*m*²) with none
  public func changePoints(
    penalty: ChangePoints.Penalty = .longRun(), leastLength: Int = 14,
    clippedAt deviations: Double? = 3
  ) throws(AnalysisError) -> ChangePoints {
    guard (1...100_000).contains(leastLength) else {
      throw AnalysisError(.parameter(name: "least length of a segment", range: "from 1 to 100000"))
    }
    if let deviations, !(deviations > 0 && deviations.isFinite) {
      throw AnalysisError(.parameter(name: "clipping", range: "above 0"))
    }
    let needed: Int
    switch penalty {
    case .value(let value):
      guard value >= 0, value.isFinite else {
        throw AnalysisError(.parameter(name: "penalty", range: "0 or more"))
      }
      needed = 2 * leastLength
    case .longRun(let factor):
      guard factor > 0, factor.isFinite else {
        throw AnalysisError(.parameter(name: "factor of the penalty", range: "above 0"))
      }
      needed = max(56, 2 * leastLength)
    }
    guard presentCount >= needed else {
      throw AnalysisError(.tooFewPoints(count: presentCount, needed: needed))
    }
    guard presentCount <= 100_000 else {
      throw AnalysisError(.tooManyPoints(count: presentCount, limit: 100_000))
    }

    let column = ScaledColumn(presentValues)
    var searched = column.values
    if let deviations { searched = searched.clipped(at: deviations, leastLength: leastLength) }
    let cost: Double
    var estimate: LongRunVariance?
    switch penalty {
    case .value(let value):
      // Half of the exponent at a time, since its double may have no power of two.
      cost = value.scaled(by: -column.exponent).scaled(by: -column.exponent)
    case .longRun(let factor):
      let variance = LongRunVariance(searched)
      cost = factor * variance.value * searched.count.logarithm
      estimate = variance
    }
    let starts = OptimalPartition.starts(
      in: searched, penalty: min(cost, 1e100), leastLength: leastLength)
    return try changePoints(starts: starts, in: column, estimate: estimate)
  }

  /// The segments that begin at some of the values, the first of which is 0.
  func changePoints(
    starts: [Int], in column: ScaledColumn, estimate: LongRunVariance?
  ) throws(AnalysisError) -> ChangePoints {
    let rows = presentRows
    let ends = starts.dropFirst() + [rows.count]
    let segments = zip(starts, ends).map { start, end in
      let mean = column.values[start..<end].compensatedSum / Double(end - start)
      return ChangePoints.Segment(
        rows: rows[start]..<(end < rows.count ? rows[end] : rows[end - 1] + 1),
        count: end - start, mean: (mean + column.centre).scaled(by: column.exponent))
    }
    let result = ChangePoints(
      segments: segments,
      longRunDeviation: estimate.map { $0.value.squareRoot().scaled(by: column.exponent) },
      autocorrelation: estimate?.autocorrelation)
    guard segments.allSatisfy(\.mean.isFinite), result.sizes.allSatisfy(\.isFinite),
      result.longRunDeviation?.isFinite ?? true
    else { throw AnalysisError(.overflow) }
    return result
  }
}
