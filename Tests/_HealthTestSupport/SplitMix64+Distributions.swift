import Foundation

extension SplitMix64 {
  /// A number of the normal distribution with mean 0 and variance 1, by Box and Muller.
  public mutating func normal() -> Double {
    let share = Double.random(in: Double.leastNonzeroMagnitude..<1, using: &self)
    return (-2 * log(share)).squareRoot() * cos(2 * .pi * Double.random(in: 0..<1, using: &self))
  }

  /// A number of Student's distribution with 3 degrees of freedom: far from 0 now and then.
  public mutating func student() -> Double {
    var squares = 0.0
    for _ in 0..<3 {
      let normal = normal()
      squares += normal * normal
    }
    return normal() / (squares / 3).squareRoot()
  }
}
