/// The measures of rest and activity of whole numbers, word for word, in exact sums.
public struct SlowRestAndActivity {
  public let stability: Double
  public let variability: Double
  public let least: (mean: Double, onsets: Set<Int>)
  public let most: (mean: Double, onsets: Set<Int>)

  /// - Precondition: every time of day has a value, and they differ.
  public init(_ rows: [Int?], rowsPerDay: Int, leastRows: Int, mostRows: Int) {
    let present = rows.compactMap(\.self)
    let n = present.count
    let sum = present.reduce(0, +)
    // n²·Σ(x − x̄)²/n = n·Σx² − (Σx)².
    let squares = Double(n * present.reduce(0) { $0 + $1 * $1 } - sum * sum) / Double(n)
    var between = 0.0
    var day: [(sum: Int, count: Int)] = []
    for hour in 0..<rowsPerDay {
      let own = stride(from: hour, to: rows.count, by: rowsPerDay).compactMap { rows[$0] }
      let total = own.reduce(0, +)
      day.append((total, own.count))
      let distance = Double(total * n - sum * own.count) / Double(own.count * n)
      between += Double(own.count) * distance * distance
    }
    var steps = 0
    var pairs = 0
    for row in 1..<rows.count {
      if let value = rows[row], let last = rows[row - 1] {
        steps += (value - last) * (value - last)
        pairs += 1
      }
    }
    stability = between / squares
    variability = Double(steps) / Double(pairs) / (squares / Double(n))

    // Means of hours over one denominator, so that equal spells are equal.
    let common = day.reduce(1) { $0 * $1.count / Self.divisor($0, $1.count) }
    let scaled = day.map { $0.sum * (common / $0.count) }
    func spell(_ length: Int, best: ([Int]) -> Int?) -> (mean: Double, onsets: Set<Int>) {
      let sums = day.indices.map { start in
        (0..<length).reduce(0) { $0 + scaled[(start + $1) % rowsPerDay] }
      }
      let chosen = best(sums) ?? 0
      return (
        Double(chosen) / Double(common * length), Set(sums.indices.filter { sums[$0] == chosen })
      )
    }
    least = spell(leastRows) { $0.min() }
    most = spell(mostRows) { $0.max() }
  }

  private static func divisor(_ a: Int, _ b: Int) -> Int { b == 0 ? a : divisor(b, a % b) }
}
