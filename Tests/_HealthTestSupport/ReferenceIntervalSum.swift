public import HealthSamples

/// The slow, obvious twin of the kernel of sums: one interval of one source, row by row.
///
/// It adds in the order that `hk_add_rows` promises, so its bits are those of every path.
public struct ReferenceIntervalSum: Hashable, Sendable {
  /// A compensated sum: what was added up, and what rounding lost.
  public struct Sum: Hashable, Sendable {
    public var sum = 0.0
    public var lost = 0.0

    mutating func add(_ term: Double) {
      let total = sum + term
      // Which part of the term arrived, and which part of the sum stayed (Knuth, TwoSum).
      let arrived = total - sum
      let stayed = total - arrived
      lost += (sum - stayed) + (term - arrived)
      sum = total
    }

    mutating func add(_ other: Sum) {
      add(other.sum)
      lost += other.lost
    }
  }

  public private(set) var total = Sum()
  /// The terms themselves, in order.
  public private(set) var terms: [Double] = []
  public private(set) var count = 0
  public private(set) var minimum = Double.infinity
  public private(set) var maximum = -Double.infinity

  /// Adds up the rows of a source that meet `[lower, upper)`.
  public init(
    _ segments: SegmentColumns, source: Int, from lower: Double, to upper: Double, splits: Bool
  ) {
    var run: [Double] = []
    var counted: UInt32?
    for row in segments.rows(ofSource: source) {
      let (start, end) = (segments.starts[row], segments.ends[row])
      let (value, sample) = (segments.values[row], segments.samples[row])
      let meets = start == end ? lower <= start && start < upper : start < upper && end > lower
      let isInside = meets && lower <= start && end <= upper
      if !isInside { endRun(&run) }
      if sample != counted { counted = nil }
      guard meets else { continue }
      if isInside {
        run.append(value)
      } else {
        let part =
          splits
          ? ReferenceShare.share(
            of: value, start: start, end: end, partStart: max(start, lower),
            partEnd: min(end, upper)) : value
        total.add(part)
        terms.append(part)
      }
      if sample != SegmentColumns.masked, sample != counted {
        count += 1
        counted = sample
      }
      minimum = min(minimum, value)
      maximum = max(maximum, value)
    }
    endRun(&run)
  }

  /// Whether any row meets the interval.
  public var hasData: Bool { !terms.isEmpty }

  private mutating func endRun(_ run: inout [Double]) {
    guard !run.isEmpty else { return }
    var lanes = Array(repeating: Sum(), count: 8)
    for (place, value) in run.enumerated() { lanes[place % 8].add(value) }
    for distance in [4, 2, 1] {
      for lane in 0..<distance { lanes[lane].add(lanes[lane + distance]) }
    }
    total.add(lanes[0])
    terms += run
    run = []
  }
}
