import Foundation
import Testing
import _HealthTestSupport

@testable import HealthAnalysis

@Suite
struct DistributionTests {
  @Test("Tails of Student's distribution are those of SciPy and R, for any degrees of freedom")
  func student() throws {
    try compare("student", 3e-13) { StudentDistribution(degreesOfFreedom: $0[0]).upperTail($0[1]) }
  }

  @Test("Tails of Fisher's distribution are those of SciPy and R")
  func fisher() throws {
    try compare("f", 1e-11) { FDistribution($0[0], $0[1]).upperTail($0[2]) }
  }

  @Test("Tails of the normal distribution are those of SciPy and R")
  func normal() throws {
    try compare("normal", 5e-13) { NormalDistribution.upperTail($0[0]) }
  }

  @Test("Quantiles of the normal distribution are those of SciPy and R, also near the middle")
  func normalQuantiles() throws {
    try compare("normalQuantile", 1e-13) { NormalDistribution.quantile(upperTail: $0[0]) }
  }

  @Test("Quantiles of Student's distribution are those of SciPy and R, also near the middle")
  func studentQuantiles() throws {
    let rows = try #require(try RegressionReferences.all.get().distributions["studentQuantile"])
    for row in rows {
      let value = StudentDistribution(degreesOfFreedom: row[0]).quantile(upperTail: row[1])
      // Both lose up to half of their digits near the middle: see the next test.
      let tolerance = (row[1] - 0.5).magnitude < 1e-3 ? 1e-7 : 1e-11
      #expect(agrees(value, row[2], tolerance) && agrees(value, row[3], tolerance), "\(row)")
    }
  }

  @Test("Near the middle, quantiles are those of the closed forms")
  func middle() {
    for share in [0x1p-53, 1e-12, 1e-9, 1e-6, 1e-4, 0.01, 0.2] {
      // Exact for each tail of a quarter or more.
      let tail = 0.5 - share
      let exact = 0.5 - tail
      let one = StudentDistribution(degreesOfFreedom: 1)
      #expect(agrees(one.quantile(upperTail: tail), tan(Double.pi * exact), 1e-14))
      let upper = 0.5 + share
      #expect(agrees(one.quantile(upperTail: upper), -tan(Double.pi * (upper - 0.5)), 1e-14))
      let two = StudentDistribution(degreesOfFreedom: 2).quantile(upperTail: tail)
      let expected = 2 * exact * (2 / (1 - 4 * exact * exact)).squareRoot()
      #expect(agrees(two, expected, 1e-14))
      let normal = NormalDistribution.quantile(upperTail: tail)
      #expect(agrees(erf(normal / 2.0.squareRoot()) / 2, exact, 1e-14))
    }
  }

  @Test("Far quantiles lead back to their tails")
  func farQuantiles() {
    for exponent in stride(from: -300, through: -1, by: 7) {
      let tail = pow(10, Double(exponent))
      let normal = NormalDistribution.quantile(upperTail: tail)
      #expect(agrees(NormalDistribution.upperTail(normal), tail, 3e-12), "\(exponent)")
      for freedom in [1, 2.5, 40.5, 1e4, 1e9] {
        let student = StudentDistribution(degreesOfFreedom: freedom)
        let t = student.quantile(upperTail: tail)
        #expect(agrees(student.upperTail(t), tail, 3e-12), "\(exponent) \(freedom)")
      }
    }
  }

  @Test("F with one numerator degree is the square of Student's t, and the inverse swaps the two")
  func relations() {
    for freedom in [1, 2.5, 7, 40.25] {
      for t in [1e-6, 0.2, 1, 2.5, 9, 1e4] {
        let tail = 2 * StudentDistribution(degreesOfFreedom: freedom).upperTail(t)
        #expect(agrees(FDistribution(1, freedom).upperTail(t * t), tail, 1e-12))
        let swapped = 1 - FDistribution(freedom, 3.5).upperTail(1 / t)
        #expect((FDistribution(3.5, freedom).upperTail(t) - swapped).magnitude < 1e-12)
      }
    }
  }

  @Test("Edges of the real line have their limits")
  func edges() {
    let fisher = FDistribution(3, 4)
    #expect(fisher.upperTail(0) == 1 && fisher.upperTail(-1) == 1 && fisher.upperTail(.nan).isNaN)
    #expect(fisher.upperTail(.infinity) == 0)
    #expect(NormalDistribution.upperTail(.infinity) == 0)
    #expect(NormalDistribution.upperTail(-.infinity) == 1)
    #expect(NormalDistribution.quantile(upperTail: .leastNonzeroMagnitude) > 38)
    #expect(NormalDistribution.quantile(upperTail: 1 - 0x1p-53) < -8)
  }

  /// Compares with SciPy and R, the last numbers of each row of a table.
  ///
  /// Each of them loses digits somewhere (R and SciPy near the middle, where 0.5 − p matters): where
  /// the two differ, one has to agree, and they differ in few rows.
  private func compare(
    _ table: String, _ tolerance: Double, _ function: ([Double]) -> Double
  ) throws {
    let rows = try #require(try RegressionReferences.all.get().distributions[table])
    var differing = 0
    for row in rows {
      let (first, second) = (row[row.count - 2], row[row.count - 1])
      let value = function(Array(row.dropLast(2)))
      // Below the normal numbers nothing keeps its digits.
      if max(first, second).magnitude < 1e-290 {
        #expect(value.magnitude < 1e-289)
      } else if agrees(first, second, tolerance) {
        #expect(agrees(value, second, tolerance), "\(row) \(value)")
      } else {
        differing += 1
        let isNearOne = agrees(value, first, tolerance) || agrees(value, second, tolerance)
        #expect(isNearOne, "\(row) \(value)")
      }
    }
    #expect(differing * 10 < rows.count)
  }
}
