import CKernels
import HealthSamples

/// What rows of one source that lie inside of one interval add up to.
struct IntervalRun {
  let interval: Int
  /// The edges of the interval; none while `lower` is above `upper`.
  let lower: Double
  let upper: Double
  var sum: CompensatedSum
  /// The samples of the rows.
  var count = 0
  private(set) var minimum = Double.infinity
  private(set) var maximum = -Double.infinity

  /// A run outside of all intervals; `interval` is one nearby.
  init(outside interval: Int) {
    self.init(interval: interval, lower: .infinity, upper: -.infinity, sum: CompensatedSum())
  }

  init(interval: Int, lower: Double, upper: Double, sum: CompensatedSum) {
    self.interval = interval
    self.lower = lower
    self.upper = upper
    self.sum = sum
  }

  /// Adds the value of one row; its sample is counted by the caller.
  mutating func add(_ value: Double, scale: Double) {
    sum.add(value * scale)
    minimum = min(minimum, value)
    maximum = max(maximum, value)
  }

  /// Adds rows by eights while they lie before the end of the interval; how many rows that were.
  ///
  /// The row before the first must be in the run.
  mutating func add(_ segments: SegmentRows, rows: Range<Int>, scale: Double) -> Int {
    guard let starts = segments.starts.baseAddress, let ends = segments.ends.baseAddress,
      let values = segments.values.baseAddress, let samples = segments.samples.baseAddress
    else { return 0 }
    var run = hk_run()
    (run.lower, run.upper, run.sum, run.lost) = (lower, upper, sum.sum, sum.lost)
    let (low, high) = (minimum, maximum)
    run.minimums = (low, low, low, low, low, low, low, low)
    run.maximums = (high, high, high, high, high, high, high, high)
    let first = rows.lowerBound
    let done = hk_add_run(
      &run, starts + first, ends + first, values + first, samples + first, rows.count,
      SegmentColumns.masked, scale)
    (sum.sum, sum.lost) = (run.sum, run.lost)
    count += run.count
    let (lows, highs) = (run.minimums, run.maximums)
    minimum = min(
      min(min(lows.0, lows.1), min(lows.2, lows.3)), min(min(lows.4, lows.5), min(lows.6, lows.7)))
    maximum = max(
      max(max(highs.0, highs.1), max(highs.2, highs.3)),
      max(max(highs.4, highs.5), max(highs.6, highs.7)))
    return done
  }
}
