/// Optimal partitions by their definition.
public enum SlowPartition {
  /// Σ(x − mean)² of some values, by two passes.
  public static func cost(_ values: ArraySlice<Double>) -> Double {
    let mean = values.reduce(0, +) / Double(values.count)
    return values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
  }

  /// The cost of a partition by the first values of its segments but the first one.
  public static func cost(_ values: [Double], changes: [Int], penalty: Double) -> Double {
    let edges = [0] + changes + [values.count]
    return zip(edges, edges.dropFirst()).reduce(0) { $0 + cost(values[$1.0..<$1.1]) }
      + penalty * Double(changes.count)
  }

  /// The optimal partition by the recursion without pruning (Jackson and others 2005).
  public static func optimal(
    _ values: [Double], penalty: Double, leastLength: Int
  ) -> (changes: [Int], cost: Double) {
    var costs: [Double?] = [-penalty] + values.map { _ in nil }
    var changes: [[Int]] = values.map { _ in [] } + [[]]
    for end in stride(from: leastLength, through: values.count, by: 1) {
      for start in 0...(end - leastLength) {
        guard let before = costs[start] else { continue }
        let total = before + cost(values[start..<end]) + penalty
        if costs[end].map({ total < $0 }) ?? true {
          costs[end] = total
          changes[end] = start == 0 ? [] : changes[start] + [start]
        }
      }
    }
    return (changes[values.count], costs[values.count] ?? .infinity)
  }

  /// The smallest cost of all partitions there are, each tried.
  public static func exhaustive(_ values: [Double], penalty: Double, leastLength: Int) -> Double {
    var best = Double.infinity
    func extend(_ changes: [Int], from start: Int) {
      best = min(best, cost(values, changes: changes, penalty: penalty))
      for next in stride(from: start + leastLength, through: values.count - leastLength, by: 1) {
        extend(changes + [next], from: next)
      }
    }
    extend([], from: 0)
    return best
  }
}
