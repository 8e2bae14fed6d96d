#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// How the fluctuation of heartbeats grows with the number of beats: detrended fluctuation analysis.
///
/// ```swift
/// let fluctuation = try intervals.detrendedFluctuation()
/// fluctuation.exponent  // α1: 0.5 for independent intervals, 1.5 for a random walk
/// ```
///
/// The intervals less their mean are summed up: *y*(*k*) = Σ(*x*ᵢ − *x̄*), *i* ≤ *k*. Their *N* sums are
/// parted into ⌊*N*/*n*⌋ boxes of *n* from the first on, and those left over at the end do not count.
/// *F*(*n*) is the root of the mean square of the distances of all sums in boxes from the line by least
/// squares of their box; the exponent α is the slope of the line by least squares of log *F*(*n*) over log
/// *n* (C.-K. Peng and others, Physical Review E 49: 1685, 1994; for heartbeats Chaos 5: 82, 1995). α1, the
/// short-term exponent, has *n* = 4, 5, …, 16 beats.
///
/// Programs differ in the sizes of boxes, in boxes that overlap or are also laid from the end, and some
/// take the mean of the roots of boxes.
public struct DetrendedFluctuation: Sendable, Hashable {
  /// α, the slope: α1 for the sizes from 4 to 16.
  public let exponent: Double
  /// The sizes of boxes, in beats, in ascending order.
  public let sizes: [Int]
  /// *F*(*n*) for each size, in ms.
  public let fluctuations: [Double]
  /// The number of intervals that count.
  public let count: Int
}

extension BeatIntervals {
  /// How many intervals detrended fluctuation analysis needs for each beat of its largest box.
  public static let neededBoxes = 10

  /// The detrended fluctuation analysis of the intervals that count.
  ///
  /// They follow one another as if nothing lay between them, also across gaps and intervals that are left
  /// out: series without pieces keep their exponent where it is above 0.5, as it is for hearts (Z. Chen
  /// and others, Physical Review E 65: 041107, 2002). It needs ten boxes of the largest size, 160
  /// intervals for α1, since fewer scatter; the minute of beats that a watch records is too short.
  ///
  /// - Parameters:
  ///   - sizes: the sizes of boxes, all whole numbers from the least to the greatest; from 4 on, since a line
  ///     fits three sums almost always, and at most 1,024
  ///   - filter: which intervals count
  /// - Returns: the fluctuations and their exponent
  /// - Throws: `AnalysisError` for too few intervals that count, for those that are all equal, a parameter
  ///   outside of its range, or a fluctuation that overflows
  /// - Complexity: O(*n*) for each size
  public func detrendedFluctuation(
    sizes: ClosedRange<Int> = 4...16, filter: BeatFilter = .standard
  ) throws(AnalysisError) -> DetrendedFluctuation {
    guard sizes.lowerBound >= 4, sizes.upperBound <= 1_024, sizes.count >= 3 else {
      throw AnalysisError(
        .parameter(name: "sizes of boxes", range: "three or more, from 4 to 1,024 beats"))
    }
    let verdicts = try verdicts(by: filter)
    let kept = values.indices.filter { verdicts[$0] == .normal }.map { values[$0] * 1000 }
    let needed = Self.neededBoxes * sizes.upperBound
    guard kept.count >= needed else {
      throw AnalysisError(.tooFewPoints(count: kept.count, needed: needed))
    }
    guard kept.contains(where: { $0 != kept[0] }) else { throw AnalysisError(.constant) }
    let mean = kept.compensatedMean
    var sum = 0.0
    let profile = kept.map { interval in
      sum += interval - mean
      return sum
    }
    let fluctuations = sizes.map { Self.fluctuation(of: profile, size: $0) }
    guard fluctuations.allSatisfy(\.isFinite) else { throw AnalysisError(.overflow) }
    guard fluctuations.allSatisfy({ $0 > 0 }) else { throw AnalysisError(.constant) }
    let line = try LinearTrend(
      x: sizes.map { log(Double($0)) }, y: fluctuations.map { log($0) })
    return DetrendedFluctuation(
      exponent: line.slope, sizes: Array(sizes), fluctuations: fluctuations, count: kept.count)
  }

  /// The root mean square distance of sums from the lines of their boxes.
  private static func fluctuation(of profile: [Double], size: Int) -> Double {
    let boxes = profile.count / size
    let centre = Double(size - 1) / 2
    // Σ(t − t̄)² over t = 0, …, n − 1.
    let spread = Double(size) * Double(size - 1) * Double(size + 1) / 12
    var squares: [Double] = []
    squares.reserveCapacity(boxes * size)
    for box in 0..<boxes {
      let sums = profile[box * size..<(box + 1) * size]
      let mean = sums.reduce(0, +) / Double(size)
      var products = 0.0
      for (place, sum) in sums.enumerated() { products += (Double(place) - centre) * (sum - mean) }
      let slope = products / spread
      for (place, sum) in sums.enumerated() {
        let rest = sum - mean - slope * (Double(place) - centre)
        squares.append(rest * rest)
      }
    }
    return (squares.compensatedSum / Double(boxes * size)).squareRoot()
  }
}
