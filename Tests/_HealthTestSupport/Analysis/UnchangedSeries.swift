import Foundation

/// Series whose mean does not change, as rates of false alarms are measured on.
public enum UnchangedSeries: String, Sendable, CaseIterable {
  /// Independent normal values.
  case white
  /// Independent values of Student's distribution with 3 degrees of freedom, which has outliers.
  case heavyTailed
  /// An autoregression of the first order that keeps half: neighbours go together.
  case autoregressive

  /// The standard deviation of a value.
  public var deviation: Double { self == .heavyTailed ? 3.0.squareRoot() : 1 }

  /// A series.
  public func values(count: Int, using random: inout SplitMix64) -> [Double] {
    var last = Self.normal(&random)
    return (0..<count).map { _ in
      switch self {
      case .white: return Self.normal(&random)
      case .heavyTailed:
        let squares = (0..<3).reduce(0.0) { sum, _ in sum + pow(Self.normal(&random), 2) }
        return Self.normal(&random) / (squares / 3).squareRoot()
      case .autoregressive:
        let value = last
        last = 0.5 * last + 0.75.squareRoot() * Self.normal(&random)
        return value
      }
    }
  }

  /// A normal number by Box and Muller.
  public static func normal(_ random: inout SplitMix64) -> Double {
    let radius = (-2 * log(Double.random(in: Double.leastNonzeroMagnitude..<1, using: &random)))
      .squareRoot()
    return radius * cos(2 * Double.pi * Double.random(in: 0..<1, using: &random))
  }
}
