/// The slow twin of percentiles and standard deviations, in exact fractions.
public struct ReferenceDistribution: Sendable {
  private let sorted: [ReferenceFraction]

  /// - Parameter values: multiples of 1/8 that are not large; at least one
  public init(_ values: [Double]) {
    sorted = values.sorted().map { ReferenceFraction(exactly: $0) }
  }

  /// Definition 7 of Hyndman and Fan: the line through the points (*k* / (*n* − 1), *k*-th value).
  public func percentile(_ numerator: Int, over denominator: Int = 1) -> ReferenceFraction {
    let share = ReferenceFraction(Int128(numerator), over: Int128(100 * denominator))
    let steps = Int128(sorted.count - 1)
    for step in 0..<max(sorted.count - 1, 0) {
      let (low, high) = (
        ReferenceFraction(Int128(step), over: steps),
        ReferenceFraction(Int128(step + 1), over: steps)
      )
      if low < share || low == share, share < high {
        return sorted[step] + (sorted[step + 1] - sorted[step]) * (share - low) / (high - low)
      }
    }
    return sorted[sorted.count - 1]
  }

  /// Σ(x − mean)² / (*n* − 1), for at least two values.
  public var variance: ReferenceFraction {
    let count = ReferenceFraction(Int128(sorted.count))
    let mean = sorted.reduce(ReferenceFraction(0), +) / count
    return sorted.reduce(ReferenceFraction(0)) { $0 + ($1 - mean) * ($1 - mean) }
      / ReferenceFraction(Int128(sorted.count - 1))
  }
}
