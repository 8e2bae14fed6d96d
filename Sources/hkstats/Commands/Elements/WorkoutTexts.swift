import HealthExchange
import HealthQuery

extension WorkoutStatistic {
  /// The title of its column in tables, with the unit of ``text(_:)`` where that shows none.
  var title: String {
    switch self {
    case .count: "workouts"
    case .distance: "km"
    case .energy: "kcal"
    case .pace: "min/km"
    case .speed: "km/h"
    case .elevation: "climb (m)"
    case .heartRate: "♥ mean"
    case .heartRateMax: "♥ max"
    case .best1k: "best 1 km"
    case .best5k: "best 5 km"
    case .best10k: "best 10 km"
    case .duration: rawValue
    }
  }

  /// A number as people read it: kilometres, hours and minutes, minutes for a kilometre.
  func text(_ value: Double?) -> String {
    guard let value else { return "–" }
    return switch self {
    case .count: NumberText.rounded(value, decimals: 0)
    case .duration: AmountText.duration(value)
    case .distance: NumberText.rounded(value / 1000, decimals: 2)
    case .pace, .best1k, .best5k, .best10k: AmountText.stopwatch(value)
    case .speed: NumberText.rounded(value * 3.6, decimals: 1)
    case .energy, .elevation, .heartRate, .heartRateMax: NumberText.rounded(value, decimals: 0)
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
