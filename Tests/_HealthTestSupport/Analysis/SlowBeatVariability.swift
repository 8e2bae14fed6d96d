/// The variability of beats, beat by beat, with times in whole milliseconds.
public struct SlowBeatVariability: Sendable {
  public var intervals: [Int] = []
  public var differences: [Int] = []
  public var implausible = 0
  public var ectopic = 0

  /// Looks at each beat and the two before it.
  public init(beats: [Int], gaps: [Bool], filtered: Bool) {
    // What became of the interval that ends with a beat.
    enum Fate { case none, implausible, ectopic, normal }
    var fates: [Fate] = beats.isEmpty ? [] : [.none]
    for beat in beats.indices.dropFirst() {
      if gaps[beat] {
        fates.append(.none)
        continue
      }
      let interval = beats[beat] - beats[beat - 1]
      if filtered, interval < 300 || interval > 2000 {
        fates.append(.implausible)
        implausible += 1
        continue
      }
      let before = fates[beat - 1]
      if filtered, before == .normal || before == .ectopic {
        let last = beats[beat - 1] - beats[beat - 2]
        if 5 * abs(interval - last) > last {
          fates.append(.ectopic)
          ectopic += 1
          continue
        }
      }
      fates.append(.normal)
      intervals.append(interval)
      if before == .normal { differences.append(interval - (beats[beat - 1] - beats[beat - 2])) }
    }
  }

  public var mean: Double { Double(intervals.reduce(0, +)) / Double(intervals.count) }

  /// √((n·Σx² − (Σx)²) / (n·(n − 1))), of whole numbers.
  public var standardDeviation: Double { Self.deviation(intervals, divisor: intervals.count - 1) }

  public var differenceDeviation: Double { Self.deviation(differences, divisor: differences.count) }

  public var rootMeanSquare: Double {
    (Double(differences.reduce(0) { $0 + $1 * $1 }) / Double(differences.count)).squareRoot()
  }

  public var over50: Int { differences.count { abs($0) > 50 } }

  private static func deviation(_ values: [Int], divisor: Int) -> Double {
    let (n, sum) = (values.count, values.reduce(0, +))
    let squares = values.reduce(0) { $0 + $1 * $1 }
    return (Double(n * squares - sum * sum) / (Double(n) * Double(divisor))).squareRoot()
  }
}
