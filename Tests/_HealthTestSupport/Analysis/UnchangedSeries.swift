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
    var last = random.normal()
    return (0..<count).map { _ in
      switch self {
      case .white: return random.normal()
      case .heavyTailed: return random.student()
      case .autoregressive:
        let value = last
        last = 0.5 * last + 0.75.squareRoot() * random.normal()
        return value
      }
    }
  }
}
