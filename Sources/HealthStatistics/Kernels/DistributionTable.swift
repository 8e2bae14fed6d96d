import HealthSamples
import _HealthNumerics

/// The distribution of values in each interval: percentiles and standard deviations.
struct DistributionTable {
  private(set) var percentiles: [Percentile: [Double]]
  private(set) var standardDeviations: [Double]

  /// Visits the intervals in order, one at a time.
  ///
  /// A sample that overlaps several intervals counts whole in each.
  ///
  /// - Parameters:
  ///   - segments: whole samples
  ///   - rows: rows of `segments` in ascending order of start
  ///   - edges: the intervals
  ///   - percentiles: the percentiles to compute
  ///   - wantsDeviations: whether to compute ``standardDeviations``
  /// - Complexity: O(*m* log *m*) for *m* parts of samples in intervals; memory is O(*n*)
  init(
    _ segments: SegmentColumns, rows: [Int], edges: IntervalEdges, of percentiles: Set<Percentile>,
    wantsDeviations: Bool
  ) {
    let zeros = Array(repeating: 0.0, count: edges.count)
    self.percentiles = Dictionary(uniqueKeysWithValues: percentiles.map { ($0, zeros) })
    standardDeviations = wantsDeviations ? zeros : []
    let (starts, ends, rowValues) = (segments.starts, segments.ends, segments.values)
    var values: [Double] = []
    var carried: [(value: Double, upperBound: Int)] = []
    var next = 0
    var hint = 0
    var interval = 0
    while next < rows.count || !carried.isEmpty {
      values.removeAll(keepingCapacity: true)
      carried.removeAll { $0.upperBound <= interval }
      values.append(contentsOf: carried.lazy.map(\.value))
      while next < rows.count {
        let row = rows[next]
        let met = edges.intervals(from: starts[row], to: ends[row], near: hint)
        if !met.isEmpty {
          hint = met.lowerBound
          if met.lowerBound > interval {
            if values.isEmpty { interval = met.lowerBound } else { break }
          }
          values.append(rowValues[row])
          if met.upperBound > interval + 1 {
            carried.append((rowValues[row], met.upperBound))
          }
        }
        next += 1
      }
      guard !values.isEmpty else { continue }
      if wantsDeviations {
        standardDeviations[interval] = Self.standardDeviation(of: values) ?? 0
      }
      if !percentiles.isEmpty {
        values.sort()
        for percentile in percentiles {
          self.percentiles[percentile]?[interval] = percentile.value(in: values)
        }
      }
      interval += 1
    }
  }

  /// The root of Σ(x − mean)² / (*n* − 1); `nil` for fewer than two values.
  ///
  /// Two passes, corrected for the rounding of the mean: equation 1.7 of T. F. Chan, G. H. Golub
  /// and R. J. LeVeque, *Algorithms for Computing the Sample Variance*, The American Statistician
  /// 37 (1983). Values are scaled by a power of two so that no square leaves the range of `Double`.
  private static func standardDeviation(of values: [Double]) -> Double? {
    guard values.count > 1, let low = values.min(), let high = values.max() else { return nil }
    guard low < high else { return 0 }
    // Quarters keep the spread in range.
    let spread = high / 4 - low / 4
    let exponent = spread > 0 ? spread.exponent : -1074
    let scale = Double(sign: .plus, exponent: Swift.min(-exponent, 1000), significand: 1)
    let origin = low
    var sum = CompensatedSum()
    for value in values { sum.add(Self.distance(from: origin, to: value, scale: scale)) }
    let mean = sum.mean(count: values.count)
    var squares = CompensatedSum()
    var rest = CompensatedSum()
    for value in values {
      let deviation = Self.distance(from: origin, to: value, scale: scale) - mean
      squares.add(productOf: deviation, and: deviation)
      rest.add(deviation)
    }
    let correction = rest.result * rest.result / Double(values.count)
    let variance = (squares.result - correction) / Double(values.count - 1)
    return variance.squareRoot() / scale
  }

  /// The scaled distance, computed without overflow.
  private static func distance(from origin: Double, to value: Double, scale: Double) -> Double {
    let distance = value - origin
    return distance.isFinite ? distance * scale : value * scale - origin * scale
  }
}
