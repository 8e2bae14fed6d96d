/// A sum and its rounding error: `left + right == sum + error` exactly as long as the sum is finite
/// (Knuth, The Art of Computer Programming 2, 4.2.2, theorem B).
///
/// The error is not a number where the sum overflows.
@inlinable
package func twoSum(_ left: Double, _ right: Double) -> (sum: Double, error: Double) {
  let sum = left + right
  let rightInSum = sum - left
  return (sum, (left - (sum - rightInSum)) + (right - rightInSum))
}

/// The same for eight sums.
@inlinable
package func twoSum(
  _ left: SIMD8<Double>, _ right: SIMD8<Double>
) -> (sum: SIMD8<Double>, error: SIMD8<Double>) {
  let sum = left + right
  let rightInSum = sum - left
  return (sum, (left - (sum - rightInSum)) + (right - rightInSum))
}
