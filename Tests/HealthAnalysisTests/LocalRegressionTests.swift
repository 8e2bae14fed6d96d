import Testing
import _HealthNumerics
import _HealthTestSupport

@testable import HealthAnalysis

@Suite("Local regression on a regular grid")
struct LocalRegressionTests {
  static let instructionSets = InstructionSet.allCases.filter(\.isAvailable)

  @Test("All small smoothers give the fits of the normal equations", arguments: [0, 1])
  func matchesSlowTwin(degree: Int) {
    var random = SplitMix64(seed: 31)
    for count in 2...13 {
      for window in stride(from: 3, through: 17, by: 2) {
        for jump in [1, 2, 3, 5, 40] {
          for extends in [false, true] {
            let values = (0..<count).map { _ in Double.random(in: -1...1, using: &random) }
            let slow = SlowDecomposition.smooth(
              values, weights: values.map { _ in 1 },
              by: .init(window, degree: degree, jump: jump), extends: extends)
            let smoother = LocalRegression(
              count: count, window: window, degree: degree, jump: jump, extends: extends)
            #expect(distance(smoothed(values, by: smoother, extends), slow) <= 1e-13)
          }
        }
      }
    }
  }

  @Test("Weights of robustness give the fits of the normal equations", arguments: [0, 1])
  func matchesSlowTwinWithWeights(degree: Int) {
    var random = SplitMix64(seed: 32)
    for count in 2...30 {
      for window in [3, 5, 9, 21, 61] {
        for jump in [1, 2, 7] {
          let values = (0..<count).map { _ in Double.random(in: -1...1, using: &random) }
          // Some windows have no weight at all.
          let weights = values.map { _ in
            Bool.random(using: &random) ? 0 : Double.random(in: 0.1...1, using: &random)
          }
          let slow = SlowDecomposition.smooth(
            values, weights: weights, by: .init(window, degree: degree, jump: jump), extends: true)
          let smoother = LocalRegression(
            count: count, window: window, degree: degree, jump: jump, extends: true,
            isRobust: true)
          var target = [Double](repeating: 0, count: count + 2)
          target.withUnsafeMutableBufferPointer { target in
            guard let base = target.baseAddress else { return }
            smoother.smooth(values, robustness: weights, into: base + 1)
          }
          #expect(distance(target, slow) <= 1e-10)
        }
      }
    }
  }

  @Test("Each row in the middle has its own least spread, below which its line is a constant")
  func leastSpreads() {
    var random = SplitMix64(seed: 36)
    let values = (0..<40).map { _ in Double.random(in: -1...1, using: &random) }
    let weights = values.map { _ in Double.random(in: 0.1...1, using: &random) }
    let smoother = LocalRegression(count: 40, window: 7, degree: 1, jump: 1, isRobust: true)
    let middle = smoother.middleRows
    #expect(middle == 3..<37)
    let spreads = middle.map { $0 % 3 == 0 ? Double.infinity : 0 }
    var target = [Double](repeating: 0, count: middle.count)
    values.withUnsafeBufferPointer { values in
      weights.withUnsafeBufferPointer { weights in
        guard let first = values.baseAddress, let weight = weights.baseAddress else { return }
        smoother.applyRobustFilter(
          first + 3, weight + 3, spacing: 1, leastSpreads: spreads, into: &target,
          count: middle.count)
      }
    }
    for (degree, isChosen) in [(0, { $0 % 3 == 0 }), (1, { $0 % 3 != 0 })] as [(Int, (Int) -> Bool)]
    {
      let slow = SlowDecomposition.smooth(values, weights: weights, by: .init(7, degree: degree))
      for row in middle where isChosen(row) {
        #expect((target[row - 3] - slow[row]).magnitude <= 1e-13)
      }
    }
  }

  @Test("Columns beside one another are smoothed as each alone", arguments: [1, 2])
  func columns(jump: Int) {
    var random = SplitMix64(seed: 33)
    for (count, window) in [(5, 3), (12, 7), (30, 5), (9, 31)] {
      for spacing in [2, 3, 7, 19] {
        for width in [1, spacing - 1, spacing] where width > 0 {
          let values = (0..<count * spacing).map { _ in Double.random(in: -1...1, using: &random) }
          let smoother = LocalRegression(count: count, window: window, degree: 1, jump: jump)
          var target = [Double](repeating: 0, count: count * spacing)
          target.withUnsafeMutableBufferPointer { target in
            guard let base = target.baseAddress else { return }
            smoother.smooth(values, spacing: spacing, width: width, into: base)
          }
          for column in 0..<width {
            let own = (0..<count).map { values[$0 * spacing + column] }
            let result = (0..<count).map { target[$0 * spacing + column] }
            #expect(distance(result, smoothed(own, by: smoother, false)) <= 1e-14)
          }
        }
      }
    }
  }

