import _HealthNumerics

/// The partition of values into segments that minimises Σ (x − mean of the segment)² plus a penalty
/// for each change.
///
/// With *F*(*t*) the smallest cost of the first *t* values, *F*(*t*) = min over *s* of *F*(*s*) +
/// C(*s*, *t*) + β and *F*(0) = −β. When *F*(*s*) + C(*s*, *t*) > *F*(*t*), *s* is never again the last
/// change where *t* can be one, because a cut never raises the cost (Killick, Fearnhead and Eckley
/// 2012, theorem 3.1). A segment from *t* ends at *t* + least length or later, so that *s* is left out
/// from there on and not before: the partition is the optimal one for every least length.
enum OptimalPartition {
  /// The first value of each segment, from 0 on.
  ///
  /// Σx² is the same in every partition, so that C is −(Σx)²/length here.
  ///
  /// - Precondition: there are at least `leastLength` values, and that is at least 1.
  static func starts(in values: [Double], penalty: Double, leastLength: Int) -> [Int] {
    let count = values.count
    let sums = prefixSums(values)
    var costs = [Double](repeating: .infinity, count: count + 1)
    var lastStarts = [Int](repeating: 0, count: count + 1)
    costs[0] = -penalty
    var candidates = Candidates()
    for end in stride(from: leastLength, through: count, by: 1) {
      let entering = end - leastLength
      if costs[entering] < .infinity {
        candidates.add(entering, cost: costs[entering], sum: sums[entering])
      }
      let best = candidates.best(end: end, sum: sums[end])
      costs[end] = best.cost + penalty
      lastStarts[end] = best.start
      candidates.prune(end: end, cost: costs[end], leastLength: leastLength)
    }
    var starts = [lastStarts[count]]
    while let first = starts.last, first > 0 { starts.append(lastStarts[first]) }
    return starts.reversed()
  }

  /// Where the last segment may begin, as columns: all of them are gone through for every end.
  private struct Candidates {
    private var starts: [Int] = []
    private var costs: [Double] = []
    private var sums: [Double] = []
    /// The first end for which a candidate is out of the question.
    private var leaves: [Int] = []
    /// What a candidate costs with a segment that ends at the present place, without the penalty.
    private var costsHere: [Double] = []
    /// No candidate leaves before this end.
    private var nextLeave = Int.max

    mutating func add(_ start: Int, cost: Double, sum: Double) {
      starts.append(start)
      costs.append(cost)
      sums.append(sum)
      leaves.append(.max)
      costsHere.append(0)
    }

    /// The first of the candidates that cost least for an end.
    mutating func best(end: Int, sum: Double) -> (start: Int, cost: Double) {
      var cost = Double.infinity
      var place = 0
      for candidate in 0..<starts.count {
        let distance = sum - sums[candidate]
        let here = costs[candidate] - distance * distance / Double(end - starts[candidate])
        costsHere[candidate] = here
        if here < cost { (place, cost) = (candidate, here) }
      }
      return (starts[place], cost)
    }

    /// Marks the candidates that cost more than an end itself, and takes out those whose time is up.
    mutating func prune(end: Int, cost: Double, leastLength: Int) {
      for candidate in 0..<starts.count
      where costsHere[candidate] > cost && leaves[candidate] == .max {
        leaves[candidate] = end + leastLength
        nextLeave = min(nextLeave, end + leastLength)
      }
      guard nextLeave <= end + 1 else { return }
      nextLeave = .max
      var kept = 0
      for candidate in 0..<starts.count where leaves[candidate] > end + 1 {
        starts[kept] = starts[candidate]
        costs[kept] = costs[candidate]
        sums[kept] = sums[candidate]
        leaves[kept] = leaves[candidate]
        nextLeave = min(nextLeave, leaves[candidate])
        kept += 1
      }
      starts.removeSubrange(kept...)
      costs.removeSubrange(kept...)
      sums.removeSubrange(kept...)
      leaves.removeSubrange(kept...)
      costsHere.removeSubrange(kept...)
    }
  }

  /// The sums of the first 0, 1, 2 … values less their mean.
  private static func prefixSums(_ values: [Double]) -> [Double] {
    let mean = values.compensatedSum / Double(max(1, values.count))
    var sum = CompensatedSum()
    return [0]
      + values.map { value in
        sum.add(value - mean)
        return sum.result
      }
  }
}
