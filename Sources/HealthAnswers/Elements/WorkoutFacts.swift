public import HealthSamples
import HealthUnits

/// The numbers of one workout.
public struct WorkoutFacts: Sendable, Hashable {
  /// The workout.
  public let workout: Workouts.Row
  private var values: [WorkoutStatistic: Double]

  /// A number of the workout, in ``WorkoutStatistic/unit``; `nil` where it is not known.
  public func value(_ statistic: WorkoutStatistic) -> Double? { values[statistic] }

  /// Takes the numbers out of a workout.
  ///
  /// - Parameters:
  ///   - workout: the workout
  ///   - tracks: the ways of its routes; none where none is needed
  ///   - heartRates: samples that overlap it
  ///   - statistics: what is needed of routes
  init(
    _ workout: Workouts.Row, tracks: [Track], heartRates: [WorkoutHeartRates.Sample],
    statistics: some Sequence<WorkoutStatistic>
  ) {
    self.workout = workout
    let duration = workout.activeSeconds
    values = [.count: 1, .duration: duration]
    values[.distance] = workout.totalDistance
    values[.energy] = workout.totalEnergy
    if let distance = workout.totalDistance, distance > 0, duration > 0 {
      values[.pace] = duration / distance * 1000
      values[.speed] = distance / duration
    }
    let rates = workout.heartRates(among: heartRates.map(\.rate))
    values[.heartRate] = rates.mean
    values[.heartRateMax] = rates.highest
    for statistic in statistics where statistic.needsRoutes {
      if let stretch = statistic.stretch {
        values[statistic] = tracks.compactMap { $0.shortestTime(over: stretch) }.min()
      } else {
        let climbed = tracks.compactMap(\.elevationGain)
        values[statistic] =
          workout.elevationAscended ?? (climbed.isEmpty ? nil : climbed.reduce(0, +))
      }
    }
  }
}

extension Workouts.Row {
  private static let secondsPerMinute = 60.0

  /// Metres, of all types of distance together, of which a triathlon has three; `nil` where none is
  /// recorded.
  public var totalDistance: Double? { sum { $0.hasPrefix("HKQuantityTypeIdentifierDistance") } }

  /// Kilocalories of activity; `nil` where none are recorded.
  public var totalEnergy: Double? {
    sum { $0 == HKQuantityTypeIdentifier.activeEnergyBurned.rawValue }
  }

  /// Metres climbed as the device measured them (`HKElevationAscended`); `nil` if not recorded.
  public var elevationAscended: Double? {
    guard let metre = try? UnitExpression("m"),
      case .quantity(let value, let unit)? = facts.metadata.entries
        .first(where: { $0.key == "HKElevationAscended" })?.typed
    else { return nil }
    return (try? UnitConversion(from: unit, to: metre))?(value)
  }

  /// The spans of its pauses, ascending: from each pause to the next resumption, or for as long as
  /// the event says.
  public var pauses: [Range<Double>] {
    var pauses: [Range<Double>] = []
    var paused: Double?
    for event in events.sorted(by: { $0.date < $1.date }) {
      switch event.type {
      case "HKWorkoutEventTypePause":
        if let duration = event.duration, duration > 0 {
          pauses.append(event.date..<event.date + duration)
        } else {
          paused = paused ?? event.date
        }
      case "HKWorkoutEventTypeResume":
        if let start = paused, start < event.date { pauses.append(start..<event.date) }
        paused = nil
      default: break
      }
    }
    if let paused, paused < facts.end { pauses.append(paused..<facts.end) }
    return pauses
  }

  /// Whether the export wrote mean and maximum.
  package var knowsHeartRates: Bool {
    writtenHeartRates?.average != nil && writtenHeartRates?.maximum != nil
  }

  /// Mean and highest heart rate in beats a minute: as the export wrote them, else those of samples
  /// that overlap it, in count/s.
  package func heartRates(among rates: [Double]) -> (mean: Double?, highest: Double?) {
    let mean = rates.isEmpty ? nil : rates.reduce(0, +) / Double(rates.count)
    return (
      (writtenHeartRates?.average ?? mean).map { $0 * Self.secondsPerMinute },
      (writtenHeartRates?.maximum ?? rates.max()).map { $0 * Self.secondsPerMinute }
    )
  }

  private var writtenHeartRates: Workouts.Statistics? {
    statistics.first { $0.type == HKQuantityTypeIdentifier.heartRate.rawValue }
  }

  /// The sums of matching types together, in the canonical unit.
  private func sum(_ isMeant: (String) -> Bool) -> Double? {
    let sums = statistics.filter { isMeant($0.type) }.compactMap(\.sum)
    return sums.isEmpty ? nil : sums.reduce(0, +)
  }
}
