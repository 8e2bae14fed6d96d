import CKernels
import _HealthNumerics

/// A series made ready for correlations with many others: its rows in order of value, or its values
/// centred and scaled, and how much it goes together with itself.
struct PairedColumn: Sendable {
  /// The largest number of rows, for which sums of products of ranks are whole numbers of 64 bits.
  static let mostRows = 1 << 20
  /// Over how many rows of distance autocorrelations count: four weeks of days.
  static let autocorrelationLags = 28

  let method: Correlation.Method
  private let rows: Int
  /// The place of a row's value among the distinct ones, from 1 on; 0 where it is missing, and after
  /// the last row.
  private let positions: [UInt32]
  /// How many rows have each of the distinct values, from index 1 on.
  private let counts: [UInt32]
  /// The rows with a value, the smallest value first, and the others.
  private let order: [UInt32]
  private let missing: [UInt32]
  /// The values for Pearson's coefficient, centred and scaled; 0 where they are missing.
  private let values: [Double]
  /// The same as they were.
  private let unscaled: [Double]
  /// 1 where there is a value, else 0.
  private let present: [Double]
  /// The autocorrelations at the distances from 1 on.
  private let autocorrelations: [Double]

  /// Sorts a series, or scales it.
  ///
  /// - Throws: `AnalysisError` for more rows than ``mostRows``
  /// - Complexity: O(*n* log *n*)
  init(_ series: RegularSeries, method: Correlation.Method) throws(AnalysisError) {
    guard series.count <= Self.mostRows else {
      throw AnalysisError(.tooManyPoints(count: series.count, limit: Self.mostRows))
    }
    self.method = method
    rows = series.count
    missing = series.isPresent.indices.filter { !series.isPresent[$0] }.map { UInt32($0) }
    present = series.isPresent.map { $0 ? 1 : 0 }
    let values: [Double]
    switch method {
    case .spearman:
      (positions, counts, order) = Self.ordered(series)
      // The average rank of each group of equal values, less the mean of all ranks, in halves.
      var before = 0
      let middle = series.presentCount + 1
      let ranks = counts.map { count in
        defer { before += Int(count) }
        return Double(2 * before + Int(count) + 1 - middle)
      }
      values = positions.dropLast().map { $0 == 0 ? 0 : ranks[Int($0)] }
      (self.values, unscaled) = ([], [])
    case .pearson:
      (positions, counts, order) = ([], [], [])
      let scaled = ScaledColumn(series.presentValues)
      var column = [Double](repeating: 0, count: series.count)
      for (row, value) in zip(series.presentRows, scaled.values) { column[row] = value }
      values = column
      (self.values, unscaled) = (column, series.values)
    }
    autocorrelations = Self.autocorrelations(values, present)
  }

  /// What two columns have in common at one lag.
  struct Pairs {
    let coefficient: Double
    let count: Int
  }

  /// The correlation of row *t* of this column with row *t* + `lag` of another one.
  ///
  /// - Parameters:
  ///   - other: a column of as many rows, made ready by the same method
  ///   - lag: how many rows later the other one is read
  ///   - leastPairs: how many pairs it needs
  ///   - scratch: memory that calls share
  ///   - instructions: the instruction set of the kernel
  /// - Returns: an `AnalysisError` with fewer pairs, or where the values of either column among the
  ///   pairs are all equal
  /// - Complexity: O(*n*)
  func pairs(
    with other: PairedColumn, lag: Int, leastPairs: Int, scratch: inout [UInt32],
    on instructions: InstructionSet = .best
  ) -> Result<Pairs, AnalysisError> {
    precondition(rows == other.rows && method == other.method, "columns of a table have one length")
    let pairs =
      switch method {
      case .spearman: rankPairs(with: other, lag: lag, scratch: &scratch)
      case .pearson: valuePairs(with: other, lag: lag, on: instructions)
      }
    guard pairs.count >= leastPairs else {
      return .failure(AnalysisError(.tooFewPoints(count: pairs.count, needed: leastPairs)))
    }
    guard let coefficient = pairs.coefficient else { return .failure(AnalysisError(.constant)) }
    return .success(Pairs(coefficient: coefficient, count: pairs.count))
  }

