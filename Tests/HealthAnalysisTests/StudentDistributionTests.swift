import Foundation
import HealthAnalysis
import Testing
import _HealthTestSupport

@Suite
struct StudentDistributionTests {
  @Test("Quantiles are those of the published table", arguments: StudentTable.rows)
  func publishedQuantiles(degreesOfFreedom: Int, values: [Double]) {
    let distribution = StudentDistribution(degreesOfFreedom: Double(degreesOfFreedom))
    for (tail, value) in zip(StudentTable.tails, values) {
      let quantile = distribution.quantile(upperTail: tail)
      #expect((quantile - value).magnitude <= 0.000_501, "\(degreesOfFreedom) \(tail)")
    }
  }

  @Test("With many degrees of freedom the distribution is the normal one")
  func normalLimit() {
    let distribution = StudentDistribution(degreesOfFreedom: 10_000_000)
    for (tail, value) in zip(StudentTable.tails, StudentTable.normal) {
      #expect((distribution.quantile(upperTail: tail) - value).magnitude <= 0.000_501)
    }
    for t in [0.1, 0.5, 1, 2, 3, 5] {
      let normal = erfc(t / 2.0.squareRoot()) / 2
      #expect((distribution.upperTail(t) / normal - 1).magnitude < 2e-5)
    }
  }

  @Test("Tails are those of the finite sums, for all small degrees of freedom")
  func matchesFiniteSums() {
    var random = SplitMix64(seed: 3)
    for freedom in Array(1...150) + [500, 1001, 5000] {
      let distribution = StudentDistribution(degreesOfFreedom: Double(freedom))
      for _ in 0..<20 {
        let t = Double.random(in: 0...8, using: &random)
        let central = SlowStudentDistribution.central(t, degreesOfFreedom: freedom)
        #expect((1 - 2 * distribution.upperTail(t) - central).magnitude < 2e-13, "\(freedom) \(t)")
      }
    }
  }

  @Test("Far tails keep their digits where the distribution has a closed form")
  func farTails() {
    let cauchy = StudentDistribution(degreesOfFreedom: 1)
    let two = StudentDistribution(degreesOfFreedom: 2)
    for exponent in stride(from: -12, through: 150, by: 3) {
      let t = pow(10, Double(exponent))
      let first = atan2(1, t) / Double.pi
      #expect((cauchy.upperTail(t) / first - 1).magnitude < 1e-13, "\(t)")
      let root = (2 + t * t).squareRoot()
      let second = 1 / (root * (root + t))
      #expect((two.upperTail(t) / second - 1).magnitude < 1e-13, "\(t)")
    }
    #expect((cauchy.upperTail(1e200) * 1e200 * Double.pi - 1).magnitude < 1e-11)
    #expect(two.upperTail(1e200) == 0)
    #expect(cauchy.upperTail(.infinity) == 0)
    #expect(cauchy.upperTail(-.infinity) == 1)
    #expect(cauchy.upperTail(.nan).isNaN)
  }

  @Test("A quantile and its tail lead to one another")
  func quantileInvertsTail() {
    var random = SplitMix64(seed: 4)
    for _ in 0..<300 {
      let freedom = Int.random(in: 1...2000, using: &random)
      let distribution = StudentDistribution(degreesOfFreedom: Double(freedom))
      let tail = pow(10, Double.random(in: -15 ... -0.302, using: &random))
      let t = distribution.quantile(upperTail: tail)
      #expect((distribution.upperTail(t) / tail - 1).magnitude < 1e-11, "\(freedom) \(tail)")
    }
  }

  @Test("The distribution is symmetric and its tail falls")
  func laws() {
    for freedom in [1, 2, 3, 7, 30, 400] {
      let distribution = StudentDistribution(degreesOfFreedom: Double(freedom))
      #expect(distribution.upperTail(0) == 0.5)
      #expect(distribution.quantile(upperTail: 0.5) == 0)
      var last = 1.0
      for step in 0...200 {
        let t = Double(step) / 20
        let tail = distribution.upperTail(t)
        #expect(tail < last)
        #expect((tail + distribution.upperTail(-t) - 1).magnitude < 1e-15)
        last = tail
      }
      for tail in [0.001, 0.2, 0.4] {
        let upper = distribution.quantile(upperTail: tail)
        let lower = distribution.quantile(upperTail: 1 - tail)
        #expect((upper + lower).magnitude < 1e-12 * upper)
      }
    }
  }

  @Test("More degrees of freedom make a lighter tail")
  func lighterTails() {
    for tail in [0.3, 0.1, 0.025, 0.0001] {
      let quantiles = (1...200).map {
        StudentDistribution(degreesOfFreedom: Double($0)).quantile(upperTail: tail)
      }
      #expect(zip(quantiles, quantiles.dropFirst()).allSatisfy { $0 > $1 })
    }
  }

  @Test("A tail so thin that its place is beyond every double gives infinity")
  func beyondDoubles() {
    let tail = Double.leastNonzeroMagnitude
    #expect(StudentDistribution(degreesOfFreedom: 1).quantile(upperTail: tail) == .infinity)
    #expect(StudentDistribution(degreesOfFreedom: 4).quantile(upperTail: tail).isFinite)
  }

  @Test(
    "Less than one degree of freedom, or a tail outside of 0 and 1, is a mistake of the program")
  func preconditions() async {
    await #expect(processExitsWith: .failure) { _ = StudentDistribution(degreesOfFreedom: 0) }
    await #expect(processExitsWith: .failure) {
      _ = StudentDistribution(degreesOfFreedom: 3).quantile(upperTail: 1)
    }
  }
}
