/// A sum of doubles with compensation of rounding errors (Knuth's TwoSum).
///
/// ```swift
/// var sum = CompensatedSum()
/// for term in [1, 1e100, 1, -1e100] { sum.add(term) }
/// sum.result  // 2
/// ```
///
/// The result is within 2^-52 of Σ|terms| of the exact sum for up to 2^26 terms: ½ ulp of the
/// result, and *n*²·2^-106 of Σ|terms| (proposition 4.5 of T. Ogita, S. M. Rump and S. Oishi,
/// *Accurate Sum and Dot Product*, SIAM J. Sci. Comput. 26, 2005). Terms are added in order, so
/// chunks that continue one state give the same bits; merging two states keeps the bound, not the
/// bits. When the sum leaves the range of `Double` the result is infinite, never NaN as long as the
/// terms are finite.
package struct CompensatedSum: Sendable, Hashable {
  /// The sum of the rounded additions.
  @usableFromInline package var sum = 0.0
  /// The sum of their rounding errors.
  @usableFromInline package var lost = 0.0

  /// Makes the sum of no terms.
  @inlinable
  package init() {}

  /// The state stored in two columns of a table.
  package init(sum: Double, lost: Double) {
    self.sum = sum
    self.lost = lost
  }

  /// Adds a term. - Complexity: O(1)
  @inlinable
  package mutating func add(_ term: Double) {
    let next = twoSum(sum, term)
    lost += next.error
    sum = next.sum
  }

  /// Adds the terms of another sum. - Complexity: O(1)
  @inlinable
  package mutating func merge(_ other: Self) {
    add(other.sum)
    lost += other.lost
  }

  /// The sum, rounded once. - Complexity: O(1)
  @inlinable
  package var result: Double { sum.isFinite ? sum + lost : sum }

  /// The sum divided by a count: the quotient, corrected by its remainder and by the rounding error
  /// of the sum. - Complexity: O(1)
  package func mean(count: Int) -> Double {
    let count = Double(count)
    let quotient = sum / count
    guard quotient.isFinite else { return quotient }
    let remainder = sum.addingProduct(-quotient, count)
    return quotient + (remainder + lost) / count
  }

  /// Adds a product without rounding it first. - Complexity: O(1)
  package mutating func add(productOf factor: Double, and other: Double) {
    let product = factor * other
    add(product)
    // The rounding error of an infinite product would be NaN.
    if product.isFinite { lost += (-product).addingProduct(factor, other) }
  }

  /// The sum divided by another, positive one, each with its correction; within 1 ulp where nothing
  /// cancels, and exact where the quotient is a double. - Complexity: O(1)
  package func quotient(by other: CompensatedSum) -> Double {
    let divisor = other.result
    let quotient = result / divisor
    guard quotient.isFinite else { return quotient }
    // The parts of both sums that are lost in the rounded results.
    let rest = (sum - result) + lost
    let divisorRest = (other.sum - divisor) + other.lost
    let remainder = result.addingProduct(-quotient, divisor)
    return quotient + (remainder + rest - quotient * divisorRest) / divisor
  }
}