  /// How many independent pairs would tell as much as `count` pairs with another column.
  ///
  /// *n*/(1 + 2Σ(1 − j/n)·*a*ⱼ·*b*ⱼ) over the distances *j* below *n*, where *n* is `count`, and *a* and
  /// *b* are the autocorrelations at distance *j*: the variance of a correlation of two independent series
  /// by Bartlett (*Journal of the Royal Statistical Society* 98, 1935, 536–543), as a count by Pyper and
  /// Peterman (*Canadian Journal of Fisheries and Aquatic Sciences* 55, 1998, 2127–2140, eq. 1, where *N*
  /// is the sample size). Rows without a pair do not count. It is never more than `count`, and never less
  /// than 4. Pairs with gaps between them are more independent than this says.
  ///
  /// - Complexity: O(``autocorrelationLags``)
  func effectiveCount(with other: PairedColumn, count: Int) -> Double {
    var sum = 1.0
    for (index, pair) in zip(autocorrelations, other.autocorrelations).prefix(count).enumerated() {
      sum += 2 * (1 - Double(index + 1) / Double(count)) * pair.0 * pair.1
    }
    return min(Double(count), max(4, Double(count) / max(1, sum)))
  }

  /// Spearman's coefficient, from whole numbers: only the last division rounds.
  private func rankPairs(
    with other: PairedColumn, lag: Int, scratch: inout [UInt32]
  ) -> (coefficient: Double?, count: Int) {
    let room = other.counts.count
    if scratch.count < room { scratch = Array(repeating: 0, count: room) }
    var sums = hk_rank_sums()
    withOrdered { left in
      other.withOrdered { right in
        withUnsafePointer(to: left) { left in
          withUnsafePointer(to: right) { right in
            scratch.withUnsafeMutableBufferPointer { buffer in
              guard let address = buffer.baseAddress else { return }
              hk_rank_pair_sums(left, right, lag, address, &sums)
            }
          }
        }
      }
    }
    let count = sums.count
    // The mean of the ranks in halves is count + 1, whatever the ties.
    let square = count * (count + 1) * (count + 1)
    let (left, right) = (sums.left_squares - square, sums.right_squares - square)
    guard left > 0, right > 0 else { return (nil, Int(count)) }
    let size = (Double(left) * Double(right)).squareRoot()
    let coefficient = Double(sums.products - square) / size
    return (min(1, max(-1, coefficient)), Int(count))
  }

  /// Calls a function with the column as the kernel reads it.
  private func withOrdered(_ body: (hk_ordered) -> Void) {
    positions.withUnsafeBufferPointer { positions in
      counts.withUnsafeBufferPointer { counts in
        order.withUnsafeBufferPointer { order in
          missing.withUnsafeBufferPointer { missing in
            // Both hold one element at least.
            guard let counts = counts.baseAddress, let positions = positions.baseAddress else {
              return
            }
            body(
              hk_ordered(
                rows: rows, groups: self.counts.count - 1, missing_count: missing.count,
                positions: positions, counts: counts, order: order.baseAddress ?? counts,
                missing: missing.baseAddress ?? counts))
          }
        }
      }
    }
  }

