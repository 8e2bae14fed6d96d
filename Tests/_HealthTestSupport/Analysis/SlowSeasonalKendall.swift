/// The seasonal test of Mann and Kendall from its definition, season by season and pair by pair.
public struct SlowSeasonalKendall: Sendable {
  public var score = 0
  public var pairs = 0
  public var slopes: [Double] = []
  /// The variance with all covariances, by Dietz and Killeen's formula with ranks.
  public var jointVariance = 0.0

  /// Looks at every pair of cycles of every season, and of every two seasons.
  public init(_ values: [Double?], period: Int) {
    let cycles = (values.count + period - 1) / period
    func value(_ cycle: Int, _ season: Int) -> Double? {
      let row = cycle * period + season
      return row < values.count ? values[row] : nil
    }
    func sign(_ from: Int, _ to: Int, _ season: Int) -> Double {
      guard let first = value(from, season), let second = value(to, season) else { return 0 }
      return second > first ? 1 : second < first ? -1 : 0
    }
    func size(_ season: Int) -> Double { Double((0..<cycles).count { value($0, season) != nil }) }
    func rank(_ cycle: Int, _ season: Int) -> Double {
      (size(season) + 1 + (0..<cycles).reduce(0) { $0 + sign($1, cycle, season) }) / 2
    }
    let seasons = (0..<period).filter { size($0) >= 2 }
    for season in seasons {
      for later in 0..<cycles {
        for earlier in 0..<later {
          guard let first = value(earlier, season), let second = value(later, season) else {
            continue
          }
          score += Int(sign(earlier, later, season))
          pairs += 1
          slopes.append((second - first) / Double(later - earlier))
        }
      }
    }
    for one in seasons {
      for other in seasons {
        var sum = -Double(cycles) * (size(one) + 1) * (size(other) + 1)
        for later in 0..<cycles {
          sum += 4 * rank(later, one) * rank(later, other)
          for earlier in 0..<later {
            sum += sign(earlier, later, one) * sign(earlier, later, other)
          }
        }
        jointVariance += sum / 3
      }
    }
    slopes.sort()
  }

  /// The mean of *S*² over all orders of the cycles.
  ///
  /// - Precondition: there are no more than six cycles, all of them whole.
  public static func variance(overOrdersOf values: [Double?], period: Int) -> Double {
    let cycles = stride(from: 0, to: values.count, by: period).map {
      Array(values[$0..<$0 + period])
    }
    precondition(cycles.count <= 6)
    var (squares, orders) = (0, 0)
    func visit(_ prefix: [[Double?]], _ rest: [[Double?]]) {
      guard !rest.isEmpty else {
        var score = 0
        for (later, cycle) in prefix.enumerated() {
          for earlier in prefix[..<later] {
            for case (let first?, let second?) in zip(earlier, cycle) {
              score += second > first ? 1 : second < first ? -1 : 0
            }
          }
        }
        squares += score * score
        orders += 1
        return
      }
      for index in rest.indices {
        var others = rest
        let cycle = others.remove(at: index)
        visit(prefix + [cycle], others)
      }
    }
    visit([], cycles)
    return Double(squares) / Double(orders)
  }
}
