import CKernels
import _HealthNumerics

/// Compensated sums and counts, one of each per interval (see ``CompensatedSum``).
struct SumColumns {
  var sums: [Double]
  var lost: [Double]
  var counts: [Int]

  /// Makes sums without terms.
  init(count: Int) {
    sums = Array(repeating: 0, count: count)
    lost = sums
    counts = Array(repeating: 0, count: count)
  }

  /// The sum of an interval. - Complexity: O(1)
  subscript(interval: Int) -> CompensatedSum {
    get { CompensatedSum(sum: sums[interval], lost: lost[interval]) }
    set { (sums[interval], lost[interval]) = (newValue.sum, newValue.lost) }
  }

  /// Calls `body` with the sums and their corrections.
  mutating func withUnsafeSums<Result>(
    _ body: (UnsafeMutablePointer<Double>?, UnsafeMutablePointer<Double>?) -> Result
  ) -> Result {
    sums.withUnsafeMutableBufferPointer { sums in
      lost.withUnsafeMutableBufferPointer { lost in body(sums.baseAddress, lost.baseAddress) }
    }
  }

  /// The sums, each rounded once, and whether all are finite. - Complexity: O(*n*)
  func results(on instructions: InstructionSet) -> (column: [Double], isFinite: Bool) {
    column { hk_compensated_results(instructions.code, sums, lost, $0, sums.count) }
  }

  /// The sums divided by the counts (see ``CompensatedSum/mean(count:)``), 0 where the count is 0,
  /// and whether all are finite.
  ///
  /// - Complexity: O(*n*)
  func means(on instructions: InstructionSet) -> (column: [Double], isFinite: Bool) {
    column { hk_compensated_means(instructions.code, sums, lost, counts, $0, sums.count) }
  }

  private func column(
    _ write: (UnsafeMutablePointer<Double>) -> Bool
  ) -> (column: [Double], isFinite: Bool) {
    var isFinite = true
    let column = [Double](unsafeUninitializedCapacity: sums.count) { target, initialized in
      initialized = sums.count
      if let base = target.baseAddress { isFinite = write(base) }
    }
    return (column, isFinite)
  }

  /// Replaces each sum by its rounded result.
  mutating func round(in range: Range<Int>) {
    for index in range {
      sums[index] = self[index].result
      lost[index] = 0
    }
  }

  /// Adds the sums and counts of others.
  mutating func merge(_ other: SumColumns, in range: Range<Int>) {
    for index in range {
      self[index].merge(other[index])
      counts[index] += other.counts[index]
    }
  }

  /// Resets the sums to zero.
  mutating func reset(in range: Range<Int>) {
    for index in range {
      (sums[index], lost[index], counts[index]) = (0, 0, 0)
    }
  }
}
