import Foundation

/// Series without a trend, a change or a rhythm, as the rates of false alarms are measured on.
public enum TrendlessSeries: String, Sendable, CaseIterable {
  /// Independent normal values.
  case independent
  /// Independent values of Student's distribution with 3 degrees of freedom, which has outliers.
  case heavyTailed = "t, 3 degrees"
  /// An autoregression of the first order that keeps half of the row before.
  case half = "keeps 0.5"
  /// An autoregression of the first order that keeps 0.7 of the row before.
  case persistent = "keeps 0.7"
  /// The same with outliers.
  case persistentHeavyTailed = "keeps 0.7, t"
  /// Slow coming and going, as of a weight: what keeps 0.97 of the row before, and as much noise.
  case wandering = "wanders (0.97 + noise)"
  /// A wave of a year of half of the deviation of the noise around it.
  case wave = "wave of a year"

  /// The kinds on which verdicts promise how often they are wrong.
  public static let promised: [Self] = [.independent, .heavyTailed, .half, .persistent]

  /// What is called a standard deviation of the series: of heavy tails that of a normal series with the
  /// same quartiles.
  public var deviation: Double {
    switch self {
    case .independent: 1
    case .heavyTailed: 1.134
    case .half: 1 / 0.75.squareRoot()
    case .persistent, .persistentHeavyTailed: 1 / 0.51.squareRoot()
    case .wandering: 2.0.squareRoot()
    case .wave: 1.25.squareRoot()
    }
  }

  /// A series of days.
  public func values(count: Int, using random: inout SplitMix64) -> [Double] {
    func column(_ memory: Double, _ noise: SimulatedPerson.Noise) -> [Double] {
      SimulatedPerson.column(rows: count, memory: memory, noise: noise, &random)
    }
    switch self {
    case .independent: return column(0, .normal)
    case .heavyTailed: return column(0, .student)
    case .half: return column(0.5, .normal)
    case .persistent: return column(0.7, .normal)
    case .persistentHeavyTailed: return column(0.7, .student)
    case .wandering:
      let share = (1 - 0.97 * 0.97).squareRoot()
      // A level that has been on its way for long.
      let slow = SimulatedPerson.column(rows: count + 200, memory: 0.97, noise: .normal, &random)
      return zip(slow.suffix(count), column(0, .normal)).map { share * $0 + $1 }
    case .wave:
      let start = Double.random(in: 0..<1, using: &random)
      return column(0, .normal).enumerated().map { row, noise in
        noise + 0.5.squareRoot() * sin(2 * .pi * (Double(row) / 365.2425 + start))
      }
    }
  }
}
