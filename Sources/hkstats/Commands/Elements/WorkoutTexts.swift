import HealthAnswers
import HealthExchange
import HealthReport
import HealthUnits

extension ActivityUnits {
  /// The title of a column in tables, with the unit of ``text(_:of:)`` where that shows none.
  func title(of statistic: WorkoutStatistic) -> String {
    switch statistic {
    case .count: "workouts"
    case .distance: Vocabulary.current.unit(distance.shortDescription, of: nil)
    case .energy: Vocabulary.current.unit(energy.shortDescription, of: nil)
    case .pace: "min/\(splitLength.rawValue)"
    case .speed: name(of: .speed).map { Vocabulary.current.unit($0, of: nil) } ?? ""
    case .elevation: "climb (m)"
    case .heartRate: "♥ mean"
    case .heartRateMax: "♥ max"
    case .best1k: "best 1 km"
    case .best5k: "best 5 km"
    case .best10k: "best 10 km"
    case .duration: statistic.rawValue
    }
  }

  /// A number of a workout as people read it: hours and minutes, kilometres or miles, minutes for each
  /// of them.
  func text(_ value: Double?, of statistic: WorkoutStatistic) -> String {
    guard let value = value.map({ self.value($0, of: statistic) }) else { return "–" }
    return switch statistic {
    case .duration: AmountText.duration(value)
    case .distance:
      // Metres and yards are short enough without decimals.
      NumberText.rounded(
        value, decimals: distance.shortDescription == splitLength.rawValue ? 2 : 0)
    case .pace, .best1k, .best5k, .best10k: AmountText.stopwatch(value)
    case .speed: NumberText.rounded(value, decimals: 1)
    case .count, .energy, .elevation, .heartRate, .heartRateMax:
      NumberText.rounded(value, decimals: 0)
    }
  }
}

extension AmountText {
  /// A duration as a stopwatch shows it: `5:07`, `1:02:03`.
  static func stopwatch(_ seconds: Double) -> String {
    guard abs(seconds) < 1e9 else { return "long" }
    let whole = Int(seconds.rounded())
    func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    let minutes = whole / 60 % 60
    let rest = ":\(two(whole % 60))"
    return whole < 3600 ? "\(minutes)\(rest)" : "\(whole / 3600):\(two(minutes))\(rest)"
  }
}
