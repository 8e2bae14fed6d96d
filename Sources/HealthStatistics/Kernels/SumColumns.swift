import CKernels
import HealthUnits

/// Compensated sums and counts, one of each an interval (see ``CompensatedSum``).
struct SumColumns {
  var sums: [Double]
  var lost: [Double]
  var counts: [Int]

  /// Makes sums of nothing.
  init(count: Int) {
    sums = Array(repeating: 0, count: count)
    lost = sums
    counts = Array(repeating: 0, count: count)
  }

  /// The sums, each rounded once. - Complexity: O(*n*)
  var results: [Double] {
    sums.indices.map { CompensatedSum(sum: sums[$0], lost: lost[$0]).result }
  }

  /// The sums divided by the counts (see ``CompensatedSum/mean(count:)``); 0 where that is 0.
  ///
  /// - Complexity: O(*n*)
  func means(path: KernelPath) -> [Double] {
    [Double](unsafeUninitializedCapacity: sums.count) { target, initialized in
      initialized = sums.count
      guard let base = target.baseAddress else { return }
      hk_compensated_means(path.path, sums, lost, counts, base, sums.count)
    }
  }

  /// Leaves of each sum what its result says.
  mutating func round(in range: Range<Int>) {
    for index in range {
      sums[index] = CompensatedSum(sum: sums[index], lost: lost[index]).result
      lost[index] = 0
    }
  }

  /// Adds the sums and counts of others.
  mutating func merge(_ other: SumColumns, in range: Range<Int>) {
    for index in range {
      var sum = CompensatedSum(sum: sums[index], lost: lost[index])
      sum.merge(CompensatedSum(sum: other.sums[index], lost: other.lost[index]))
      (sums[index], lost[index]) = (sum.sum, sum.lost)
      counts[index] += other.counts[index]
    }
  }

  /// Makes sums of nothing again.
  mutating func reset(in range: Range<Int>) {
    for index in range {
      (sums[index], lost[index], counts[index]) = (0, 0, 0)
    }
  }
}
