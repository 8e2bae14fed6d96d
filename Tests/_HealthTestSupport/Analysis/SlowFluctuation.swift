/// Detrended fluctuation by the sums of lines through boxes.
public enum SlowFluctuation {
  /// *F*² of some sums for one size: Syy − Sxy²/Sxx over the boxes, by their number of sums.
  public static func meanSquare(_ profile: [Double], size: Int) -> Double {
    var squares = 0.0
    var count = 0
    var start = 0
    while start + size <= profile.count {
      let n = Double(size)
      var (x, y, xx, xy, yy) = (0.0, 0.0, 0.0, 0.0, 0.0)
      for place in 0..<size {
        let (t, value) = (Double(place), profile[start + place])
        (x, y) = (x + t, y + value)
        (xx, xy, yy) = (xx + t * t, xy + t * value, yy + value * value)
      }
      squares += yy - y * y / n - (xy - x * y / n) * (xy - x * y / n) / (xx - x * x / n)
      count += size
      start += size
    }
    return squares / Double(count)
  }

  /// The sums of values less their mean.
  public static func profile(_ values: [Double]) -> [Double] {
    let mean = values.reduce(0, +) / Double(values.count)
    return values.indices.map { last in values[...last].reduce(0) { $0 + ($1 - mean) } }
  }
}
