public import Foundation
import HealthQuery

/// What is asked of workouts: of each, and of all that start in an interval.
public enum WorkoutStatistic: String, Sendable, Hashable, Codable, CaseIterable {
  /// How many workouts.
  case count
  /// Seconds without pauses.
  case duration
  /// Metres, of any type of distance.
  case distance
  /// Kilocalories of activity.
  case energy
  /// Seconds for a kilometre.
  case pace
  /// Metres a second.
  case speed
  /// Metres climbed: as the watch measured them, else along the routes.
  case elevation
  /// The mean heart rate, in beats a minute.
  case heartRate
  /// The highest heart rate, in beats a minute.
  case heartRateMax
  /// The least seconds over any kilometre of a route.
  case best1k
  /// The least seconds over any 5 km of a route.
  case best5k
  /// The least seconds over any 10 km of a route.
  case best10k

  /// What totals have unless something else is asked for.
  public static let standard: [Self] = [.count, .duration, .distance, .energy]

  /// The unit of the numbers; `nil` for a count.
  public var unit: String? {
    switch self {
    case .count: nil
    case .duration, .best1k, .best5k, .best10k: "s"
    case .distance, .elevation: "m"
    case .energy: "kcal"
    case .pace: "s/km"
    case .speed: "m/s"
    case .heartRate, .heartRateMax: "count/min"
    }
  }

  /// What is first where workouts are in the order of the number: the quickest time over a distance, and
  /// the largest of all else.
  public var usualOrder: SortOrder {
    switch self {
    case .pace, .best1k, .best5k, .best10k: .forward
    case .count, .duration, .distance, .energy, .speed, .elevation, .heartRate, .heartRateMax:
      .reverse
    }
  }

  /// The length of the stretch of a best time, in metres.
  public var stretch: Double? {
    switch self {
    case .best1k: 1000
    case .best5k: 5000
    case .best10k: 10_000
    default: nil
    }
  }

  /// Whether the routes of workouts tell it.
  var needsRoutes: Bool { stretch != nil || self == .elevation }

  /// Whether samples tell it where a workout does not.
  var needsHeartRates: Bool { self == .heartRate || self == .heartRateMax }
}
