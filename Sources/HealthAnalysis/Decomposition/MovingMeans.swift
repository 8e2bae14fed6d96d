import CKernels
import _HealthNumerics

extension [Double] {
  /// The means of each run of consecutive values of a length; none when there are fewer.
  ///
  /// - Complexity: O(*n*)
  func movingMeans(
    window: Int, on instructions: InstructionSet = .best
  ) -> [Double] {
    guard window >= 1, count >= window else { return [] }
    let size = count - window + 1
    return [Double](unsafeUninitializedCapacity: size) { means, used in
      guard let target = means.baseAddress else { return }
      hk_moving_means(instructions.code, self, window, target, size)
      used = size
    }
  }
}
