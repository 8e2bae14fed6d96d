import CKernels
import HealthSamples
import _HealthNumerics

/// The equivalent continuous level of each interval (see
/// ``MeanMethod/equivalentContinuousLevel``).
///
/// Powers are relative to the loudest sample with a weight, so that they cannot overflow and the
/// mean of a constant level is exact.
struct LevelTable {
  private let edges: IntervalEdges
  private var loudest: [Double]
  private var loudestInstant: [Double]
  private var energies: [CompensatedSum]
  private var weights: [CompensatedSum]

  /// - Complexity: O(*n* + intervals overlapped), in two passes
  init(_ segments: SegmentColumns, rows: [Int], edges: IntervalEdges) {
    self.edges = edges
    loudest = Array(repeating: -.infinity, count: edges.count)
    loudestInstant = loudest
    energies = Array(repeating: CompensatedSum(), count: edges.count)
    weights = energies
    forEachPart(of: segments, rows: rows) { table, index, level, weight in
      table.loudestInstant[index] = max(table.loudestInstant[index], level)
      if weight > 0 { table.loudest[index] = max(table.loudest[index], level) }
    }
    forEachPart(of: segments, rows: rows) { table, index, level, weight in
      // If all durations are zero the samples have equal weights.
      let hasLength = table.loudest[index] > -.infinity
      let reference = hasLength ? table.loudest[index] : table.loudestInstant[index]
      let weight = hasLength ? weight : 1
      guard weight > 0 else { return }
      table.energies[index].add(
        productOf: hk_pow(10, (level - reference) / 10), and: weight)
      table.weights[index].add(weight)
    }
  }

  /// The level of an interval; 0 without samples.
  func mean(interval: Int) -> Double {
    guard weights[interval].result > 0 else { return 0 }
    let reference =
      loudest[interval] > -.infinity ? loudest[interval] : loudestInstant[interval]
    // A weight may be so small relative to the others that its share rounds to zero.
    let share = max(
      energies[interval].quotient(by: weights[interval]), .leastNonzeroMagnitude)
    return reference + 10 * hk_log10(share)
  }

  private mutating func forEachPart(
    of segments: SegmentColumns, rows: [Int],
    _ body: (inout Self, _ interval: Int, _ level: Double, _ weight: Double) -> Void
  ) {
    let (starts, ends, values) = (segments.starts, segments.ends, segments.values)
    var hint = 0
    for row in rows {
      let (start, end) = (starts[row], ends[row])
      let met = edges.intervals(from: start, to: end, near: hint)
      for index in met {
        let weight =
          min(end, edges.edges[index + 1]) - max(start, edges.edges[index])
        body(&self, index, values[row], weight)
      }
      hint = met.isEmpty ? hint : met.lowerBound
    }
  }
}
