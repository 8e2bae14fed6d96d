/// Kendall's score of two columns: concordant pairs minus discordant ones.
struct KendallScore {
  /// Which products of ties a variance counts.
  enum TieTerms {
    /// Those of each column alone.
    case eachColumnAlone
    /// Also the products of both.
    case both
  }

  /// The number of points.
  let count: Int
  /// Pairs that both columns order alike, minus those that they order in opposite ways.
  let score: Int
  let discordant: Int
  let xTies: Ties
  let yTies: Ties

  /// The number of pairs.
  var pairs: Int { count * (count - 1) / 2 }
  var hasTies: Bool { xTies.pairs > 0 || yTies.pairs > 0 }

  /// Counts by sorting, and by the exchanges of a merge sort (Knight, *Journal of the American
  /// Statistical Association* 61, 1966, 436–439).
  ///
  /// - Complexity: O(*n* log *n*)
  init(x: [Double], y: [Double], needed: Int) throws(AnalysisError) {
    try AnalysisError.checkPoints(x, y, atLeast: needed)
    guard x.count <= 1 << 31 else {
      throw AnalysisError(.tooManyPoints(count: x.count, limit: 1 << 31))
    }
    let order = x.indices.sorted { x[$0] == x[$1] ? y[$0] < y[$1] : x[$0] < x[$1] }
    count = x.count
    xTies = Ties(ordered: order.lazy.map { x[$0] })
    var jointPairs = 0
    var size = 0
    for place in order.indices {
      let isEqual =
        place > 0 && x[order[place]] == x[order[place - 1]]
        && y[order[place]] == y[order[place - 1]]
      size = isEqual ? size + 1 : 0
      // This point makes a pair with each of those before it in its group.
      jointPairs += size
    }
    var heights = order.map { y[$0] }
    discordant = Self.sort(&heights)
    yTies = Ties(ordered: heights)
    let total = count * (count - 1) / 2
    score = total - xTies.pairs - yTies.pairs + jointPairs - 2 * discordant
  }

  /// The variance of the score when no order is more likely than another (Kendall, *Rank Correlation
  /// Methods*, 1970, equation 4.4).
  func variance(ofTies terms: TieTerms) -> Double {
    let n = Double(count)
    let pairs = n * (n - 1)
    let plain = (pairs * (2 * n + 5) - xTies.weighted - yTies.weighted) / 18
    guard terms == .both, count > 2 else { return plain }
    return plain + 2 * Double(xTies.pairs) * Double(yTies.pairs) / pairs
      + xTies.triples * yTies.triples / (9 * pairs * (n - 2))
  }

  /// Sorts numbers by merging, and counts how many pairs were in the wrong order.
  private static func sort(_ values: inout [Double]) -> Int {
    var source = values
    var target = values
    var exchanges = 0
    var width = 1
    while width < source.count {
      for start in stride(from: 0, to: source.count, by: 2 * width) {
        let middle = min(start + width, source.count)
        let end = min(start + 2 * width, source.count)
        var (left, right) = (start, middle)
        for place in start..<end {
          if left < middle, right == end || source[left] <= source[right] {
            target[place] = source[left]
            left += 1
          } else {
            target[place] = source[right]
            exchanges += middle - left
            right += 1
          }
        }
      }
      swap(&source, &target)
      width *= 2
    }
    values = source
    return exchanges
  }
}