  /// Pearson's coefficient, by one pass over both columns.
  private func valuePairs(
    with other: PairedColumn, lag: Int, on instructions: InstructionSet
  ) -> (coefficient: Double?, count: Int) {
    let (first, end) = Self.window(rows: rows, lag: lag)
    guard first < end else { return (nil, 0) }
    var sums = hk_pair_sums()
    values.withUnsafeBufferPointer { x in
      present.withUnsafeBufferPointer { hasX in
        other.values.withUnsafeBufferPointer { y in
          other.present.withUnsafeBufferPointer { hasY in
            guard let x = x.baseAddress, let hasX = hasX.baseAddress, let y = y.baseAddress,
              let hasY = hasY.baseAddress
            else { return }
            hk_value_pair_sums(
              instructions.code, hk_masked(values: x + first, present: hasX + first),
              hk_masked(values: y + first + lag, present: hasY + first + lag), end - first, &sums)
          }
        }
      }
    }
    let count = Int(sums.count)
    guard count > 0 else { return (nil, 0) }
    let left = sums.left_squares - sums.left * sums.left / sums.count
    let right = sums.right_squares - sums.right * sums.right / sums.count
    // The values were centred and scaled with the rows that have no partner. Where those are so far
    // away that digits are lost, the pairs are centred by themselves.
    guard left > max(0x1p-200, 0x1p-10 * sums.left_squares),
      right > max(0x1p-200, 0x1p-10 * sums.right_squares)
    else { return (centredCoefficient(with: other, lag: lag, first..<end), count) }
    let product = sums.products - sums.left * sums.right / sums.count
    return (min(1, max(-1, product / (left.squareRoot() * right.squareRoot()))), count)
  }

  /// Pearson's coefficient of the pairs in a range of rows, centred and scaled anew.
  private func centredCoefficient(
    with other: PairedColumn, lag: Int, _ range: Range<Int>
  ) -> Double? {
    let paired = range.filter { present[$0] * other.present[$0 + lag] == 1 }
    let x = ScaledColumn(paired.map { unscaled[$0] })
    let y = ScaledColumn(paired.map { other.unscaled[$0 + lag] })
    guard !x.isZero, !y.isZero else { return nil }
    return Self.coefficient(x.values, y.values)
  }

  /// Pearson's coefficient by compensated sums, of columns that are centred nearly and scaled.
  static func coefficient(_ x: [Double], _ y: [Double]) -> Double? {
    let count = Double(x.count)
    let (meanX, meanY) = (x.compensatedSum / count, y.compensatedSum / count)
    let left = x.map { ($0 - meanX) * ($0 - meanX) }.compensatedSum
    let right = y.map { ($0 - meanY) * ($0 - meanY) }.compensatedSum
    guard left > 0, right > 0 else { return nil }
    let product = zip(x, y).map { ($0 - meanX) * ($1 - meanY) }.compensatedSum
    return min(1, max(-1, product / (left.squareRoot() * right.squareRoot())))
  }

  /// The rows *t* for which *t* + `lag` is a row as well.
  static func window(rows: Int, lag: Int) -> (first: Int, end: Int) {
    (max(0, min(rows, -lag)), min(rows, max(0, rows - lag)))
  }

  /// The rows of a series in order of value: each row's place among the distinct values, how many
  /// rows have each, and the rows themselves.
  private static func ordered(
    _ series: RegularSeries
  ) -> (positions: [UInt32], counts: [UInt32], order: [UInt32]) {
    var positions = [UInt32](repeating: 0, count: series.count + 1)
    var counts: [UInt32] = [0]
    let order = series.presentRows.map { UInt32($0) }
      .sorted { series.values[Int($0)] < series.values[Int($1)] }
    var last = 0.0
    for row in order {
      let value = series.values[Int(row)]
      if counts.count == 1 || value != last { counts.append(0) }
      counts[counts.count - 1] += 1
      positions[Int(row)] = UInt32(counts.count - 1)
      last = value
    }
    return (positions, counts, order)
  }

  /// The autocorrelations of a centred column at the distances 1, 2, …, each a mean over the pairs
  /// of rows that are there, as a share of the variance; 0 without pairs or variance.
  private static func autocorrelations(_ values: [Double], _ present: [Double]) -> [Double] {
    let count = present.reduce(0, +)
    let variance = values.reduce(into: 0) { $0 += $1 * $1 } / count
    guard variance > 0 else { return [] }
    return stride(from: 1, through: min(autocorrelationLags, values.count - 1), by: 1).map { lag in
      var products = 0.0
      var pairs = 0.0
      for row in lag..<values.count {
        products += values[row] * values[row - lag]
        pairs += present[row] * present[row - lag]
      }
      return pairs > 0 ? max(-1, min(1, products / pairs / variance)) : 0
    }
  }
}
