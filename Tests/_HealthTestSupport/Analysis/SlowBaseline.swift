/// Order statistics and baselines by their definition, without sorting.
public enum SlowBaseline {
  /// The value with a rank, counted from 1: as many are smaller or equal and come first.
  public static func value(rank: Int, of values: [Double]) -> Double? {
    for (place, value) in values.enumerated() {
      let before = values.enumerated().count {
        $0.element < value || ($0.element == value && $0.offset < place)
      }
      if before == rank - 1 { return value }
    }
    return nil
  }

  /// The quantile of type 7: between the values of ranks 1 + ⌊h⌋ and the next, h = (n − 1)·share.
  public static func quantile(_ share: Double, of values: [Double]) -> Double? {
    let place = Double(values.count - 1) * share
    let rank = Int(place.rounded(.down)) + 1
    guard let low = value(rank: rank, of: values) else { return nil }
    let high = value(rank: min(values.count, rank + 1), of: values) ?? low
    let rest = place - Double(rank - 1)
    return (1 - rest) * low + rest * high
  }

  /// The robust score of a value against others; `nil` when they are all equal or none.
  public static func score(of value: Double, against values: [Double]) -> Double? {
    guard let median = quantile(0.5, of: values) else { return nil }
    let distances = values.map { abs($0 - median) }
    guard let deviation = quantile(0.5, of: distances) else { return nil }
    if deviation > 0 { return 0.6745 * (value - median) / deviation }
    let mean = distances.reduce(0, +) / Double(distances.count)
    return mean > 0 ? (value - median) / (1.253314 * mean) : nil
  }
}
