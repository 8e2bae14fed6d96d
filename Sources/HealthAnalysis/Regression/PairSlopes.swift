/// The slopes between all pairs of points with different *x*, computed anew whenever they are read.
struct PairSlopes {
  /// The coordinates in order of *x*, scaled so that no difference overflows.
  private let x: [Double]
  private let y: [Double]
  /// For each point, the first one with a larger *x*.
  private let firstRight: [Int]
  private let score: KendallScore
  /// Slopes times 2^`exponent` are those of the points as they were.
  let exponent: Int
  /// How many there are.
  let count: Int

  init(x abscissas: [Double], y ordinates: [Double]) throws(AnalysisError) {
    score = try KendallScore(x: abscissas, y: ordinates, needed: 2)
    guard abscissas.count <= TheilSenTrend.pointLimit else {
      throw AnalysisError(
        .tooManyPoints(count: abscissas.count, limit: TheilSenTrend.pointLimit))
    }
    let order = abscissas.indices.sorted { abscissas[$0] < abscissas[$1] }
    let (xExponent, yExponent) = (Self.exponent(of: abscissas), Self.exponent(of: ordinates))
    let x = order.map { abscissas[$0].scaled(by: -xExponent) }
    y = order.map { ordinates[$0].scaled(by: -yExponent) }
    exponent = yExponent - xExponent
    var firstRight = [Int](repeating: x.count, count: x.count)
    var count = 0
    for point in x.indices.dropLast().reversed() {
      firstRight[point] = x[point] < x[point + 1] ? point + 1 : firstRight[point + 1]
      count += x.count - firstRight[point]
    }
    guard count > 0 else { throw AnalysisError(.singular) }
    self.x = x
    self.firstRight = firstRight
    self.count = count
  }

  /// 2 for a column with magnitudes above 2^1022, whose differences could overflow, else 0.
  private static func exponent(of column: [Double]) -> Int {
    column.contains { $0.magnitude > 0x1p1022 } ? 2 : 0
  }

  /// σ: the standard deviation of Kendall's score where no order is more likely than another.
  var scoreDeviation: Double {
    let partial = score.variance(ofTies: .eachColumnAlone)
    return (partial > 0 ? partial : score.variance(ofTies: .both)).squareRoot()
  }

  /// How far Kendall's score is from 0, if every slope of 0 spoke against the others; 0 where that
  /// leaves nothing.
  var leastScore: Int {
    let equal = count - score.score - 2 * score.discordant
    return max(0, Int(score.score.magnitude) - equal)
  }

  /// The ranks of the ends of Sen's interval, from 0 (Sen 1968, equation 2.6).
  func intervalRanks(confidence: Double) -> (low: Int, high: Int) {
    let spread =
      NormalDistribution.quantile(upperTail: (1 - confidence) / 2) * scoreDeviation
    let total = Double(count)
    let low = ((total - spread) / 2).rounded(.toNearestOrEven) - 1
    let high = ((total + spread) / 2).rounded(.toNearestOrEven)
    return (Int(max(0, low)), Int(min(total - 1, high)))
  }

  /// The slopes at some ranks, from 0, in the order of size.
  ///
  /// - Complexity: O(*n*²) time, O(capacity + *n*) memory
  func elements(at ranks: [Int], capacity: Int) -> [Double] {
    Self.elements(of: [self], at: ranks, capacity: capacity)
  }

  /// The same of the slopes of several columns together.
  ///
  /// - Precondition: the columns have one ``exponent``.
  static func elements(of parts: [PairSlopes], at ranks: [Int], capacity: Int) -> [Double] {
    let distinct = Array(Set(ranks)).sorted()
    let count = parts.reduce(0) { $0 + $1.count }
    let size = min(1 << 16, capacity)
    var search = OrderedRanks(
      distinct, of: count, capacity: capacity,
      sample: count > capacity
        ? parts.flatMap { $0.sample(size * $0.count / count) } : [])
    let widest = parts.reduce(0) { max($0, $1.x.count) }
    var slopes = [Double](repeating: 0, count: widest)
    var room = [Double](repeating: 0, count: widest + 1)
    while !search.isDone {
      search.beginPass()
      slopes.withUnsafeMutableBufferPointer { slopes in
        room.withUnsafeMutableBufferPointer { room in
          for part in parts {
            for left in part.x.indices {
              let size = part.fill(slopes, from: left)
              search.add(UnsafeBufferPointer(rebasing: slopes[..<size]), room: room)
            }
          }
        }
      }
      search.endPass()
    }
    let found = Dictionary(uniqueKeysWithValues: zip(distinct, search.answers))
    return ranks.map { (found[$0] ?? nil) ?? 0 }
  }

  /// The slopes from a point to all with a larger *x*, and how many there are.
  private func fill(_ slopes: UnsafeMutableBufferPointer<Double>, from left: Int) -> Int {
    let (x0, y0) = (x[left], y[left])
    let start = firstRight[left]
    x.withUnsafeBufferPointer { x in
      y.withUnsafeBufferPointer { y in
        for right in start..<x.count { slopes[right &- start] = (y[right] - y0) / (x[right] - x0) }
      }
    }
    return x.count - start
  }

  /// The slopes of random pairs; equal *x* leave some out. - Complexity: O(size)
  private func sample(_ size: Int) -> [Double] {
    var state: UInt64 = 1
    func next() -> Int {
      // Knuth's linear congruential generator (MMIX), from its better bits.
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(((state >> 33) * UInt64(x.count)) >> 31)
    }
    return (0..<size).compactMap { _ in
      let (left, right) = (next(), next())
      return x[left] == x[right] ? nil : (y[right] - y[left]) / (x[right] - x[left])
    }
  }
}