  @Test("Smoothers too long for a table give the same as short ones do")
  func withoutTable() {
    // 2,500² weights are beyond the limit.
    let values = (0..<2_500).map { Double(($0 * 7_919) % 1_009) / 1_009 }
    let slow = SlowDecomposition.smooth(
      Array(values), weights: values.map { _ in 1 }, by: .init(9_999, jump: 300))
    let table = LocalRegression(count: 2_500, window: 9_999, degree: 1, jump: 300)
    #expect(distance(smoothed(values, by: table, false), slow) <= 1e-12)
    let anew = LocalRegression(count: 2_500, window: 9_999, degree: 1, jump: 1)
    let all = smoothed(values, by: anew, false)
    #expect(
      distance(
        stride(from: 0, to: 2_500, by: 300).map { all[$0] },
        stride(from: 0, to: 2_500, by: 300).map { slow[$0] }) <= 1e-12)
  }

  @Test("Moving means are those of each window, short or long, and of large values")
  func movingMeans() {
    var random = SplitMix64(seed: 34)
    for window in [1, 2, 3, 7, 8, 16, 17, 30, 365] {
      for count in [1, 2, 7, 8, 9, 40, 400] {
        let values = (0..<count + window - 1).map { row in
          Double.random(in: -1...1, using: &random) * (row % 50 == 3 ? 1e9 : 1)
        }
        let slow = SlowDecomposition.means(values, window)
        let fast = values.movingMeans(window: window)
        #expect(fast.count == count)
        let sizes = SlowDecomposition.means(values.map(\.magnitude), window)
        for row in 0..<count {
          // The compensated sum must not remember a large value that has left the window.
          #expect((fast[row] - slow[row]).magnitude <= 1e-13 * sizes[row] + 1e-22 * 1e9)
        }
      }
    }
  }

  @Test("Every instruction set gives the same bits", arguments: instructionSets)
  func sameBits(on instructions: InstructionSet) {
    var random = SplitMix64(seed: 35)
    for count in [9, 33, 70, 203] {
      let values = (0..<count).map { _ in Double.random(in: -1...1, using: &random) }
      let weights = values.map { _ in Double.random(in: 0...1, using: &random) }
      for window in [3, 7, 31, 205] {
        for jump in [1, 3] {
          let own = LocalRegression(
            count: count, window: window, degree: 1, jump: jump, extends: true, isRobust: true,
            instructions: instructions)
          let plain = LocalRegression(
            count: count, window: window, degree: 1, jump: jump, extends: true, isRobust: true,
            instructions: .plain)
          #expect(smoothed(values, by: own, true) == smoothed(values, by: plain, true))
          #expect(
            smoothed(values, by: own, true, weights) == smoothed(values, by: plain, true, weights))
        }
      }
      for window in [1, 5, 16, 17, count] {
        #expect(
          values.movingMeans(window: window, on: instructions)
            == values.movingMeans(window: window, on: .plain))
      }
    }
    for period in [2, 7, 30] {
      let values = (0..<211).map { _ in Double.random(in: -1...1, using: &random) }
      for parameters in [
        DecompositionParameters(), .robust,
        DecompositionParameters()
          .withTenthJumps(),
      ] {
        guard let all = try? ResolvedDecomposition(parameters, rows: 211, period: period) else {
          Issue.record("parameters")
          continue
        }
        let own = SeasonalTrendLoess(all, instructions: instructions).parts(of: values)
        let plain = SeasonalTrendLoess(all, instructions: .plain).parts(of: values)
        #expect(own.trend == plain.trend)
        #expect(own.season == plain.season)
        #expect(own.weights == plain.weights)
      }
    }
  }

  private func smoothed(
    _ values: [Double], by smoother: LocalRegression, _ extends: Bool, _ weights: [Double]? = nil
  ) -> [Double] {
    var target = [Double](repeating: 0, count: values.count + 2)
    target.withUnsafeMutableBufferPointer { target in
      guard let base = target.baseAddress else { return }
      if let weights {
        smoother.smooth(values, robustness: weights, into: base + 1)
      } else {
        smoother.smooth(values, into: base + 1)
      }
    }
    return extends ? target : Array(target[1...values.count])
  }

  private func distance(_ left: [Double], _ right: [Double]) -> Double {
    guard left.count == right.count else { return .infinity }
    return zip(left, right).map { ($0 - $1).magnitude }.max() ?? 0
  }
}
