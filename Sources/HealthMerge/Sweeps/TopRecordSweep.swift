@_spi(Queues) import HealthSamples

/// A sweep over time that assigns each moment to the highest-ranked open record, as Health Connect
/// does.
struct TopRecordSweep {
  /// A span that one record owns, or the instant of a zero-length record.
  struct Slice: Equatable {
    let row: Int
    let start: Double
    let end: Double
    /// Whether a higher-ranked record is open at the instant of a zero-length record.
    let isMasked: Bool
  }

  private let starts: [Double]
  private let ends: [Double]
  /// The rank of each row, 0 is highest.
  private let ranks: [Int]
  /// The rows that are open, the best first.
  private var open = PriorityQueue<Int, Int>()
  private(set) var slices: [Slice] = []

  /// Sweeps over some rows.
  ///
  /// - Parameters:
  ///   - rows: the rows to sweep, highest rank first
  ///   - starts: starts of all rows
  ///   - ends: ends of all rows, each at or after its start
  /// - Complexity: O(*n* log *n*)
  init(rows: [Int], starts: [Double], ends: [Double]) {
    (self.starts, self.ends) = (starts, ends)
    var ranks = [Int](repeating: 0, count: starts.count)
    for (rank, row) in rows.enumerated() { ranks[row] = rank }
    self.ranks = ranks
    let byStart = rows.sorted { starts[$0] < starts[$1] }
    sweep(
      spans: byStart.filter { starts[$0] < ends[$0] },
      instants: byStart.filter { starts[$0] == ends[$0] })
  }

  private mutating func sweep(spans: [Int], instants: [Int]) {
    var (span, instant) = (0, 0)
    var owner: (row: Int, since: Double)?
    while span < spans.count || instant < instants.count || owner != nil {
      let time = min(
        span < spans.count ? starts[spans[span]] : .infinity,
        instant < instants.count ? starts[instants[instant]] : .infinity,
        owner.map { ends[$0.row] } ?? .infinity)
      while span < spans.count, starts[spans[span]] == time {
        open.insert(spans[span], priority: ranks[spans[span]])
        span += 1
      }
      let first = instant
      while instant < instants.count, starts[instants[instant]] == time { instant += 1 }
      if first < instant { take(instants[first..<instant], at: time) }
      while let row = open.first?.value, ends[row] <= time { open.removeFirst() }
      let next = open.first?.value
      guard next != owner?.row else { continue }
      if let owner, owner.since < time {
        slices.append(Slice(row: owner.row, start: owner.since, end: time, isMasked: false))
      }
      owner = next.map { ($0, time) }
    }
  }

  /// Decides which of the zero-length records of one instant count: only the highest-ranked record
  /// that contains the instant.
  private mutating func take(_ instants: ArraySlice<Int>, at time: Double) {
    while let row = open.first?.value,
      !ZeroLengthRule.span(from: starts[row], to: ends[row], holds: time)
    {
      open.removeFirst()
    }
    var best = open.first?.priority ?? .max
    for row in instants { best = min(best, ranks[row]) }
    for row in instants {
      slices.append(Slice(row: row, start: time, end: time, isMasked: ranks[row] != best))
    }
  }
}
