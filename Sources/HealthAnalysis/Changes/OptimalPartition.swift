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
    var candidates: [Candidate] = []
    for end in stride(from: leastLength, through: count, by: 1) {
      let entering = end - leastLength
      if costs[entering] < .infinity {
        candidates.append(Candidate(start: entering, cost: costs[entering], sum: sums[entering]))
      }
      var best = Double.infinity
      var bestStart = 0
      for place in candidates.indices {
        let distance = sums[end] - candidates[place].sum
        let length = Double(end - candidates[place].start)
        let cost = candidates[place].cost - distance * distance / length
        candidates[place].costHere = cost
        if cost < best {
          best = cost
          bestStart = candidates[place].start
        }
      }
      costs[end] = best + penalty
      lastStarts[end] = bestStart
      var kept = 0
      for place in candidates.indices {
        var candidate = candidates[place]
        if candidate.costHere > costs[end] {
          candidate.leaves = min(candidate.leaves, end + leastLength)
        }
        guard candidate.leaves > end + 1 else { continue }
        candidates[kept] = candidate
        kept += 1
      }
      candidates.removeSubrange(kept...)
    }
    var starts = [lastStarts[count]]
    while let first = starts.last, first > 0 { starts.append(lastStarts[first]) }
    return starts.reversed()
  }

  /// Where the last segment may begin.
  private struct Candidate {
    let start: Int
    let cost: Double
    let sum: Double
    /// Its cost with a segment that ends at the present place, without the penalty.
    var costHere = 0.0
    /// The first end for which it is out of the question.
    var leaves = Int.max
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
